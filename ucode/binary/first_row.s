; Counter of the inversion's rows: the first prefix of m - 1 is 1. in/out c3: 8, as m - 1 has 10 bits at most; bits(m - 1) - 2
.routine first_row
.lead:
    br   ODD, .found
    loop c3, .lead
.found:
    ret
