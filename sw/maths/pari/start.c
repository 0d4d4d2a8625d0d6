/* Puts the functions of this library in the place of PARI's, and what they share. See eccel_pari.h.
   SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eccel_pari.h"
#include "process.h"

struct own own;

static GEN mul_assign(GEN *x, GEN y)
{
    return *x = eccel_mul(*x, y);
}

static GEN add_assign(GEN *x, GEN y)
{
    return *x = eccel_add(*x, y);
}

static GEN sub_assign(GEN *x, GEN y)
{
    return *x = eccel_sub(*x, y);
}

static GEN div_assign(GEN *x, GEN y)
{
    return *x = eccel_div(*x, y);
}

typedef void (*any)(void);

static struct replacement {
    const char *name; /* in scripts */
    const char *code; /* of its arguments, in the PARI that this was written for */
    any ours;
    any *keep; /* where PARI's own function goes; NULL: it is not called */
    void *before;
} replacements[] = {
    {"_*_", "GG", (any)eccel_mul, (any *)&own.mul, NULL},
    {"_+_", "GG", (any)eccel_add, (any *)&own.add, NULL},
    {"_-_", "GG", (any)eccel_sub, (any *)&own.sub, NULL},
    {"_/_", "GG", (any)eccel_div, (any *)&own.div, NULL},
    {"sqr", "G", (any)eccel_sqr, (any *)&own.sqr, NULL},
    {"_^_", "GGp", (any)eccel_pow, (any *)&own.pow, NULL},
    {"_^s", "GL", (any)eccel_pows, (any *)&own.pows, NULL},
    {"ellmul", "GGG", (any)eccel_ellmul, (any *)&own.ellmul, NULL},
    {"ellpow", "GGG", (any)eccel_ellmul, NULL, NULL},
    {"elladd", "GGG", (any)eccel_elladd, (any *)&own.elladd, NULL},
    {"ellsub", "GGG", (any)eccel_ellsub, (any *)&own.ellsub, NULL},
    {"_*=_", "&G", (any)mul_assign, NULL, NULL},
    {"_+=_", "&G", (any)add_assign, NULL, NULL},
    {"_-=_", "&G", (any)sub_assign, NULL, NULL},
    {"_/=_", "&G", (any)div_assign, NULL, NULL},
};
enum { COUNT = sizeof replacements / sizeof *replacements };

static int replaced;
static maths *session; /* since the first eccel_pari_start */

MATHS_API void eccel_pari_start(void);
MATHS_API void eccel_pari_stop(void);
MATHS_API long eccel_pari_jobs(const char *name);

void eccel_pari_start(void)
{
    char why[MATHS_WHY];
    entree *found[COUNT];
    session = process_session(why);
    if (!session)
        pari_err(e_MISC, "eccel: %s", why);
    for (int i = 0; i < COUNT; i++) {
        found[i] = is_entry(replacements[i].name);
        if (!found[i] || !found[i]->value || !found[i]->code || strcmp(found[i]->code, replacements[i].code) != 0)
            pari_err(e_MISC, "eccel: this version of PARI has another %s: eccelerate supports 2.15",
                     replacements[i].name);
    }
    for (int i = 0; i < COUNT && !replaced; i++) {
        struct replacement *each = &replacements[i];
        each->before = found[i]->value;
        if (each->keep)
            memcpy(each->keep, &found[i]->value, sizeof *each->keep);
        memcpy(&found[i]->value, &each->ours, sizeof each->ours);
    }
    replaced = 1;
}

void eccel_pari_stop(void)
{
    for (int i = 0; i < COUNT && replaced; i++)
        is_entry(replacements[i].name)->value = replacements[i].before;
    replaced = 0;
}

long eccel_pari_jobs(const char *name)
{
    char why[MATHS_WHY];
    maths *counted = process_session(why);
    struct maths_counter counter;
    long jobs = 0;
    int known = !name;
    for (int kind = 0; counted && kind < MATHS_KINDS; kind++) {
        int wanted = !name || !strcmp(name, maths_kind_name((enum maths_kind)kind));
        maths_count(counted, (enum maths_kind)kind, &counter);
        jobs += wanted ? (long)counter.jobs : 0;
        known |= wanted;
    }
    if (counted && !known)
        pari_err(e_MISC, "eccel_jobs: there is no calculation %s", name);
    return counted ? jobs : -1;
}

maths *pari_session(void)
{
    return session;
}

int long_enough(maths *with, GEN x)
{
    return lgefint(x) > 2 && (size_t)expi(x) + 1 >= maths_min_bits(with);
}

int accepted(int status, const char *why)
{
    if (status == MATHS_FAILED && process_strict())
        pari_err(e_MISC, "eccel: %s", why);
    if (status == MATHS_FAILED && process_should_warn())
        pari_warn(warner, "eccel: a device failed (%s): PARI does its work", why);
    return status == MATHS_DONE;
}

void to_mpz(mpz_t r, GEN x)
{
    size_t words = (size_t)lgefint(x) - 2;
    if (!words) {
        mpz_set_ui(r, 0);
        return;
    }
    /* The words are in one block, in the order of the kernel that PARI was built with. */
    GEN low = int_LSW(x), high = int_MSW(x);
    mpz_import(r, words, low <= high ? -1 : 1, sizeof *low, 0, 0, low <= high ? low : high);
    if (signe(x) < 0)
        mpz_neg(r, r);
}

GEN from_mpz(const mpz_t x)
{
    long words = (long)mpz_size(x);
    GEN r = cgeti(words + 2);
    r[1] = evalsigne(mpz_sgn(x)) | evallgefint(words + 2);
    for (long i = 0; i < words; i++)
        *int_W(r, i) = (long)mpz_getlimbn(x, i);
    return r;
}
