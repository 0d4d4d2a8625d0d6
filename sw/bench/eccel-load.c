/* eccel-load: how many ECDH, signatures or verifications libcrypto does a second, and what they cost this machine.
   SPDX-License-Identifier: Apache-2.0

   The provider comes from OPENSSL_CONF and the property query. Prints one JSON object. Exit code 0: all results were
   right; 1: some were not, or the run broke off (the object has the reason in "message"); 2: usage. */
#define _GNU_SOURCE
#include "drive.h"
#include "meter.h"

#include <errno.h>
#include <getopt.h>
#include <openssl/err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: eccel-load [options] ecdh|sign|digest-sign|verify CURVE\n"
    "\n"
    "Does one operation again and again through OpenSSL's EVP, and prints rates as JSON. CURVE is a name that OpenSSL\n"
    "knows. OPENSSL_CONF names the configuration that loads a provider.\n"
    "\n"
    "  --jobs N         asynchronous jobs in flight in one thread (default 1)\n"
    "  --threads N      in place of it: threads, each of which waits for its results\n"
    "  --seconds S      length of the measurement (default 3)\n"
    "  --warmup S       time before it (default 0.5)\n"
    "  --count N        measure N operations from the first one on, for at most --seconds, without warm-up\n"
    "  --properties Q   property query that chooses the provider, such as provider=default (default: empty)\n"
    "  --unchecked      do not compare results: for a device that computes nothing\n"
    "  --cpu N          run on this processor only\n"
    "  --watch PID      measure the CPU time of this process too\n"
    "  --max-errors N   end the run after N errors (default 100)\n"
    "  --patience S     time for operations in flight to end (default 30)\n";

struct request {
    struct plan plan;
    int threads, unchecked;
    enum operation operation;
    const char *group, *properties;
};

/* A number from `low` to `high`; ends the program if it is none. */
static double number(const char *option, const char *text, double low, double high)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (errno || end == text || *end || !(value >= low && value <= high)) {
        fprintf(stderr, "eccel-load: %s takes a number from %g to %g, not '%s'\n", option, low, high, text);
        exit(2);
    }
    return value;
}

/* Keeps this process on one processor, also threads that start later. */
static void run_on(unsigned cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) {
        fprintf(stderr, "eccel-load: there is no processor %u for this process\n", cpu);
        exit(2);
    }
}

static struct request read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"jobs", 1, NULL, 'j'},       {"threads", 1, NULL, 't'},    {"seconds", 1, NULL, 's'},
        {"warmup", 1, NULL, 'w'},     {"count", 1, NULL, 'c'},      {"properties", 1, NULL, 'p'},
        {"watch", 1, NULL, 'o'},      {"max-errors", 1, NULL, 'e'}, {"patience", 1, NULL, 'g'},
        {"unchecked", 0, NULL, 'u'},  {"cpu", 1, NULL, 'C'},        {"help", 0, NULL, 'h'},       {NULL, 0, NULL, 0}};
    struct request request = {
        .plan = {.jobs = 1, .warmup = 0.5, .seconds = 3, .max_errors = 100, .patience = 30}, .properties = ""};
    struct plan *plan = &request.plan;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'j':
            plan->jobs = (unsigned)number("--jobs", optarg, 1, 100000);
            break;
        case 't':
            plan->jobs = (unsigned)number("--threads", optarg, 1, 1000);
            request.threads = 1;
            break;
        case 's':
            plan->seconds = number("--seconds", optarg, 0.01, 86400);
            break;
        case 'w':
            plan->warmup = number("--warmup", optarg, 0, 3600);
            break;
        case 'c':
            plan->count = (uint64_t)number("--count", optarg, 1, 1e12);
            break;
        case 'p':
            request.properties = optarg;
            break;
        case 'o':
            plan->watched = (pid_t)number("--watch", optarg, 1, 1e9);
            break;
        case 'e':
            plan->max_errors = (unsigned)number("--max-errors", optarg, 1, 1e9);
            break;
        case 'g':
            plan->patience = number("--patience", optarg, 0.1, 86400);
            break;
        case 'C':
            run_on((unsigned)number("--cpu", optarg, 0, CPU_SETSIZE - 1));
            break;
        case 'u':
            request.unchecked = 1;
            break;
        case 'h':
            fputs(help, stdout);
            exit(0);
        default:
            fputs(help, stderr);
            exit(2);
        }
    const int operation = argc - optind == 2 ? operation_named(argv[optind]) : -1;
    if (operation < 0) {
        fputs(help, stderr);
        exit(2);
    }
    request.operation = (enum operation)operation;
    request.group = argv[optind + 1];
    struct moment moment;
    if (!meter_read(&moment, plan->watched)) {
        fprintf(stderr, "eccel-load: there is no process %d to watch\n", (int)plan->watched);
        exit(2);
    }
    return request;
}

