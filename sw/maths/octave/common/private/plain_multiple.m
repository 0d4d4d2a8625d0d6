## r = plain_multiple (curve, k, p): k p for k >= 0 in limbs, by doubling and adding in Jacobian coordinates.
## SPDX-License-Identifier: Apache-2.0

function r = plain_multiple (curve, k, p)
  field = curve.field;
  bits = bitget (repmat (k, 24, 1), repmat ((1:24).', 1, numel (k)))(:).';
  sum = {}; # {X, Y, Z}: x = X / Z^2, y = Y / Z^3
  if (! isempty (p))
    for i = find (bits, 1, "last") : -1 : 1
      sum = double_jacobian (curve, sum);
      if (bits(i))
        sum = add_affine (curve, sum, p);
      endif
    endfor
  endif
  r = {};
  if (! isempty (sum))
    inverse = field_inv (field, sum{3});
    square = field_mul (field, inverse, inverse);
    r = {field_mul(field, sum{1}, square), field_mul(field, sum{2}, field_mul (field, square, inverse))};
  endif
endfunction

function r = double_jacobian (curve, p)
  field = curve.field;
  r = {};
  if (isempty (p) || ! any (p{2}))
    return;
  endif
  yy = field_mul (field, p{2}, p{2});
  s = field_mul (field, p{1}, yy);
  s = field_add (field, s, s);
  s = field_add (field, s, s); # 4 X Y^2
  zz = field_mul (field, p{3}, p{3});
  xx = field_mul (field, p{1}, p{1});
  m = field_add (field, field_add (field, xx, xx), xx);
  m = field_add (field, m, field_mul (field, curve.a, field_mul (field, zz, zz))); # 3 X^2 + a Z^4
  x = field_sub (field, field_mul (field, m, m), field_add (field, s, s));
  t = field_mul (field, yy, yy);
  t = field_add (field, t, t);
  t = field_add (field, t, t);
  t = field_add (field, t, t); # 8 Y^4
  y = field_sub (field, field_mul (field, m, field_sub (field, s, x)), t);
  z = field_mul (field, p{2}, p{3});
  r = {x, y, field_add(field, z, z)};
endfunction

function r = add_affine (curve, p, q)
  field = curve.field;
  if (isempty (p))
    r = {q{1}, q{2}, [1, zeros(1, field.k - 1)]};
    return;
  endif
  zz = field_mul (field, p{3}, p{3});
  h = field_sub (field, field_mul (field, q{1}, zz), p{1});
  s = field_sub (field, field_mul (field, q{2}, field_mul (field, zz, p{3})), p{2});
  if (! any (h))
    r = {};
    if (! any (s))
      r = double_jacobian (curve, p);
    endif
    return;
  endif
  hh = field_mul (field, h, h);
  hhh = field_mul (field, hh, h);
  v = field_mul (field, p{1}, hh);
  x = field_sub (field, field_sub (field, field_mul (field, s, s), hhh), field_add (field, v, v));
  y = field_sub (field, field_mul (field, s, field_sub (field, v, x)), field_mul (field, p{2}, hhh));
  r = {x, y, field_mul(field, p{3}, h)};
endfunction
