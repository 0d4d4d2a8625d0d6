/* A user's program: the header alone, from C and from C++.
   SPDX-License-Identifier: Apache-2.0 */
#include <eccel.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    eccel *engine;
    const eccel_curve *curve = eccel_curve_named("P-256");
    const uint8_t key[1] = {7}, digest[32] = {1};
    uint8_t r[ECCEL_MAX_BYTES], s[ECCEL_MAX_BYTES];
    int result = eccel_open(&engine, count > 1 ? arguments[1] : "", NULL);
    if (!result)
        result = eccel_ecdsa_sign(engine, curve, digest, sizeof digest, key, sizeof key, r, s);
    if (result)
        fprintf(stderr, "%s\n", eccel_advice(result));
    else
        eccel_close(engine);
    return result != 0;
}
