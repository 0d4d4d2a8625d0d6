; Tests whether a public point has odd order, by halving it once, or twice on curves with a = 0. Variable time.
; After E. Knudsen, Elliptic scalar multiplication using point halving, ASIACRYPT 1999; model: koblitz.in_subgroup.

; jy = the sum of jx^(4^i), i = 0 .. (m - 1) / 2; Z = (jy^2 + jy equals jx). It adds up sums of j terms, where j runs through
; the prefixes of (m - 1) / 2.
.routine half_trace_var
.in jx
.out jy
.reg t
    .assume jx modp ; by contract
    setc c3, 9
    setc c2, 8
.leading:
    ldb  DEGREE, c3
    br   B, .first
    loop c3, .lower
.lower:
    loop c2, .leading
.first:
    mov  jy, jx
    jmp  .next
.double:                        ; c3 = i, from bits(m - 1) - 2 to 1, c2 = i - 1, j = (m - 1) >> (i + 1)
    sqr  t, jy
    sqr  t, t
    add  jy, jy, t
    ldb  DEGREE, c3
    br   !B, .next
    mul  jy, jy, jy
    mul  jy, jy, jy
    add  jy, jy, jx
.next:
    loop c3, .down
.down:
    loop c2, .double
    mul  jy, jy, jy
    mul  jy, jy, jy
    add  jy, jy, jx
    mul  t, jy, jy
    add  t, t, jy
    add  t, t, jx
    ret

; B = the point px, py of the curve has odd order.
.routine in_subgroup_var
.in px py
.out jx jy
    .assume px modp ; by contract
    .assume py modp ; by contract
    add  jx, px, a
    call half_trace_var
    br   !Z, .no
    mov  t, a
    br   !Z, .yes
    .assume jy modp ; result of half_trace_var
    mul  jx, px, jy
    add  jx, jx, px
    add  jx, jx, py             ; u^2 of the half (u, v); u^2 and u have the same trace
    call half_trace_var
    br   !Z, .no
.yes:
    setb 1
    ret
.no:
    setb 0
    ret
