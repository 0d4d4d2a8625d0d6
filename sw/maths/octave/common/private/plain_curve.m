## curve = plain_curve (p, a, b): y^2 = x^3 + a x + b modulo p, numbers in hexadecimal.
## SPDX-License-Identifier: Apache-2.0

function curve = plain_curve (p, a, b)
  curve.field = plain_field (p);
  curve.a = field_from_hex (curve.field, a);
  curve.b = field_from_hex (curve.field, b);
endfunction
