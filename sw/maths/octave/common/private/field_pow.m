## r = field_pow (field, a, e): e in limbs, from its most significant bit down.
## SPDX-License-Identifier: Apache-2.0

function r = field_pow (field, a, e)
  r = field_reduce (field, 1);
  bits = bitget (repmat (e, 24, 1), repmat ((1:24).', 1, numel (e)))(:).';
  for i = find (bits, 1, "last") : -1 : 1
    r = field_mul (field, r, r);
    if (bits(i))
      r = field_mul (field, r, a);
    endif
  endfor
endfunction
