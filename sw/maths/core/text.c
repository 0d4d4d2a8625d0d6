/* Calculations with numbers as text. See process.h.
   SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

enum { MAX_COUNT = 9 };

struct call {
    maths *session;
    unsigned count;
    mpz_t number[MAX_COUNT];
    int given[MAX_COUNT]; /* 0: "" */
    mpz_t r;
    struct maths_curve curve;
    struct maths_point p, q, sum;
};

static void take_curve(struct call *call)
{
    mpz_set(call->curve.p, call->number[0]);
    mpz_set(call->curve.a, call->number[1]);
    mpz_set(call->curve.b, call->number[2]);
}

static void take_point(struct call *call, struct maths_point *point, int at)
{
    point->infinity = !call->given[at];
    mpz_set(point->x, call->number[at]);
    mpz_set(point->y, call->number[at + 1]);
}

static int product(struct call *call, char *why)
{
    return maths_product(call->session, call->r, call->number[0], call->number[1], why);
}

static int mod_mul(struct call *call, char *why)
{
    return maths_mod_mul(call->session, call->r, call->number[1], call->number[2], call->number[0], why);
}

static int mod_add(struct call *call, char *why)
{
    return maths_mod_add(call->session, call->r, call->number[1], call->number[2], call->number[0], why);
}

static int mod_sub(struct call *call, char *why)
{
    return maths_mod_sub(call->session, call->r, call->number[1], call->number[2], call->number[0], why);
}

static int mod_exp(struct call *call, char *why)
{
    return maths_mod_exp(call->session, call->r, call->number[1], call->number[2], call->number[0], why);
}

static int mod_inv(struct call *call, char *why)
{
    return maths_mod_inv(call->session, call->r, call->number[1], call->number[0], why);
}

static int point_mul(struct call *call, char *why)
{
    take_curve(call);
    mpz_set(call->curve.order, call->number[3]);
    mpz_set(call->curve.gx, call->number[4]);
    mpz_set(call->curve.gy, call->number[5]);
    take_point(call, &call->p, 7);
    return maths_point_mul(call->session, &call->sum, &call->curve, call->number[6], &call->p, why);
}

static int point_add(struct call *call, char *why)
{
    take_curve(call);
    take_point(call, &call->p, 3);
    take_point(call, &call->q, 5);
    return maths_point_add(call->session, &call->sum, &call->curve, &call->p, &call->q, why);
}

static const struct entry {
    const char *name;
    unsigned count;
    int point; /* the result is a point */
    int (*run)(struct call *call, char *why);
} entries[] = {{"product", 2, 0, product}, {"mod_mul", 3, 0, mod_mul},     {"mod_add", 3, 0, mod_add},
               {"mod_sub", 3, 0, mod_sub}, {"mod_exp", 3, 0, mod_exp},     {"mod_inv", 2, 0, mod_inv},
               {"point_mul", 9, 1, point_mul}, {"point_add", 7, 1, point_add}};

static const struct entry *find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (!strcmp(entries[i].name, name))
            return &entries[i];
    return NULL;
}

static void init(struct call *call)
{
    memset(call, 0, sizeof *call);
    for (int i = 0; i < MAX_COUNT; i++)
        mpz_init(call->number[i]);
    mpz_init(call->r);
    maths_curve_init(&call->curve);
    maths_point_init(&call->p);
    maths_point_init(&call->q);
    maths_point_init(&call->sum);
}

static void clear(struct call *call)
{
    for (int i = 0; i < MAX_COUNT; i++)
        mpz_clear(call->number[i]);
    mpz_clear(call->r);
    maths_curve_clear(&call->curve);
    maths_point_clear(&call->p);
    maths_point_clear(&call->q);
    maths_point_clear(&call->sum);
}

/* Reads the operands. Returns 0, or -1 if one is no number. */
static int read_operands(struct call *call, const char *const *operands)
{
    for (unsigned i = 0; i < call->count; i++) {
        call->given[i] = operands[i][0] != 0;
        if (call->given[i] && mpz_set_str(call->number[i], operands[i], 16))
            return -1;
    }
    return 0;
}

static int write_result(const struct call *call, const struct entry *entry, char *out, size_t room)
{
    int length;
    if (entry->point && call->sum.infinity)
        length = snprintf(out, room, " ");
    else if (entry->point)
        length = gmp_snprintf(out, room, "%Zx %Zx", call->sum.x, call->sum.y);
    else
        length = gmp_snprintf(out, room, "%Zx", call->r);
    return length < 0 || (size_t)length >= room ? -1 : MATHS_DONE;
}

int process_calculate(const char *name, unsigned count, const char *const *operands, char *out, size_t room)
{
    const struct entry *entry = find(name);
    struct call call;
    char why[MATHS_WHY] = "";
    int status = -1;
    if (!entry || count != entry->count) {
        (void)snprintf(out, room, entry ? "%s: wrong number of operands" : "%s: no such calculation", name);
        return -1;
    }
    init(&call);
    call.count = count;
    call.session = process_session(why);
    if (!call.session)
        status = MATHS_FAILED;
    else if (read_operands(&call, operands))
        (void)snprintf(why, sizeof why, "an operand is not a hexadecimal number");
    else
        status = entry->run(&call, why);
    if (status == MATHS_DONE)
        status = write_result(&call, entry, out, room);
    else
        (void)snprintf(out, room, "%s", why);
    clear(&call);
    return status;
}
