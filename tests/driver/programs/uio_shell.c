/* libeccel with its uio link on the simulated shell: this file stands in for sw/driver/uio_map.c.
   SPDX-License-Identifier: Apache-2.0

   uio_shell LIBRARY [irq]    Exit code 0 if signatures verify and wrong ones do not. With `irq`, the library waits for
   the interrupt of the shell, whose clock runs in a thread; otherwise it reads STATUS all the time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "simulated_bus.h"
#include "uio_map.h"

static struct simulated_bus bus;
static pthread_mutex_t bus_lock = PTHREAD_MUTEX_INITIALIZER; /* the clock is one for all */
static int interrupt[2] = {-1, -1};
static atomic_int armed, stop, interrupts;
static atomic_ulong reads;

static uint32_t locked_read(void *context, uint32_t offset)
{
    (void)pthread_mutex_lock(&bus_lock);
    uint32_t word = simulated_read(context, offset);
    (void)pthread_mutex_unlock(&bus_lock);
    atomic_fetch_add(&reads, 1);
    return word;
}

static void locked_write(void *context, uint32_t offset, uint32_t word)
{
    (void)pthread_mutex_lock(&bus_lock);
    simulated_write(context, offset, word);
    (void)pthread_mutex_unlock(&bus_lock);
}

/* As the kernel's driver does it: an interrupt is told once, until it is enabled again. Until the library has served it,
   only accesses move the clock: the time for which the engine waits for entropy must not depend on the scheduler. */
static void *run_clock(void *argument)
{
    const uint32_t count = 1;
    int irq = 0;
    (void)argument;
    while (!atomic_load(&stop)) {
        (void)pthread_mutex_lock(&bus_lock);
        irq = bus.idle(bus.shell, irq ? 0 : 500);
        (void)pthread_mutex_unlock(&bus_lock);
        if (irq && atomic_exchange(&armed, 0)) {
            atomic_fetch_add(&interrupts, 1);
            (void)!write(interrupt[1], &count, sizeof count);
        }
        if (irq)
            (void)usleep(20);
    }
    return NULL;
}

int uio_map_open(struct uio_map *map, const char *path, size_t bytes, struct eccel_bus *out)
{
    (void)path;
    (void)bytes;
    *map = (struct uio_map){.fd = interrupt[0]};
    *out = (struct eccel_bus){locked_read, locked_write, &bus};
    return 0;
}

void uio_map_enable(const struct uio_map *map)
{
    (void)map;
    atomic_store(&armed, 1);
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
    pthread_t clock;
    if (count < 2)
        return 2;
    bus = simulated_open(arguments[1]);
    if (count == 3 && (pipe(interrupt) || pthread_create(&clock, NULL, run_clock, NULL)))
        return 2;
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
    if (count == 3) {
        atomic_store(&stop, 1);
        (void)pthread_join(clock, NULL);
        fprintf(stderr, "%d interrupts, %lu reads\n", atomic_load(&interrupts), atomic_load(&reads));
        /* Without waiting for interrupts there would be a read for every few clocks. */
        wrong += atomic_load(&interrupts) < 20 || atomic_load(&reads) > 50000;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
