/* Calculations of mathematics packages on an engine: integers, integers modulo a prime, points of curves.
   SPDX-License-Identifier: Apache-2.0

   A session holds devices, the curves that it has loaded there, and counters. The functions take numbers of GMP of any
   size and sign, choose what the engine has to load for them, and check the result. Each of them returns

       MATHS_DONE      the result is there, and the engine has computed it;
       MATHS_DECLINED  the engine cannot do this: the caller uses the routine of the package;
       MATHS_FAILED    the engine should have done it, but the device failed: the caller warns, then does the same.

   In the last two cases the results are unchanged, and `why` says the reason in a few words. All functions may be
   called from several threads. Results are never taken from software: a caller that counts MATHS_DONE counts jobs. */
#ifndef ECCEL_MATHS_H
#define ECCEL_MATHS_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#define MATHS_API __attribute__((visibility("default")))

enum maths_result { MATHS_DONE = 0, MATHS_DECLINED = 1, MATHS_FAILED = 2 };

enum maths_kind { MATHS_PRODUCT, MATHS_MOD_MUL, MATHS_MOD_ADD, MATHS_MOD_INV, MATHS_MOD_EXP, MATHS_POINT_MUL,
                  MATHS_POINT_ADD, MATHS_KINDS };

enum {
    MATHS_WHY = 160,          /* bytes of a reason */
    MATHS_FACTOR_BITS = 4096  /* integers of more bits are not sent */
};

typedef struct maths maths;

struct maths_settings {
    const char *devices;    /* as for eccel_open */
    unsigned min_bits;      /* moduli with fewer bits, and factors with fewer bits, are left to the package */
    unsigned timeout_ms;    /* of one job */
};

struct maths_counter {
    uint64_t calls, jobs, cycles, declined, failed; /* calls: done; jobs: of the engine for them */
    char why[MATHS_WHY];                            /* the last reason of a call that was not done */
};

/* Returns 0, or an error of libeccel with the reason in `why`. */
int maths_open(maths **session, const struct maths_settings *settings, char why[MATHS_WHY]);
void maths_close(maths *session); /* NULL is allowed */
unsigned maths_min_bits(const maths *session);

/* The counters of one kind of calculation, and its name, such as "mod_mul". */
void maths_count(maths *session, enum maths_kind kind, struct maths_counter *counter);
const char *maths_kind_name(enum maths_kind kind);

/* Names of the devices, and their clock in kHz: that of the slowest one, 0 if it is not known. */
uint64_t maths_devices(maths *session, char *names, size_t room);

/* r = a b. */
int maths_product(maths *session, mpz_t r, const mpz_t a, const mpz_t b, char why[MATHS_WHY]);

/* Modulo a prime m: 0 <= r < m. mod_inv and a negative exponent decline a = 0, which has no inverse. */
int maths_mod_mul(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY]);
int maths_mod_add(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY]);
int maths_mod_sub(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY]);
int maths_mod_inv(maths *session, mpz_t r, const mpz_t a, const mpz_t m, char why[MATHS_WHY]);
int maths_mod_exp(maths *session, mpz_t r, const mpz_t a, const mpz_t e, const mpz_t m, char why[MATHS_WHY]);

/* y^2 = x^3 + a x + b modulo p. `order` is the number of its points, 0 if the caller does not know it: then multiples
   of points need a curve of the catalogue, which has the numbers. `proven`: the order has been counted and is right;
   otherwise the session proves it with the point (gx, gy), of which the caller says that it has a large order. */
struct maths_curve {
    mpz_t p, a, b, order, gx, gy;
    int proven;
};
void maths_curve_init(struct maths_curve *curve);
void maths_curve_clear(struct maths_curve *curve);

struct maths_point {
    mpz_t x, y;
    int infinity; /* then x and y do not matter */
};
void maths_point_init(struct maths_point *point);
void maths_point_clear(struct maths_point *point);

int maths_point_mul(maths *session, struct maths_point *r, const struct maths_curve *curve, const mpz_t k,
                    const struct maths_point *point, char why[MATHS_WHY]);
int maths_point_add(maths *session, struct maths_point *r, const struct maths_curve *curve,
                    const struct maths_point *left, const struct maths_point *right, char why[MATHS_WHY]);

#endif
