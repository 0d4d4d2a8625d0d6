; The engine found that it computed wrongly: nothing leaves, key and curve count as lost.
.routine fault
    call wipe_all
    loaded 0
    done FAULT, 0
