; The scalar of ECDH on a curve of N = 2^j n points: a multiple of the cofactor h = 2^j, so that the multiple of any point
; lies in the subgroup of order n, and the part of the scalar that a point of small order could show is 0 for all d.
; in    k = d in [1, n)
; out   k = h (d / h mod n), which is d modulo n; with the flag COFACTOR h d. Both are below N.
; CURVE_LOAD has checked that N = 2^j n.
.routine clear_cofactor
.in k
.out k
.reg t, multiple
    mod  1
    .assume k modn ; below n
    mov  multiple, n
    br   FCOFACTOR, .double
.half:
    isub t, multiple, ord
    br   Z, .halved
    half k, k
    iadd multiple, multiple, multiple
    jmp  .half
.halved:
    mov  multiple, n
.double:
    isub t, multiple, ord
    br   Z, .done
    iadd k, k, k
    iadd multiple, multiple, multiple
    jmp  .double
.done:
    ret
