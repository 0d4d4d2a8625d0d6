## point = plain_point (curve, x, y, sign): {x, y} in limbs, or {} for infinity; the opposite point if sign is -1.
## SPDX-License-Identifier: Apache-2.0

function point = plain_point (curve, x, y, sign)
  point = {};
  if (isempty (x))
    return;
  endif
  field = curve.field;
  x = field_from_hex (field, x);
  y = field_from_hex (field, y);
  right = field_add (field, field_mul (field, x, x), curve.a);
  right = field_add (field, field_mul (field, right, x), curve.b);
  if (! isequal (field_mul (field, y, y), right))
    error ("eccel:point", "the point is not on the curve");
  endif
  if (sign < 0)
    y = field_sub (field, 0 * y, y);
  endif
  point = {x, y};
endfunction
