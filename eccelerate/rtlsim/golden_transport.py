"""The golden model as a transport: it answers packets by plain mathematics and has no clock."""

from __future__ import annotations

import random

from eccelerate.driver.packet import HEADER_WORDS, PacketError, Response, decode_request
from eccelerate.driver.transport import Reply
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import JobRequest, JobResponse, Status


class GoldenTransport:
    """Decodes packets for a GoldenEngine, with the packet-level checks of the engine's job port.

    engine: the model to run; by default one whose entropy is repeatable from `seed`, word for word that of
    the instruction-set simulator.
    """

    def __init__(self, engine: GoldenEngine | None = None, *, seed: int = 1) -> None:
        self.engine = engine or GoldenEngine(entropy=random.Random(seed).getrandbits)

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet of at least one word, which may be malformed."""
        header = words[1] if len(words) > 1 else 0
        width = header >> 24
        result = self._run(words, header)
        response = Response(result.status, words[0] & 0xFF, words[0] >> 16, result.values)
        return Reply(response.words(width or HEADER_WORDS))

    def _run(self, words: list[int], header: int) -> JobResponse:
        # The port checks word 1 when it arrives: it must announce operands exactly if the packet continues.
        count = header & 0xFFFF
        if len(words) < HEADER_WORDS or (count == 0) != (len(words) == HEADER_WORDS) or count > 0xFF:
            return JobResponse(Status.BAD_LENGTH)
        try:
            request = decode_request(words)
            whole, operands = True, request.operands
        except PacketError:
            whole, operands = False, ()
        op, curve_id, flags = words[0] & 0xFF, words[0] >> 8 & 0xFF, header >> 16 & 0xFF
        return self.engine.run(JobRequest(op, operands, flags, curve_id, header >> 24, whole))
