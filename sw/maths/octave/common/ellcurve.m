## Curves y^2 = x^3 + a x + b modulo a prime p: ellcurve (p, a, b), or ellcurve (p, a, b, N, gx, gy).
##
## Numbers are strings in hexadecimal, bigint, or integers. N is the number of points, and (gx, gy) a point of large
## order. An engine needs them for multiples of points, unless it knows the curve by its p, a and b. E.point (x, y) is a
## point, E.infinity () the point at infinity, E.base () is (gx, gy).
## SPDX-License-Identifier: Apache-2.0

classdef ellcurve
  properties (SetAccess = private)
    p;
    a;
    b;
    order = "";
    gx = "";
    gy = "";
  endproperties

  methods
    function this = ellcurve (p, a, b, order, gx, gy)
      if (nargin != 3 && nargin != 6)
        error ("eccel:argument", "ellcurve: p, a, b, and N, gx, gy if they are known");
      endif
      this.p = bigint.hex_of (p);
      this.a = modint (a, p).hex;
      this.b = modint (b, p).hex;
      if (nargin == 6)
        this.order = bigint.hex_of (order);
        this.gx = bigint.hex_of (gx);
        this.gy = bigint.hex_of (gy);
      endif
    endfunction

    function r = base (this)
      r = ellpoint (this, this.gx, this.gy);
    endfunction

    function r = point (this, x, y)
      r = ellpoint (this, x, y);
    endfunction

    function r = infinity (this)
      r = ellpoint (this, "", "");
    endfunction
  endmethods
endclassdef
