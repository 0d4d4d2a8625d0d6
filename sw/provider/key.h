/* A key: plain byte arrays, so that a job can be made of them without a conversion.
   SPDX-License-Identifier: Apache-2.0

   A key in a slot has no private bytes here: jobs name the slot instead. A private key that is here is wiped when the
   key is freed; it is in OpenSSL's secure heap if the application has one. As in OpenSSL's own providers, a key must
   not be changed while other threads use it. */
#ifndef ECCEL_PROVIDER_KEY_H
#define ECCEL_PROVIDER_KEY_H

#include <openssl/evp.h>

#include "curves.h"

struct key {
    struct provider *provider;
    atomic_int references;
    struct curve *curve; /* NULL: no parameters yet */
    bool has_public, has_private;
    bool in_slot;        /* the private part is in the key slot of the device; has_private is set too */
    uint8_t x[NUMBER_BYTES], y[NUMBER_BYTES]; /* curve->field_bytes each, most significant first */
    uint8_t d[NUMBER_BYTES];                  /* curve->order_bytes */
    point_conversion_form_t form;
    bool explicit_encoding, from_explicit; /* parameters are written, or were read, as numbers */
    bool cofactor;                         /* ECDH multiplies by the cofactor */
    bool omit_public;                      /* the encoding of a private key leaves the public one out */
    char group_check[16];                  /* OpenSSL's "default", "named" or "named-nist"; "" if not set */
    _Atomic(EVP_PKEY *) software;          /* the same key in the software provider, made when it is needed */
};

struct key *key_new(struct provider *provider);
struct key *key_hold(struct key *key);
void key_release(struct key *key);
/* A copy of the parts that OpenSSL's selection names. */
struct key *key_copy(const struct key *key, int selection);

/* Sets the parameters; takes the curve over. Other parts are dropped if the curve is another one. */
void key_set_curve(struct key *key, struct curve *curve, bool explicit);
bool key_set_public(struct key *key, const uint8_t *octets, size_t length);
/* From a number below the order, any length. Raises an error if it is out of range. */
bool key_set_private(struct key *key, const OSSL_PARAM *number);
/* Computes the public key in software if only the private one is known. */
bool key_complete(struct key *key);

/* The key as OpenSSL passes it. Fails for the private part of a key in a slot. */
bool key_to_params(const struct key *key, int selection, struct params *params);

/* The key in the software provider. The key owns it. NULL if it cannot be made. */
EVP_PKEY *key_software(struct key *key);

#endif
