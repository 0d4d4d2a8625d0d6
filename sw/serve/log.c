/* Log lines. See log.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {"error", "warning", "info", "debug"};

/* A line that is being written. What does not fit is cut off. */
struct line {
    size_t used;
    char text[1024];
};

static void put(struct line *line, char c)
{
    if (line->used + 2 < sizeof line->text)
        line->text[line->used++] = c;
}

static void put_text(struct line *line, const char *text)
{
    while (*text)
        put(line, *text++);
}

/* Control characters, quotes and backslashes are escaped in both formats, so that a line stays a line. */
static void put_escaped(struct line *line, const char *text)
{
    char code[8];
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f) {
            snprintf(code, sizeof code, "\\u%04x", c);
            put_text(line, code);
        } else {
            if (c == '"' || c == '\\')
                put(line, '\\');
            put(line, (char)c);
        }
    }
}

static void put_value(struct line *line, const struct log_field *field)
{
    char number[24];
    if (field->text) {
        put(line, '"');
        put_escaped(line, field->text);
        put(line, '"');
    } else {
        snprintf(number, sizeof number, "%lld", field->number);
        put_text(line, number);
    }
}

static void write_line(const struct log *log, enum log_level level, const char *event, const struct log_field *fields)
{
    struct line line = {.used = 0};
    struct timespec now;
    struct tm parts;
    char stamp[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(stamp + n, sizeof stamp - n, ".%03ldZ", now.tv_nsec / 1000000);
    const char *opening = log->json ? "{\"time\": \"" : "", *between = log->json ? "\", \"level\": \"" : " ";
    put_text(&line, opening);
    put_text(&line, stamp);
    put_text(&line, between);
    put_text(&line, level_names[level]);
    put_text(&line, log->json ? "\", \"event\": \"" : " ");
    put_text(&line, event);
    put_text(&line, log->json ? "\"" : "");
    for (; fields->name; fields++) {
        put_text(&line, log->json ? ", \"" : " ");
        put_text(&line, fields->name);
        put_text(&line, log->json ? "\": " : "=");
        put_value(&line, fields);
    }
    put_text(&line, log->json ? "}" : "");
    line.text[line.used++] = '\n';
    /* A log that cannot be written stops nothing. */
    ssize_t written = write(STDERR_FILENO, line.text, line.used);
    (void)written;
}

void log_event(struct log *log, enum log_level level, const char *event, const struct log_field *fields)
{
    if (level > log->level)
        return;
    if (level == LEVEL_WARNING) {
        uint64_t second = (uint64_t)time(NULL);
        if (second != log->second) {
            unsigned left_out = log->left_out;
            log->second = second;
            log->warnings = log->left_out = 0;
            if (left_out)
                write_line(log, LEVEL_WARNING, "warnings_left_out",
                           (const struct log_field[]){NUMBER("count", left_out), {NULL, NULL, 0}});
        }
        if (++log->warnings > LOG_WARNINGS) {
            log->left_out++;
            return;
        }
    }
    write_line(log, level, event, fields);
}

int log_level_named(const char *name)
{
    for (int level = LEVEL_ERROR; level <= LEVEL_DEBUG; level++)
        if (!strcmp(name, level_names[level]))
            return level;
    return -1;
}
