"""A model of the hub is described before it is fetched, and fetched whole or not at all where allowed."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
import torch

from core.pretrained import hub, read
from core.pretrained.hub import ALLOWED, HubError, fetch, find, folder_of, is_on
from tests.core.pretrained.folders import CASES, saved, tokens_of
from tests.full_disk import full_disk

NAME, REVISION = "people/tiny", "c0ffee" + 34 * "0"
PICKLE = "pytorch_model.bin"


class Hub:
    """A hub with one model, on this machine; `asked` are the paths that were asked for, and by whom."""

    def __init__(self, folder: Path) -> None:
        self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.files |= {PICKLE: b"code", "modeling_tiny.py": b"code", "README.md": b"words"}
        self.status = 200
        self.headers: dict[str, str] = {}
        self.asked: list[str] = []
        self.tokens: list[str] = []
        self.cut: str | None = None
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        # Asked ten milliseconds after the last test, not half a second, it ends.
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path: str) -> bytes | None:
        if path == f"/api/models/{NAME}":
            siblings = [
                {"rfilename": name, "size": len(content) + (name == self.cut)}
                for name, content in self.files.items()
            ]
            said = {"id": NAME, "sha": REVISION, "siblings": siblings, "private": False, "tags": []}
            return json.dumps(said).encode()
        place, _, file = path.rpartition("/")
        return self.files.get(file) if place == f"/{NAME}/resolve/{REVISION}" else None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(body=True)

            def do_HEAD(self) -> None:
                self._answer(body=False)

            def log_message(self, *said: object) -> None:
                """The console of the tests stays as it is."""

            def _answer(self, *, body: bool) -> None:
                path = unquote(urlsplit(self.path).path)
                hub.asked.append(path)
                hub.tokens += [self.headers["authorization"]] if "authorization" in self.headers else []
                content = hub.answer(path)
                status = 404 if content is None and hub.status == 200 else hub.status
                content = b"" if content is None or status != 200 else content
                self.send_response(status)
                for name, value in {
                    "ETag": f'"{len(content)}"',
                    "X-Repo-Commit": REVISION,
                    "Content-Length": str(len(content)),
                    **hub.headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                if body:
                    self.wfile.write(content)

        return Handler


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    saved(CASES["gpt2"], folder)
    return folder


@pytest.fixture
def served(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(hub, "FOLDER", tmp_path / "models" / "minilm")
    monkeypatch.setenv(ALLOWED, "people/*")
    monkeypatch.setenv("HF_TOKEN", "a secret")
    one = Hub(tiny)
    yield one
    one.server.shutdown()
    one.server.server_close()


def test_what_a_model_is_is_said_before_any_of_its_weights_are_fetched(served: Hub) -> None:
    found = find(NAME, endpoint=served.endpoint)
    weights = len(served.files["model.safetensors"])
    assert (found.name, found.revision, found.about.family) == (NAME, REVISION, "GPT-2")
    assert found.about.on_disk == weights
    assert found.about.in_memory >= sum(4 * p.numel() for p in CASES["gpt2"].build().parameters())
    said = ("config.json", "generation_config.json")
    assert found.size == weights + sum(len(served.files[name]) for name in said)
    assert not any("safetensors" in path for path in served.asked)


@torch.inference_mode()
def test_what_is_fetched_is_the_model_nothing_else_and_not_fetched_again(served: Hub) -> None:
    told: list[tuple[int, int]] = []
    found = find(NAME, endpoint=served.endpoint)
    folder = fetch(found, lambda n, total: told.append((n, total)), endpoint=served.endpoint)
    tokens = tokens_of(7, seed=1)
    expected = CASES["gpt2"].build()(tokens).logits
    torch.testing.assert_close(read(folder).model(tokens), expected, rtol=1e-5, atol=1e-5)
    assert served.tokens == [], "nobody is told who asks"

    come = [n for n, _ in told]
    assert come == sorted(come)
    assert 0 < come[0] < found.size
    assert told[-1] == (found.size, found.size)

    served.asked.clear()
    assert fetch(found, endpoint=served.endpoint) == folder == folder_of(NAME)
    assert served.asked == []


def test_nothing_but_configuration_tokenizer_and_safetensors_is_fetched(served: Hub) -> None:
    served.files |= {"tokenizer.json": b"{}", "generation_config.json": b"{}"}
    served.files |= {"tokenizer_config.json": b"{}", "special_tokens_map.json": b"{}"}
    folder = fetch(find(NAME, endpoint=served.endpoint), endpoint=served.endpoint)
    assert {path.name for path in folder.iterdir()} == {
        *("config.json", "generation_config.json", "model.safetensors", "tokenizer.json"),
        *("tokenizer_config.json", "special_tokens_map.json"),
    }
    assert not any(PICKLE in path or path.endswith(".py") for path in served.asked)
    assert [path.name for path in folder.parent.iterdir()] == ["people--tiny"]


def test_several_files_of_weights_are_fetched_with_their_list(served: Hub) -> None:
    whole = served.files.pop("model.safetensors")
    shards = {f"model-0000{at}-of-00002.safetensors": whole for at in (1, 2)}
    served.files |= shards | {"model.safetensors.index.json": b"{}", "other.safetensors": whole}
    found = find(NAME, endpoint=served.endpoint)
    said = {"config.json", "generation_config.json", "model.safetensors.index.json"}
    assert set(found.files) == {*said, *shards}
    assert found.about.on_disk == 2 * len(whole)


def test_a_model_with_pickles_only_is_refused(served: Hub) -> None:
    del served.files["model.safetensors"]
    with pytest.raises(HubError, match=r"people/tiny has no safetensors, and nothing else is opened here"):
        find(NAME, endpoint=served.endpoint)


def test_a_family_that_is_not_known_is_named_with_those_that_are(served: Hub) -> None:
    served.files["config.json"] = b'{"model_type": "mamba"}'
    with pytest.raises(HubError, match=r"people/tiny cannot be read here: .*one of gpt2, bert.*got 'mamba'"):
        find(NAME, endpoint=served.endpoint)


def test_a_model_without_a_configuration_is_refused(served: Hub) -> None:
    del served.files["config.json"]
    with pytest.raises(HubError, match=r"lacks a file .* config\.json"):
        find(NAME, endpoint=served.endpoint)


@pytest.mark.parametrize(("free", "enough"), [(None, True), (10**9, True), (1000, False)])
def test_a_model_that_needs_more_memory_than_is_free_is_refused_before_it_is_fetched(
    free: int | None, enough: bool, served: Hub
) -> None:
    if enough:
        assert find(NAME, free=lambda: free, endpoint=served.endpoint).name == NAME
        return
    with pytest.raises(HubError, match=r"too large for this server: it needs 0\.0 GB of memory"):
        find(NAME, free=lambda: free, endpoint=served.endpoint)


def test_a_file_that_comes_short_leaves_nothing_behind(served: Hub) -> None:
    served.cut = "model.safetensors"
    found = find(NAME, endpoint=served.endpoint)
    with pytest.raises(HubError, match=r"model\.safetensors of people/tiny came with \d+ bytes, not \d+"):
        fetch(found, endpoint=served.endpoint)
    assert list(folder_of(NAME).parent.iterdir()) == []


@pytest.mark.parametrize(("missing", "enough"), [(0, True), (1, False)])
def test_a_model_that_needs_more_disk_than_is_free_is_refused_before_its_weights_are_fetched(
    missing: int, enough: bool, served: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find(NAME, endpoint=served.endpoint)
    served.asked.clear()
    asked: list[Path] = []

    def disk_usage(place: Path) -> SimpleNamespace:
        asked.append(place)
        return SimpleNamespace(free=found.size - missing)

    monkeypatch.setattr(hub, "shutil", SimpleNamespace(disk_usage=disk_usage))
    if enough:
        assert fetch(found, endpoint=served.endpoint).is_dir()
    else:
        with pytest.raises(
            HubError, match=r"people/tiny is too large for this server: it needs 0\.0 GB on disk"
        ):
            fetch(found, endpoint=served.endpoint)
        assert served.asked == []
        assert list(folder_of(NAME).parent.iterdir()) == []
    assert asked == [folder_of(NAME).parent], "the disk where it is to lie"


def test_a_full_disk_is_one_sentence_and_leaves_nothing_behind(served: Hub) -> None:
    found = find(NAME, endpoint=served.endpoint)
    with (
        full_disk(),
        pytest.raises(HubError, match="cannot be kept: the disk of this server says"),
    ):
        fetch(found, endpoint=served.endpoint)
    assert list(folder_of(NAME).parent.iterdir()) == []
    assert fetch(found, endpoint=served.endpoint).is_dir()


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (401, {"X-Error-Code": "RepoNotFound"}, "The hub has no model called people/tiny"),
        (403, {"X-Error-Code": "GatedRepo"}, "only for those whom its authors have let in"),
        (500, {}, "The hub does not give people/tiny: it answers 500"),
    ],
)
def test_what_the_hub_refuses_is_one_sentence(
    status: int, headers: dict[str, str], sentence: str, served: Hub
) -> None:
    served.status, served.headers = status, headers
    with pytest.raises(HubError, match=sentence):
        find(NAME, endpoint=served.endpoint)


def test_without_a_network_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "*")
    with pytest.raises(HubError, match=r"^The hub cannot be reached: this server may have no network\.$"):
        find(NAME, endpoint="http://127.0.0.1:9")


@pytest.mark.parametrize("allowed", ["", "people/other", "other/*", "tiny"])
def test_a_name_that_is_not_allowed_is_asked_of_nobody(
    allowed: str, served: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED, allowed)
    with pytest.raises(HubError, match="This server does not fetch people/tiny"):
        find(NAME, endpoint=served.endpoint)
    assert served.asked == []


@pytest.mark.parametrize(
    "name", ["", "../up", "a/b/c", "a..b/c", "https://x/y", "people/<b>", ".hidden", "a/.."]
)
def test_what_is_no_name_is_asked_of_nobody(name: str, served: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "*")
    with pytest.raises(HubError, match="is no name of a model on the hub"):
        find(name, endpoint=served.endpoint)
    assert served.asked == []


def test_the_hub_is_off_unless_somebody_turns_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOWED, raising=False)
    assert not is_on()
    monkeypatch.setenv(ALLOWED, "people/* gpt2")
    assert is_on()
