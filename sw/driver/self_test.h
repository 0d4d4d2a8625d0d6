/* Vectors of the self-test (gen/vectors.c).
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_SELF_TEST_H
#define ECCEL_SELF_TEST_H

#include "curve.h"

/* Numbers have curve->words words each. Signature: e, r, s, x, y. Agreement: x, y, d, shared; of a Montgomery curve k,
   u, product. A Montgomery curve has no signature. */
struct self_test_vector {
    const eccel_curve *curve;
    const uint32_t *signature, *agreement;
};

extern const struct self_test_vector self_test_vectors[];
extern const size_t self_test_size;

#endif
