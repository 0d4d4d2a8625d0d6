## r = field_sub (field, a, b)
## SPDX-License-Identifier: Apache-2.0

function r = field_sub (field, a, b)
  r = limbs_carry ([a - b + field.m, 0]);
  if (limbs_compare (r, field.m) >= 0)
    r = limbs_carry (r - [field.m, 0]);
  endif
  r = r(1:field.k);
endfunction
