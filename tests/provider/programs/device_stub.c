/* A stand-in for libeccel in tests of the provider: the same results, computed by libcrypto, without an engine.
   SPDX-License-Identifier: Apache-2.0

   It is not the engine and proves nothing about it. It exists to test the provider alone: with many jobs, with delays,
   and with failures on demand. Only the functions that the provider calls are here. URIs:

       null:                      answers at once without computing anything: for measuring the provider's own time
       soft:[OPTION&OPTION..]     delay_us=N   a job takes N microseconds more
                                  workers=N    N jobs at once (1)
                                  status=N     every job ends with this status or error
                                  off=PATH     while PATH exists, jobs end with ERROR_LINK, and opening fails */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <eccel.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct eccel_curve {
    EC_GROUP *group;
    size_t field_bytes, order_bytes;
};

struct job {
    struct job *next;
    struct eccel_request request;
    uint8_t bytes[ECCEL_MAX_OPERANDS][ECCEL_MAX_BYTES];
    eccel_done *done;
    void *user;
};

struct eccel {
    pid_t owner;
    int null, status;
    unsigned delay_us, workers;
    char off[200];
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t threads[64];
    struct job *first, **last;
    int closing;
    int has_key;
    uint8_t key[ECCEL_MAX_BYTES], attributes;
};

static _Thread_local const char *open_error = "";

const char *eccel_open_error(void) { return open_error; }
const char *eccel_advice(int result) { return result ? "a result of the stub" : "success"; }

const char *eccel_result_name(int result)
{
    static _Thread_local char name[32];
    snprintf(name, sizeof name, "STUB_%d", result);
    return name;
}

void eccel_wipe(void *memory, size_t bytes) { OPENSSL_cleanse(memory, bytes); }
int eccel_self_test(eccel *handle, const eccel_curve *curve) { (void)curve; return handle->status; }

/* ---- curves */

static eccel_curve *make_curve(EC_GROUP *group)
{
    eccel_curve *curve = group != NULL ? calloc(1, sizeof *curve) : NULL;
    if (curve == NULL)
        return NULL;
    curve->group = group;
    curve->field_bytes = ((size_t)EC_GROUP_get_degree(group) + 7) / 8;
    curve->order_bytes = ((size_t)EC_GROUP_order_bits(group) + 7) / 8;
    return curve;
}

const eccel_curve *eccel_curve_named(const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static eccel_curve *known[1400];
    int nid = OBJ_txt2nid(name);
    if (nid <= 0 || nid >= 1400)
        return NULL;
    pthread_mutex_lock(&lock);
    if (known[nid] == NULL)
        known[nid] = make_curve(EC_GROUP_new_by_curve_name(nid));
    pthread_mutex_unlock(&lock);
    return known[nid];
}

eccel_curve *eccel_curve_new(const struct eccel_parameters *numbers)
{
    const uint8_t *octets[] = {numbers->p, numbers->a, numbers->b, numbers->gx, numbers->gy, numbers->order};
    BIGNUM *number[6], *cofactor = BN_new();
    for (int i = 0; i < 6; i++)
        number[i] = BN_bin2bn(octets[i], (int)numbers->bytes, NULL);
    BN_set_word(cofactor, numbers->cofactor);
    EC_GROUP *group = (numbers->kind == ECCEL_BINARY ? EC_GROUP_new_curve_GF2m : EC_GROUP_new_curve_GFp)(
        number[0], number[1], number[2], NULL);
    EC_POINT *generator = group != NULL ? EC_POINT_new(group) : NULL;
    int good = generator != NULL &&
               EC_POINT_set_affine_coordinates(group, generator, number[3], number[4], NULL) &&
               EC_GROUP_set_generator(group, generator, number[5], cofactor);
    EC_POINT_free(generator);
    for (int i = 0; i < 6; i++)
        BN_free(number[i]);
    BN_free(cofactor);
    eccel_curve *curve = good ? make_curve(group) : NULL;
    if (curve == NULL)
        EC_GROUP_free(group);
    return curve;
}

void eccel_curve_free(eccel_curve *curve)
{
    if (curve != NULL)
        EC_GROUP_free(curve->group);
    free(curve);
}

