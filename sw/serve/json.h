/* Reads a JSON text of moderate size, for the plans of paced devices.
   SPDX-License-Identifier: Apache-2.0

   Takes what RFC 8259 allows, except escapes \u of characters beyond 0x7f and numbers that a double does not hold. */
#ifndef SERVE_JSON_H
#define SERVE_JSON_H

#include <stddef.h>

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json {
    enum json_type type;
    char *name;          /* as a member of an object, else NULL */
    char *text;          /* JSON_TEXT */
    double number;       /* JSON_NUMBER */
    struct json *first;  /* JSON_LIST, JSON_OBJECT */
    struct json *next;   /* in the list or object that it belongs to */
};

/* The value, or NULL with a sentence in `error`. */
struct json *json_read(const char *text, char *error, size_t room);
void json_free(struct json *value);

/* A member of an object: NULL if the object is NULL, is no object, or has no such member of this type. */
struct json *json_member(const struct json *object, const char *name, enum json_type type);

/* The number of a member, or `otherwise`. */
double json_number(const struct json *object, const char *name, double otherwise);

#endif
