"""Runs a program within limits: `python launch.py MEMORY CPU_SECONDS PROGRAM [ARGUMENT ...]`, 0 for no limit.

It is run by its file name in a process of its own, needs nothing of Tengen, and becomes the program. (Limits set
between fork and exec, the usual way, may hang a parent that has threads.)
"""

from __future__ import annotations

import os
import resource
import sys


def main() -> None:
    """Sets the limits, then turns into the program."""
    memory, seconds, *command = sys.argv[1:]
    for kind, limit in ((resource.RLIMIT_CPU, int(seconds)), (resource.RLIMIT_AS, int(memory))):
        if limit:
            resource.setrlimit(kind, (limit, limit))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
