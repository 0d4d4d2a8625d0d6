/* eccel_self_test: the device's own test, then vectors that a device with a fixed answer cannot pass.
   SPDX-License-Identifier: Apache-2.0 */
#include "self_test.h"

#include <string.h>

#include "handle.h"
#include "number.h"

enum { MOST_OPERANDS = 5 };

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int done;
    struct eccel_result result;
};

static void finished(void *user, const struct eccel_result *result)
{
    struct waiter *waiter = user;
    (void)pthread_mutex_lock(&waiter->lock);
    waiter->result = *result;
    waiter->done = 1;
    (void)pthread_cond_signal(&waiter->wake);
    (void)pthread_mutex_unlock(&waiter->lock);
}

/* Runs a job on one device. The operands are words. */
static int run(eccel *handle, unsigned device, unsigned op, const eccel_curve *curve, const uint32_t *numbers,
               unsigned operands, struct eccel_result *result)
{
    uint8_t bytes[MOST_OPERANDS][4 * CURVE_MAX_WORDS];
    struct waiter waiter = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};
    struct eccel_request request = {.op = (uint8_t)op, .curve = curve, .operands = operands};
    for (unsigned i = 0; i < operands; i++) {
        size_t length = 4 * curve->words;
        (void)number_write(bytes[i], length, numbers + i * curve->words, curve->words);
        request.operand[i] = (struct eccel_operand){bytes[i], length};
    }
    int error = handle_submit(handle, &request, (int)device, NULL, finished, &waiter);
    if (!error) {
        (void)pthread_mutex_lock(&waiter.lock);
        while (!waiter.done)
            (void)pthread_cond_wait(&waiter.wake, &waiter.lock);
        (void)pthread_mutex_unlock(&waiter.lock);
        *result = waiter.result;
        error = result->result;
    }
    (void)pthread_mutex_destroy(&waiter.lock);
    (void)pthread_cond_destroy(&waiter.wake);
    return error;
}

/* Statuses and errors that say nothing about the results of a device. */
static int no_verdict(int status)
{
    return status < 0 || status == ECCEL_ENGINE_FAULT || status == ECCEL_WATCHDOG || status == ECCEL_FAULT ||
           status == ECCEL_ZEROISED || status == ECCEL_ENTROPY_FAILED || status == ECCEL_NO_ENTROPY;
}

/* A published signature verifies, and with one bit of s changed it does not. An engine may lack the operation: then it
   refuses both. */
static int signatures(eccel *handle, unsigned device, const struct self_test_vector *vector)
{
    struct eccel_result result;
    uint32_t numbers[MOST_OPERANDS * CURVE_MAX_WORDS];
    size_t words = vector->curve->words;
    memcpy(numbers, vector->signature, MOST_OPERANDS * words * sizeof *numbers);
    int good = run(handle, device, ECCEL_OP_ECDSA_VERIFY, vector->curve, numbers, MOST_OPERANDS, &result);
    if (no_verdict(good) || good == ECCEL_BAD_OP)
        return good;
    numbers[2 * words] ^= 4;
    int bad = run(handle, device, ECCEL_OP_ECDSA_VERIFY, vector->curve, numbers, MOST_OPERANDS, &result);
    if (no_verdict(bad))
        return bad;
    return good == ECCEL_OK && bad == ECCEL_BAD_SIGNATURE ? 0 : ECCEL_SELF_TEST_FAILED;
}

/* A published key agreement has the published result. */
static int agreement(eccel *handle, unsigned device, const struct self_test_vector *vector)
{
    struct eccel_result result;
    const eccel_curve *curve = vector->curve;
    int montgomery = curve->kind == ECCEL_MONTGOMERY;
    unsigned operands = montgomery ? 2 : 3;
    uint8_t expected[ECCEL_MAX_BYTES];
    int status = run(handle, device, montgomery ? ECCEL_OP_X_LADDER : ECCEL_OP_ECDH, curve, vector->agreement,
                     operands, &result);
    if (no_verdict(status) || status == ECCEL_BAD_OP)
        return status;
    size_t bytes = eccel_curve_field_bytes(curve);
    (void)number_write(expected, bytes, vector->agreement + operands * curve->words, curve->words);
    return status == ECCEL_OK && result.values == 1 && result.bytes == bytes &&
                   !memcmp(expected, result.value[0], bytes)
               ? 0
               : ECCEL_SELF_TEST_FAILED;
}

/* Returns 0, SELF_TEST_FAILED, or an error that says nothing about the results of the device. */
static int vectors(eccel *handle, unsigned device, const struct self_test_vector *vector)
{
    struct eccel_result result;
    int own = run(handle, device, ECCEL_OP_SELF_TEST, vector->curve, NULL, 0, &result);
    if (own)
        return own;
    int first = vector->signature ? signatures(handle, device, vector) : ECCEL_BAD_OP;
    if (first && first != ECCEL_BAD_OP)
        return first;
    int second = agreement(handle, device, vector);
    if (second == ECCEL_BAD_OP && first == ECCEL_BAD_OP)
        return ECCEL_ERROR_UNSUPPORTED; /* nothing was tested */
    return second == ECCEL_BAD_OP ? 0 : second;
}

static int test_device(eccel *handle, unsigned device, const eccel_curve *curve)
{
    int status = ECCEL_ERROR_UNSUPPORTED;
    for (size_t i = 0; i < self_test_size && status == ECCEL_ERROR_UNSUPPORTED; i++) {
        if (!curve || curve_equal(curve, self_test_vectors[i].curve))
            status = vectors(handle, device, &self_test_vectors[i]);
    }
    if (status == ECCEL_SELF_TEST_FAILED) { /* it answers, but wrong: it stays out until the handle is closed */
        atomic_store(&handle->core.device[device]->banned, 1);
        atomic_store(&handle->core.device[device]->in_service, 0);
        handle_wake(handle);
    }
    return status;
}

int eccel_self_test(eccel *handle, const eccel_curve *curve)
{
    int worst = 0, tested = 0, error = handle_claim(handle);
    if (error)
        return error;
    for (unsigned i = 0; i < handle->core.devices; i++) {
        if (!atomic_load(&handle->core.device[i]->in_service))
            continue;
        int status = test_device(handle, i, curve);
        if (status == ECCEL_SELF_TEST_FAILED || !worst)
            worst = status;
        tested++;
    }
    return tested ? worst : ECCEL_ERROR_ABSENT;
}
