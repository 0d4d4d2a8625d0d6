/* MOD_* of the paced device. See soft.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "soft.h"

static int in_integers(const BIGNUM *m, unsigned op, const BIGNUM *a, const BIGNUM *b, BIGNUM *out, BN_CTX *context)
{
    switch (op) {
    case ECCEL_OP_MOD_MUL: return BN_mod_mul(out, a, b, m, context);
    case ECCEL_OP_MOD_ADD: return BN_mod_add(out, a, b, m, context);
    case ECCEL_OP_MOD_SUB: return BN_mod_sub(out, a, b, m, context);
    case ECCEL_OP_MOD_EXP: return BN_mod_exp(out, a, b, m, context);
    default:
        if (BN_is_zero(a)) {
            BN_zero(out);
            return 1;
        }
        return BN_mod_inverse(out, a, m, context) != NULL;
    }
}

/* a^b, from the highest bit of b on, as BN_GF2m_mod_exp does not take every b. */
static int binary_power(const BIGNUM *f, const BIGNUM *a, const BIGNUM *b, BIGNUM *out, BN_CTX *context)
{
    int good = BN_one(out);
    for (int i = BN_num_bits(b) - 1; good && i >= 0; i--) {
        good = BN_GF2m_mod_sqr(out, out, f, context);
        if (good && BN_is_bit_set(b, i))
            good = BN_GF2m_mod_mul(out, out, a, f, context);
    }
    return good;
}

static int in_binary_field(const BIGNUM *f, unsigned op, const BIGNUM *a, const BIGNUM *b, BIGNUM *out,
                           BN_CTX *context)
{
    switch (op) {
    case ECCEL_OP_MOD_MUL: return BN_GF2m_mod_mul(out, a, b, f, context);
    case ECCEL_OP_MOD_ADD:
    case ECCEL_OP_MOD_SUB: return BN_GF2m_add(out, a, b);
    case ECCEL_OP_MOD_EXP: return binary_power(f, a, b, out, context);
    default:
        if (BN_is_zero(a)) {
            BN_zero(out);
            return 1;
        }
        return BN_GF2m_mod_inv(out, a, f, context);
    }
}

static int is_element(const BIGNUM *a, const BIGNUM *modulus, int binary, unsigned bits)
{
    return binary ? BN_num_bits(a) <= (int)bits : BN_cmp(a, modulus) < 0;
}

int soft_mod(const struct soft_curve *curve, unsigned op, unsigned flags, const BIGNUM *a, const BIGNUM *b,
             BIGNUM *out, BN_CTX *context)
{
    int binary = curve->binary && !(flags & ECCEL_FLAG_MOD_N);
    const BIGNUM *modulus = flags & ECCEL_FLAG_MOD_N ? curve->n : curve->p;
    int two = op == ECCEL_OP_MOD_MUL || op == ECCEL_OP_MOD_ADD || op == ECCEL_OP_MOD_SUB;
    if (!is_element(a, modulus, binary, curve->field_bits) || (two && !is_element(b, modulus, binary, curve->field_bits)))
        return ECCEL_COORD_RANGE;
    int good = binary ? in_binary_field(modulus, op, a, b, out, context) : in_integers(modulus, op, a, b, out, context);
    return good ? ECCEL_OK : ECCEL_ENGINE_FAULT;
}
