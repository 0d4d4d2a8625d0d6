/* One call for each common job: see eccel.h, "helpers".
   SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "curve.h"

enum { NONCES = 8 /* a nonce that gives r = 0 or s = 0 is met once in 2^150 signatures */ };

/* The leftmost bits(n) bits of a digest, as an operand in `out`. */
static struct eccel_operand truncated(uint8_t *out, const eccel_curve *curve, const uint8_t *digest, size_t length)
{
    size_t bytes = eccel_curve_order_bytes(curve), bits = eccel_curve_order_bits(curve);
    if (length > bytes)
        length = bytes;
    if (8 * length <= bits)
        return (struct eccel_operand){digest, length};
    unsigned shift = (unsigned)(8 * length - bits), above = 0;
    for (size_t i = 0; i < length; i++) {
        out[i] = (uint8_t)((above << 8 | digest[i]) >> shift);
        above = digest[i];
    }
    return (struct eccel_operand){out, length};
}

static int run(eccel *handle, const struct eccel_request *request, uint8_t *first, uint8_t *second)
{
    struct eccel_result result;
    uint8_t *out[] = {first, second};
    int status = eccel_run(handle, request, &result);
    for (unsigned i = 0; !status && i < result.values; i++) {
        if (out[i])
            memcpy(out[i], result.value[i], result.bytes);
    }
    eccel_wipe(&result, sizeof result);
    return status;
}

int eccel_ecdsa_sign(eccel *handle, const eccel_curve *curve, const uint8_t *digest, size_t digest_length,
                     const uint8_t *d, size_t d_length, uint8_t *r, uint8_t *s)
{
    uint8_t e[ECCEL_MAX_BYTES];
    if (!curve)
        return ECCEL_ERROR_ARGUMENT;
    struct eccel_request request = {.op = ECCEL_OP_ECDSA_SIGN,
                                    .flags = ECCEL_FLAG_RANDOM,
                                    .options = ECCEL_BLIND_IF_POSSIBLE,
                                    .curve = curve,
                                    .operands = 2,
                                    .operand = {truncated(e, curve, digest, digest_length), {d, d_length}}};
    int result = ECCEL_RETRY;
    for (int i = 0; i < NONCES && result == ECCEL_RETRY; i++)
        result = run(handle, &request, r, s);
    return result;
}

int eccel_ecdsa_verify(eccel *handle, const eccel_curve *curve, const uint8_t *digest, size_t digest_length,
                       const uint8_t *r, const uint8_t *s, const uint8_t *x, const uint8_t *y)
{
    uint8_t e[ECCEL_MAX_BYTES];
    if (!curve)
        return ECCEL_ERROR_ARGUMENT;
    size_t field = eccel_curve_field_bytes(curve), order = eccel_curve_order_bytes(curve);
    struct eccel_request request = {
        .op = ECCEL_OP_ECDSA_VERIFY,
        .curve = curve,
        .operands = 5,
        .operand = {truncated(e, curve, digest, digest_length), {r, order}, {s, order}, {x, field}, {y, field}}};
    return run(handle, &request, NULL, NULL);
}

int eccel_ecdh(eccel *handle, const eccel_curve *curve, const uint8_t *x, const uint8_t *y, const uint8_t *d,
               size_t d_length, int cofactor, uint8_t *shared)
{
    if (!curve)
        return ECCEL_ERROR_ARGUMENT;
    size_t field = eccel_curve_field_bytes(curve);
    struct eccel_request request = {.op = ECCEL_OP_ECDH,
                                    .flags = cofactor ? ECCEL_FLAG_COFACTOR : 0,
                                    .options = ECCEL_BLIND_IF_POSSIBLE,
                                    .curve = curve,
                                    .operands = 3,
                                    .operand = {{x, field}, {y, field}, {d, d_length}}};
    return run(handle, &request, shared, NULL);
}

int eccel_public_key(eccel *handle, const eccel_curve *curve, const uint8_t *d, size_t d_length, uint8_t *x, uint8_t *y)
{
    struct eccel_request request = {.op = ECCEL_OP_BASE_MUL,
                                    .options = ECCEL_BLIND_IF_POSSIBLE,
                                    .curve = curve,
                                    .operands = 1,
                                    .operand = {{d, d_length}}};
    return run(handle, &request, x, y);
}

int eccel_on_curve(eccel *handle, const eccel_curve *curve, const uint8_t *x, const uint8_t *y)
{
    if (!curve)
        return ECCEL_ERROR_ARGUMENT;
    size_t field = eccel_curve_field_bytes(curve);
    struct eccel_request request = {
        .op = ECCEL_OP_ON_CURVE, .curve = curve, .operands = 2, .operand = {{x, field}, {y, field}}};
    return run(handle, &request, NULL, NULL);
}
