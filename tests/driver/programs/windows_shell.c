/* Two masters with windows of their own, on one engine that holds one curve.
   SPDX-License-Identifier: Apache-2.0

   windows_shell LIBRARY    Exit code 0 if each gets its results, whatever the other one has loaded. */
#define _GNU_SOURCE
#include <time.h>

#include "simulated_bus.h"

static uint32_t milliseconds(void *context)
{
    struct timespec now;
    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static int wrong;

static struct eccel_result run(struct eccel_mmio *device, unsigned op, unsigned flags, const char *curve,
                               unsigned operands, const struct eccel_operand *given, int expected)
{
    struct eccel_result result;
    struct eccel_request request = {
        .op = (uint8_t)op, .flags = (uint8_t)flags, .curve = eccel_curve_named(curve), .operands = operands};
    for (unsigned i = 0; i < operands; i++)
        request.operand[i] = given[i];
    int found = eccel_mmio_run(device, &request, &result);
    if (found != expected) {
        fprintf(stderr, "window %u, %s: %s\n", device->window, curve, eccel_result_name(found));
        wrong++;
    }
    return result;
}

int main(int count, char **arguments)
{
    static struct eccel_mmio masters[2], none;
    static const char *const curves[][2] = {{"P-256", "secp256k1"}, {"P-256", "P-224"}};
    static const uint8_t k[] = {5}, e[] = {0x12, 0x34};
    struct eccel_operand scalar[] = {{k, 1}}, sign[] = {{e, 2}, {k, 1}};
    if (count != 2)
        return 2;
    struct simulated_bus bus = simulated_open(arguments[1]);
    struct eccel_mmio_io io = {{simulated_read, simulated_write, &bus}, NULL, milliseconds, 60000};
    for (unsigned i = 0; i < 2; i++)
        wrong += eccel_mmio_open(&masters[i], &io, i) != 0;
    wrong += eccel_mmio_open(&none, &io, 2) != ECCEL_ERROR_ABSENT;
    for (unsigned pair = 0; pair < 2; pair++) {
        struct eccel_result q[2], signature;
        for (unsigned turn = 0; turn < 4; turn++) {
            unsigned i = turn & 1;
            const char *curve = curves[pair][i];
            struct eccel_result found = run(&masters[i], ECCEL_OP_BASE_MUL, 0, curve, 1, scalar, ECCEL_OK);
            if (turn < 2)
                q[i] = found;
            wrong += memcmp(found.value, q[i].value, sizeof found.value) != 0;
            signature = run(&masters[i], ECCEL_OP_ECDSA_SIGN, ECCEL_FLAG_RANDOM, curve, 2, sign, ECCEL_OK);
            struct eccel_operand verify[] = {{e, 2},
                                             {signature.value[0], signature.bytes},
                                             {signature.value[1], signature.bytes},
                                             {found.value[0], found.bytes},
                                             {found.value[1], found.bytes}};
            run(&masters[i], ECCEL_OP_ECDSA_VERIFY, 0, curve, 5, verify, ECCEL_OK);
        }
    }
    wrong += bus.errors(bus.shell) != 0;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
