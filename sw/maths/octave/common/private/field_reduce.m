## r = field_reduce (field, x): x modulo m, for 0 <= x < 2^(48 k).
## SPDX-License-Identifier: Apache-2.0

function r = field_reduce (field, x)
  k = field.k;
  x(end+1 : 2 * k) = 0;
  q = limbs_mul (x(k:end), field.mu)(k+2:end);
  ## The difference is below 3 m: of both numbers, k + 1 limbs are enough.
  product = limbs_mul (q, field.m);
  product(end+1 : k + 1) = 0;
  r = x;
  r(end+1 : k + 1) = 0;
  r = r(1:k+1) - product(1:k+1);
  r(k+1) += 16777216;
  r = limbs_carry ([r, 0]);
  r = r(1:k+1);
  r(k+1) = mod (r(k+1), 16777216);
  while (limbs_compare (r, field.m) >= 0)
    r = limbs_carry (r - [field.m, 0]);
  endwhile
  r = r(1:k);
endfunction
