/* A device that computes nothing: for measuring the time of the provider alone, without transport and engine.
   SPDX-License-Identifier: Apache-2.0

   It takes the place of libeccel's handles in a build of the provider that only `eccel bench system` uses. Each job is
   done at once, with numbers that are right in form only: signatures of it are wrong, and every verification is
   accepted. The curves are those of libeccel. */
#include <eccel.h>
#include <stdlib.h>
#include <string.h>

struct eccel {
    int unused;
};

const char *eccel_open_error(void)
{
    return "";
}

int eccel_open(eccel **handle, const char *uris, const struct eccel_options *options)
{
    (void)options;
    *handle = strcmp(uris, "null:") ? NULL : malloc(sizeof **handle);
    return *handle ? 0 : ECCEL_ERROR_ABSENT;
}

void eccel_close(eccel *handle)
{
    free(handle);
}

int eccel_self_test(eccel *handle, const eccel_curve *curve)
{
    (void)handle;
    (void)curve;
    return 0;
}

int eccel_run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    (void)handle;
    *result = (struct eccel_result){.values = request->op == ECCEL_OP_ECDH ? 1 : 2};
    if (request->op == ECCEL_OP_ECDSA_VERIFY || request->op == ECCEL_OP_ON_CURVE)
        result->values = 0;
    result->bytes = request->op == ECCEL_OP_ECDSA_SIGN ? eccel_curve_order_bytes(request->curve)
                                                       : eccel_curve_field_bytes(request->curve);
    for (unsigned i = 0; i < result->values; i++)
        memset(result->value[i] + 1, 0x11, result->bytes - 1); /* below n and p */
    return 0;
}

int eccel_submit(eccel *handle, const struct eccel_request *request, eccel_done *done, void *user)
{
    struct eccel_result result;
    eccel_run(handle, request, &result);
    done(user, &result);
    return 0;
}
