/* Curves: OpenSSL's group, libeccel's curve, and where their jobs are done.
   SPDX-License-Identifier: Apache-2.0

   Any curve that OpenSSL accepts is accepted, whether it has a name or explicit parameters. Named curves are kept until
   the provider is unloaded, others as long as a key uses them. The numbers come from OpenSSL's own tables; what the
   devices take is decided by libeccel and by the device at the first job. */
#ifndef ECCEL_PROVIDER_CURVES_H
#define ECCEL_PROVIDER_CURVES_H

#include <eccel.h>
#include <openssl/ec.h>
#include <openssl/params.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.h"
#include "params.h"

struct provider;

#define NUMBER_BYTES 84 /* OpenSSL takes explicit fields of up to 661 bits */
#define POINT_BYTES (2 * NUMBER_BYTES + 1)

struct curve {
    struct curve *next; /* named curves of one provider */
    atomic_int references;
    int nid; /* 0: no name */
    EC_GROUP *group;
    const eccel_curve *device; /* NULL: no device takes this curve */
    eccel_curve *own;          /* the same if it was made from numbers */
    bool hardware[OPERATIONS]; /* what the setting `route` says */
    size_t field_bytes, order_bytes;
    unsigned order_bits, security_bits;
    bool cofactor_one;
};

struct curves {
    _Atomic(struct curve *) named;
};

/* OpenSSL's identifier of a curve by any name that it knows, 0 if there is none. */
int curves_nid(const char *name);

/* A named curve. The caller releases it. NULL if there is no such curve or no memory. The curve SM2 is none of EC keys:
   OpenSSL manages its keys under another name. */
struct curve *curves_named(struct provider *provider, int nid);

/* The curve of parameters as OpenSSL passes them: a group name, or explicit numbers. *explicit tells which. Numbers of
   a named curve give the named curve. Raises an error and returns NULL if there is no such curve. */
struct curve *curves_from_params(struct provider *provider, const OSSL_PARAM params[], bool *explicit);

struct curve *curves_hold(struct curve *curve);
void curves_release(struct curve *curve);
void curves_free_all(struct curves *curves);

bool curves_equal(const struct curve *a, const struct curve *b);

/* Adds name and numbers of the curve: a reader that does not know the name takes the numbers. */
bool curves_to_params(const struct curve *curve, struct params *params);

/* ---- points: x and y have field_bytes each */

/* Reads an encoded point and checks that it is on the curve and not infinity. `form` may be NULL. */
bool point_decode(const struct provider *provider, const struct curve *curve, const uint8_t *octets, size_t length,
                  uint8_t *x, uint8_t *y, point_conversion_form_t *form);

/* Writes a point; returns its length, at most POINT_BYTES, or 0. */
size_t point_encode(const struct provider *provider, const struct curve *curve, const uint8_t *x, const uint8_t *y,
                    point_conversion_form_t form, uint8_t *octets);

/* d times the base point, in software. */
bool point_of_private(const struct provider *provider, const struct curve *curve, const uint8_t *d, uint8_t *x,
                      uint8_t *y);

/* Whether the point is on the curve and in the subgroup of the base point, in software. */
bool point_is_valid(const struct provider *provider, const struct curve *curve, const uint8_t *x, const uint8_t *y);

#endif
