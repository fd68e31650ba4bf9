"""What this process weighs."""

from __future__ import annotations

import resource
import sys


def peak() -> int:
    """The most memory that this process has held so far, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
