/* Keys in devices, and who may use them. See slots.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

static void empty(struct server *server, struct slot *slot)
{
    struct curve *curve = slot->curve;
    *slot = (struct slot){.curve = NULL};
    curves_drop(&server->curves, curve);
}

int slots_reserve(struct server *server, struct curve *curve)
{
    unsigned count = server->backend->key_slots < KEY_SLOTS ? server->backend->key_slots : KEY_SLOTS;
    int found = -1;
    for (unsigned i = 0; i < count; i++) {
        if (server->slot[i].curve == curve)
            return -1;
        if (!server->slot[i].curve && found < 0)
            found = (int)i;
    }
    if (found >= 0) {
        server->slot[found] = (struct slot){.curve = curve, .changing = 1};
        curve->uses++;
    }
    return found;
}

void slots_failed(struct server *server, unsigned slot, int zeroise)
{
    if (zeroise)
        server->slot[slot].changing = 0;
    else
        empty(server, &server->slot[slot]);
}

void slots_set(struct server *server, unsigned slot, struct connection *owner, int status)
{
    struct slot *place = &server->slot[slot];
    place->changing = 0;
    if (status == ECCEL_OK) {
        place->owner = owner;
        LOG(&server->log, LEVEL_INFO, "key_set", NUMBER("slot", slot), NUMBER("owned", owner != NULL));
    } else if (status == ECCEL_SCALAR_RANGE || status < ECCEL_EXCEPTIONAL) {
        empty(server, place); /* the engine has refused it before it looked at the slot */
    } else {
        slots_release(server, slot); /* KEYGEN keeps a key whose public key could not be computed */
    }
}

void slots_wiped(struct server *server, unsigned slot, int status)
{
    server->slot[slot].changing = 0;
    if (status != ECCEL_OK) {
        LOG(&server->log, LEVEL_ERROR, "key_not_wiped", NUMBER("slot", slot), NUMBER("status", status));
        return;
    }
    LOG(&server->log, LEVEL_INFO, "key_wiped", NUMBER("slot", slot));
    empty(server, &server->slot[slot]);
}

int slots_may_use(const struct server *server, const struct connection *connection, const struct curve *curve)
{
    for (unsigned i = 0; i < KEY_SLOTS; i++) {
        const struct slot *slot = &server->slot[i];
        if (slot->curve == curve && !slot->changing)
            return !slot->owner || slot->owner == connection;
    }
    return 0;
}

int slots_keep_out(const struct server *server, const struct curve *curve)
{
    for (unsigned i = 0; i < KEY_SLOTS; i++)
        if (server->slot[i].curve && server->slot[i].curve != curve)
            return 1;
    return 0;
}

int slots_owned(const struct server *server, const struct connection *connection)
{
    for (unsigned i = 0; i < KEY_SLOTS; i++)
        if (server->slot[i].curve && server->slot[i].owner == connection && !server->slot[i].changing)
            return (int)i;
    return -1;
}

int slots_to_wipe(struct server *server, const struct connection *connection)
{
    int slot = slots_owned(server, connection);
    if (slot < 0)
        slot = slots_owned(server, NULL);
    if (slot >= 0)
        server->slot[slot].changing = 1;
    return slot;
}

void slots_check(struct server *server, const struct curve *curve, int status)
{
    for (unsigned i = 0; i < KEY_SLOTS; i++)
        if (server->slot[i].curve == curve && !server->slot[i].changing && status == ECCEL_NO_KEY) {
            LOG(&server->log, LEVEL_WARNING, "key_lost", NUMBER("slot", i));
            empty(server, &server->slot[i]);
        }
}

void slots_release(struct server *server, unsigned slot)
{
    struct slot *place = &server->slot[slot];
    struct job *job = job_new(&server->jobs);
    place->owner = NULL;
    if (!job)
        return; /* the key stays without an owner */
    job->purpose = PURPOSE_RELEASE;
    job->slot = slot;
    job->head = ECCEL_OP_ZEROISE;
    job->curve = place->curve;
    job->curve->uses++;
    place->changing = 1;
    const struct eccel_request request = {.op = ECCEL_OP_ZEROISE, .curve = place->curve->library};
    int result = server->backend->submit(server->backend, job, &request, place->curve);
    if (result) {
        job->result.result = result;
        job_done(job);
    }
}

void slots_disown(struct server *server, const struct connection *connection)
{
    for (unsigned i = 0; i < KEY_SLOTS; i++)
        if (server->slot[i].owner == connection)
            server->slot[i].owner = NULL;
}
