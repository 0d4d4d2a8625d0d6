; After a signature, modulus n selected: share and mask are those of the key, or of the operand d. Others, because they have not
; been loaded or have been replaced, would fit themselves. The job ends with FAULT.
.macro verify_key
    call check_key
.endmacro
.routine check_key
.in share mask
.reg t, u
    br   FKEY, .stored
    ld   t, 1
    .secret t
    .assume t modn ; check_private has accepted it
    sub  t, t, share
    isub t, t, mask
    jmp  .compare
.stored:
    ld   t, KEY
    .assume t modn ; as store_key left it
    sub  t, t, share            ; 0, or - KEY_MASK if share is the whole key
    ld   u, KEY_MASK
    .assume u modn ; as store_key left it
    sub  u, mask, u
    isub t, t, u
.compare:
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    isub t, zero, zero
    isub u, zero, zero
    ret
