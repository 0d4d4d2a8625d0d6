; Control: every kind of branch, nested calls to the full depth, loops that run count + 1 times, job flags.
.global_reg one = 4
.global_reg trail = 5
.global_reg depth = 6
.const STEPS = 3*2
.slot ONE = 9
.entry SELF_TEST start
start:
    chk 0
    put1 ONE
    ld one, ONE
    keyv 1
    isub trail, trail, trail
    br KEY, .key
    done BAD_OP, 0
.key:
    br !FKEY, .nokey
    call bump
.nokey:
    br F3, .flag3
    call bump
.flag3:
    br MONT, .wrong
    br AM3, .wrong
    br !LOADED, .wrong
    setc c3, STEPS-1
.lp:
    call bump
    loop c3, .lp
    isub depth, depth, depth
    br !Z, .wrong
    br C, .wrong
    setb 1
    br !B, .wrong
    call l1
    keyv 0
    br KEY, .wrong
    done NO_KEY, 0
.wrong:
    done SELF_TEST_FAILED, 0

.routine bump
.out trail
    iadd trail, trail, one
    ret
.routine l1
    iadd depth, depth, one
    call l2
    ret
.routine l2
    iadd depth, depth, one
    call l3
    ret
.routine l3
    iadd depth, depth, one
    call l4
    ret
.routine l4
    iadd depth, depth, one
    ret
