; Counters of the inversion: c3 = bits(m - 1) - 1, the number of its rows, c2 = c3 - 2. m > 4.
.routine first_row
    setc c3, 9                  ; m - 1 has 10 bits at most
    setc c2, 7
    ldx  DEGREE, c3
    br   !XZ, .lead
    setc c3, 7
    setc c2, 5
.lead:
    ldb  DEGREE, c3
    br   B, .found
    loop c2, .next
.next:
    loop c3, .lead
.found:
    ret
