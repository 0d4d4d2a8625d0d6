/* The operations that are measured: see operation.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

#include "keys.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST = 32, MESSAGE = 64, RESULT = 256 };

static const char software[] = "provider=default";

struct subject {
    enum operation operation;
    const char *properties, *provider;
    EVP_PKEY *own, *peer;             /* of the provider under test; peer: the public half only */
    EVP_PKEY *check_own, *check_peer; /* the same keys of the default provider, both private */
    unsigned char digest[DIGEST], signature[RESULT], secret[RESULT]; /* what verify and ECDH work on or expect */
    size_t signature_length, secret_length;
};

struct work {
    struct subject *subject;
    EVP_PKEY_CTX *context;
    EVP_MD_CTX *signing;
    unsigned char message[MESSAGE], result[RESULT];
    size_t length; /* of the result; 0 before the first run */
};

int operation_named(const char *name)
{
    static const char *const names[] = {"ecdh", "sign", "digest-sign", "verify"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static int prepare_secret(struct subject *subject)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, subject->check_peer, software);
    subject->secret_length = sizeof subject->secret;
    const int done = context && EVP_PKEY_derive_init(context) > 0 &&
                     EVP_PKEY_derive_set_peer(context, subject->check_own) > 0 &&
                     EVP_PKEY_derive(context, subject->secret, &subject->secret_length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int prepare_signature(struct subject *subject)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, subject->check_own, software);
    for (unsigned i = 0; i < DIGEST; i++)
        subject->digest[i] = (unsigned char)(7 * i + 1);
    subject->signature_length = sizeof subject->signature;
    const int done =
        context && EVP_PKEY_sign_init(context) > 0 &&
        EVP_PKEY_sign(context, subject->signature, &subject->signature_length, subject->digest, DIGEST) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

struct subject *subject_new(enum operation operation, const char *group, const char *properties)
{
    struct subject *subject = calloc(1, sizeof *subject);
    if (!subject)
        return NULL;
    subject->operation = operation;
    subject->properties = properties;
    subject->provider = "";
    subject->check_own = key_generate(group, software);
    subject->check_peer = key_generate(group, software);
    const int public_half = operation == OPERATION_VERIFY;
    subject->own = key_moved(subject->check_own, public_half, properties);
    subject->peer = key_moved(subject->check_peer, 1, properties);
    if (!subject->own || !subject->peer || !prepare_secret(subject) || !prepare_signature(subject)) {
        subject_free(subject);
        return NULL;
    }
    return subject;
}

void subject_free(struct subject *subject)
{
    if (!subject)
        return;
    EVP_PKEY_free(subject->own);
    EVP_PKEY_free(subject->peer);
    EVP_PKEY_free(subject->check_own);
    EVP_PKEY_free(subject->check_peer);
    free(subject);
}

const char *subject_provider(const struct subject *subject)
{
    return subject->provider;
}

int subject_refuses(struct subject *subject)
{
    if (subject->operation != OPERATION_VERIFY)
        return 1;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, subject->own, subject->properties);
    unsigned char other[DIGEST];
    memcpy(other, subject->digest, DIGEST);
    other[0] ^= 1;
    const int ready = context && EVP_PKEY_verify_init(context) > 0;
    const int answer =
        ready ? EVP_PKEY_verify(context, subject->signature, subject->signature_length, other, DIGEST) : 1;
    EVP_PKEY_CTX_free(context);
    if (ready)
        ERR_clear_error();
    return answer <= 0;
}

struct work *work_new(struct subject *subject, unsigned number)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->subject = subject;
    memcpy(work->message, &number, sizeof number);
    work->context = EVP_PKEY_CTX_new_from_pkey(NULL, subject->own, subject->properties);
    work->signing = EVP_MD_CTX_new();
    int ready = work->context && work->signing;
    switch (subject->operation) {
    case OPERATION_ECDH:
        ready = ready && EVP_PKEY_derive_init(work->context) > 0 &&
                EVP_PKEY_derive_set_peer(work->context, subject->peer) > 0;
        break;
    case OPERATION_SIGN:
    case OPERATION_DIGESTSIGN: /* for the name of the provider */
        ready = ready && EVP_PKEY_sign_init(work->context) > 0;
        break;
    case OPERATION_VERIFY:
        ready = ready && EVP_PKEY_verify_init(work->context) > 0;
        break;
    }
    if (!ready) {
        work_free(work);
        return NULL;
    }
    subject->provider = OSSL_PROVIDER_get0_name(EVP_PKEY_CTX_get0_provider(work->context));
    return work;
}

void work_free(struct work *work)
{
    if (!work)
        return;
    EVP_PKEY_CTX_free(work->context);
    EVP_MD_CTX_free(work->signing);
    free(work);
}

/* Makes the next message differ from the last one. */
static void next_message(struct work *work)
{
    for (unsigned i = sizeof(unsigned); i < DIGEST && !++work->message[i]; i++)
        ;
}

int work_run(struct work *work)
{
    struct subject *subject = work->subject;
    work->length = sizeof work->result;
    switch (subject->operation) {
    case OPERATION_ECDH:
        return EVP_PKEY_derive(work->context, work->result, &work->length) > 0;
    case OPERATION_SIGN:
        next_message(work);
        return EVP_PKEY_sign(work->context, work->result, &work->length, work->message, DIGEST) > 0;
    case OPERATION_DIGESTSIGN:
        next_message(work);
        return EVP_DigestSignInit_ex(work->signing, NULL, "SHA2-256", NULL, subject->properties, subject->own,
                                     NULL) > 0 &&
               EVP_DigestSign(work->signing, work->result, &work->length, work->message, MESSAGE) > 0;
    case OPERATION_VERIFY:
        return EVP_PKEY_verify(work->context, subject->signature, subject->signature_length, subject->digest,
                               DIGEST) > 0;
    }
    return 0;
}

static int check_signature(struct work *work)
{
    unsigned char digest[DIGEST];
    memcpy(digest, work->message, DIGEST);
    if (work->subject->operation == OPERATION_DIGESTSIGN &&
        EVP_Q_digest(NULL, "SHA2-256", software, work->message, MESSAGE, digest, NULL) <= 0)
        return 0;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, work->subject->check_own, software);
    const int good = context && EVP_PKEY_verify_init(context) > 0 &&
                     EVP_PKEY_verify(context, work->result, work->length, digest, DIGEST) > 0;
    EVP_PKEY_CTX_free(context);
    return good;
}

int work_check(struct work *work)
{
    if (!work->length)
        return 1;
    switch (work->subject->operation) {
    case OPERATION_ECDH:
        return work->length == work->subject->secret_length &&
               !memcmp(work->result, work->subject->secret, work->length);
    case OPERATION_SIGN:
    case OPERATION_DIGESTSIGN:
        return check_signature(work);
    case OPERATION_VERIFY:
        return 1; /* the answer is the result, and subject_refuses has seen a wrong signature refused */
    }
    return 0;
}
