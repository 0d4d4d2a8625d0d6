## text = limbs_to_hex (x, sign): without leading zeros.
## SPDX-License-Identifier: Apache-2.0

function text = limbs_to_hex (x, sign)
  text = lower (dec2hex (fliplr (x), 6).')(:).';
  first = find (text != "0", 1);
  if (isempty (first))
    text = "0";
    return;
  endif
  text = text(first:end);
  if (sign < 0)
    text = ["-", text];
  endif
endfunction
