"""The golden model as a transport: packets in, packets out, answers by plain mathematics, no clock."""

from __future__ import annotations

import random

from eccelerate.driver.packet import HEADER_WORDS, PacketError, Response, decode_request
from eccelerate.driver.transport import Reply
from eccelerate.model.engine import GoldenEngine
from eccelerate.model.jobs import Job, Status


class GoldenTransport:
    """Decodes packets for a GoldenEngine, with the packet-level checks of the engine's job port.

    engine: the model to run; by default one whose entropy is repeatable from `seed`.
    """

    def __init__(self, engine: GoldenEngine | None = None, *, seed: int = 1) -> None:
        self.engine = engine or GoldenEngine(entropy=random.Random(seed).getrandbits)

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet; truncated, over-long and ragged packets are answered with
        BAD_LENGTH.
        """
        try:
            request = decode_request(words)
        except PacketError:
            header = words[0] if words else 0
            response = Response(Status.BAD_LENGTH, header & 0xFF, header >> 16)
            return Reply(response.words(HEADER_WORDS))
        result = self.engine.run(
            Job(request.op, request.operands, request.flags, request.curve_id, request.width)
        )
        return Reply(Response(result.status, request.op, request.tag, result.values).words(request.width))
