## x = limbs_carry (x): limbs of 0 to 2^24 - 1 from limbs of any sign with absolute values below 2^53.
##
## The number must not be negative, and its leading limb must have room for the carries.
## SPDX-License-Identifier: Apache-2.0

function x = limbs_carry (x)
  do
    carry = floor (x / 16777216);
    x -= carry * 16777216;
    x(2:end) += carry(1:end-1);
  until (! any (carry(1:end-1)))
endfunction
