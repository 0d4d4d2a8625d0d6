/* The curves of a session: which one the engine has to load for a modulus, for a curve, for products of integers.
   SPDX-License-Identifier: Apache-2.0

   The engine computes modulo p and n of a curve. For a prime m that belongs to no curve of the catalogue, this file
   makes one up: y^2 = x^3 - 3 x + 6 through (1, 2) with p = n = m, which CURVE_LOAD accepts. Such an entry serves MOD_
   jobs and additions of points, which do not use the order, and never multiples of points. */
#include <stdlib.h>

#include "parts.h"

static struct loaded *append(maths *session)
{
    struct loaded *entry = calloc(1, sizeof *entry), **end = &session->first;
    if (!entry)
        return NULL;
    mpz_inits(entry->p, entry->a, entry->b, entry->n, entry->order, entry->gx, entry->gy, NULL);
    while (*end)
        end = &(*end)->next;
    *end = entry;
    return entry;
}

static void words(mpz_t r, const uint32_t *number, unsigned count)
{
    mpz_import(r, count, -1, sizeof *number, 0, 0, number);
}

int loaded_catalogue(maths *session)
{
    const eccel_curve *curve;
    for (size_t i = 0; (curve = eccel_curve_at(i)) != NULL; i++) {
        if (curve->kind != ECCEL_WEIERSTRASS)
            continue;
        struct loaded *entry = append(session);
        if (!entry)
            return ECCEL_ERROR_MEMORY;
        entry->curve = curve;
        entry->has_order = 1;
        words(entry->p, curve->p, curve->words);
        words(entry->a, curve->a, curve->words);
        words(entry->b, curve->b, curve->words);
        words(entry->n, curve->n, curve->words);
        words(entry->gx, curve->gx, curve->words);
        words(entry->gy, curve->gy, curve->words);
        mpz_mul_ui(entry->order, entry->n, curve->cofactor);
    }
    return 0;
}

void loaded_free(maths *session)
{
    while (session->first) {
        struct loaded *entry = session->first;
        session->first = entry->next;
        if (entry->own)
            eccel_curve_free((eccel_curve *)entry->curve);
        mpz_clears(entry->p, entry->a, entry->b, entry->n, entry->order, entry->gx, entry->gy, NULL);
        free(entry);
    }
}

void loaded_refuse(maths *session, struct loaded *entry)
{
    (void)pthread_mutex_lock(&session->lock);
    entry->refused = 1;
    (void)pthread_mutex_unlock(&session->lock);
}

int loaded_is_refused(maths *session, const struct loaded *entry)
{
    (void)pthread_mutex_lock(&session->lock);
    int refused = entry->refused;
    (void)pthread_mutex_unlock(&session->lock);
    return refused;
}

static void number(uint8_t *out, size_t bytes, const mpz_t value)
{
    size_t used = (mpz_sizeinbase(value, 2) + 7) / 8;
    for (size_t i = 0; i < bytes; i++)
        out[i] = 0;
    (void)mpz_export(out + bytes - used, NULL, 1, 1, 1, 0, value);
}

/* A new entry from the numbers of `from`, with order h n. NULL if there are too many, or libeccel refuses them. */
static struct loaded *make(maths *session, const struct maths_curve *from, const mpz_t n, unsigned long h, char *why)
{
    uint8_t bytes[6][ECCEL_MAX_BYTES];
    const mpz_srcptr values[6] = {from->p, from->a, from->b, from->gx, from->gy, n};
    struct eccel_parameters parameters = {.kind = ECCEL_WEIERSTRASS, .bytes = ECCEL_MAX_BYTES, .cofactor = (uint32_t)h};
    struct loaded *entry = NULL;
    if (session->loaded == MAX_LOADED) {
        (void)because(why, "too many moduli and curves in one session", 0);
        return NULL;
    }
    for (int i = 0; i < 6; i++)
        number(bytes[i], ECCEL_MAX_BYTES, values[i]);
    parameters.p = bytes[0];
    parameters.a = bytes[1];
    parameters.b = bytes[2];
    parameters.gx = bytes[3];
    parameters.gy = bytes[4];
    parameters.order = bytes[5];
    eccel_curve *curve = eccel_curve_new(&parameters);
    if (curve && (entry = append(session)) != NULL) {
        session->loaded++;
        entry->curve = curve;
        entry->own = 1;
        mpz_set(entry->p, from->p);
        mpz_set(entry->a, from->a);
        mpz_set(entry->b, from->b);
        mpz_set(entry->n, n);
        mpz_set(entry->gx, from->gx);
        mpz_set(entry->gy, from->gy);
    } else {
        eccel_curve_free(curve);
        (void)because(why, "the numbers are too long for the engine", 0);
    }
    return entry;
}

