"""What each engine status means to the caller, and what to do about it."""

from __future__ import annotations

from eccelerate.model.jobs import Status

ADVICE: dict[Status, str] = {
    Status.OK: "the job succeeded",
    Status.INFINITY: "the result is the point at infinity: the scalar is a multiple of the point's order",
    Status.BAD_SIGNATURE: "the signature does not verify for this hash and key",
    Status.BAD_OP: "unknown operation or flag: check the operation code, clear reserved flags",
    Status.BAD_LENGTH: "wrong number of operands, or elements of the wrong width: use the element words of "
    "the loaded curve, and reload the curve if another one was loaded since",
    Status.BAD_CURVE: "no curve is loaded under this id: call load_curve first (a reset unloads it)",
    Status.NOT_ON_CURVE: "the point does not satisfy the curve equation: check that it belongs to this curve",
    Status.COORD_RANGE: "a coordinate or field operand is not below its modulus: reduce it first",
    Status.SCALAR_RANGE: "scalar out of range: keys and nonces need 1..n-1, other scalars 0..2^bits(N)-1",
    Status.BAD_MODULUS: "this curve is refused: p and n must be prime, a polynomial irreducible, the "
    "curve not singular, N near p, the constants consistent",
    Status.NO_KEY: "the key slot is empty: call key_load or keygen first (reset and zeroise clear it)",
    Status.KEY_REFUSED: "the key in the slot is not for this job: let a signature draw its nonce (leave "
    "out k), or load the key with sign, agree and host_nonce as needed",
    Status.EXCEPTIONAL: "the ladder met a point of small order: use a point of order n",
    Status.NO_ENTROPY: "the entropy source gave nothing: connect or seed it, then send the job again",
    Status.SELF_TEST_FAILED: "the self-test failed: do not use this engine",
    Status.ZEROISED: "the job was ended by the zeroise input: load the key again and send the job again",
    Status.ENGINE_FAULT: "the engine that had the job was reset: send it again, and load the curve again to "
    "bring that engine back",
    Status.ENTROPY_FAILED: "the entropy source failed its health tests: repair it, then reset or zeroise "
    "the engine",
    Status.TIMEOUT: "the watchdog ended the job, and the key is wiped: report a defect, run the self-test, "
    "load curve and key again",
    Status.FAULT: "the engine found that it computed wrongly, and wiped key and curve: load them and send "
    "the job again; look for the cause if this comes back",
    Status.RETRY: "this nonce gives r = 0 or s = 0: sign again with another nonce",
}


def status_name(status: int) -> str:
    """The name of a status code, or its hexadecimal value when the catalogue has none."""
    try:
        return Status(status).name
    except ValueError:
        return f"UNKNOWN_{status:#04x}"


def advice(status: int) -> str:
    """One sentence for the user about `status`."""
    try:
        return ADVICE[Status(status)]
    except (KeyError, ValueError):
        return (
            "the engine answered with a status this driver does not know: the two are of different versions"
        )
