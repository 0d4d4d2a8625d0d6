/* Products of integers: modulo a prime that is larger than the product, in pieces if there is none.
   SPDX-License-Identifier: Apache-2.0

   With a prime of l bits, a product below 2^(l - 1) is one job. Longer factors are cut into pieces of (l - 1) / 2 bits,
   whose products are jobs that run at the same time; the sum of them is made here. */
#include <stdlib.h>

#include "parts.h"

struct piece {
    struct work work;
    mpz_t a, b;
    mp_bitcnt_t shift;
    eccel_job *job;
};

/* Piece `index` of a number. */
static void cut(mpz_t r, const mpz_t from, mp_bitcnt_t index, mp_bitcnt_t bits)
{
    mpz_tdiv_q_2exp(r, from, index * bits);
    mpz_tdiv_r_2exp(r, r, bits);
}

static void prepare(struct piece *piece, const struct loaded *entry)
{
    mpz_inits(piece->a, piece->b, NULL);
    piece->work.entry = entry;
    piece->work.op = ECCEL_OP_MOD_MUL;
    piece->work.operands = 2;
    piece->work.operand[0] = piece->a;
    piece->work.operand[1] = piece->b;
}

/* Starts all jobs, waits for all that have started, and adds up the products. */
static int run_all(maths *session, struct piece *pieces, size_t count, mpz_t r, uint64_t *cycles, char why[MATHS_WHY])
{
    struct eccel_result result;
    size_t started = 0;
    int status = MATHS_DONE, each;
    mpz_t value;
    mpz_init(value);
    mpz_set_ui(r, 0);
    for (; started < count && status == MATHS_DONE; started += status == MATHS_DONE)
        status = work_start(session, &pieces[started].work, &pieces[started].job, why);
    for (size_t i = 0; i < started; i++) {
        each = work_wait(session, &pieces[i].work, pieces[i].job, &result, why);
        if (each == MATHS_DONE) {
            value_of(value, &result, 0);
            mpz_mul_2exp(value, value, pieces[i].shift);
            mpz_add(r, r, value);
            *cycles += result.cycles;
        } else {
            status = each;
        }
    }
    mpz_clear(value);
    return status;
}

static int product(maths *session, const struct loaded *entry, mpz_t r, const mpz_t a, const mpz_t b, uint64_t *jobs,
                   uint64_t *cycles, char why[MATHS_WHY])
{
    mp_bitcnt_t room = mpz_sizeinbase(entry->p, 2) - 1, bits_a = mpz_sizeinbase(a, 2), bits_b = mpz_sizeinbase(b, 2);
    mp_bitcnt_t cut_a = bits_a, cut_b = bits_b;
    if (bits_a + bits_b > room)
        cut_a = cut_b = room / 2;
    size_t of_a = (bits_a + cut_a - 1) / cut_a, of_b = (bits_b + cut_b - 1) / cut_b, count = of_a * of_b;
    struct piece *pieces = calloc(count, sizeof *pieces);
    if (!pieces)
        return because(why, "not enough memory", MATHS_FAILED);
    for (size_t i = 0; i < count; i++) {
        prepare(&pieces[i], entry);
        cut(pieces[i].a, a, i / of_b, cut_a);
        cut(pieces[i].b, b, i % of_b, cut_b);
        pieces[i].shift = i / of_b * cut_a + i % of_b * cut_b;
    }
    int status = run_all(session, pieces, count, r, cycles, why);
    for (size_t i = 0; i < count; i++)
        mpz_clears(pieces[i].a, pieces[i].b, NULL);
    free(pieces);
    *jobs = count;
    return status;
}

int maths_product(maths *session, mpz_t r, const mpz_t a, const mpz_t b, char why[MATHS_WHY])
{
    uint64_t jobs = 0, cycles = 0;
    size_t bits_a = mpz_sizeinbase(a, 2), bits_b = mpz_sizeinbase(b, 2);
    struct loaded *entry = NULL;
    int status = MATHS_DECLINED, negative = mpz_sgn(a) * mpz_sgn(b) < 0;
    mpz_t left, right, sum;
    if (bits_a < session->min_bits || bits_b < session->min_bits)
        return counted(session, MATHS_PRODUCT, because(why, "a factor is too small", MATHS_DECLINED), 0, 0, why);
    if (bits_a > MATHS_FACTOR_BITS || bits_b > MATHS_FACTOR_BITS)
        return counted(session, MATHS_PRODUCT, because(why, "a factor is too long", MATHS_DECLINED), 0, 0, why);
    mpz_inits(left, right, sum, NULL);
    mpz_abs(left, a);
    mpz_abs(right, b);
    /* An entry that the devices refuse is marked, so that the next round takes another one. */
    while (status == MATHS_DECLINED && (entry = loaded_for_products(session)) != NULL) {
        status = product(session, entry, sum, left, right, &jobs, &cycles, why);
        if (status == MATHS_DECLINED && !loaded_is_refused(session, entry))
            break;
    }
    if (!entry)
        (void)because(why, "no device takes a prime of the catalogue", 0);
    if (status == MATHS_DONE && negative)
        mpz_neg(sum, sum);
    if (status == MATHS_DONE)
        mpz_set(r, sum);
    mpz_clears(left, right, sum, NULL);
    return counted(session, MATHS_PRODUCT, status, status == MATHS_DONE ? jobs : 0, cycles, why);
}
