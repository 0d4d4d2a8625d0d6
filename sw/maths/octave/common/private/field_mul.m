## r = field_mul (field, a, b)
## SPDX-License-Identifier: Apache-2.0

function r = field_mul (field, a, b)
  r = field_reduce (field, limbs_mul (a, b));
endfunction
