/* libeccel with its uio link on the simulated shell: this file stands in for sw/driver/uio_map.c.
   SPDX-License-Identifier: Apache-2.0

   uio_shell LIBRARY    Exit code 0 if signatures verify, wrong ones do not, and a zeroise is noticed. */
#define _GNU_SOURCE
#include <unistd.h>

#include "simulated_bus.h"
#include "uio_map.h"

static struct simulated_bus bus;

int uio_map_open(struct uio_map *map, const char *path, size_t bytes, struct eccel_bus *out)
{
    (void)path;
    (void)bytes;
    *map = (struct uio_map){.fd = -1};
    *out = (struct eccel_bus){simulated_read, simulated_write, &bus};
    return 0;
}

void uio_map_enable(const struct uio_map *map)
{
    (void)map;
}

void uio_map_close(struct uio_map *map)
{
    (void)map;
}

static int expect(const char *what, int found, int expected)
{
    if (found == expected)
        return 0;
    fprintf(stderr, "%s: %s in place of %s\n", what, eccel_result_name(found), eccel_result_name(expected));
    return 1;
}

int main(int count, char **arguments)
{
    eccel *handle;
    struct eccel_options options = {.timeout_ms = 60000, .retry_ms = 200, .connect_ms = 30000};
    const eccel_curve *curve = eccel_curve_named("P-256");
    uint8_t d[] = {0x12, 0x34, 0x56}, digest[32] = {7}, x[80], y[80], r[80], s[80];
    int wrong = 0;
    if (count != 2)
        return 2;
    bus = simulated_open(arguments[1]);
    if (eccel_open(&handle, "uio:simulated", &options)) {
        fprintf(stderr, "%s\n", eccel_open_error());
        return 1;
    }
    wrong += expect("public key", eccel_public_key(handle, curve, d, sizeof d, x, y), ECCEL_OK);
    wrong += expect("sign", eccel_ecdsa_sign(handle, curve, digest, 32, d, sizeof d, r, s), ECCEL_OK);
    wrong += expect("verify", eccel_ecdsa_verify(handle, curve, digest, 32, r, s, x, y), ECCEL_OK);
    digest[31] ^= 1;
    wrong += expect("verify", eccel_ecdsa_verify(handle, curve, digest, 32, r, s, x, y), ECCEL_BAD_SIGNATURE);
    wrong += expect("another curve", eccel_on_curve(handle, eccel_curve_named("secp256k1"), x, y), ECCEL_NOT_ON_CURVE);
    eccel_job *jobs[40];
    struct eccel_result result;
    for (int i = 0; i < 40; i++) { /* more than the FIFO holds */
        uint8_t a = (uint8_t)i;
        struct eccel_request request = {
            .op = ECCEL_OP_MOD_ADD, .curve = curve, .operands = 2, .operand = {{&a, 1}, {d, sizeof d}}};
        wrong += expect("start", eccel_start(handle, &request, &jobs[i]), 0);
    }
    for (int i = 0; i < 40; i++) {
        wrong += expect("wait", eccel_wait(jobs[i], -1, &result), 0);
        wrong += result.bytes != 32 || result.value[0][31] != (uint8_t)(0x56 + i);
        eccel_job_free(jobs[i]);
    }
    wrong += bus.errors(bus.shell) != 0;
    eccel_close(handle);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
