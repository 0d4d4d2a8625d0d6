/* Keys in devices, and who may use them.
   SPDX-License-Identifier: Apache-2.0

   A slot belongs to the connection that has set its key. When that connection has ended, the key stays, and every
   connection may use or wipe it. To other connections, the key of a connection does not exist: they get NO_KEY, and
   KEY_REFUSED for a key of their own if there is no slot for it. */
#ifndef SERVE_SLOTS_H
#define SERVE_SLOTS_H

#include "server.h"

/* A slot for a new key on this curve, or -1 if the curve has a key already or all slots are taken. */
int slots_reserve(struct server *server, struct curve *curve);

/* The job that was to change this slot has not begun. */
void slots_failed(struct server *server, unsigned slot, int zeroise);

/* KEY_LOAD or KEYGEN has ended with this status. owner: NULL if its connection has ended. */
void slots_set(struct server *server, unsigned slot, struct connection *owner, int status);

/* ZEROISE has ended. */
void slots_wiped(struct server *server, unsigned slot, int status);

/* 1 if the connection may use a key on this curve. */
int slots_may_use(const struct server *server, const struct connection *connection, const struct curve *curve);

/* 1 if a key on another curve may keep this one out of the devices. */
int slots_keep_out(const struct server *server, const struct curve *curve);

/* A slot whose key belongs to the connection, or -1; a slot that it may wipe, which is then reserved for that, or
   -1. */
int slots_owned(const struct server *server, const struct connection *connection);
int slots_to_wipe(struct server *server, const struct connection *connection);

/* A job with the key of this curve has ended so. If the device has no key, the slot is empty. */
void slots_check(struct server *server, const struct curve *curve, int status);

/* Wipes a key without an answer to anybody. */
void slots_release(struct server *server, unsigned slot);

/* The connection ends: its keys have no owner. */
void slots_disown(struct server *server, const struct connection *connection);

#endif
