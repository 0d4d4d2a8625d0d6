; Montgomery product modulo n as a routine, where its time does not count: k = k sx / R mod n, 0 <= k < n if k sx < n R.
.routine mont
.in k sx
.out k
.reg mm
    mont_n k, k, sx
    ret
