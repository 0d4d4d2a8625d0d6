/* The two parts of the stub: device_stub.c has handles and jobs, device_stub_jobs.c computes them.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef DEVICE_STUB_H
#define DEVICE_STUB_H

#include <eccel.h>

/* The key slot of a device. */
struct slot {
    int has_key;
    uint8_t key[ECCEL_MAX_BYTES], attributes;
};

/* Does a job, and returns its status. `result` is 0 before. */
int stub_compute(struct slot *slot, const struct eccel_request *request, struct eccel_result *result);

#endif
