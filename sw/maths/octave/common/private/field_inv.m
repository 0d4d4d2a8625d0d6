## r = field_inv (field, a): by the binary algorithm of Euclid (Menezes et al., 14.61), for any odd modulus.
## SPDX-License-Identifier: Apache-2.0

function r = field_inv (field, a)
  m = [field.m, 0];
  one = [1, zeros(1, field.k)];
  u = [a, 0];
  v = m;
  x = one; # x a = u and y a = v modulo m
  y = 0 * one;
  while (any (u))
    while (mod (u(1), 2) == 0)
      u = half (u);
      x = half_modulo (x, m);
    endwhile
    while (mod (v(1), 2) == 0)
      v = half (v);
      y = half_modulo (y, m);
    endwhile
    if (limbs_compare (u, v) >= 0)
      u = limbs_carry (u - v);
      x = difference (x, y, m);
    else
      v = limbs_carry (v - u);
      y = difference (y, x, m);
    endif
  endwhile
  if (! isequal (v, one))
    error ("eccel:inverse", "there is no inverse: the number and the modulus have a common factor");
  endif
  r = y(1:field.k);
endfunction

function x = half (x)
  x = floor (x / 2) + 8388608 * mod ([x(2:end), 0], 2);
endfunction

function x = half_modulo (x, m)
  if (mod (x(1), 2))
    x = limbs_carry (x + m);
  endif
  x = half (x);
endfunction

function x = difference (x, y, m)
  if (limbs_compare (x, y) < 0)
    x += m;
  endif
  x = limbs_carry (x - y);
endfunction