/* A JSON string; characters that would need an escape become spaces. */
static void print_text(const char *name, const char *text)
{
    printf("\"%s\": \"", name);
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || *text == '"' || *text == '\\' ? ' ' : *text);
    printf("\"");
}

static void print_outcome(const struct request *request, char **argv, const char *provider,
                          const struct outcome *outcome)
{
    const struct latencies *latencies = &outcome->latencies;
    printf("{");
    print_text("operation", argv[0]);
    printf(", ");
    print_text("curve", argv[1]);
    printf(", ");
    print_text("provider", provider);
    printf(", \"%s\": %u, ", request->threads ? "threads" : "jobs", request->plan.jobs);
    printf("\"operations\": %llu, \"seconds\": %.6f, \"per_second\": %.2f, ", (unsigned long long)outcome->operations,
           outcome->seconds, outcome->seconds > 0 ? (double)outcome->operations / outcome->seconds : 0.0);
    printf("\"user_us\": %.3f, \"system_us\": %.3f, ", outcome->user_us, outcome->system_us);
    if (request->plan.watched)
        printf("\"watched_us\": %.3f, \"watched_main_us\": %.3f, ", outcome->watched_us, outcome->watched_main_us);
    printf("\"latency_us\": {\"p50\": %.1f, \"p90\": %.1f, \"p99\": %.1f, \"max\": %.1f}, ",
           (double)latency_at(latencies, 0.5) / 1e3, (double)latency_at(latencies, 0.9) / 1e3,
           (double)latency_at(latencies, 0.99) / 1e3, (double)latencies->longest / 1e3);
    printf("\"pauses\": %llu, \"errors\": %llu, \"checked\": %llu, \"wrong\": %llu, \"stuck\": %llu, ",
           (unsigned long long)outcome->pauses, (unsigned long long)outcome->errors,
           (unsigned long long)outcome->checked, (unsigned long long)outcome->wrong,
           (unsigned long long)outcome->stuck);
    print_text("message", outcome->message);
    printf("}\n");
}

int main(int argc, char **argv)
{
    struct request request = read_options(argc, argv);
    static struct outcome outcome; /* its histogram is large */
    int ran = 0;
    struct subject *subject = subject_new(request.operation, request.group, request.properties);
    if (!subject)
        drive_error(&outcome, NULL);
    else if (!request.unchecked && !subject_refuses(subject))
        drive_error(&outcome, "a wrong signature was accepted, or the operation is not there");
    else
        ran = (request.threads ? drive_threads : drive_jobs)(&request.plan, subject, &outcome);
    if (request.unchecked)
        outcome.checked = outcome.wrong = 0;
    print_outcome(&request, argv + optind, subject ? subject_provider(subject) : "", &outcome);
    const int good = ran && outcome.operations && !outcome.errors && !outcome.wrong && !outcome.stuck;
    fflush(stdout);
    if (outcome.stuck)
        _Exit(1); /* threads or jobs still use the subject */
    subject_free(subject);
    return good ? 0 : 1;
}