/* ---- results */

static void put(struct eccel_result *result, size_t bytes, const BIGNUM *first, const BIGNUM *second)
{
    result->bytes = bytes;
    result->values = second != NULL ? 2 : 1;
    BN_bn2binpad(first, result->value[0], (int)bytes);
    if (second != NULL)
        BN_bn2binpad(second, result->value[1], (int)bytes);
}

static int affine(const eccel_curve *curve, const EC_POINT *point, struct eccel_result *result, int only_x)
{
    BIGNUM *x = BN_new(), *y = BN_new();
    int good = !EC_POINT_is_at_infinity(curve->group, point) &&
               EC_POINT_get_affine_coordinates(curve->group, point, x, y, NULL);
    if (good)
        put(result, curve->field_bytes, x, only_x ? NULL : y);
    BN_free(x);
    BN_free(y);
    return good ? ECCEL_OK : ECCEL_EXCEPTIONAL;
}

static int sign(const eccel_curve *curve, const BIGNUM *d, const struct eccel_operand *e, struct eccel_result *result)
{
    EC_KEY *key = EC_KEY_new();
    EC_KEY_set_group(key, curve->group);
    EC_KEY_set_private_key(key, d);
    /* e is a number already: ECDSA_do_sign would cut it again, unless it has the length of the order */
    uint8_t padded[ECCEL_MAX_BYTES] = {0};
    int shift = (8 - EC_GROUP_order_bits(curve->group) % 8) % 8;
    BIGNUM *number = BN_bin2bn(e->bytes, (int)e->length, NULL);
    BN_lshift(number, number, shift);
    BN_bn2binpad(number, padded, (int)curve->order_bytes);
    ECDSA_SIG *signature = ECDSA_do_sign(padded, (int)curve->order_bytes, key);
    if (signature != NULL)
        put(result, curve->order_bytes, ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature));
    ECDSA_SIG_free(signature);
    BN_free(number);
    EC_KEY_free(key);
    return signature != NULL ? ECCEL_OK : ECCEL_SCALAR_RANGE;
}

static int verify(const eccel_curve *curve, BIGNUM *const number[5], EC_POINT *point)
{
    const BIGNUM *n = EC_GROUP_get0_order(curve->group), *e = number[0], *r = number[1], *s = number[2];
    BIGNUM *u1 = BN_new(), *u2 = BN_new(), *inverse = BN_new(), *x = BN_new();
    BN_CTX *context = BN_CTX_new();
    EC_POINT *sum = EC_POINT_new(curve->group);
    int valid = !BN_is_zero(r) && !BN_is_zero(s) && BN_cmp(r, n) < 0 && BN_cmp(s, n) < 0;
    if (valid) {
        BN_mod_inverse(inverse, s, n, context);
        BN_mod_mul(u1, e, inverse, n, context);
        BN_mod_mul(u2, r, inverse, n, context);
        EC_POINT_mul(curve->group, sum, u1, point, u2, context);
        valid = !EC_POINT_is_at_infinity(curve->group, sum) &&
                EC_POINT_get_affine_coordinates(curve->group, sum, x, NULL, context);
        BN_nnmod(x, x, n, context);
        valid = valid && BN_cmp(x, r) == 0;
    }
    EC_POINT_free(sum);
    BN_CTX_free(context);
    BN_free(u1);
    BN_free(u2);
    BN_free(inverse);
    BN_free(x);
    return valid ? ECCEL_OK : ECCEL_BAD_SIGNATURE;
}

static int ecdh(const eccel_curve *curve, EC_POINT *point, const BIGNUM *d, int cofactor, struct eccel_result *result)
{
    BIGNUM *scalar = BN_dup(d);
    EC_POINT *product = EC_POINT_new(curve->group);
    BN_CTX *context = BN_CTX_new();
    if (cofactor)
        BN_mul(scalar, d, EC_GROUP_get0_cofactor(curve->group), context);
    EC_POINT_mul(curve->group, product, NULL, point, scalar, context);
    int status = affine(curve, product, result, 1);
    BN_CTX_free(context);
    EC_POINT_free(product);
    BN_clear_free(scalar);
    return status;
}

