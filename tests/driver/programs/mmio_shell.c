/* The code for microcontrollers on the simulated shell.
   SPDX-License-Identifier: Apache-2.0

   mmio_shell LIBRARY    Exit code 0 if everything is as it should be. */
#define _GNU_SOURCE
#include <time.h>

#include "simulated_bus.h"

static uint32_t next_random(void *context)
{
    static uint32_t state = 1; /* a test may use what a product must not */
    (void)context;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t milliseconds(void *context)
{
    struct timespec now;
    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static struct eccel_mmio device;
static int wrong;

static struct eccel_result run(const char *what, unsigned op, unsigned flags, const char *curve, unsigned operands,
                               const struct eccel_operand *given, int expected)
{
    struct eccel_result result;
    struct eccel_request request = {.op = (uint8_t)op, .flags = (uint8_t)flags, .operands = operands};
    request.curve = curve ? eccel_curve_named(curve) : NULL;
    for (unsigned i = 0; i < operands; i++)
        request.operand[i] = given[i];
    int found = eccel_mmio_run(&device, &request, &result);
    if (found != expected) {
        fprintf(stderr, "%s: %s in place of %s\n", what, eccel_result_name(found), eccel_result_name(expected));
        wrong++;
    }
    return result;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    struct simulated_bus bus = simulated_open(arguments[1]);
    struct eccel_mmio_io io = {{simulated_read, simulated_write, &bus}, next_random, milliseconds, 60000};
    int error = eccel_mmio_open(&device, &io, 0);
    if (error) {
        fprintf(stderr, "open: %s\n", eccel_result_name(error));
        return 1;
    }
    wrong += eccel_mmio_open(&device, &io, 1) != ECCEL_ERROR_ABSENT; /* there is one window */
    wrong += eccel_mmio_open(&device, &io, 0) != 0;
    static const uint8_t d[] = {0x12, 0x34, 0x56}, e[32] = {9, 9, 9};
    struct eccel_operand key[] = {{d, sizeof d}};
    struct eccel_result q = run("public key", ECCEL_OP_BASE_MUL, 0, "P-256", 1, key, ECCEL_OK);
    struct eccel_operand sign[] = {{e, 32}, {d, sizeof d}};
    struct eccel_result signature = run("sign", ECCEL_OP_ECDSA_SIGN, ECCEL_FLAG_RANDOM, "P-256", 2, sign, ECCEL_OK);
    struct eccel_operand verify[] = {
        {e, 32}, {signature.value[0], 32}, {signature.value[1], 32}, {q.value[0], 32}, {q.value[1], 32}};
    run("verify", ECCEL_OP_ECDSA_VERIFY, 0, "P-256", 5, verify, ECCEL_OK);
    signature.value[1][31] ^= 1;
    run("verify", ECCEL_OP_ECDSA_VERIFY, 0, "P-256", 5, verify, ECCEL_BAD_SIGNATURE);
    run("another curve", ECCEL_OP_ON_CURVE, 0, "secp256k1", 2, verify + 3, ECCEL_NOT_ON_CURVE);
    run("a binary curve", ECCEL_OP_BASE_MUL, 0, "B-163", 1, key, ECCEL_BAD_MODULUS);
    run("the other kind", ECCEL_OP_X_LADDER, 0, "P-256", 2, verify, ECCEL_BAD_CURVE);
    run("too few operands", ECCEL_OP_ECDH, 0, "P-256", 2, verify, ECCEL_ERROR_ARGUMENT);
    run("key", ECCEL_OP_KEY_LOAD, 0, "P-256", 1, key, ECCEL_OK);
    run("the key's curve", ECCEL_OP_ECDH, ECCEL_FLAG_KEY, "P-256", 2, verify + 3, ECCEL_OK);
    run("not another", ECCEL_OP_BASE_MUL, 0, "secp256k1", 1, key, ECCEL_ERROR_UNSUPPORTED);
    run("zeroise", ECCEL_OP_ZEROISE, 0, NULL, 0, NULL, ECCEL_OK);
    run("no key", ECCEL_OP_ECDH, ECCEL_FLAG_KEY, "P-256", 2, verify + 3, ECCEL_NO_KEY);
    bus.zeroise(bus.shell);
    run("after a tamper event", ECCEL_OP_BASE_MUL, 0, "P-256", 1, key, ECCEL_ERROR_LINK);
    run("and again", ECCEL_OP_BASE_MUL, 0, "P-256", 1, key, ECCEL_OK);
    run("self-test", ECCEL_OP_SELF_TEST, 0, "P-256", 0, NULL, ECCEL_OK);
    eccel_mmio_close(&device);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
