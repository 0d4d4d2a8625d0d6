/* Results of jobs computed in software by OpenSSL, for the paced device.
   SPDX-License-Identifier: Apache-2.0

   The results are those of the engine (docs/architecture.md). The time of these functions depends on the operands: the
   paced device is for measurements, not for keys that matter. Takes short Weierstrass curves with cofactor 1, and
   binary curves that OpenSSL knows. */
#ifndef SERVE_SOFT_H
#define SERVE_SOFT_H

#include "curve.h"
#include "nonces.h"

#include <openssl/bn.h>
#include <openssl/ec.h>

struct soft_curve {
    uint64_t number; /* no two curves of a process have the same */
    unsigned words;
    int binary;
    EC_GROUP *group;
    BIGNUM *p, *n, *order, *h_inverse; /* p: the polynomial of a binary curve; h^-1 mod n */
    unsigned field_bits;
    struct nonces nonces;
};

/* Makes a curve of the operands of CURVE_LOAD. Returns a status of the engine: OK, BAD_MODULUS, COORD_RANGE,
   NOT_ON_CURVE, or ENGINE_FAULT if there is no memory. */
int soft_open(struct soft_curve *curve, const uint32_t *load, unsigned words);
void soft_close(struct soft_curve *curve);

/* Computes a job. The operands have to be as many as the operation has without flags, and d of a job with KEY is given;
   only k of ECDSA_SIGN and d of KEYGEN may be absent with RANDOM. KEYGEN gives the drawn key to `key` (4 * words
   bytes). Safe in several threads, each with a context of its own. */
void soft_job(struct soft_curve *curve, const struct eccel_request *request, BN_CTX *context,
              struct eccel_result *result, uint8_t *key);

/* MOD_MUL, MOD_INV, MOD_EXP, MOD_ADD, MOD_SUB: a status of the engine. */
int soft_mod(const struct soft_curve *curve, unsigned op, unsigned flags, const BIGNUM *a, const BIGNUM *b,
             BIGNUM *out, BN_CTX *context);

/* A random scalar in [1, n - 1]. Returns 1, or 0 if there is no randomness. */
int soft_draw(const struct soft_curve *curve, BIGNUM *out);

/* The x-coordinate of k G modulo n, and k^-1. Returns 1 or 0. */
int soft_nonce(const struct soft_curve *curve, const BIGNUM *k, BIGNUM *r, BIGNUM *inverse, BN_CTX *context);

#endif
