/* Curves by name, and their sizes.
   SPDX-License-Identifier: Apache-2.0 */
#include "curve.h"

/* The next letter of a name; case, "-" and "_" do not matter. */
static char next(const char **at)
{
    while (**at == '-' || **at == '_')
        ++*at;
    char letter = **at;
    if (letter)
        ++*at;
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + 'a' - 'A') : letter;
}

static int same(const char *left, const char *right)
{
    for (;;) {
        char a = next(&left), b = next(&right);
        if (a != b)
            return 0;
        if (!a)
            return 1;
    }
}

const eccel_curve *eccel_curve_named(const char *name)
{
    for (size_t i = 0; name && i < catalogue_size; i++) {
        if (same(name, catalogue[i].name))
            return &catalogue[i];
        for (const char *const *alias = catalogue[i].aliases; *alias; alias++) {
            if (same(name, *alias))
                return &catalogue[i];
        }
    }
    return NULL;
}

const eccel_curve *eccel_curve_at(size_t index)
{
    return index < catalogue_size ? &catalogue[index] : NULL;
}

const char *eccel_curve_name(const eccel_curve *curve)
{
    return curve->name;
}

enum eccel_kind eccel_curve_kind(const eccel_curve *curve)
{
    return curve->kind;
}

size_t eccel_curve_field_bytes(const eccel_curve *curve)
{
    return (curve->p_bits + 7) / 8;
}

size_t eccel_curve_order_bytes(const eccel_curve *curve)
{
    return (curve->n_bits + 7) / 8;
}

unsigned eccel_curve_order_bits(const eccel_curve *curve)
{
    return curve->n_bits;
}
