/* Counters in shared memory: how many operations the hardware did, how many software did, and how many failed.
   SPDX-License-Identifier: Apache-2.0

   OpenSSL takes another provider without a word if one does not offer what is asked for, and this provider falls back
   to software. The counters tell what really happened. They are a file that every process of a user maps, so that they
   are complete even for processes that end by a signal, and that children of fork go on using. */
#ifndef ECCEL_PROVIDER_COUNTERS_H
#define ECCEL_PROVIDER_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#define COUNTERS_MAGIC UINT64_C(0x0031726574436345) /* "EcCter1" in memory, least significant byte first */

enum operation {
    OPERATION_SIGN,
    OPERATION_VERIFY,
    OPERATION_DERIVE,
    OPERATION_PUBLIC, /* public key of a private one, for key generation */
    OPERATION_KEYGEN, /* a key that the device draws into a slot */
    OPERATIONS
};

/* The file, in the order of the host. eccelerate/cli/provider_counters.py reads it. */
struct counters {
    uint64_t magic;
    atomic_uint_least64_t hardware[OPERATIONS];
    atomic_uint_least64_t software[OPERATIONS];
    atomic_uint_least64_t failed[OPERATIONS]; /* errors that the application saw */
    atomic_uint_least64_t device_errors;      /* jobs that no device did, whether software took over or not */
    atomic_uint_least64_t paused;             /* jobs that waited in a paused ASYNC_JOB */
    atomic_uint_least64_t abandoned;          /* paused jobs whose wait context was freed */
    atomic_int_least64_t requests;            /* asynchronous requests that exist now */
};

/* Maps the file at `path`; NULL or "" means the default, /dev/shm/eccel-provider-UID, "none" means memory of this
   process. A file that cannot be had, that is not ours or that others may write, is not used: then too the counters are
   in memory. Returns NULL only if there is no memory. */
struct counters *counters_open(const char *path);
void counters_close(struct counters *counters);

#define COUNT(counter) atomic_fetch_add_explicit(&(counter), 1, memory_order_relaxed)

#endif