static int base_mul(const eccel_curve *curve, const BIGNUM *d, struct eccel_result *result)
{
    EC_POINT *product = EC_POINT_new(curve->group);
    EC_POINT_mul(curve->group, product, d, NULL, NULL, NULL);
    int status = affine(curve, product, result, 0);
    EC_POINT_free(product);
    return status;
}

static int key_operand(eccel *handle, const struct eccel_request *request, BIGNUM *d)
{
    if ((request->flags & ECCEL_FLAG_KEY) == 0)
        return ECCEL_OK;
    if (!handle->has_key)
        return ECCEL_NO_KEY;
    BN_bin2bn(handle->key, (int)request->curve->order_bytes, d);
    uint8_t refused = request->op == ECCEL_OP_ECDH ? ECCEL_FLAG_NO_AGREE : ECCEL_FLAG_NO_SIGN;
    return (handle->attributes & refused) ? ECCEL_KEY_REFUSED : ECCEL_OK;
}

static int keygen(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    const eccel_curve *curve = request->curve;
    if (handle->has_key)
        return ECCEL_KEY_REFUSED;
    BIGNUM *d = BN_new();
    do
        BN_priv_rand_range(d, EC_GROUP_get0_order(curve->group));
    while (BN_is_zero(d));
    BN_bn2binpad(d, handle->key, (int)curve->order_bytes);
    handle->has_key = 1;
    handle->attributes = request->flags & (ECCEL_FLAG_NO_AGREE | ECCEL_FLAG_NO_SIGN);
    int status = base_mul(curve, d, result);
    BN_clear_free(d);
    return status;
}

static int compute(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    const eccel_curve *curve = request->curve;
    BIGNUM *number[5];
    EC_POINT *point = EC_POINT_new(curve->group);
    int status = ECCEL_BAD_OP, place = request->op == ECCEL_OP_ECDSA_VERIFY ? 3 : 0;
    for (unsigned i = 0; i < 5; i++)
        number[i] = i < request->operands
                        ? BN_bin2bn(request->operand[i].bytes, (int)request->operand[i].length, NULL) : BN_new();
    if ((request->op == ECCEL_OP_ECDH || request->op == ECCEL_OP_ECDSA_VERIFY) &&
        !EC_POINT_set_affine_coordinates(curve->group, point, number[place], number[place + 1], NULL)) {
        status = ECCEL_NOT_ON_CURVE;
    } else if (request->op == ECCEL_OP_ECDH) {
        status = key_operand(handle, request, number[2]);
        if (status == ECCEL_OK)
            status = ecdh(curve, point, number[2], request->flags & ECCEL_FLAG_COFACTOR, result);
    } else if (request->op == ECCEL_OP_ECDSA_SIGN) {
        status = key_operand(handle, request, number[1]);
        if (status == ECCEL_OK)
            status = sign(curve, number[1], &request->operand[0], result);
    } else if (request->op == ECCEL_OP_ECDSA_VERIFY) {
        status = verify(curve, number, point);
    } else if (request->op == ECCEL_OP_BASE_MUL) {
        status = base_mul(curve, number[0], result);
    } else if (request->op == ECCEL_OP_KEYGEN) {
        status = keygen(handle, request, result);
    }
    for (int i = 0; i < 5; i++)
        BN_clear_free(number[i]);
    EC_POINT_free(point);
    return status;
}

static int run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    memset(result, 0, sizeof *result);
    if (handle->null) {
        result->values = 2;
        result->bytes = request->curve->order_bytes;
        memset(result->value, 0x5a, sizeof result->value);
        return result->result = ECCEL_OK;
    }
    if (handle->off[0] != '\0' && access(handle->off, F_OK) == 0)
        return result->result = ECCEL_ERROR_LINK;
    if (handle->delay_us > 0)
        usleep(handle->delay_us);
    if (handle->off[0] != '\0' && access(handle->off, F_OK) == 0)
        return result->result = ECCEL_ERROR_LINK;
    return result->result = handle->status ? handle->status : compute(handle, request, result);
}

/* ---- handles and jobs */

