/* Reads a JSON text. See json.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

/* `problem` is NULL as long as all is well. */
struct reader {
    const char *begin, *at, *problem;
};

static struct json *read_value(struct reader *reader, unsigned depth);

static void skip(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static int accept(struct reader *reader, char c)
{
    skip(reader);
    if (*reader->at != c)
        return 0;
    reader->at++;
    return 1;
}

static void *fail(struct reader *reader, const char *problem)
{
    if (!reader->problem)
        reader->problem = problem;
    return NULL;
}

static char *read_text(struct reader *reader)
{
    static const char codes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t length = 0;
    if (!accept(reader, '"'))
        return fail(reader, "a text is expected");
    /* A text is not longer than its escaped form. */
    const char *end = reader->at;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    char *text = malloc((size_t)(end - reader->at) + 1);
    if (!text || !*end) {
        free(text);
        return fail(reader, "a text does not end");
    }
    while (reader->at < end) {
        char c = *reader->at++;
        if (c == '\\') {
            const char *found = strchr(codes, *reader->at);
            unsigned code;
            if (*reader->at == 'u' && sscanf(reader->at + 1, "%4x", &code) == 1 && code && code < 0x80) {
                c = (char)code;
                reader->at += 5;
            } else if (found) {
                c = meant[found - codes];
                reader->at++;
            } else {
                free(text);
                return fail(reader, "an escape is unknown");
            }
        } else if ((unsigned char)c < 0x20) {
            free(text);
            return fail(reader, "a text has a control character");
        }
        text[length++] = c;
    }
    reader->at = end + 1;
    text[length] = 0;
    return text;
}

/* The members of a list or object, after its opening bracket. */
static void read_members(struct reader *reader, struct json *value, char close, unsigned depth)
{
    struct json **last = &value->first;
    if (accept(reader, close))
        return;
    do {
        char *name = NULL;
        if (value->type == JSON_OBJECT) {
            if (!(name = read_text(reader)))
                return;
            if (!accept(reader, ':'))
                fail(reader, "a colon is expected");
        }
        struct json *member = reader->problem ? NULL : read_value(reader, depth + 1);
        if (!member) {
            free(name);
            return;
        }
        member->name = name;
        *last = member;
        last = &member->next;
    } while (accept(reader, ','));
    if (!accept(reader, close))
        fail(reader, "a comma or a closing bracket is expected");
}

static int read_word(struct reader *reader, struct json *value, const char *word, enum json_type type)
{
    if (strncmp(reader->at, word, strlen(word)))
        return 0;
    reader->at += strlen(word);
    value->type = type;
    return 1;
}

static struct json *read_value(struct reader *reader, unsigned depth)
{
    struct json *value = calloc(1, sizeof *value);
    if (!value || depth > DEPTH) {
        free(value);
        return fail(reader, "it is nested too deeply");
    }
    skip(reader);
    if (*reader->at == '"') {
        value->type = JSON_TEXT;
        value->text = read_text(reader);
    } else if (accept(reader, '{')) {
        value->type = JSON_OBJECT;
        read_members(reader, value, '}', depth);
    } else if (accept(reader, '[')) {
        value->type = JSON_LIST;
        read_members(reader, value, ']', depth);
    } else if (!read_word(reader, value, "null", JSON_NULL) && !read_word(reader, value, "true", JSON_TRUE) &&
               !read_word(reader, value, "false", JSON_FALSE)) {
        char *end;
        value->type = JSON_NUMBER;
        value->number = strtod(reader->at, &end);
        if (end == reader->at || !strchr("-0123456789", *reader->at))
            fail(reader, "a value is expected");
        reader->at = end;
    }
    if (reader->problem) {
        json_free(value);
        return NULL;
    }
    return value;
}

struct json *json_read(const char *text, char *error, size_t room)
{
    struct reader reader = {.begin = text, .at = text};
    struct json *value = read_value(&reader, 0);
    skip(&reader);
    if (value && *reader.at)
        fail(&reader, "something follows its end");
    if (reader.problem) {
        snprintf(error, room, "no JSON: %s at byte %zu", reader.problem, (size_t)(reader.at - reader.begin));
        json_free(value);
        return NULL;
    }
    return value;
}

void json_free(struct json *value)
{
    while (value) {
        struct json *next = value->next;
        json_free(value->first);
        free(value->name);
        free(value->text);
        free(value);
        value = next;
    }
}

struct json *json_member(const struct json *object, const char *name, enum json_type type)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for (struct json *member = object->first; member; member = member->next)
        if (!strcmp(member->name, name))
            return member->type == type ? member : NULL;
    return NULL;
}

double json_number(const struct json *object, const char *name, double otherwise)
{
    const struct json *member = json_member(object, name, JSON_NUMBER);
    return member ? member->number : otherwise;
}
