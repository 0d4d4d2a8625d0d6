/* The curves that connections have loaded. See curves.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "curves.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>

enum { PAR, P, A, B, GX, GY, ORDER_N, ORDER_ALL, BYTES = 4 * CURVE_MAX_WORDS + 4 };
enum { KIND_MASK = 0xff, MINUS_3 = 0x100 };

static size_t bucket_of(const uint32_t *load, size_t words)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < words; i++)
        hash = (hash ^ load[i]) * 16777619u;
    return (hash ^ hash >> 16) % CURVE_BUCKETS;
}

static int less(const uint32_t *left, const uint32_t *right, unsigned words)
{
    while (words--)
        if (left[words] != right[words])
            return left[words] < right[words];
    return 0;
}

static uint32_t subtract(uint32_t *number, const uint32_t *other, unsigned words)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < words; i++) {
        borrow = (uint64_t)number[i] - other[i] - (borrow >> 63);
        number[i] = (uint32_t)borrow;
    }
    return (uint32_t)(borrow >> 63);
}

static uint32_t add(uint32_t *number, const uint32_t *other, unsigned words)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < words; i++) {
        carry += (uint64_t)number[i] + other[i];
        number[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

/* A = 4 a24 - 2 mod p, of a24 < p and p > 2. */
static void montgomery_a(uint32_t *a, const uint32_t *a24, const uint32_t *p, unsigned words)
{
    uint32_t two[CURVE_MAX_WORDS] = {2}, half[CURVE_MAX_WORDS];
    memcpy(a, a24, 4u * words);
    for (int i = 0; i < 2; i++) {
        memcpy(half, a, 4u * words);
        if (add(a, half, words) || !less(a, p, words))
            subtract(a, p, words);
    }
    if (subtract(a, two, words))
        add(a, p, words);
}

/* N / n, or 0 if it is not a number of 32 bits. */
static uint32_t cofactor_of(const uint32_t *all, const uint32_t *n, unsigned words)
{
    uint32_t h = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit; bit >>= 1) {
        uint32_t product[CURVE_MAX_WORDS], carry = 0;
        for (unsigned i = 0; i < words; i++) {
            uint64_t sum = (uint64_t)n[i] * (h | bit) + carry;
            product[i] = (uint32_t)sum;
            carry = (uint32_t)(sum >> 32);
        }
        if (!carry && !less(all, product, words))
            h |= bit;
    }
    return h;
}

/* Makes the library's curve, and sees whether its CURVE_LOAD is the one that came: sizes, constants and N fit then. */
static int make(struct curve *curve, const uint32_t *load)
{
    static const unsigned number[] = {P, A, B, GX, GY, ORDER_N};
    uint8_t bytes[6][BYTES];
    uint32_t a[CURVE_MAX_WORDS], expected[CURVE_LOAD_OPERANDS * CURVE_MAX_WORDS];
    unsigned words = curve->words;
    uint32_t kind = load[1] & KIND_MASK, bits = load[0] & 0xffff;
    if (kind > ECCEL_BINARY)
        return ECCEL_BAD_MODULUS;
    for (unsigned i = 0; i < 6; i++) {
        const uint32_t *value = load + number[i] * words;
        if (number[i] == A && kind == ECCEL_MONTGOMERY) {
            if (!less(value, load + P * words, words))
                return ECCEL_COORD_RANGE;
            montgomery_a(a, value, load + P * words, words);
            value = a;
        }
        number_write(bytes[i], sizeof bytes[i], value, words);
    }
    if (kind == ECCEL_BINARY) {
        if (bits > 32 * words)
            return ECCEL_BAD_MODULUS;
        bytes[0][BYTES - 1 - bits / 8] |= (uint8_t)(1u << bits % 8);
    }
    struct eccel_parameters parameters = {
        .kind = (enum eccel_kind)kind, .bytes = BYTES, .p = bytes[0], .a = bytes[1], .b = bytes[2], .gx = bytes[3],
        .gy = bytes[4], .order = bytes[5],
        .cofactor = cofactor_of(load + ORDER_ALL * words, load + ORDER_N * words, words),
    };
    curve->kind = parameters.kind;
    if (!(curve->library = eccel_curve_new(&parameters)))
        return ECCEL_BAD_MODULUS;
    if (curve->library->words != words)
        return ECCEL_BAD_LENGTH;
    curve_load_operands(expected, curve->library);
    /* A curve may be loaded without the mark that a is -3, and b of a Montgomery curve is not used. */
    if (!(load[1] & MINUS_3))
        expected[1] &= ~(uint32_t)MINUS_3;
    if (kind == ECCEL_MONTGOMERY)
        memcpy(expected + B * words, load + B * words, 4u * words);
    return memcmp(expected, load, 4u * CURVE_LOAD_OPERANDS * words) ? ECCEL_BAD_MODULUS : ECCEL_OK;
}

int curves_take(struct curves *curves, const uint32_t *load, unsigned words, struct curve **curve)
{
    size_t count = (size_t)CURVE_LOAD_OPERANDS * words;
    struct curve **bucket = &curves->bucket[bucket_of(load, count)];
    for (struct curve *known = *bucket; known; known = known->next)
        if (known->words == words && !memcmp(known->load, load, 4 * count)) {
            known->uses++;
            *curve = known;
            return ECCEL_OK;
        }
    struct curve *made = calloc(1, sizeof *made);
    if (!made)
        return ECCEL_ENGINE_FAULT;
    made->words = words;
    int status = make(made, load);
    if (status) {
        eccel_curve_free(made->library);
        free(made);
        return status;
    }
    memcpy(made->load, load, 4 * count);
    made->uses = 1;
    made->next = *bucket;
    *curve = *bucket = made;
    return ECCEL_OK;
}

static void destroy(struct curves *curves, struct curve *curve)
{
    if (curves->forget)
        curves->forget(curves->context, curve);
    eccel_curve_free(curve->library);
    free(curve);
}

void curves_drop(struct curves *curves, struct curve *curve)
{
    if (!curve || --curve->uses)
        return;
    struct curve **link = &curves->bucket[bucket_of(curve->load, (size_t)CURVE_LOAD_OPERANDS * curve->words)];
    while (*link != curve)
        link = &(*link)->next;
    *link = curve->next;
    destroy(curves, curve);
}

void curves_close(struct curves *curves)
{
    for (size_t i = 0; i < CURVE_BUCKETS; i++)
        while (curves->bucket[i]) {
            struct curve *curve = curves->bucket[i];
            curves->bucket[i] = curve->next;
            destroy(curves, curve);
        }
}
