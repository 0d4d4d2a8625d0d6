## Integers, integers modulo p, and points, by Octave itself or on an engine: docs/maths.md.
##
##     octave-cli -q -p build/sw/maths/octave/common -p build/sw/maths/octave/plain examples/maths.m
##     octave-cli -q -p build/sw/maths/octave/common -p build/sw/maths/octave/engine examples/maths.m
##
## SPDX-License-Identifier: Apache-2.0
1;

function show (name, value)
  printf ("%s %s\n", name, value.hex);
endfunction

function show_point (name, P)
  if (isempty (P.x))
    printf ("%s infinity\n", name);
  else
    printf ("%s %s %s\n", name, P.x, P.y);
  endif
endfunction

## The time of one operation in milliseconds, from as many as fit into 200 ms, after one that is not counted.
function each (name, f)
  f ();
  start = tic ();
  count = 0;
  do
    f ();
    count++;
  until (toc (start) >= 0.2)
  printf ("time %s %.6f\n", name, 1000 * toc (start) / count);
endfunction

p = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
n = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
E = ellcurve (p, -3, "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", n,
              "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
              "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
G = E.base ();

x = modint (3, p) ^ 1000;
y = modint (5, p) ^ 1000;
a = bigint (x);
b = bigint (y);

show ("product", a * b);
show ("mod_mul", x * y);
show ("mod_inv", 1 / y);
show ("mod_exp", x ^ b);
show ("mod_exp_negative", x ^ ["-", b.hex]);
P = a * G;
Q = b * G;
show_point ("public_a", P);
show_point ("public_b", Q);
show_point ("shared_a", a * Q);
show_point ("shared_b", b * P);
show_point ("point_add", P + Q);
show_point ("point_double", P + P);
show_point ("point_negative", -5 * G);
show_point ("point_order", n * P);
show_point ("point_sub", P - P);

each ("product", @() a * b);
each ("mod_mul", @() x * y);
each ("mod_inv", @() 1 / y);
each ("mod_exp", @() x ^ b);
each ("point_add", @() P + Q);
each ("point_mul", @() b * P);