static struct loaded *modulus(maths *session, const mpz_t m, int *mod_n, char why[MATHS_WHY])
{
    int refused = 0;
    for (struct loaded *entry = session->first; entry; entry = entry->next) {
        *mod_n = mpz_cmp(entry->p, m) != 0;
        if (*mod_n && mpz_cmp(entry->n, m) != 0)
            continue;
        if (!entry->refused)
            return entry;
        refused |= entry->own;
    }
    if (refused) {
        (void)because(why, "no device takes this modulus", 0);
        return NULL;
    }
    if (!mpz_probab_prime_p(m, 25)) {
        (void)because(why, "the modulus is not a prime", 0);
        return NULL;
    }
    struct maths_curve made;
    maths_curve_init(&made);
    mpz_set(made.p, m);
    mpz_sub_ui(made.a, m, 3);
    mpz_set_ui(made.b, 6);
    mpz_set_ui(made.gx, 1);
    mpz_set_ui(made.gy, 2);
    struct loaded *entry = make(session, &made, m, 1, why);
    maths_curve_clear(&made);
    *mod_n = 0;
    return entry;
}

struct loaded *loaded_modulus(maths *session, const mpz_t m, int *mod_n, char why[MATHS_WHY])
{
    size_t bits = mpz_sizeinbase(m, 2);
    if (mpz_cmp_ui(m, 11) < 0 || bits < session->min_bits) {
        (void)because(why, "the modulus is too small", 0);
        return NULL;
    }
    if (bits > ENGINE_BITS) {
        (void)because(why, "the modulus is too long for the engine", 0);
        return NULL;
    }
    (void)pthread_mutex_lock(&session->lock);
    struct loaded *entry = modulus(session, m, mod_n, why);
    (void)pthread_mutex_unlock(&session->lock);
    return entry;
}

/* order = 2^j n with j < 8. Returns 2^j, or 0 if n is no prime. */
static unsigned long split(mpz_t n, const mpz_t order)
{
    mp_bitcnt_t twos = mpz_sgn(order) > 0 ? mpz_scan1(order, 0) : 8;
    if (twos > 7)
        return 0;
    mpz_tdiv_q_2exp(n, order, twos);
    return mpz_probab_prime_p(n, 25) ? 1UL << twos : 0;
}

static struct loaded *curve_entry(maths *session, const struct maths_curve *curve, int multiples,
                                  const struct maths_point *point, char why[MATHS_WHY])
{
    int known = mpz_sgn(curve->order) != 0;
    for (struct loaded *entry = session->first; entry; entry = entry->next)
        if (!mpz_cmp(entry->p, curve->p) && !mpz_cmp(entry->a, curve->a) && !mpz_cmp(entry->b, curve->b) &&
            (entry->has_order || !multiples)) {
            if (entry->has_order && known && mpz_cmp(entry->order, curve->order)) {
                (void)because(why, "the curve has another order", 0);
                return NULL;
            }
            if (!entry->refused)
                return entry;
            (void)because(why, "no device takes this curve", 0);
            return NULL;
        }
    const char *problem = multiples && !known                      ? "the order of the curve is not known"
                          : mpz_sgn(curve->b) == 0                 ? "the engine takes no curve with b = 0"
                          : point->infinity                        ? "the curve is not loaded yet"
                          : !mpz_probab_prime_p(curve->p, 25)      ? "p is not a prime"
                                                                   : NULL;
    if (problem) {
        (void)because(why, problem, 0);
        return NULL;
    }
    unsigned long h = 1;
    struct maths_curve made = *curve; /* shares the numbers */
    struct loaded *entry = NULL;
    mpz_t n;
    mpz_init_set(n, curve->p);
    if (multiples && !(h = split(n, curve->order)))
        (void)because(why, "the order is not 2^j n with a prime n and j < 8", 0);
    else if (multiples && !curve->proven && !order_is_right(curve, n))
        (void)because(why, "the order of the curve is not right, or the base point is of small order", 0);
    else {
        if (!multiples || curve->proven) { /* any point of the curve will do */
            *made.gx = *point->x;
            *made.gy = *point->y;
        }
        entry = make(session, &made, n, h, why);
        if (entry && multiples) {
            mpz_set(entry->order, curve->order);
            entry->has_order = 1;
        }
    }
    mpz_clear(n);
    return entry;
}

struct loaded *loaded_curve(maths *session, const struct maths_curve *curve, int multiples,
                            const struct maths_point *point, char why[MATHS_WHY])
{
    size_t bits = mpz_sizeinbase(curve->p, 2);
    if (mpz_cmp_ui(curve->p, 11) < 0 || bits < session->min_bits || bits > ENGINE_BITS) {
        (void)because(why, bits > ENGINE_BITS ? "the field is too large for the engine" : "the field is too small", 0);
        return NULL;
    }
    (void)pthread_mutex_lock(&session->lock);
    struct loaded *entry = curve_entry(session, curve, multiples, point, why);
    (void)pthread_mutex_unlock(&session->lock);
    return entry;
}

struct loaded *loaded_for_products(maths *session)
{
    struct loaded *best = NULL;
    (void)pthread_mutex_lock(&session->lock);
    for (struct loaded *entry = session->first; entry; entry = entry->next) {
        int larger = !best || mpz_cmp(entry->p, best->p) > 0;
        if (!entry->own && !entry->refused && larger)
            best = entry;
    }
    (void)pthread_mutex_unlock(&session->lock);
    return best;
}
