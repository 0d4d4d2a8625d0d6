/* The list of parameters.
   SPDX-License-Identifier: Apache-2.0 */
#include "params.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <string.h>

void params_init(struct params *params)
{
    params->count = params->used = 0;
    params->overflow = false;
    params->list[0] = OSSL_PARAM_construct_end();
}

void params_wipe(struct params *params)
{
    OPENSSL_cleanse(params, sizeof *params);
}

/* Room for the value of one more parameter, NULL if there is none. */
static uint8_t *reserve(struct params *params, size_t length)
{
    size_t start = (params->used + 7) & ~(size_t)7;
    if (params->count + 1 >= sizeof params->list / sizeof *params->list ||
        length + 1 > sizeof params->memory.bytes - start) {
        params->overflow = true;
        return NULL;
    }
    params->used = start + length + 1;
    return params->memory.bytes + start;
}

static void append(struct params *params, OSSL_PARAM param)
{
    params->list[params->count++] = param;
    params->list[params->count] = OSSL_PARAM_construct_end();
}

void params_utf8(struct params *params, const char *name, const char *text)
{
    size_t length = strlen(text);
    uint8_t *room = reserve(params, length);
    if (room != NULL) {
        memcpy(room, text, length + 1);
        append(params, OSSL_PARAM_construct_utf8_string(name, (char *)room, length));
    }
}

void params_octets(struct params *params, const char *name, const uint8_t *octets, size_t length)
{
    uint8_t *room = reserve(params, length);
    if (room != NULL) {
        memcpy(room, octets, length);
        append(params, OSSL_PARAM_construct_octet_string(name, room, length));
    }
}

void params_number(struct params *params, const char *name, const uint8_t *octets, size_t length)
{
    uint8_t *room = reserve(params, length);
    if (room == NULL)
        return;
    for (size_t i = 0; i < length; i++) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        room[i] = octets[i];
#else
        room[i] = octets[length - 1 - i];
#endif
    }
    append(params, OSSL_PARAM_construct_BN(name, room, length));
}

void params_int(struct params *params, const char *name, int value)
{
    uint8_t *room = reserve(params, sizeof value);
    if (room != NULL) {
        memcpy(room, &value, sizeof value);
        append(params, OSSL_PARAM_construct_int(name, (int *)(void *)room));
    }
}

static bool answer(const OSSL_PARAM *value, OSSL_PARAM *request)
{
    BIGNUM *number = NULL;
    bool done = false;
    switch (value->data_type) {
    case OSSL_PARAM_UTF8_STRING:
        return OSSL_PARAM_set_utf8_string(request, value->data);
    case OSSL_PARAM_OCTET_STRING:
        return OSSL_PARAM_set_octet_string(request, value->data, value->data_size);
    case OSSL_PARAM_INTEGER:
        return OSSL_PARAM_set_int(request, *(const int *)value->data);
    case OSSL_PARAM_UNSIGNED_INTEGER:
        number = BN_secure_new();
        done = number != NULL && OSSL_PARAM_get_BN(value, &number) && OSSL_PARAM_set_BN(request, number);
        BN_clear_free(number);
        return done;
    default:
        return false;
    }
}

bool params_answer(const struct params *params, OSSL_PARAM request[])
{
    for (size_t i = 0; i < params->count; i++) {
        OSSL_PARAM *wanted = OSSL_PARAM_locate(request, params->list[i].key);
        if (wanted != NULL && !answer(&params->list[i], wanted))
            return false;
    }
    return true;
}
