"""Install the newest release in place, or go back to the former one: `python -m deploy.upgrade`.

Git brings the release. A file of requirements that changed is installed, the installation is checked, and the
processes of `make serve` are replaced while they serve. If a step fails, the former release comes back.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from deploy.health import is_supervised

ROOT = Path(__file__).parents[1]

FORMER = "refs/attention-lab/former"
"""The reference of git that keeps the commit before the last upgrade."""

RELEASE = re.compile(r"v\d+(\.\d+)*")
"""A tag of a release; a tag with a suffix is a pre-release."""

OF_MACHINE = {"Port", "Memory", "Disk", "Phones"}
"""Checks of the doctor that tell nothing about a release."""

READ_AT_START = (
    "deploy/nginx",
    "deploy/supervisor/supervisord.conf",
    "deploy/serve.py",
    "deploy/settings.py",
)
"""Files that `make serve` reads only when it starts."""

NO_GIT = (
    "An upgrade needs git and a clone of the repository. Without them, copy the new release over this folder."
)
CHANGED = (
    "Nothing is upgraded, because files of the app were changed here. Stash or undo these changes first.\n{}"
)
NO_FORMER = "No former release is known here: name one with --to, or TO= of make."
NO_RELEASE = "No release and no branch to follow is known here: name one with --to, or TO= of make."
UNKNOWN = "There is no release, branch or commit {}, even after git has fetched all."
THERE = "{} is here already: nothing to do."
BACK = "{}.\nThe upgrade was undone: {} is installed again."
NOT_BACK = "{}.\nGoing back to {} failed too, at: {}. Repair this by hand, then try again."
DONE = "Now at {}, before at {}. To go back: make downgrade, or python -m deploy.upgrade --back"
START_AGAIN = "No `make serve` runs in this folder: restart the app if it was started in another way."
SERVE_AGAIN = "`make serve` itself has changed: stop it and start it again when nobody uses it."


class UpgradeError(Exception):
    """A step that failed, in words."""


class Upgrade:
    """One upgrade of the clone in `folder`."""

    def __init__(self, folder: Path, *, torch: str = "") -> None:
        self._folder = folder
        self._torch = torch

    def run(self, to: str = "", *, back: bool = False) -> str:
        """Install a release, and return a sentence that names it.

        Raises UpgradeError if a step fails; the release that was here before is then installed again.
        """
        before = self._here()
        target = self._former() if back else self._target(to)
        if self._commit(target) == before:
            return THERE.format(self._name(target))
        bad = self._bad()
        restarted: list[str] = []
        try:
            self._take(target, before)
            self._check(bad)
            self._restart(restarted)
        except (UpgradeError, KeyboardInterrupt) as error:
            self._undo(str(error) or "It was interrupted", before, self._commit(target), restarted)
        self._git("update-ref", FORMER, before)
        said = [DONE.format(self._name("HEAD"), self._name(before))]
        if not restarted:
            said.append(START_AGAIN)
        elif self._differs(before, "HEAD", *READ_AT_START):
            said.append(SERVE_AGAIN)
        return "\n".join(said)

    def _here(self) -> str:
        """Return the checked-out commit. Raises UpgradeError if files differ from it."""
        try:
            top = self._git("rev-parse", "--show-toplevel")
        except (OSError, UpgradeError):
            raise UpgradeError(NO_GIT) from None
        if Path(top).resolve() != self._folder.resolve():
            raise UpgradeError(NO_GIT)
        if changed := self._git("status", "--porcelain", "--untracked-files=no"):
            raise UpgradeError(CHANGED.format(changed))
        return self._commit("HEAD")

    def _former(self) -> str:
        if not self._commit(FORMER):
            raise UpgradeError(NO_FORMER)
        return FORMER

    def _target(self, to: str) -> str:
        """Return the reference to upgrade to: the one named, the newest release, or the branch."""
        try:
            self._git("fetch", "--quiet", "--tags", "origin")
        except UpgradeError as error:
            if not to or not self._commit(to):
                raise UpgradeError(f"Nothing was upgraded. {error}") from None
        if to:
            found = next((name for name in (f"origin/{to}", to) if self._commit(name)), "")
            if not found:
                raise UpgradeError(UNKNOWN.format(to))
            return found
        tags = self._git("tag", "--sort=-version:refname").splitlines()
        releases = [tag for tag in tags if RELEASE.fullmatch(tag)]
        if releases:
            included = self._ran(["git", "merge-base", "--is-ancestor", releases[0], "HEAD"])
            return releases[0] if included.returncode else "HEAD"
        branch = next((name for name in ("@{upstream}", "origin/HEAD") if self._commit(name)), "")
        if not branch:
            raise UpgradeError(NO_RELEASE)
        return branch

    def _take(self, target: str, before: str) -> None:
        """Check a commit out, and install the requirements that differ from those of `before`."""
        print(f"Installing {self._name(target)}.", flush=True)
        self._git("checkout", "--quiet", "--detach", target)
        if self._differs(before, "HEAD", "requirements.txt"):
            option = ["--torch", self._torch] if self._torch else []
            self._python("attention_lab", "install", *option)
        if find_spec("supervisor") and self._differs(before, "HEAD", "requirements-serve.txt"):
            self._python("pip", "install", "--disable-pip-version-check", "-r", "requirements-serve.txt")

    def _check(self, bad: Sequence[str]) -> None:
        """Raise UpgradeError if the app cannot be loaded, or if something is bad that was not before."""
        print("Checking it.", flush=True)
        loaded = self._ran([sys.executable, "-c", "import app"])
        if loaded.returncode:
            raise UpgradeError(f"The app cannot be loaded: {_reason(loaded)}")
        if worse := [line for line in self._bad() if line.split()[1] not in {one.split()[1] for one in bad}]:
            raise UpgradeError("The check of the installation says:\n" + "\n".join(worse))

    def _bad(self) -> list[str]:
        """Return the lines of the doctor that are bad, but for those about the machine."""
        done = self._ran([sys.executable, "-m", "attention_lab", "doctor"])
        lines = [line for line in done.stdout.splitlines() if line.startswith("bad ")]
        if done.returncode and not lines:
            return [f"bad   doctor {_reason(done)}"]
        return [line for line in lines if line.split()[1] not in OF_MACHINE]

    def _restart(self, restarted: list[str]) -> None:
        """Replace the processes of each server that runs here, and add its port to `restarted`."""
        for port in self._serving():
            print(f"Replacing the processes behind port {port}.", flush=True)
            restarted.append(port)
            try:
                self._python("deploy.supervisor.restart", "--port", port)
            except UpgradeError:
                restarted.remove(port)  # its former processes go on
                raise

    def _serving(self) -> list[str]:
        """Return the ports of the servers of this folder that run."""
        return [path.name for path in sorted((self._folder / ".serve").glob("*")) if is_supervised(path)]

    def _undo(self, reason: str, before: str, target: str, restarted: Sequence[str]) -> None:
        """Go back to `before`, and raise UpgradeError with the reason."""
        name = self._name(before)
        print(f"A step failed: going back to {name}.", file=sys.stderr, flush=True)
        try:
            self._take(before, target)
            for port in restarted:
                self._python("deploy.supervisor.restart", "--port", port)
        except (UpgradeError, KeyboardInterrupt) as error:
            raise UpgradeError(NOT_BACK.format(reason, name, error or "interrupted")) from None
        raise UpgradeError(BACK.format(reason, name))

    def _commit(self, name: str) -> str:
        """Return the commit of a reference; empty if there is none."""
        try:
            return self._git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except UpgradeError:
            return ""

    def _name(self, commit: str) -> str:
        """Return the tag of a commit, or its first digits."""
        return self._git("describe", "--tags", "--always", commit)

    def _differs(self, one: str, other: str, *paths: str) -> bool:
        return bool(self._git("diff", "--name-only", one, other, "--", *paths))

    def _git(self, *words: str) -> str:
        """Return the output of git. Raises UpgradeError with its last line if it fails."""
        done = self._ran(["git", *words])
        if done.returncode:
            raise UpgradeError(f"git {words[0]} failed: {_reason(done)}")
        return done.stdout.strip()

    def _python(self, module: str, *words: str) -> None:
        """Run a module of the release that is here, and show its output. Raises UpgradeError if it fails."""
        command = [sys.executable, "-m", module, *words]
        if subprocess.run(command, cwd=self._folder, check=False).returncode:
            raise UpgradeError(f"`{' '.join(['python', *command[1:]])}` failed, as said above")

    def _ran(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)


def _reason(done: "subprocess.CompletedProcess[str]") -> str:
    """Return the line of the output that gives the reason: git marks it, and Python's is the last."""
    lines = (done.stderr or done.stdout).strip().splitlines() or [f"status {done.returncode}"]
    return next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[-1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Upgrade, and end with status 1 and a sentence if a step fails."""
    parser = argparse.ArgumentParser(prog="python -m deploy.upgrade", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--to", default="", help="a release such as v1.0.0, a branch or a commit")
    which.add_argument("--back", action="store_true", help="go back to the release before the last upgrade")
    parser.add_argument(
        "--torch", choices=("cpu", "cuda", ""), default="", help="build of PyTorch to install"
    )
    asked = parser.parse_args(arguments)
    try:
        print(Upgrade(ROOT, torch=asked.torch).run(asked.to, back=asked.back))
    except UpgradeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
