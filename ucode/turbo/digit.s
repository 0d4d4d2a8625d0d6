; (sx, sy) = |d| P, where d is the signed digit at bit c0 of the scalar. Reads the whole table of windows.s. P = d is negative.
.macro digit
    ldw  SCALAR, c0
    mov  sx, pt
    mov  sy, pt+1
    candidate 1
    candidate 2
    candidate 3
    candidate 4
    candidate 5
    candidate 6
    candidate 7
.endmacro
