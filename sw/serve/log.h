/* Log lines with fields, as text or JSON, on standard error.
   SPDX-License-Identifier: Apache-2.0

   A line has a time, a level, an event and fields. Operands and results of jobs are never fields. */
#ifndef SERVE_LOG_H
#define SERVE_LOG_H

#include <stdint.h>

enum log_level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_DEBUG };

struct log {
    enum log_level level; /* lines above this level are left out */
    int json;
    uint64_t second; /* of the last warning */
    unsigned warnings, left_out; /* warnings in that second, and warnings that were not written */
};

/* A field is a text, or a number if text is NULL. */
struct log_field {
    const char *name;
    const char *text;
    long long number;
};

#define TEXT(name, value) {(name), (value), 0}
#define NUMBER(name, value) {(name), (const char *)0, (long long)(value)}

/* LOG(log, level, event, field, ...) with at least one field. */
#define LOG(log, level, event, ...)                                                                                   \
    log_event((log), (level), (event), (const struct log_field[]){__VA_ARGS__, {(const char *)0, (const char *)0, 0}})

/* Writes one line. Of more than LOG_WARNINGS warnings in a second, only the number is written later. */
void log_event(struct log *log, enum log_level level, const char *event, const struct log_field *fields);

/* The level with this name, or -1. */
int log_level_named(const char *name);

enum { LOG_WARNINGS = 20 };

#endif
