/* The curves that connections have loaded. Equal ones are one.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_CURVES_H
#define SERVE_CURVES_H

#include "curve.h"

enum { CURVE_BUCKETS = 256 };

struct curve {
    struct curve *next;   /* in its bucket */
    unsigned uses;        /* curve ids of connections, and jobs */
    unsigned words;       /* W */
    enum eccel_kind kind;
    int accepted;         /* a device has accepted it */
    eccel_curve *library; /* the same for libeccel */
    void *own;            /* what the backend keeps */
    uint32_t load[CURVE_LOAD_OPERANDS * CURVE_MAX_WORDS]; /* operands of CURVE_LOAD, W words each */
};

struct curves {
    struct curve *bucket[CURVE_BUCKETS];
    void (*forget)(void *context, struct curve *curve); /* called before a curve is freed */
    void *context;
};

/* Finds or makes the curve of a CURVE_LOAD with operands of `words` words. Returns a status of the engine: OK with one
   more use of *curve, BAD_LENGTH or BAD_MODULUS if the operands contradict each other. Only a device finds out
   whether the curve is sound. */
int curves_take(struct curves *curves, const uint32_t *load, unsigned words, struct curve **curve);

/* One use less. The last one frees the curve. NULL is allowed. */
void curves_drop(struct curves *curves, struct curve *curve);

void curves_close(struct curves *curves);

#endif
