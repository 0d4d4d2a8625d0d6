## r = plain_kernel (name, operand, ...): calculations of eccel_kernel in Octave's own numbers.
##
## Operands and results are numbers in hexadecimal, of any size; a number may begin with "-".
##
##   product a b         mod_mul m a b       mod_add m a b       mod_sub m a b
##   mod_inv m a         mod_exp m a e       for an odd m > 1, prime or not
##   point_mul p a b N gx gy k x y           point_add p a b x1 y1 x2 y2
##
## A point is two strings, "" and "" for infinity. N, gx and gy are not used here.
## SPDX-License-Identifier: Apache-2.0

function varargout = plain_kernel (name, varargin)
  switch (name)
    case "product"
      [a, sa] = limbs_from_hex (varargin{1});
      [b, sb] = limbs_from_hex (varargin{2});
      varargout{1} = limbs_to_hex (limbs_mul (a, b), sa * sb);
    case {"mod_mul", "mod_add", "mod_sub", "mod_inv", "mod_exp"}
      varargout{1} = modular (name, varargin{:});
    case "point_mul"
      curve = plain_curve (varargin{1:3});
      [k, sign] = limbs_from_hex (varargin{7});
      point = plain_point (curve, varargin{8:9}, sign);
      [varargout{1:2}] = shown (plain_multiple (curve, k, point));
    case "point_add"
      curve = plain_curve (varargin{1:3});
      sum = plain_add (curve, plain_point (curve, varargin{4:5}, 1), plain_point (curve, varargin{6:7}, 1));
      [varargout{1:2}] = shown (sum);
    otherwise
      error ("eccel:argument", "plain_kernel: there is no calculation %s", name);
  endswitch
endfunction

function r = modular (name, m, a, b)
  field = plain_field (m);
  a = field_from_hex (field, a);
  switch (name)
    case "mod_mul"
      r = field_mul (field, a, field_from_hex (field, b));
    case "mod_add"
      r = field_add (field, a, field_from_hex (field, b));
    case "mod_sub"
      r = field_sub (field, a, field_from_hex (field, b));
    case "mod_inv"
      r = field_inv (field, a);
    case "mod_exp"
      [e, sign] = limbs_from_hex (b);
      if (sign < 0)
        a = field_inv (field, a);
      endif
      r = field_pow (field, a, e);
  endswitch
  r = limbs_to_hex (r, 1);
endfunction

function [x, y] = shown (point)
  if (isempty (point))
    x = y = "";
  else
    x = limbs_to_hex (point{1}, 1);
    y = limbs_to_hex (point{2}, 1);
  endif
endfunction
