## Points of an ellcurve: k * P, P + Q, P - Q, -P and ==. The fields x and y are in hexadecimal, "" at infinity.
## SPDX-License-Identifier: Apache-2.0

classdef ellpoint
  properties (SetAccess = private)
    curve;
    x;
    y;
  endproperties

  methods
    function this = ellpoint (curve, x, y)
      this.curve = curve;
      this.x = x;
      this.y = y;
      if (! isempty (x)) # reduced, so that equal points have equal fields
        this.x = modint (x, curve.p).hex;
        this.y = modint (y, curve.p).hex;
      endif
    endfunction

    function r = mtimes (k, this)
      if (! isa (this, "ellpoint") || isa (k, "ellpoint"))
        error ("eccel:argument", "a multiple of a point is written k * P");
      endif
      r = multiple (this, k);
    endfunction

    function r = multiple (this, k)
      E = this.curve;
      [x, y] = eccel_kernel ("point_mul", E.p, E.a, E.b, E.order, E.gx, E.gy, bigint.hex_of (k), this.x, this.y);
      r = this;
      r.x = x;
      r.y = y;
    endfunction

    function r = plus (this, other)
      E = this.curve;
      if (! isequal ({E.p, E.a, E.b}, {other.curve.p, other.curve.a, other.curve.b}))
        error ("eccel:argument", "the points are on different curves");
      endif
      [x, y] = eccel_kernel ("point_add", E.p, E.a, E.b, this.x, this.y, other.x, other.y);
      r = this;
      r.x = x;
      r.y = y;
    endfunction

    function r = uminus (this)
      r = this;
      if (! isempty (this.x))
        r.y = plain_kernel ("mod_sub", this.curve.p, "0", this.y);
      endif
    endfunction

    function r = minus (this, other)
      r = this + (- other);
    endfunction

    function r = eq (this, other)
      r = strcmp (this.x, other.x) && strcmp (this.y, other.y);
    endfunction

    function r = ne (this, other)
      r = ! eq (this, other);
    endfunction

    function disp (this)
      if (isempty (this.x))
        printf ("infinity\n");
      else
        printf ("(%s, %s)\n", this.x, this.y);
      endif
    endfunction
  endmethods
endclassdef
