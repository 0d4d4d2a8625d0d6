/* The operations: each is a job for a device, or the same in software. All of them count, and raise their errors.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_JOBS_H
#define ECCEL_PROVIDER_JOBS_H

#include "key.h"

/* Signs a hash: the DER of at most `room` bytes, which have to suffice for the longest signature of the curve. */
bool jobs_sign(struct key *key, const uint8_t *hash, size_t hash_length, uint8_t *signature, size_t room,
               size_t *length);

/* 1 valid, 0 not valid, -1 not known. */
int jobs_verify(struct key *key, const uint8_t *hash, size_t hash_length, const uint8_t *signature, size_t length);

/* The x coordinate of the shared point, curve->field_bytes. Both keys are of one curve. */
bool jobs_derive(struct key *key, struct key *peer, bool cofactor, uint8_t *shared);

/* The public key of the private one. */
bool jobs_public(struct key *key);

#endif
