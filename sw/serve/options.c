/* The command line of the server. See options.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: eccel-serve [options] --device URI ... | --paced PLAN | --latency-ms MS\n"
    "\n"
    "Shares an elliptic-curve engine among programs, over Unix or TCP sockets.\n"
    "\n"
    "  --listen URI            unix:PATH or tcp:HOST:PORT; may be repeated\n"
    "  --anywhere              permit TCP addresses that other machines reach: the link is not encrypted\n"
    "  --device URI            a device for libeccel (model:PATH, uart:PATH, uio:PATH, unix:PATH, tcp:HOST:PORT);\n"
    "                          may be repeated\n"
    "  --paced PLAN            no engine: results computed in software after the time that the engine would take,\n"
    "                          as a plan of `eccel serve CONFIG --paced` says\n"
    "  --latency-ms MS         no engine: results computed in software, each after MS milliseconds\n"
    "  --at-once N             with --latency-ms: N jobs at once, 0 for any number (default)\n"
    "  --compute-threads N     that compute for the paced device (default: one less than the processors)\n"
    "  --prepare N             nonces that the paced device prepares for each curve before it starts (default 256)\n"
    "  --remember N            results that the paced device remembers (default 65536)\n"
    "  --name TEXT             shown to clients as the configuration\n"
    "  --max-connections N     further ones have to wait (default 1000)\n"
    "  --queue N               jobs that are with the devices at once (default 256, without an engine 4096)\n"
    "  --timeout-ms N          of a job, with its time in the queue (default 10000, with a model 120000)\n"
    "  --retry-ms N            after which a device that has failed is tried again (default 1000)\n"
    "  --drain-ms N            time after SIGTERM to answer what is under way (default 5000)\n"
    "  --pid-file PATH         holds the process id while the server runs\n"
    "  --log-level LEVEL       error, warning, info (default) or debug\n"
    "  --log-json              one JSON object in each line of the log\n"
    "  --dumpable              permit core files and debuggers; the memory may hold keys\n";

enum option_code {
    LISTEN = 256, ANYWHERE, DEVICE, PACED, LATENCY, AT_ONCE, THREADS, PREPARE, REMEMBER, NAME, CONNECTIONS, QUEUE,
    TIMEOUT, RETRY, DRAIN, PID_FILE, LOG_LEVEL, LOG_JSON, DUMPABLE, HELP
};

static const struct option long_options[] = {
    {"listen", 1, NULL, LISTEN}, {"anywhere", 0, NULL, ANYWHERE}, {"device", 1, NULL, DEVICE},
    {"paced", 1, NULL, PACED}, {"latency-ms", 1, NULL, LATENCY}, {"at-once", 1, NULL, AT_ONCE},
    {"compute-threads", 1, NULL, THREADS}, {"prepare", 1, NULL, PREPARE}, {"remember", 1, NULL, REMEMBER},
    {"name", 1, NULL, NAME}, {"max-connections", 1, NULL, CONNECTIONS}, {"queue", 1, NULL, QUEUE},
    {"timeout-ms", 1, NULL, TIMEOUT}, {"retry-ms", 1, NULL, RETRY}, {"drain-ms", 1, NULL, DRAIN},
    {"pid-file", 1, NULL, PID_FILE}, {"log-level", 1, NULL, LOG_LEVEL}, {"log-json", 0, NULL, LOG_JSON},
    {"dumpable", 0, NULL, DUMPABLE}, {"help", 0, NULL, HELP}, {NULL, 0, NULL, 0},
};

static int wrong(const char *text, const char *what)
{
    fprintf(stderr, "eccel-serve: %s: %s (--help shows all options)\n", text, what);
    return 2;
}

/* Reads a whole number in [least, most]. */
static int number(const char *text, unsigned long least, unsigned long most, unsigned *value)
{
    char *end;
    errno = 0;
    unsigned long read = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || read < least || read > most)
        return wrong(text, "is not a number in the range of this option");
    *value = (unsigned)read;
    return -1;
}

static int milliseconds(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= 0 && *value <= 60000))
        return wrong(text, "is not a number of milliseconds from 0 to 60000");
    return -1;
}

static int add_device(struct options *options, const char *uri)
{
    size_t used = strlen(options->devices);
    if (used + strlen(uri) + 2 > sizeof options->devices)
        return wrong(uri, "the URIs of the devices are too long");
    snprintf(options->devices + used, sizeof options->devices - used, "%s%s", used ? " " : "", uri);
    return -1;
}

static int set(struct options *options, int code, const char *value)
{
    int level;
    switch (code) {
    case LISTEN:
        if (options->listens == MAX_LISTEN)
            return wrong(value, "there are too many --listen");
        options->listen[options->listens++] = value;
        return -1;
    case DEVICE: return add_device(options, value);
    case PACED: options->paced = value; return -1;
    case LATENCY: return milliseconds(value, &options->latency_ms);
    case AT_ONCE: return number(value, 0, 4096, &options->at_once);
    case THREADS: return number(value, 1, 256, &options->compute_threads);
    case PREPARE: return number(value, 0, 1000000, &options->prepare);
    case REMEMBER: return number(value, 0, 1u << 24, &options->remember);
    case NAME: options->name = value; return -1;
    case CONNECTIONS: return number(value, 1, 1000000, &options->max_connections);
    case QUEUE: return number(value, 1, 65536, &options->queue);
    case TIMEOUT: return number(value, 1, 3600000, &options->timeout_ms);
    case RETRY: return number(value, 1, 3600000, &options->retry_ms);
    case DRAIN: return number(value, 0, 3600000, &options->drain_ms);
    case PID_FILE: options->pid_file = value; return -1;
    case LOG_LEVEL:
        if ((level = log_level_named(value)) < 0)
            return wrong(value, "is not one of error, warning, info, debug");
        options->level = (enum log_level)level;
        return -1;
    case ANYWHERE: options->anywhere = 1; return -1;
    case LOG_JSON: options->log_json = 1; return -1;
    case DUMPABLE: options->dumpable = 1; return -1;
    case HELP: fputs(help, stdout); return 0;
    default: return 2; /* getopt has said what is wrong */
    }
}

int options_read(struct options *options, int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *options = (struct options){
        .latency_ms = -1, .compute_threads = processors > 2 ? (unsigned)processors - 1 : 1, .prepare = 256,
        .remember = 65536, .max_connections = 1000, .drain_ms = 5000, .retry_ms = 1000,
        .level = LEVEL_INFO,
    };
    int code;
    while ((code = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        int end = set(options, code, optarg);
        if (end >= 0)
            return end;
    }
    if (optind < argc)
        return wrong(argv[optind], "is not an option");
    if (!options->timeout_ms) /* a simulated engine needs seconds for what an engine does in milliseconds */
        options->timeout_ms = strstr(options->devices, "model:") ? 120000 : 10000;
    if (!options->queue)
        options->queue = options->devices[0] ? 256 : 4096;
    int sources = (options->devices[0] != 0) + (options->paced != NULL) + (options->latency_ms >= 0);
    if (sources != 1)
        return wrong(sources ? "--device, --paced, --latency-ms" : "no device",
                     sources ? "exclude each other" : "give --device URI, --paced PLAN or --latency-ms MS");
    return -1;
}
