/* The plan of a paced device. See plan.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include "json.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 22 };

static size_t length_of(const struct json *list)
{
    size_t count = 0;
    for (const struct json *item = list->first; item; item = item->next)
        count++;
    return count;
}

/* A whole number in [least, most], else -1. */
static int64_t whole(const struct json *object, const char *name, double least, double most)
{
    double value = json_number(object, name, -1);
    return value >= least && value <= most && value == (double)(int64_t)value ? (int64_t)value : -1;
}

/* Reads a hexadecimal number of at most 8 * words digits. */
static int read_hex(const struct json *item, uint32_t *out, unsigned words)
{
    size_t digits = item->type == JSON_TEXT ? strlen(item->text) : 0;
    memset(out, 0, 4u * words);
    if (!digits || digits > 8u * words || strspn(item->text, "0123456789abcdef") != digits)
        return -1;
    for (size_t i = 0; i < digits; i++) {
        char c = item->text[digits - 1 - i];
        out[i / 8] |= (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10) << 4 * (i % 8);
    }
    return 0;
}

static int read_curve(struct plan_curve *curve, const struct json *from)
{
    const struct json *load = json_member(from, "load", JSON_LIST), *jobs = json_member(from, "jobs", JSON_LIST);
    int64_t words = whole(from, "words", CURVE_MIN_WORDS, CURVE_MAX_WORDS);
    int64_t clocks = whole(from, "load_clocks", 0, 1e12);
    if (!load || !jobs || words < 0 || clocks < 0 || length_of(load) != CURVE_LOAD_OPERANDS)
        return -1;
    curve->words = (unsigned)words;
    curve->load_clocks = (uint64_t)clocks;
    uint32_t *place = curve->load;
    for (const struct json *item = load->first; item; item = item->next, place += words)
        if (read_hex(item, place, curve->words))
            return -1;
    if (!(curve->job = calloc(length_of(jobs) + 1, sizeof *curve->job)))
        return -1;
    for (const struct json *item = jobs->first; item; item = item->next) {
        int64_t op = whole(item, "op", 1, 0x2f), flags = whole(item, "flags", 0, 0xff);
        int64_t alone = whole(item, "alone", 1, 1e12), group = whole(item, "group", 1, 1e12);
        int64_t status = whole(item, "status", 0, 0xff);
        if (op < 0 || flags < 0 || alone < 0 || group < 0 || status < 0)
            return -1;
        curve->job[curve->jobs++] = (struct plan_job){.op = (uint8_t)op, .flags = (uint8_t)flags,
                                                      .status = (uint8_t)status, .alone = (uint64_t)alone,
                                                      .group = (uint64_t)group};
    }
    return 0;
}

static int read_pool(struct plan_pool *pool, const struct json *from)
{
    const struct json *curves = json_member(from, "curves", JSON_LIST);
    int64_t engines = whole(from, "engines", 1, 64), threads = whole(from, "threads", 1, 64);
    int64_t window = whole(from, "window", 1, 65536), wait = whole(from, "wait", 0, 1e9);
    if (!curves || engines < 0 || threads < 0 || window < 0 || wait < 0)
        return -1;
    pool->engines = (unsigned)engines;
    pool->threads = (unsigned)threads;
    pool->window = (unsigned)window;
    pool->wait = (uint64_t)wait;
    if (!(pool->curve = calloc(length_of(curves) + 1, sizeof *pool->curve)))
        return -1;
    for (const struct json *item = curves->first; item; item = item->next)
        if (read_curve(&pool->curve[pool->curves++], item))
            return -1;
    return 0;
}

static int read_plan(struct plan *plan, const struct json *from)
{
    const struct json *pools = json_member(from, "pools", JSON_LIST), *name = json_member(from, "name", JSON_TEXT);
    int64_t khz = whole(from, "clock_khz", 1, 1e8), words = whole(from, "max_words", CURVE_MIN_WORDS, CURVE_MAX_WORDS);
    if (whole(from, "format", 1, 1) != 1 || !pools || !name || khz < 0 || words < 0)
        return -1;
    if (length_of(pools) > PLAN_POOLS || !length_of(pools))
        return -1;
    snprintf(plan->name, sizeof plan->name, "%s", name->text);
    plan->clock_khz = (uint64_t)khz;
    plan->max_words = (unsigned)words;
    for (const struct json *item = pools->first; item; item = item->next)
        if (read_pool(&plan->pool[plan->pools++], item))
            return -1;
    return 0;
}

static char *whole_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(FILE_BYTES + 1) : NULL;
    size_t length = text ? fread(text, 1, FILE_BYTES + 1, file) : 0;
    int bad = !text || ferror(file) || length > FILE_BYTES;
    if (file)
        fclose(file);
    if (bad) {
        free(text);
        return NULL;
    }
    text[length] = 0;
    return text;
}

int plan_read(struct plan *plan, const char *path, char *error, size_t room)
{
    char *text = whole_file(path), reason[200];
    *plan = (struct plan){.pools = 0};
    if (!text) {
        snprintf(error, room, "%s: cannot be read", path);
        return -1;
    }
    struct json *value = json_read(text, reason, sizeof reason);
    free(text);
    int bad = !value || read_plan(plan, value);
    if (!value)
        snprintf(error, room, "%s: %s", path, reason);
    else if (bad)
        snprintf(error, room, "%s: is not a plan that `eccel serve CONFIG --paced` writes", path);
    json_free(value);
    if (bad)
        plan_free(plan);
    return bad ? -1 : 0;
}

void plan_free(struct plan *plan)
{
    for (unsigned i = 0; i < plan->pools; i++) {
        for (size_t c = 0; c < plan->pool[i].curves; c++)
            free(plan->pool[i].curve[c].job);
        free(plan->pool[i].curve);
    }
    plan->pools = 0;
}

const struct plan_curve *plan_find_curve(const struct plan_pool *pool, const uint32_t *load, unsigned words)
{
    for (size_t i = 0; i < pool->curves; i++) {
        const struct plan_curve *curve = &pool->curve[i];
        if (curve->words == words && (curve->load[1] & 0xff) == (load[1] & 0xff) && curve->load[0] == load[0] &&
            !memcmp(curve->load + words, load + words, 4u * (CURVE_LOAD_OPERANDS - 1) * words))
            return curve;
    }
    return NULL;
}

const struct plan_job *plan_find_job(const struct plan_curve *curve, unsigned op, unsigned flags)
{
    for (size_t i = 0; i < curve->jobs; i++)
        if (curve->job[i].op == op && curve->job[i].flags == (flags & PLAN_FLAGS))
            return &curve->job[i];
    /* A job ignores flags for which it has no use. */
    for (size_t i = 0; i < curve->jobs; i++)
        if (curve->job[i].op == op && !curve->job[i].flags)
            return &curve->job[i];
    return NULL;
}
