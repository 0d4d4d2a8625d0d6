; End of jobs with a secret scalar: returns qx, qy, or infinity if Z is set. Both paths take the same number of cycles.
; Modulus 0 selected.
.routine return_multiple
.in qx qy
    setb Z
    mov  zs, zero_p
    mov  zd, zero_p
    .declassify B ; infinity is the status
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    br   B, .infinity
    jmp  .point                 ; so that both paths take the same time
.infinity:
    setb 0
    st   0, zero_p
    st   1, zero_p
    done INFINITY, 2
.point:
    st   0, qx
    st   1, qy
    done OK, 2
