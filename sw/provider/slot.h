/* Keys in the key slot of a device.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_SLOT_H
#define ECCEL_PROVIDER_SLOT_H

#include "key.h"

/* What a key in a slot is for. */
enum slot_use { SLOT_USE_ALL, SLOT_USE_SIGN, SLOT_USE_AGREE };

/* Draws a key in a device, into its slot. The key object has parameters; it gets its public part. */
bool slot_generate(struct key *key, enum slot_use use);

/* Finds out the public part of the key that is in the slot. The key object has parameters. If the key may agree but not
   sign, y or -y is found, by chance: the shared secrets are the same. */
bool slot_find(struct key *key);

#endif
