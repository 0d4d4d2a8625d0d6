/* A list of parameters with its own memory, for passing keys and curves to OpenSSL.
   SPDX-License-Identifier: Apache-2.0

   OpenSSL's OSSL_PARAM_BLD only refers to the values until the list is made; this one copies them at once. Private keys
   may be in it: its owner wipes it. */
#ifndef ECCEL_PROVIDER_PARAMS_H
#define ECCEL_PROVIDER_PARAMS_H

#include <openssl/params.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct params {
    OSSL_PARAM list[24]; /* ends with OSSL_PARAM_END at any time */
    size_t count, used;
    bool overflow; /* something did not fit */
    union {
        long long align;
        uint8_t bytes[1800];
    } memory;
};

void params_init(struct params *params);
void params_wipe(struct params *params);

void params_utf8(struct params *params, const char *name, const char *text);
void params_octets(struct params *params, const char *name, const uint8_t *octets, size_t length);
/* An unsigned number, given with its most significant byte first. */
void params_number(struct params *params, const char *name, const uint8_t *octets, size_t length);
void params_int(struct params *params, const char *name, int value);

/* Answers the parameters in `request` that are in the list. False if one has not enough room or another type. */
bool params_answer(const struct params *params, OSSL_PARAM request[]);

#endif
