; Wipes the mailbox and every register that is no curve constant: those are public and stay.
.routine wipe_all
.clobber px py qx qy
.reg r6 = 6
.reg r7 = 7
    keyv 0
    wipe 0
    wipe 1
    wipe 2
    wipe 3
    wipe 4
    wipe 5
    wipe 6
    wipe 7
    wipe 8
    wipe 9
    wipe 10
    wipe 11
    wipe 12
    wipe 13
    wipe 14
    wipe 15
    ld   px, 8
    ld   py, 8
    ld   qx, 8
    ld   qy, 8
    ld   r6, 8
    ld   r7, 8
    ret
; The trap of rnd calls this. No job of this engine has secrets or draws entropy.
.routine refuse
    ret
