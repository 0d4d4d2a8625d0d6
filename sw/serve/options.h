/* The command line of the server.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_OPTIONS_H
#define SERVE_OPTIONS_H

#include "log.h"

enum { MAX_LISTEN = 8, MAX_DEVICES = 16 };

struct options {
    const char *listen[MAX_LISTEN];
    unsigned listens;
    char devices[4096];      /* URIs for eccel_open, separated by spaces */
    const char *name;        /* of the configuration, shown to clients */
    const char *pid_file;
    const char *paced;       /* a plan of a paced device */
    double latency_ms;       /* of a device with a fixed latency, below 0: none */
    unsigned at_once;        /* jobs that it does at once, 0: any number */
    unsigned compute_threads, prepare, remember; /* of the paced device */
    unsigned max_connections, drain_ms, timeout_ms, retry_ms, queue;
    int dumpable, anywhere, log_json;
    enum log_level level;
};

/* Reads the command line. Returns -1, or the code with which the program ends at once: 0 after --help, 2 after a
   message about what is wrong. */
int options_read(struct options *options, int argc, char **argv);

#endif
