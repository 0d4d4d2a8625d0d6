## r = field_from_hex (field, text): a number of any size and sign, modulo m.
## SPDX-License-Identifier: Apache-2.0

function r = field_from_hex (field, text)
  [x, sign] = limbs_from_hex (text);
  r = zeros (1, field.k);
  for i = numel (x) : -1 : 1
    r = field_reduce (field, [x(i), r]);
  endfor
  if (sign < 0 && any (r))
    r = limbs_carry (field.m - r);
  endif
endfunction
