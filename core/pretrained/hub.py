"""Models from the Hugging Face hub: a description first, then the folder, whole or not at all.

Only the configuration, the tokenizer and the safetensors of a model are fetched: never a pickle, never code.
The operator of the server has to allow models in the environment, by names or by patterns:

    ATTENTION_LAB_HUB="openai-community/gpt2 HuggingFaceTB/*" make run
"""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import (  # type: ignore[attr-defined]  # HTTPError is there, but not listed
    GatedRepoError,
    HfHubHTTPError,
    HTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from tqdm import tqdm

from core.pretrained import FolderError, family_of
from core.pretrained.fetched import FOLDER
from core.pretrained.library import FolderSummary, found_folders
from core.pretrained.target import GENERATION
from core.pretrained.tokenizer import MORE_ROLES, ROLES, TOKENIZER
from core.pretrained.weights import INDEX, WEIGHTS, read_json
from core.store import free_memory

ALLOWED = "ATTENTION_LAB_HUB"
"""Environment variable with the names that may be fetched; if empty, nothing may."""

NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*|\w[\w.-]*", re.ASCII)
SHARD = re.compile(r"model-\d+-of-\d+\.safetensors", re.ASCII)
CONFIG, BESIDE = "config.json", (TOKENIZER, ROLES, MORE_ROLES, GENERATION)

HALF = 2
"""Least number of bytes per number in a folder; it bounds the numbers of a model by its size."""

ENDPOINT: str | None = None
"""The address of the hub; None for the public one."""

Progress = Callable[[int, int], None]
"""Callback with the bytes fetched so far and the bytes in all."""


class HubError(FolderError):
    """A model that the hub does not give; the text tells the reader why."""


@dataclass(frozen=True)
class HubModel:
    """A model of the hub: its `files` by name, each with its size in bytes, at one `revision`."""

    name: str
    revision: str
    files: Mapping[str, int]
    about: FolderSummary

    @property
    def size(self) -> int:
        return sum(self.files.values())


def is_on() -> bool:
    """Return whether anything may be fetched at all."""
    return bool(_allowed())


def folder_of(name: str) -> Path:
    """Return the folder of a fetched model of this name."""
    return FOLDER.parent / name.replace("/", "--")


def find(name: str) -> HubModel:
    """Return a model of the hub, of which only the configuration is fetched; raises HubError."""
    _check_name(name)
    with _sentences(name), tempfile.TemporaryDirectory() as place:
        info = HfApi(endpoint=ENDPOINT, token=False).model_info(name, files_metadata=True)
        files = _wanted(name, {file.rfilename: file.size or 0 for file in info.siblings or ()})
        config = _download(name, CONFIG, info.sha, Path(place), lambda n: None)
        family = family_of(read_json(config))
    on_disk = sum(size for file, size in files.items() if file.endswith(".safetensors"))
    counted = getattr(info.safetensors, "total", None) or on_disk // HALF
    about = FolderSummary(family.title, counted, on_disk)
    _check_room(name, about.in_memory, free_memory(), "of memory")
    return HubModel(name, str(info.sha), files, about)


def fetch(found: HubModel, progress: Progress = lambda n, total: None) -> Path:
    """Return the folder of a model, which is fetched whole if missing; raises HubError."""
    folder = folder_of(found.name)
    if folder.is_dir():
        return folder
    _check_name(found.name)
    received = 0

    def report(more: int) -> None:
        nonlocal received
        received += more
        progress(min(received, found.size), found.size)

    with _sentences(found.name):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _check_room(found.name, found.size, shutil.disk_usage(folder.parent).free, "on disk")
        with tempfile.TemporaryDirectory(dir=folder.parent) as place:
            parts = Path(place) / "parts"
            parts.mkdir()
            for file, size in found.files.items():
                path = _download(found.name, file, found.revision, Path(place), report)
                if (n := path.stat().st_size) != size:
                    raise HubError(f"{file} of {found.name} came with {n} bytes, not {size}.")
                path.replace(parts / file)
            parts.replace(folder)
            found_folders.cache_clear()
    progress(found.size, found.size)
    return folder


def _allowed() -> list[str]:
    return os.environ.get(ALLOWED, "").split()


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or ".." in name:
        raise HubError(f"{name!r} is not the name of a model on the hub, such as openai-community/gpt2.")
    if not any(fnmatchcase(name, pattern) for pattern in _allowed()):
        raise HubError(f"This server does not fetch {name}: its operator allows names in {ALLOWED}.")


def _wanted(name: str, files: Mapping[str, int]) -> dict[str, int]:
    if CONFIG not in files:
        raise HubError(f"{name} cannot be read here: it has no {CONFIG}.")
    weights = [WEIGHTS] if WEIGHTS in files else [INDEX, *filter(SHARD.fullmatch, files)]
    if not all(file in files for file in weights):
        raise HubError(f"{name} has no safetensors. Other files of weights can run code and are not opened.")
    return {file: files[file] for file in (CONFIG, *BESIDE, *weights) if file in files}


def _check_room(name: str, needs: int, free: int | None, where: str) -> None:
    if free is not None and needs > free:
        sizes = f"{needs / 1e9:.1f} GB {where}, and {free / 1e9:.1f} GB is free"
        raise HubError(f"{name} is too large for this server: it needs {sizes}.")


def _download(name: str, file: str, revision: str | None, place: Path, report: Callable[[int], None]) -> Path:
    """Fetch one file, without a token."""
    path = hf_hub_download(
        name,
        file,
        revision=revision,
        local_dir=place,
        token=False,
        endpoint=ENDPOINT,
        tqdm_class=_reporting(report),
    )
    return Path(path)


def _reporting(report: Callable[[int], None]) -> "type[tqdm[Any]]":
    """Return a progress bar class that draws nothing and reports the bytes fetched."""

    class Reporting(tqdm):  # type: ignore[type-arg]  # which only its stubs have
        def __init__(self, *args: Any, **given: Any) -> None:
            given.pop("name", None)
            super().__init__(*args, **(given | {"disable": True}))

        def update(self, n: float | None = 1) -> bool | None:
            report(int(n or 0))
            return None

    return Reporting


@contextmanager
def _sentences(name: str) -> Iterator[None]:
    """Turn errors of the hub into sentences."""
    try:
        yield
    except GatedRepoError as error:
        raise HubError(f"Only users whom its authors have approved can fetch {name}.") from error
    except RepositoryNotFoundError as error:
        raise HubError(f"The hub has no public model called {name}.") from error
    except (OfflineModeIsEnabled, LocalEntryNotFoundError) as error:
        raise HubError("The hub cannot be reached: this server may have no network.") from error
    except HfHubHTTPError as error:
        raise HubError(f"The hub does not send {name}: it answers {error.response.status_code}.") from error
    except (HTTPError, ConnectionError, TimeoutError) as error:
        raise HubError("The hub cannot be reached: this server may have no network.") from error
    except HubError:
        raise
    except OSError as error:
        raise HubError(f"{name} cannot be saved on this server: {error.strerror}.") from error
    except FolderError as error:
        raise HubError(f"{name} cannot be read here: {error}.") from error