static void *worker(void *argument)
{
    eccel *handle = argument;
    for (;;) {
        pthread_mutex_lock(&handle->lock);
        while (handle->first == NULL && !handle->closing)
            pthread_cond_wait(&handle->work, &handle->lock);
        struct job *job = handle->first;
        if (job != NULL && (handle->first = job->next) == NULL)
            handle->last = &handle->first;
        int closing = handle->closing;
        pthread_mutex_unlock(&handle->lock);
        if (job == NULL)
            return NULL;
        struct eccel_result result = {.result = ECCEL_ERROR_CANCELLED};
        if (!closing)
            run(handle, &job->request, &result);
        job->done(job->user, &result);
        OPENSSL_cleanse(job, sizeof *job);
        free(job);
    }
}

static void start_workers(eccel *handle)
{
    handle->owner = getpid();
    handle->first = NULL;
    handle->last = &handle->first;
    pthread_mutex_init(&handle->lock, NULL);
    pthread_cond_init(&handle->work, NULL);
    for (unsigned i = 0; i < handle->workers; i++)
        pthread_create(&handle->threads[i], NULL, worker, handle);
}

int eccel_open(eccel **handle, const char *uris, const struct eccel_options *options)
{
    eccel *made = calloc(1, sizeof *made);
    (void)options;
    *handle = NULL;
    made->workers = 1;
    made->null = strcmp(uris, "null:") == 0;
    int good = made->null || strncmp(uris, "soft:", 5) == 0;
    for (const char *text = uris + 5; good && !made->null && *text != '\0'; text += *text == '&') {
        good = sscanf(text, "delay_us=%u", &made->delay_us) == 1 || sscanf(text, "workers=%u", &made->workers) == 1 ||
               sscanf(text, "status=%d", &made->status) == 1 || sscanf(text, "off=%199[^&]", made->off) == 1;
        text += strcspn(text, "&");
    }
    if (!good || made->workers < 1 || made->workers > 64 || (made->off[0] != '\0' && access(made->off, F_OK) == 0)) {
        open_error = "the stub is off, or its URI is malformed";
        free(made);
        return ECCEL_ERROR_ABSENT;
    }
    start_workers(made);
    *handle = made;
    return 0;
}

void eccel_close(eccel *handle)
{
    if (handle == NULL)
        return;
    if (handle->owner == getpid()) {
        pthread_mutex_lock(&handle->lock);
        handle->closing = 1;
        pthread_cond_broadcast(&handle->work);
        pthread_mutex_unlock(&handle->lock);
        for (unsigned i = 0; i < handle->workers; i++)
            pthread_join(handle->threads[i], NULL);
    }
    free(handle);
}

int eccel_submit(eccel *handle, const struct eccel_request *request, eccel_done *done, void *user)
{
    struct job *job = calloc(1, sizeof *job);
    if (handle->owner != getpid())
        start_workers(handle);
    job->request = *request;
    job->done = done;
    job->user = user;
    for (unsigned i = 0; i < request->operands; i++) {
        memcpy(job->bytes[i], request->operand[i].bytes, request->operand[i].length);
        job->request.operand[i].bytes = job->bytes[i];
    }
    pthread_mutex_lock(&handle->lock);
    *handle->last = job;
    handle->last = &job->next;
    pthread_cond_signal(&handle->work);
    pthread_mutex_unlock(&handle->lock);
    return 0;
}

struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done;
    struct eccel_result *result;
};

static void wake_up(void *user, const struct eccel_result *result)
{
    struct waiting *waiting = user;
    pthread_mutex_lock(&waiting->lock);
    *waiting->result = *result;
    waiting->done = 1;
    pthread_cond_signal(&waiting->finished);
    pthread_mutex_unlock(&waiting->lock);
}

int eccel_run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    if (handle->null)
        return run(handle, request, result);
    struct waiting waiting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, result};
    int submitted = eccel_submit(handle, request, wake_up, &waiting);
    if (submitted != 0)
        return submitted;
    pthread_mutex_lock(&waiting.lock);
    while (!waiting.done)
        pthread_cond_wait(&waiting.finished, &waiting.lock);
    pthread_mutex_unlock(&waiting.lock);
    return result->result;
}
