\\ Integers, integers modulo p, and points, on PARI's own routines or on an engine: docs/maths.md.
\\
\\     gp -q maths.gp
\\     GPRC=build/sw/maths/pari/gprc gp -q maths.gp
\\
\\ SPDX-License-Identifier: Apache-2.0

p = 2^256 - 2^224 + 2^192 + 2^96 - 1;
n = 115792089210356248762697446949407573529996955224135760342422259061068512044369;
E = ellinit([-3, 41058363725152142129326129780047268409114441015993725554835256314039467401291], p);
{
  G = [48439561293906451759052585252797914202762949526041747995844080717082404635286,
       36134250956749795798585127919587881956611106672985015071877198253568414405109];
}

a = lift(Mod(3, p)^1000);
b = lift(Mod(5, p)^1000);
x = Mod(a, p);
y = Mod(b, p);
show(name, value) = printf("%s %x\n", name, value);
point(name, P) = if (#P == 1, printf("%s infinity\n", name), printf("%s %x %x\n", name, lift(P[1]), lift(P[2])));

show("product", a * b);
show("mod_mul", lift(x * y));
show("mod_inv", lift(1 / y));
show("mod_exp", lift(x^b));
show("mod_exp_negative", lift(x^-b));
P = ellmul(E, G, a);
Q = ellmul(E, G, b);
point("public_a", P);
point("public_b", Q);
point("shared_a", ellmul(E, Q, a));
point("shared_b", ellmul(E, P, b));
point("point_add", elladd(E, P, Q));
point("point_double", elladd(E, P, P));
point("point_negative", ellmul(E, G, -5));
point("point_order", ellmul(E, P, n));
point("point_sub", ellsub(E, P, P));

\\ The time of one operation in milliseconds, from as many as fit into 200 ms, after one that is not counted.
{
  each(name, f) = my(t, count = 0);
    f();
    t = getwalltime();
    until (getwalltime() - t >= 200, f(); count++);
    printf("time %s %.6f\n", name, (getwalltime() - t) / count);
}
each("product", () -> a * b);
each("mod_mul", () -> x * y);
each("mod_inv", () -> 1 / y);
each("mod_exp", () -> x^b);
each("point_add", () -> elladd(E, P, Q));
each("point_mul", () -> ellmul(E, P, b));
quit
