/* The operations that are measured, through EVP: what they work on, one run, and the check of its result.
   SPDX-License-Identifier: Apache-2.0

   A subject holds what all jobs share: the keys of a curve, made by the default provider and read from DER with the
   property query under test, as a program reads its key from a file. A work holds what one job needs: contexts, a
   buffer, a message. Functions that return int return 1 for success and 0 for failure, with the reason on OpenSSL's
   error queue. */
#ifndef BENCH_OPERATION_H
#define BENCH_OPERATION_H

#include <stddef.h>
#include <stdint.h>

enum operation {
    OPERATION_ECDH,       /* EVP_PKEY_derive; the peer was set before */
    OPERATION_SIGN,       /* EVP_PKEY_sign of a digest */
    OPERATION_DIGESTSIGN, /* EVP_DigestSign with SHA-256 of a message of 64 bytes, initialisation included */
    OPERATION_VERIFY      /* EVP_PKEY_verify */
};

struct subject;
struct work;

/* The operation of a name ("ecdh", "sign", "digest-sign", "verify"), or -1. */
int operation_named(const char *name);

/* Keys on the curve `group`. `properties` chooses the provider under test: "" for the default choice; the
   text has to outlive the subject. Returns NULL on failure. */
struct subject *subject_new(enum operation operation, const char *group, const char *properties);
void subject_free(struct subject *subject);

/* The name of the provider that does the operation, "" before the first work_new. */
const char *subject_provider(const struct subject *subject);

/* The verification of a wrong signature has to fail. Other operations: does nothing. */
int subject_refuses(struct subject *subject);

/* One job's contexts. `number` makes its messages differ from those of others. The subject has to outlive it. */
struct work *work_new(struct subject *subject, unsigned number);
void work_free(struct work *work);

/* Does the operation once. May pause if it runs in an asynchronous job. */
int work_run(struct work *work);

/* Checks the result of the last run with the default provider: the signature verifies, the secret is the one that
   the peer derives. Must not run in an asynchronous job. 1 also if there was no run. */
int work_check(struct work *work);

#endif
