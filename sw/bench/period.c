/* The course of a run: see period.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "period.h"

#include <openssl/err.h>
#include <stdio.h>

static uint64_t after(uint64_t now, double seconds)
{
    return now + (uint64_t)(seconds * 1e9);
}

void drive_error(struct outcome *outcome, const char *text)
{
    const char *data = "";
    int flags = 0;
    const unsigned long code = ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    if (outcome->message[0])
        ;
    else if (text)
        snprintf(outcome->message, sizeof outcome->message, "%s", text);
    else if (code && ERR_reason_error_string(code))
        snprintf(outcome->message, sizeof outcome->message, "%s: %s", ERR_reason_error_string(code),
                 flags & ERR_TXT_STRING ? data : "");
    else if (code)
        ERR_error_string_n(code, outcome->message, sizeof outcome->message);
    else
        snprintf(outcome->message, sizeof outcome->message, "an operation failed without a reason");
    ERR_clear_error();
}

static void measure_from_now(struct period *period)
{
    meter_read(&period->begin, period->plan->watched);
    period->phase = PERIOD_MEASURED;
    period->next = after(period->begin.wall, period->plan->seconds);
}

static void end_now(struct period *period)
{
    meter_read(&period->end, period->plan->watched);
    if (period->phase == PERIOD_WARM) /* the run broke off: nothing was measured */
        period->begin = period->end;
    period->phase = PERIOD_OVER;
}

void period_begin(struct period *period, const struct plan *plan, struct outcome *outcome)
{
    *period = (struct period){.plan = plan, .outcome = outcome, .phase = PERIOD_WARM};
    period->next = after(meter_now(), plan->warmup);
    if (plan->count)
        measure_from_now(period);
}

void period_tick(struct period *period)
{
    if (period->phase == PERIOD_OVER || meter_now() < period->next)
        return;
    if (period->phase == PERIOD_WARM)
        measure_from_now(period);
    else
        end_now(period);
}

int period_start(struct period *period)
{
    const struct plan *plan = period->plan;
    if (period->phase == PERIOD_OVER || (plan->count && period->started >= plan->count))
        return 0;
    period->started++;
    return 1;
}

void period_finished(struct period *period, uint64_t begun, int success)
{
    struct outcome *outcome = period->outcome;
    if (!success) {
        outcome->errors++;
        drive_error(outcome, NULL);
        if (outcome->errors >= period->plan->max_errors && period->phase != PERIOD_OVER)
            end_now(period);
    } else if (period->phase == PERIOD_MEASURED) {
        outcome->operations++;
        latency_add(&outcome->latencies, meter_now() - begun);
    }
    if (period->plan->count && outcome->operations + outcome->errors >= period->plan->count &&
        period->phase != PERIOD_OVER)
        end_now(period);
}

void period_results(struct period *period)
{
    struct outcome *outcome = period->outcome;
    if (period->phase != PERIOD_OVER)
        end_now(period);
    outcome->seconds = (double)(period->end.wall - period->begin.wall) / 1e9;
    if (!outcome->operations)
        return;
    const double each = 1000.0 * (double)outcome->operations;
    outcome->user_us = (double)(period->end.user - period->begin.user) / each;
    outcome->system_us = (double)(period->end.system - period->begin.system) / each;
    outcome->watched_us = (double)(period->end.watched - period->begin.watched) / each;
    outcome->watched_main_us = (double)(period->end.watched_main - period->begin.watched_main) / each;
}
