/* One job of the engine: numbers of GMP to byte strings and back, and what a status means for a caller.
   SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "parts.h"

void value_of(mpz_t r, const struct eccel_result *result, unsigned index)
{
    mpz_import(r, result->bytes, 1, 1, 1, 0, result->value[index]);
}

/* Writes the operands. Returns 0, or -1 if one is too long for any engine. */
static int request_of(struct eccel_request *request, struct work *work)
{
    memset(request, 0, sizeof *request);
    request->op = work->op;
    request->flags = work->flags;
    request->curve = work->entry->curve;
    request->operands = work->operands;
    for (unsigned i = 0; i < work->operands; i++) {
        size_t length = 0;
        if (mpz_sizeinbase(work->operand[i], 2) > 8 * ECCEL_MAX_BYTES)
            return -1;
        (void)mpz_export(work->bytes[i], &length, 1, 1, 1, 0, work->operand[i]);
        if (!length)
            work->bytes[i][length++] = 0;
        request->operand[i] = (struct eccel_operand){work->bytes[i], length};
    }
    return 0;
}

/* What a result means: the engine has refused the numbers, or the device is in trouble. */
static int meaning(maths *session, struct work *work, int result, char why[MATHS_WHY])
{
    switch (result) {
    case ECCEL_OK:
    case ECCEL_INFINITY:
        return MATHS_DONE;
    case ECCEL_BAD_MODULUS:
        loaded_refuse(session, (struct loaded *)work->entry);
        return because(why, "the engine refuses this curve or modulus", MATHS_DECLINED);
    case ECCEL_ERROR_UNSUPPORTED:
        loaded_refuse(session, (struct loaded *)work->entry);
        return because(why, "no device takes this curve or modulus", MATHS_DECLINED);
    case ECCEL_BAD_LENGTH: /* the number of operands is right */
        loaded_refuse(session, (struct loaded *)work->entry);
        return because(why, "no device holds numbers of this length", MATHS_DECLINED);
    case ECCEL_ERROR_ARGUMENT:
    case ECCEL_BAD_OP:
    case ECCEL_NOT_ON_CURVE:
    case ECCEL_COORD_RANGE:
    case ECCEL_SCALAR_RANGE:
    case ECCEL_EXCEPTIONAL:
        return because(why, eccel_result_name(result), MATHS_DECLINED);
    default:
        return because(why, eccel_result_name(result), MATHS_FAILED);
    }
}

int work_run(maths *session, struct work *work, struct eccel_result *result, char why[MATHS_WHY])
{
    struct eccel_request request;
    if (request_of(&request, work))
        return because(why, "a number is too long for the engine", MATHS_DECLINED);
    return meaning(session, work, eccel_run(session->engine, &request, result), why);
}

int work_start(maths *session, struct work *work, eccel_job **job, char why[MATHS_WHY])
{
    struct eccel_request request;
    if (request_of(&request, work))
        return because(why, "a number is too long for the engine", MATHS_DECLINED);
    return meaning(session, work, eccel_start(session->engine, &request, job), why);
}

int work_wait(maths *session, struct work *work, eccel_job *job, struct eccel_result *result, char why[MATHS_WHY])
{
    int status = eccel_wait(job, -1, result);
    eccel_job_free(job);
    return meaning(session, work, status, why);
}
