"""Jobs as Python calls and their packets; knows no register, no simulator and no bus."""

from eccelerate.driver.engine import Engine, JobError, JobResult
from eccelerate.driver.packet import PacketError, Request, Response
from eccelerate.driver.pool import Pool
from eccelerate.driver.transport import Reply, StreamTransport, Transport, TransportError

__all__ = [
    "Engine",
    "JobError",
    "JobResult",
    "PacketError",
    "Pool",
    "Reply",
    "Request",
    "Response",
    "StreamTransport",
    "Transport",
    "TransportError",
]
