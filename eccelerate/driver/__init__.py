"""Jobs as Python calls and their packets; knows no register, no simulator and no bus."""

from eccelerate.driver.engine import Engine, Job, JobError
from eccelerate.driver.packet import PacketError, Request, Response
from eccelerate.driver.transport import Reply, StreamTransport, Transport, TransportError

__all__ = [
    "Engine",
    "Job",
    "JobError",
    "PacketError",
    "Reply",
    "Request",
    "Response",
    "StreamTransport",
    "Transport",
    "TransportError",
]
