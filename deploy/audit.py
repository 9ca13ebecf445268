"""Check all installed packages for known vulnerabilities: `python -m deploy.audit` asks a public service.

It needs a network, so it is not part of the tests. If it cannot ask about every package, it fails: an
incomplete audit says nothing.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from deploy.dependencies import APP, SERVE, brought_along, pinned

NOT_AUDITED = 2

UNREACHABLE = ("could not be audited", "ConnectionError", "Max retries exceeded", "Temporary failure")
SAYS_UNREACHABLE = (
    "Not audited: the vulnerability service did not answer for every package. "
    "Try again with a network that reaches it."
)


def main() -> int:
    """Print the known vulnerabilities; return 0 if there are none, 1 if there are some, 2 if unaudited."""
    names = [*pinned(APP), *pinned(SERVE)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text("".join(f"{name}=={version}\n" for name, version in brought_along(names).items()))
        ran = subprocess.run(command(file), capture_output=True, text=True, check=False)
    print(ran.stdout, end="")
    if ran.returncode and any(sign in ran.stderr for sign in UNREACHABLE):
        print(SAYS_UNREACHABLE, file=sys.stderr)
        return NOT_AUDITED
    print(ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else "", file=sys.stderr)
    return ran.returncode


def command(file: Path) -> list[str]:
    """Return the command that asks about every line of a file, and nothing else."""
    options = ("--strict", "--no-deps", "--disable-pip", "--progress-spinner=off", "--timeout=20")
    return [sys.executable, "-m", "pip_audit", *options, f"--requirement={file}"]


if __name__ == "__main__":
    sys.exit(main())
