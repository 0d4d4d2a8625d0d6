/* Encoded points, and the few computations on points that stay on the host.
   SPDX-License-Identifier: Apache-2.0

   Every point that enters the provider is checked here, before a device sees it; the devices check once more. */
#include <openssl/bn.h>
#include <string.h>

#include "curves.h"
#include "errors.h"
#include "provider.h"

static bool read_affine(const struct curve *curve, const EC_POINT *point, uint8_t *x, uint8_t *y, BN_CTX *numbers)
{
    BN_CTX_start(numbers);
    BIGNUM *bx = BN_CTX_get(numbers), *by = BN_CTX_get(numbers);
    bool done = by != NULL && EC_POINT_get_affine_coordinates(curve->group, point, bx, by, numbers) &&
                BN_bn2binpad(bx, x, (int)curve->field_bytes) >= 0 && BN_bn2binpad(by, y, (int)curve->field_bytes) >= 0;
    BN_CTX_end(numbers);
    return done;
}

bool point_decode(const struct provider *provider, const struct curve *curve, const uint8_t *octets, size_t length,
                  uint8_t *x, uint8_t *y, point_conversion_form_t *form)
{
    BN_CTX *numbers = BN_CTX_new_ex(provider->libctx);
    EC_POINT *point = EC_POINT_new(curve->group);
    bool done = false;
    if (numbers != NULL && point != NULL && length > 1 &&
        EC_POINT_oct2point(curve->group, point, octets, length, numbers)) {
        if ((octets[0] & ~1) == POINT_CONVERSION_UNCOMPRESSED) {
            memcpy(x, octets + 1, curve->field_bytes);
            memcpy(y, octets + 1 + curve->field_bytes, curve->field_bytes);
            done = true;
        } else {
            done = read_affine(curve, point, x, y, numbers);
        }
    }
    if (done && form != NULL)
        *form = (point_conversion_form_t)(octets[0] & ~1);
    if (!done)
        RAISE(provider, REASON_BAD_POINT, NULL);
    EC_POINT_free(point);
    BN_CTX_free(numbers);
    return done;
}

static EC_POINT *make_point(const struct curve *curve, const uint8_t *x, const uint8_t *y, BN_CTX *numbers)
{
    uint8_t octets[POINT_BYTES];
    octets[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(octets + 1, x, curve->field_bytes);
    memcpy(octets + 1 + curve->field_bytes, y, curve->field_bytes);
    EC_POINT *point = EC_POINT_new(curve->group);
    if (point != NULL && EC_POINT_oct2point(curve->group, point, octets, 1 + 2 * curve->field_bytes, numbers))
        return point;
    EC_POINT_free(point);
    return NULL;
}

size_t point_encode(const struct provider *provider, const struct curve *curve, const uint8_t *x, const uint8_t *y,
                    point_conversion_form_t form, uint8_t *octets)
{
    if (form == POINT_CONVERSION_UNCOMPRESSED) {
        octets[0] = POINT_CONVERSION_UNCOMPRESSED;
        memcpy(octets + 1, x, curve->field_bytes);
        memcpy(octets + 1 + curve->field_bytes, y, curve->field_bytes);
        return 1 + 2 * curve->field_bytes;
    }
    BN_CTX *numbers = BN_CTX_new_ex(provider->libctx);
    EC_POINT *point = numbers != NULL ? make_point(curve, x, y, numbers) : NULL;
    size_t length = point != NULL ? EC_POINT_point2oct(curve->group, point, form, octets, POINT_BYTES, numbers) : 0;
    EC_POINT_free(point);
    BN_CTX_free(numbers);
    return length;
}

bool point_of_private(const struct provider *provider, const struct curve *curve, const uint8_t *d, uint8_t *x,
                      uint8_t *y)
{
    BN_CTX *numbers = BN_CTX_secure_new_ex(provider->libctx);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *scalar = BN_secure_new();
    bool done = false;
    if (numbers != NULL && point != NULL && scalar != NULL && BN_bin2bn(d, (int)curve->order_bytes, scalar) != NULL) {
        BN_set_flags(scalar, BN_FLG_CONSTTIME);
        done = EC_POINT_mul(curve->group, point, scalar, NULL, NULL, numbers) &&
               read_affine(curve, point, x, y, numbers);
    }
    BN_clear_free(scalar);
    EC_POINT_clear_free(point);
    BN_CTX_free(numbers);
    return done;
}

bool point_is_valid(const struct provider *provider, const struct curve *curve, const uint8_t *x, const uint8_t *y)
{
    BN_CTX *numbers = BN_CTX_new_ex(provider->libctx);
    EC_POINT *point = numbers != NULL ? make_point(curve, x, y, numbers) : NULL;
    bool valid = point != NULL;
    if (valid && !curve->cofactor_one) {
        EC_POINT *multiple = EC_POINT_new(curve->group);
        valid = multiple != NULL &&
                EC_POINT_mul(curve->group, multiple, NULL, point, EC_GROUP_get0_order(curve->group), numbers) &&
                EC_POINT_is_at_infinity(curve->group, multiple);
        EC_POINT_free(multiple);
    }
    EC_POINT_free(point);
    BN_CTX_free(numbers);
    return valid;
}
