/* The curves in use: one lane for each, found by the parameters.
   SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "core.h"

static int in_catalogue(const eccel_curve *curve)
{
    return curve >= catalogue && curve < catalogue + catalogue_size;
}

/* No job, no key, and in no device. */
static int idle(const struct core *core, const struct lane *lane)
{
    if (lane->jobs || lane->key)
        return 0;
    for (unsigned i = 0; i < core->devices; i++) {
        if (lane->queue[i].place >= 0 || core->device[i]->test_lane == lane)
            return 0;
    }
    return 1;
}

/* Forgets the curve that was not used for the longest time, if there are many. */
static void shrink(struct core *core)
{
    struct lane **oldest = NULL;
    if (core->lane_count < CORE_LANES)
        return;
    for (struct lane **at = &core->lanes; *at; at = &(*at)->next) {
        if (idle(core, *at) && (!oldest || (*at)->used < (*oldest)->used))
            oldest = at;
    }
    if (oldest) {
        struct lane *lane = *oldest;
        *oldest = lane->next;
        core->lane_count--;
        free(lane);
    }
}

struct lane *lane_of(struct core *core, const eccel_curve *curve)
{
    struct lane *lane;
    for (lane = core->lanes; lane; lane = lane->next) {
        if (lane->source == curve || curve_equal(&lane->curve, curve)) {
            lane->used = ++core->lane_uses;
            return lane;
        }
    }
    shrink(core);
    if (!(lane = calloc(1, sizeof *lane)))
        return NULL;
    if (in_catalogue(curve)) {
        lane->curve = *curve;
        lane->source = curve;
    } else {
        curve_copy(&lane->curve, curve, lane->numbers);
    }
    for (unsigned i = 0; i < CORE_DEVICES; i++)
        lane->queue[i].place = -1;
    lane->used = ++core->lane_uses;
    lane->next = core->lanes;
    atomic_thread_fence(memory_order_release); /* a child may find the list at any moment: it is whole at each */
    core->lanes = lane;
    core->lane_count++;
    return lane;
}

int lane_refusal(const struct lane *lane, const struct device *device)
{
    return lane->queue[device->index].refusal;
}
