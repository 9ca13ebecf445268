"""How long a process has kept processors busy, whoever else was using them."""

import os
from pathlib import Path


def cpu_milliseconds(pid: int) -> float:
    """Milliseconds that all threads of a process have run so far, those that have ended too.

    Linux counts them in hundredths of a second: means over several toggles tell more than one. Elsewhere
    there is no such file, and this is not a number.
    """
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return float("nan")
    # The second field is the name of the program in brackets, and may have spaces in it.
    fields = stat.read_text("utf-8").rpartition(")")[2].split()
    user, system = int(fields[11]), int(fields[12])
    return 1000 * (user + system) / os.sysconf("SC_CLK_TCK")
