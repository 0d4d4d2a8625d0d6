## r = limbs_mul (a, b): as many limbs as both factors have. Sums of up to 32 products of limbs are exact in doubles.
## SPDX-License-Identifier: Apache-2.0

function r = limbs_mul (a, b)
  if (min (numel (a), numel (b)) <= 31)
    r = limbs_carry ([conv(a, b), 0]);
    return;
  endif
  r = zeros (1, numel (a) + numel (b));
  for i = 1 : 31 : numel (a) # pieces of 31 limbs
    part = a(i : min (i + 30, end));
    range = i : i + numel (part) + numel (b) - 1;
    r(range) += limbs_carry ([conv(part, b), 0]);
    r = limbs_carry (r);
  endfor
endfunction
