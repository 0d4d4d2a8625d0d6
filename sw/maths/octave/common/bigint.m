## Integers of any size: bigint ("-1f"), bigint (5). Operators: * with integers and points, and ==.
## SPDX-License-Identifier: Apache-2.0

classdef bigint
  properties (SetAccess = private)
    hex; # lower case, without leading zeros, "-" if negative
  endproperties

  methods
    function this = bigint (value)
      this.hex = bigint.hex_of (value);
    endfunction

    function r = mtimes (a, b)
      if (isa (b, "ellpoint"))
        r = multiple (b, a);
        return;
      endif
      r = bigint (eccel_kernel ("product", bigint.hex_of (a), bigint.hex_of (b)));
    endfunction

    function r = times (a, b)
      r = mtimes (a, b);
    endfunction

    function r = eq (a, b)
      r = strcmp (bigint.hex_of (a), bigint.hex_of (b));
    endfunction

    function r = ne (a, b)
      r = ! eq (a, b);
    endfunction

    function disp (this)
      printf ("%s\n", this.hex);
    endfunction
  endmethods

  methods (Static)
    ## The text of a bigint, a modint, an integer of Octave, or a string in hexadecimal.
    function text = hex_of (value)
      if (ischar (value))
        text = value;
      elseif (isa (value, "bigint") || isa (value, "modint"))
        text = value.hex;
        return;
      elseif (isscalar (value) && isreal (value) && value == fix (value) && abs (value) <= flintmax ())
        text = sprintf ("%x", abs (double (value)));
        if (value < 0)
          text = ["-", text];
        endif
      else
        error ("eccel:argument", "a number is a bigint, an integer up to 2^53, or a string in hexadecimal");
      endif
      if (isempty (regexp (text, '^-?[0-9a-fA-F]+$')))
        error ("eccel:argument", "not a number in hexadecimal: '%s'", text);
      endif
      text = regexprep (lower (text), '^(-?)0*(?=.)', '$1');
      if (strcmp (text, "-0"))
        text = "0";
      endif
    endfunction
  endmethods
endclassdef
