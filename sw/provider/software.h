/* The same operations in the software provider, for jobs that no device does. Errors are raised.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_SOFTWARE_H
#define ECCEL_PROVIDER_SOFTWARE_H

#include "key.h"

/* A signature in DER of at most `room` bytes. */
bool software_sign(struct key *key, const uint8_t *digest, size_t digest_length, uint8_t *signature, size_t room,
                   size_t *length);
/* 1 valid, 0 not valid, -1 not known. */
int software_verify(struct key *key, const uint8_t *digest, size_t digest_length, const uint8_t *signature,
                    size_t length);
/* x of the shared point, curve->field_bytes. */
bool software_derive(struct key *key, struct key *peer, bool cofactor, uint8_t *shared);

#endif
