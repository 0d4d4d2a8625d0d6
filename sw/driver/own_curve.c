/* Curves of the caller's own.
   SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "curve.h"

struct own_curve {
    struct eccel_curve curve;
    uint32_t numbers[CURVE_NUMBERS * CURVE_MAX_WORDS];
};

eccel_curve *eccel_curve_new(const struct eccel_parameters *parameters)
{
    struct own_curve *own = malloc(sizeof *own);
    if (own && curve_make(&own->curve, parameters, own->numbers)) {
        free(own);
        own = NULL;
    }
    return own ? &own->curve : NULL;
}

void eccel_curve_free(eccel_curve *curve)
{
    free(curve); /* the curve is the first member of its struct */
}
