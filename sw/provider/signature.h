/* ECDSA signatures as octets: the DER of ECDSA-Sig-Value, and the identifiers of signature algorithms.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_SIGNATURE_H
#define ECCEL_PROVIDER_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curves.h"

#define SIGNATURE_BYTES (2 * (NUMBER_BYTES + 3) + 4)

/* The longest signature of a curve. */
size_t signature_size(size_t order_bytes, unsigned order_bits);

/* Writes r and s (most significant byte first, `bytes` each) and returns the length, at most signature_size. */
size_t signature_encode(const uint8_t *r, const uint8_t *s, size_t bytes, uint8_t *signature);

/* Reads a signature into r and s of `bytes` bytes each. False if it is not the one and only DER of two numbers that are
   not negative and fit: a signature has no second form. */
bool signature_decode(const uint8_t *signature, size_t length, uint8_t *r, uint8_t *s, size_t bytes);

/* The DER of the AlgorithmIdentifier of ECDSA with a digest, NULL if there is none. */
const uint8_t *signature_algorithm(const char *digest, size_t *length);

/* The leftmost order_bits of a hash as a number. `e` has NUMBER_BYTES; returns its length. */
size_t signature_hash_number(const uint8_t *hash, size_t length, unsigned order_bits, uint8_t *e);

#endif
