## field = plain_field (m): a modulus in hexadecimal, with what Barrett's reduction needs (Menezes et al., 14.42).
##
## m: its limbs, of which there are k; mu = floor (2^(48 k) / m). The last field is remembered.
## SPDX-License-Identifier: Apache-2.0

function field = plain_field (text)
  persistent last = struct ("text", "");
  if (! strcmp (text, last.text))
    [m, sign] = limbs_from_hex (text);
    m = m(1 : max ([1, find(m, 1, "last")]));
    if (sign < 0 || mod (m(1), 2) == 0 || isequal (m, 1))
      error ("eccel:argument", "the modulus is not an odd number above 1: %s", text);
    endif
    last = struct ("text", text, "m", m, "k", numel (m), "mu", reciprocal (m));
  endif
  field = last;
endfunction

## floor (2^(48 k) / m), bit by bit.
function mu = reciprocal (m)
  k = numel (m);
  mu = zeros (1, k + 2);
  rest = zeros (1, k + 1);
  wide = [m, 0];
  for bit = 48 * k : -1 : 0
    rest = limbs_carry (2 * rest);
    rest(1) += (bit == 48 * k);
    if (limbs_compare (rest, wide) >= 0)
      rest = limbs_carry (rest - wide);
      mu(floor (bit / 24) + 1) += 2 ^ mod (bit, 24);
    endif
  endfor
endfunction
