/* Names of results and advice to the user.
   SPDX-License-Identifier: Apache-2.0 */
#include "eccel.h"

struct text {
    int result;
    const char *name, *advice;
};

/* The advice on a status is that of eccelerate/driver/advice.py, in terms of this library. */
static const struct text texts[] = {
    {ECCEL_OK, "OK", "the job succeeded"},
    {ECCEL_INFINITY, "INFINITY",
     "the result is the point at infinity: the scalar is a multiple of the point's order"},
    {ECCEL_BAD_SIGNATURE, "BAD_SIGNATURE", "the signature does not verify for this hash and key"},
    {ECCEL_BAD_OP, "BAD_OP", "unknown operation or flag: check the operation code, clear reserved flags"},
    {ECCEL_BAD_LENGTH, "BAD_LENGTH", "wrong number of operands, or elements of the wrong width for the engine"},
    {ECCEL_BAD_CURVE, "BAD_CURVE", "the engine has lost the curve, or the operation is not for this kind of curve"},
    {ECCEL_NOT_ON_CURVE, "NOT_ON_CURVE",
     "the point does not satisfy the curve equation: check that it belongs to this curve"},
    {ECCEL_COORD_RANGE, "COORD_RANGE", "a coordinate or field operand is not below its modulus: reduce it first"},
    {ECCEL_SCALAR_RANGE, "SCALAR_RANGE",
     "scalar out of range: keys and nonces need 1..n-1, other scalars 0..2^bits(N)-1"},
    {ECCEL_BAD_MODULUS, "BAD_MODULUS",
     "this curve is refused: p and n must be prime, a polynomial irreducible, the curve not singular, N near p"},
    {ECCEL_NO_KEY, "NO_KEY", "the key slot is empty: load or generate a key first (reset and zeroise clear it)"},
    {ECCEL_EXCEPTIONAL, "EXCEPTIONAL", "the ladder met a point of small order: use a point of order n"},
    {ECCEL_NO_ENTROPY, "NO_ENTROPY", "the entropy source gave nothing: connect or seed it, then send the job again"},
    {ECCEL_SELF_TEST_FAILED, "SELF_TEST_FAILED", "the self-test failed: do not use this engine"},
    {ECCEL_ZEROISED, "ZEROISED",
     "the job was ended by the zeroise input: load the key again and send the job again"},
    {ECCEL_RETRY, "RETRY", "this nonce gives r = 0 or s = 0: sign again with another nonce"},
    {ECCEL_ENGINE_FAULT, "ENGINE_FAULT", "the engine that had the job was reset: send the job again"},
    {ECCEL_ENTROPY_FAILED, "ENTROPY_FAILED",
     "the entropy source failed its health tests: repair it, then reset or zeroise the engine"},
    {ECCEL_KEY_REFUSED, "KEY_REFUSED",
     "the key in the slot is not for this job, or the slot has a key of another curve that must be wiped first"},
    {ECCEL_WATCHDOG, "TIMEOUT",
     "the watchdog of the engine ended the job, and the key is wiped: report a defect and load the key again"},
    {ECCEL_FAULT, "FAULT",
     "the engine found that it computed wrongly, and wiped key and curve: load them and send the job again"},
    {ECCEL_ERROR_ARGUMENT, "ERROR_ARGUMENT",
     "an argument is malformed: check lengths, the number of operands, and that a curve is given"},
    {ECCEL_ERROR_MEMORY, "ERROR_MEMORY", "there is not enough memory, or no thread can be made"},
    {ECCEL_ERROR_ABSENT, "ERROR_ABSENT", "no device is in service: check the addresses and that the server runs"},
    {ECCEL_ERROR_UNSUPPORTED, "ERROR_UNSUPPORTED",
     "no device takes this curve or operation: use another configuration, or wipe the key that holds its curve"},
    {ECCEL_ERROR_BUSY, "ERROR_BUSY", "too many jobs are in flight: wait for some of them, then try again"},
    {ECCEL_ERROR_TIMEOUT, "ERROR_TIMEOUT", "the device gave no answer in time: check it, or allow more time"},
    {ECCEL_ERROR_LINK, "ERROR_LINK",
     "the device went away, or its answer was malformed: send the job again when it is back"},
    {ECCEL_ERROR_CANCELLED, "ERROR_CANCELLED", "the job was cancelled, or its handle was closed"},
    {ECCEL_ERROR_FORKED, "ERROR_FORKED", "the job belongs to the parent process: submit it again in this one"},
};

static const struct text *find(int result)
{
    static const struct text unknown = {
        0, "UNKNOWN", "the device answered with a status that this library does not know: versions differ"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].result == result)
            return &texts[i];
    }
    return &unknown;
}

const char *eccel_result_name(int result)
{
    return find(result)->name;
}

const char *eccel_advice(int result)
{
    return find(result)->advice;
}
