"""Published test vectors as engine jobs: Wycheproof ECDH, ECDSA and XDH files, NIST and RFC response
files.
"""

from eccelerate.vectors.case import Case, Outcome, Verdict
from eccelerate.vectors.files import VectorFileError, load_cases, packaged_files
from eccelerate.vectors.runner import mark_skipped, run_cases, run_vectors
from eccelerate.vectors.sample import sample_cases
from eccelerate.vectors.summary import GroupReport, Report

__all__ = [
    "Case",
    "GroupReport",
    "Outcome",
    "Report",
    "VectorFileError",
    "Verdict",
    "load_cases",
    "mark_skipped",
    "packaged_files",
    "run_cases",
    "run_vectors",
    "sample_cases",
]
