; The engine has found that a value is not what it must be: an error in the hardware, by chance or on purpose. Nothing that
; could tell more about it leaves the engine, and nothing that the error may have changed is used again: key and curve have to
; be loaded anew.
.routine fault
    call wipe_all
    loaded 0
    done FAULT, 0
