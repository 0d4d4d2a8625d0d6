## [x, sign] = limbs_from_hex (text): limbs of 24 bits, least significant first, and 1 or -1.
## SPDX-License-Identifier: Apache-2.0

function [x, sign] = limbs_from_hex (text)
  sign = 1;
  if (strncmp (text, "-", 1))
    sign = -1;
    text(1) = [];
  endif
  if (isempty (text) || any (! isxdigit (text)))
    error ("eccel:argument", "not a number in hexadecimal: '%s'", text);
  endif
  text = [repmat("0", 1, mod (-numel (text), 6)), text];
  x = fliplr (hex2dec (reshape (text, 6, []).').');
endfunction
