/* What the files of this folder know of each other.
   SPDX-License-Identifier: Apache-2.0

   PARI keeps the address of the C function behind each function and operator of a script in a table. eccel_pari_start
   replaces some of these addresses. A new function asks the engine first and calls PARI's own one (`own`) if the engine
   cannot do it, so that every script has the results and the errors that it has without the engine. */
#ifndef ECCEL_PARI_H
#define ECCEL_PARI_H

#include <pari/pari.h>

#include "maths.h"

/* PARI's own functions. */
struct own {
    GEN (*mul)(GEN, GEN);
    GEN (*add)(GEN, GEN);
    GEN (*sub)(GEN, GEN);
    GEN (*div)(GEN, GEN);
    GEN (*sqr)(GEN);
    GEN (*pow)(GEN, GEN, long);
    GEN (*pows)(GEN, long);
    GEN (*ellmul)(GEN, GEN, GEN);
    GEN (*elladd)(GEN, GEN, GEN);
    GEN (*ellsub)(GEN, GEN, GEN);
};
extern struct own own;

/* Functions in their place. */
GEN eccel_mul(GEN x, GEN y);
GEN eccel_add(GEN x, GEN y);
GEN eccel_sub(GEN x, GEN y);
GEN eccel_div(GEN x, GEN y);
GEN eccel_sqr(GEN x);
GEN eccel_pow(GEN x, GEN n, long precision);
GEN eccel_pows(GEN x, long n);
GEN eccel_ellmul(GEN curve, GEN point, GEN n);
GEN eccel_elladd(GEN curve, GEN left, GEN right);
GEN eccel_ellsub(GEN curve, GEN left, GEN right);

/* The session. A number has at least its min_bits if long_enough() is 1. Both are asked at every product of a script,
   and cost next to nothing. */
maths *pari_session(void);
int long_enough(maths *with, GEN x);

/* Warns or raises an error if a device has failed. Returns 1 for MATHS_DONE, 0 if PARI has to do the work. */
int accepted(int status, const char *why);

/* Integers of PARI and of GMP. */
void to_mpz(mpz_t r, GEN x);
GEN from_mpz(const mpz_t x);

/* Around a call of the engine: a signal must not jump out of it. */
#define ENGINE_BEGIN BLOCK_SIGINT_START
#define ENGINE_END BLOCK_SIGINT_END

#endif
