/* Curves as the library keeps them: numbers in words, and what CURVE_LOAD needs.
   SPDX-License-Identifier: Apache-2.0

   Works without an operating system: nothing here allocates memory. */
#ifndef ECCEL_CURVE_H
#define ECCEL_CURVE_H

#include "eccel.h"

enum {
    CURVE_MIN_WORDS = 6,
    CURVE_MAX_WORDS = 18, /* of an element of any engine */
    CURVE_NUMBERS = 6,
    CURVE_LOAD_OPERANDS = 8
};

/* All numbers have `words` words, least significant word first. */
struct eccel_curve {
    const char *name;
    const char *const *aliases; /* ends with NULL */
    enum eccel_kind kind;
    unsigned words;      /* of an element of a packet */
    unsigned p_bits;     /* bits(p), or m of a binary curve */
    unsigned n_bits;     /* bits(n) */
    unsigned order_bits; /* bits(h n) */
    uint32_t cofactor;
    const uint32_t *p; /* binary: the polynomial without its leading term */
    const uint32_t *a, *b, *gx, *gy, *n;
};

extern const struct eccel_curve catalogue[]; /* gen/curves.c */
extern const size_t catalogue_size;

/* Writes the operands par, p, a, b, gx, gy, n, N of CURVE_LOAD: 8 * curve->words words. */
void curve_load_operands(uint32_t *out, const struct eccel_curve *curve);

/* 1 if the parameters are the same; names do not matter. */
int curve_equal(const struct eccel_curve *left, const struct eccel_curve *right);

/* Number of words of storage for the numbers of a curve. */
static inline size_t curve_storage(const struct eccel_curve *curve)
{
    return (size_t)CURVE_NUMBERS * curve->words;
}

/* Copies a curve without its name; `numbers` has room for curve_storage(from) words. */
void curve_copy(struct eccel_curve *to, const struct eccel_curve *from, uint32_t *numbers);

/* Makes a curve from parameters; `numbers` has room for CURVE_NUMBERS * CURVE_MAX_WORDS words. Returns 0, or
   ECCEL_ERROR_ARGUMENT if a number is malformed. */
int curve_make(struct eccel_curve *curve, const struct eccel_parameters *parameters, uint32_t *numbers);

#endif
