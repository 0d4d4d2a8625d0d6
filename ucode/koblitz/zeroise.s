; As shared/zeroise.s, and restores the modulus n: the job that was ended may have had another modulus in its register.
.entry ZEROISE_INPUT zeroise_input
.entry ZEROISE job_zeroise
.macro wipe_and_restore
    call wipe_all
    mod  1
    .assume lifted int ; of the curve, if there is one
    .assume lift int ; likewise
    isub n, lifted, lift
.endmacro
.routine zeroise_input
    wipe_and_restore
    done ZEROISED, 0
job_zeroise:
    chk  0
    wipe_and_restore
    done OK, 0
