/* Many multiples k G at once, for the nonces of the paced device.
   SPDX-License-Identifier: Apache-2.0

   A table has d 2^(8 i) G for all bytes d. The points of a batch are added row by row in affine coordinates, with one
   inversion for all of them (Montgomery's trick). OpenSSL's own multiplication takes several times as long on most
   curves. Variable-time, as the whole paced device. */
#ifndef SERVE_COMB_H
#define SERVE_COMB_H

#include <openssl/bn.h>
#include <openssl/ec.h>

enum { COMB_BATCH = 32 };

struct comb;

/* The table of a curve over GF(p), or over GF(2^m) with polynomial p. Scalars are below 2^bits. NULL if there is no
   memory. */
struct comb *comb_new(const EC_GROUP *group, const BIGNUM *p, int binary, unsigned bits, BN_CTX *context);
void comb_free(struct comb *comb);

/* The x-coordinates of k[i] G for `count` (at most COMB_BATCH) scalars, none of which is 0 modulo the order. Returns 1,
   or 0 in the rare case that the batch has to be given up. Safe in several threads. */
int comb_multiply(const struct comb *comb, BIGNUM *const *k, BIGNUM **x, unsigned count, BN_CTX *context);

#endif
