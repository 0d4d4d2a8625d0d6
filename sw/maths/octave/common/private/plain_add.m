## sum = plain_add (curve, p, q): by chord and tangent.
## SPDX-License-Identifier: Apache-2.0

function sum = plain_add (curve, p, q)
  field = curve.field;
  if (isempty (p) || isempty (q))
    sum = [p, q]; # one of them is {}
    return;
  endif
  if (! isequal (p{1}, q{1}))
    above = field_sub (field, q{2}, p{2});
    under = field_sub (field, q{1}, p{1});
  else
    square = field_mul (field, p{1}, p{1});
    above = field_add (field, field_add (field, square, square), field_add (field, square, curve.a));
    under = field_add (field, p{2}, q{2}); # 0 unless p and q are equal
  endif
  if (! any (under))
    sum = {};
    return;
  endif
  slope = field_mul (field, above, field_inv (field, under));
  x = field_sub (field, field_sub (field, field_mul (field, slope, slope), p{1}), q{1});
  y = field_sub (field, field_mul (field, slope, field_sub (field, p{1}, x)), p{2});
  sum = {x, y};
endfunction
