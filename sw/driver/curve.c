/* Curves: parameters to words, and the operands of CURVE_LOAD. See curve.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "curve.h"

#include "memory.h"

#include "number.h"

static unsigned bits_of(const uint32_t *number, size_t words)
{
    while (words && !number[words - 1])
        words--;
    if (!words)
        return 0;
    unsigned bits = 32 * (unsigned)(words - 1);
    for (uint32_t top = number[words - 1]; top; top >>= 1)
        bits++;
    return bits;
}

/* -m^-1 mod 2^64 of an odd number, by Newton's iteration: each step doubles the number of correct bits. */
static uint64_t negative_inverse(const uint32_t *m)
{
    uint64_t low = (uint64_t)m[1] << 32 | m[0], inverse = low;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - low * inverse;
    return ~inverse + 1;
}

/* out = number * factor; the product fits. */
static void multiply(uint32_t *out, const uint32_t *number, uint32_t factor, size_t words)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < words; i++) {
        carry += (uint64_t)number[i] * factor;
        out[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* out = (a + 2) / 4 mod p, with a < p: adds the multiple of p that makes the sum divisible by 4. */
static void a24_of(uint32_t *out, const uint32_t *a, const uint32_t *p, size_t words)
{
    uint32_t factor = 0, sum[CURVE_MAX_WORDS + 1];
    while ((a[0] + 2 + factor * p[0]) & 3)
        factor++;
    uint64_t carry = 2;
    for (size_t i = 0; i < words; i++) {
        carry += (uint64_t)p[i] * factor + a[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    sum[words] = (uint32_t)carry;
    for (size_t i = 0; i < words; i++)
        out[i] = sum[i] >> 2 | sum[i + 1] << 30;
}

static int is_minus_3(const struct eccel_curve *curve)
{
    uint64_t carry = 3;
    uint32_t differ = 0;
    for (unsigned i = 0; i < curve->words; i++) {
        carry += curve->a[i];
        differ |= (uint32_t)carry ^ curve->p[i];
        carry >>= 32;
    }
    return !differ && !carry;
}

void curve_load_operands(uint32_t *out, const struct eccel_curve *curve)
{
    size_t w = curve->words;
    uint64_t inverse_n = negative_inverse(curve->n);
    uint64_t inverse_p = curve->kind == ECCEL_BINARY ? 0 : negative_inverse(curve->p);
    memset(out, 0, w * sizeof *out);
    out[0] = curve->p_bits | curve->order_bits << 16;
    out[1] = (uint32_t)curve->kind;
    if (curve->kind == ECCEL_WEIERSTRASS && is_minus_3(curve))
        out[1] |= 1 << 8;
    out[2] = (uint32_t)inverse_p;
    out[3] = (uint32_t)(inverse_p >> 32);
    out[4] = (uint32_t)inverse_n;
    out[5] = (uint32_t)(inverse_n >> 32);
    const uint32_t *numbers[CURVE_NUMBERS] = {curve->p, curve->a, curve->b, curve->gx, curve->gy, curve->n};
    for (int i = 0; i < CURVE_NUMBERS; i++)
        memcpy(out + (size_t)(1 + i) * w, numbers[i], w * sizeof *out);
    if (curve->kind == ECCEL_MONTGOMERY)
        a24_of(out + 2 * w, curve->a, curve->p, w);
    multiply(out + 7 * w, curve->n, curve->cofactor, w);
}

int curve_equal(const struct eccel_curve *left, const struct eccel_curve *right)
{
    size_t bytes = left->words * sizeof(uint32_t);
    if (left == right)
        return 1;
    return left->kind == right->kind && left->words == right->words && left->p_bits == right->p_bits &&
           left->cofactor == right->cofactor && !memcmp(left->n, right->n, bytes) &&
           !memcmp(left->p, right->p, bytes) && !memcmp(left->a, right->a, bytes) &&
           !memcmp(left->b, right->b, bytes) && !memcmp(left->gx, right->gx, bytes) &&
           !memcmp(left->gy, right->gy, bytes);
}

static void place(struct eccel_curve *curve, const uint32_t *numbers)
{
    size_t w = curve->words;
    curve->p = numbers;
    curve->a = numbers + w;
    curve->b = numbers + 2 * w;
    curve->gx = numbers + 3 * w;
    curve->gy = numbers + 4 * w;
    curve->n = numbers + 5 * w;
}

void curve_copy(struct eccel_curve *to, const struct eccel_curve *from, uint32_t *numbers)
{
    size_t w = from->words;
    const uint32_t *sources[CURVE_NUMBERS] = {from->p, from->a, from->b, from->gx, from->gy, from->n};
    for (int i = 0; i < CURVE_NUMBERS; i++)
        memcpy(numbers + (size_t)i * w, sources[i], w * sizeof *numbers);
    *to = *from;
    to->name = "";
    to->aliases = NULL;
    place(to, numbers);
}

int curve_make(struct eccel_curve *curve, const struct eccel_parameters *parameters, uint32_t *numbers)
{
    enum { ROOM = CURVE_MAX_WORDS + 1 }; /* a polynomial may have one more word than an element */
    uint32_t wide[CURVE_NUMBERS][ROOM] = {{0}}, order[ROOM];
    const uint8_t *given[CURVE_NUMBERS] = {parameters->p,  parameters->a,  parameters->b,
                                           parameters->gx, parameters->gy, parameters->order};
    if (parameters->bytes == 0 || parameters->bytes > ECCEL_MAX_BYTES || parameters->cofactor == 0)
        return ECCEL_ERROR_ARGUMENT;
    if (parameters->kind != ECCEL_WEIERSTRASS && parameters->kind != ECCEL_MONTGOMERY &&
        parameters->kind != ECCEL_BINARY)
        return ECCEL_ERROR_ARGUMENT;
    for (int i = 0; i < CURVE_NUMBERS; i++) {
        if (given[i] ? number_read(wide[i], ROOM, given[i], parameters->bytes)
                     : i != 2 || parameters->kind != ECCEL_MONTGOMERY)
            return ECCEL_ERROR_ARGUMENT;
    }
    *curve = (struct eccel_curve){.name = "", .kind = parameters->kind, .cofactor = parameters->cofactor};
    curve->p_bits = bits_of(wide[0], ROOM);
    curve->n_bits = bits_of(wide[5], ROOM);
    if (curve->p_bits < 3 || curve->n_bits < 2 || !(wide[0][0] & 1) || !(wide[5][0] & 1))
        return ECCEL_ERROR_ARGUMENT;
    if (curve->kind == ECCEL_BINARY) { /* the leading term goes */
        curve->p_bits--;
        wide[0][curve->p_bits / 32] ^= UINT32_C(1) << curve->p_bits % 32;
    }
    multiply(order, wide[5], curve->cofactor, ROOM);
    curve->order_bits = bits_of(order, ROOM);
    unsigned most = curve->p_bits > curve->order_bits ? curve->p_bits : curve->order_bits;
    curve->words = (most + 31) / 32 < CURVE_MIN_WORDS ? CURVE_MIN_WORDS : (most + 31) / 32;
    /* The product may not have lost bits: n has room for the 32 bits of the cofactor. */
    if (curve->words > CURVE_MAX_WORDS || curve->n_bits > 32 * (ROOM - 1))
        return ECCEL_ERROR_ARGUMENT;
    for (int i = 0; i < CURVE_NUMBERS; i++) {
        if (bits_of(wide[i], ROOM) > 32 * curve->words)
            return ECCEL_ERROR_ARGUMENT;
        memcpy(numbers + (size_t)i * curve->words, wide[i], curve->words * sizeof *numbers);
    }
    place(curve, numbers);
    return 0;
}
