## Integers modulo an odd m: modint (value, m). Operators: + - * / ^ and ==.
##
## One of the operands may be an integer. ^ takes an exponent of any size and sign: a bigint, an integer, a string.
## SPDX-License-Identifier: Apache-2.0

classdef modint
  properties (SetAccess = private)
    hex;
    modulus;
  endproperties

  methods
    function this = modint (value, modulus)
      if (nargin == 0) # a method fills in both
        return;
      endif
      this.modulus = bigint.hex_of (modulus);
      this.hex = plain_kernel ("mod_add", this.modulus, bigint.hex_of (value), "0"); # only reduces
    endfunction

    function r = plus (a, b)
      r = modint.combine ("mod_add", a, b);
    endfunction

    function r = minus (a, b)
      r = modint.combine ("mod_sub", a, b);
    endfunction

    function r = mtimes (a, b)
      r = modint.combine ("mod_mul", a, b);
    endfunction

    function r = times (a, b)
      r = mtimes (a, b);
    endfunction

    function r = mrdivide (a, b)
      m = modint.common (a, b);
      inverse = eccel_kernel ("mod_inv", m, bigint.hex_of (b));
      r = modint.made (eccel_kernel ("mod_mul", m, bigint.hex_of (a), inverse), m);
    endfunction

    function r = rdivide (a, b)
      r = mrdivide (a, b);
    endfunction

    function r = mpower (a, e)
      r = modint.made (eccel_kernel ("mod_exp", a.modulus, a.hex, bigint.hex_of (e)), a.modulus);
    endfunction

    function r = power (a, e)
      r = mpower (a, e);
    endfunction

    function r = uminus (a)
      r = 0 - a;
    endfunction

    function r = eq (a, b)
      m = modint.common (a, b);
      r = strcmp (modint (a, m).hex, modint (b, m).hex);
    endfunction

    function r = ne (a, b)
      r = ! eq (a, b);
    endfunction

    function disp (this)
      printf ("%s mod %s\n", this.hex, this.modulus);
    endfunction
  endmethods

  methods (Static, Access = private)
    ## A result that is below the modulus.
    function r = made (hex, modulus)
      r = modint ();
      r.hex = hex;
      r.modulus = modulus;
    endfunction

    function m = common (a, b)
      if (isa (a, "modint") && isa (b, "modint") && ! strcmp (a.modulus, b.modulus))
        error ("eccel:argument", "the operands have different moduli");
      endif
      if (isa (a, "modint"))
        m = a.modulus;
      else
        m = b.modulus;
      endif
    endfunction

    function r = combine (name, a, b)
      m = modint.common (a, b);
      r = modint.made (eccel_kernel (name, m, bigint.hex_of (a), bigint.hex_of (b)), m);
    endfunction
  endmethods
endclassdef
