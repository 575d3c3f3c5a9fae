"""Programs in Numba's CUDA simulator.

Each has a process of its own: whether CUDA is simulated is settled when Numba is imported.
"""

import os
import subprocess
import sys
from textwrap import dedent

# The simulator looks at the threads of a block over and over, and they get to run only when Python takes its
# lock from the one that looks: nine tenths of the time went into looking. Now it lets go after every look.
_GENTLY = dedent("""
    import time
    from threading import Thread
    from numba.cuda.simulator.kernel import BlockThread

    def is_alive(thread):
        time.sleep(0)
        return Thread.is_alive(thread)

    BlockThread.is_alive = is_alive
""")


def simulate_gpu(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds a simulated GPU."""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    return subprocess.run(
        [sys.executable, "-c", _GENTLY + dedent(program)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
