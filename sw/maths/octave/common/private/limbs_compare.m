## s = limbs_compare (a, b): -1, 0 or 1 as a < b, a = b, a > b.
## SPDX-License-Identifier: Apache-2.0

function s = limbs_compare (a, b)
  n = max (numel (a), numel (b));
  a(end+1:n) = 0;
  b(end+1:n) = 0;
  top = find (a != b, 1, "last");
  if (isempty (top))
    s = 0;
  else
    s = sign (a(top) - b(top));
  endif
endfunction
