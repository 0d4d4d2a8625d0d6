/* Calculations modulo a prime. See maths.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

/* One MOD_ job with operands that are reduced here if `reduce` has their bit. The job that a refused entry gave up is
   run again with another entry, if there is one. */
static int run(maths *session, enum maths_kind kind, uint8_t op, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m,
               char why[MATHS_WHY])
{
    struct work work = {.op = op, .operands = op == ECCEL_OP_MOD_INV ? 1 : 2};
    struct eccel_result result = {0};
    struct loaded *entry;
    int mod_n = 0, status = MATHS_DECLINED;
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    while (status == MATHS_DECLINED && (entry = loaded_modulus(session, m, &mod_n, why)) != NULL) {
        mpz_mod(left, a, m);
        if (op == ECCEL_OP_MOD_EXP)
            mpz_set(right, b);
        else
            mpz_mod(right, b, m);
        work.entry = entry;
        work.flags = mod_n ? ECCEL_FLAG_MOD_N : 0;
        work.operand[0] = left;
        work.operand[1] = right;
        status = work_run(session, &work, &result, why);
        if (status == MATHS_DECLINED && !loaded_is_refused(session, entry))
            break;
    }
    uint64_t jobs = status == MATHS_DONE;
    if (jobs) {
        value_of(left, &result, 0);
        if (mpz_cmp(left, m) >= 0)
            status = because(why, "the result of the device is not below the modulus", MATHS_FAILED);
    }
    if (status == MATHS_DONE && op == ECCEL_OP_MOD_INV) {
        mpz_mul(right, left, a);
        mpz_sub_ui(right, right, 1);
        if (!mpz_divisible_p(right, m))
            status = because(why, "the result of the device is not the inverse", MATHS_FAILED);
    }
    if (status == MATHS_DONE)
        mpz_set(r, left);
    mpz_clears(left, right, NULL);
    return counted(session, kind, status, jobs, jobs ? result.cycles : 0, why);
}

int maths_mod_mul(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY])
{
    return run(session, MATHS_MOD_MUL, ECCEL_OP_MOD_MUL, r, a, b, m, why);
}

int maths_mod_add(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY])
{
    return run(session, MATHS_MOD_ADD, ECCEL_OP_MOD_ADD, r, a, b, m, why);
}

int maths_mod_sub(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char why[MATHS_WHY])
{
    return run(session, MATHS_MOD_ADD, ECCEL_OP_MOD_SUB, r, a, b, m, why);
}

/* 1 if m divides a, or m is no modulus. */
static int no_unit(const mpz_t a, const mpz_t m)
{
    return mpz_sgn(m) <= 0 || mpz_divisible_p(a, m);
}

int maths_mod_inv(maths *session, mpz_t r, const mpz_t a, const mpz_t m, char why[MATHS_WHY])
{
    if (no_unit(a, m))
        return counted(session, MATHS_MOD_INV, because(why, "there is no inverse", MATHS_DECLINED), 0, 0, why);
    return run(session, MATHS_MOD_INV, ECCEL_OP_MOD_INV, r, a, a, m, why);
}

int maths_mod_exp(maths *session, mpz_t r, const mpz_t a, const mpz_t e, const mpz_t m, char why[MATHS_WHY])
{
    mpz_t exponent;
    int status;
    if (mpz_sgn(e) < 0 && no_unit(a, m))
        return counted(session, MATHS_MOD_EXP, because(why, "there is no inverse", MATHS_DECLINED), 0, 0, why);
    mpz_init_set(exponent, e);
    /* By Fermat's theorem, as loaded_modulus() accepts primes only: a negative or long exponent counts modulo m - 1,
       if a is a unit. 0 has positive exponents only, and any of them does. */
    if (mpz_cmp(e, m) >= 0 && no_unit(a, m)) {
        mpz_set_ui(exponent, 1);
    } else if (mpz_sgn(e) < 0 || mpz_cmp(e, m) >= 0) {
        mpz_sub_ui(exponent, m, 1);
        mpz_mod(exponent, e, exponent);
    }
    status = run(session, MATHS_MOD_EXP, ECCEL_OP_MOD_EXP, r, a, exponent, m, why);
    mpz_clear(exponent);
    return status;
}
