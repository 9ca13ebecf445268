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
from tests.core.pretrained.folders import CASES, tokens_of, written
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
    written("gpt2", folder)
    return folder


@pytest.fixture
def served(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(hub, "FOLDER", tmp_path / "models" / "minilm")
    monkeypatch.setenv(ALLOWED, "people/*")
    monkeypatch.setenv("HF_TOKEN", "a secret")
    one = Hub(tiny)
    monkeypatch.setattr(hub, "ENDPOINT", one.endpoint)
    yield one
    one.server.shutdown()
    one.server.server_close()


def test_a_model_is_described_before_its_weights_are_fetched(served: Hub) -> None:
    found = find(NAME)
    weights = len(served.files["model.safetensors"])
    assert (found.name, found.revision, found.about.family) == (NAME, REVISION, "GPT-2")
    assert found.about.on_disk == weights
    assert found.about.in_memory >= sum(4 * p.numel() for p in CASES["gpt2"].build().parameters())
    said = ("config.json", "generation_config.json")
    assert found.size == weights + sum(len(served.files[name]) for name in said)
    assert not any("safetensors" in path for path in served.asked)


@torch.inference_mode()
def test_nothing_but_configuration_tokenizer_and_safetensors_is_fetched_and_only_once(served: Hub) -> None:
    told: list[tuple[int, int]] = []
    small = ("tokenizer_config.json", "generation_config.json", "special_tokens_map.json")
    served.files |= dict.fromkeys(small, b"{}")
    found = find(NAME)
    folder = fetch(found, lambda n, total: told.append((n, total)))
    tokens = tokens_of(7, seed=1)
    expected = CASES["gpt2"].build()(tokens).logits
    torch.testing.assert_close(read(folder).model(tokens), expected, rtol=1e-5, atol=1e-5)
    assert served.tokens == [], "no access token is sent"
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.safetensors", *small}
    assert not any(PICKLE in path or path.endswith(".py") for path in served.asked)
    assert [path.name for path in folder.parent.iterdir()] == ["people--tiny"]

    come = [n for n, _ in told]
    assert come == sorted(come)
    assert 0 < come[0] < found.size
    assert told[-1] == (found.size, found.size)

    served.asked.clear()
    assert fetch(found) == folder == folder_of(NAME)
    assert served.asked == []


def test_several_files_of_weights_are_fetched_with_their_list(served: Hub) -> None:
    whole = served.files.pop("model.safetensors")
    shards = {f"model-0000{at}-of-00002.safetensors": whole for at in (1, 2)}
    served.files |= shards | {"model.safetensors.index.json": b"{}", "other.safetensors": whole}
    found = find(NAME)
    said = {"config.json", "generation_config.json", "model.safetensors.index.json"}
    assert set(found.files) == {*said, *shards}
    assert found.about.on_disk == 2 * len(whole)


def test_without_a_network_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "*")
    monkeypatch.setattr(hub, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(HubError, match=r"^The hub cannot be reached: this server may have no network\.$"):
        find(NAME)


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"model.safetensors": None}, "people/tiny has no safetensors. Other files of weights can run code"),
        (
            {"config.json": b'{"model_type": "mamba"}'},
            "cannot be read here: .*one of gpt2, bert.*got 'mamba'",
        ),
        ({"config.json": None}, r"it has no config\.json"),
    ],
)
def test_an_unsupported_model_is_refused(files: dict[str, bytes | None], sentence: str, served: Hub) -> None:
    changed = served.files | files
    served.files = {name: content for name, content in changed.items() if content is not None}
    with pytest.raises(HubError, match=sentence):
        find(NAME)


def test_a_model_that_needs_more_memory_than_is_free_is_refused(
    served: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for free in (None, 10**9):
        monkeypatch.setattr(hub, "free_memory", lambda free=free: free)
        assert find(NAME).name == NAME
    monkeypatch.setattr(hub, "free_memory", lambda: 1000)
    with pytest.raises(HubError, match=r"too large for this server: it needs 0\.0 GB of memory"):
        find(NAME)


def test_an_interrupted_download_leaves_nothing_behind(served: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find(NAME)
    place = folder_of(NAME).parent
    with full_disk(), pytest.raises(HubError, match="cannot be saved on this server: "):
        fetch(found)
    assert list(place.iterdir()) == []

    served.asked.clear()
    room = {place: SimpleNamespace(free=found.size - 1)}  # of the target's disk, and of no other
    monkeypatch.setattr(hub, "shutil", SimpleNamespace(disk_usage=room.__getitem__))
    with pytest.raises(HubError, match=r"people/tiny is too large for this server: it needs 0\.0 GB on disk"):
        fetch(found)
    assert (served.asked, list(place.iterdir())) == ([], [])

    room[place].free += 2
    served.cut = "model.safetensors"
    with pytest.raises(HubError, match=r"model\.safetensors of people/tiny came with \d+ bytes, not \d+"):
        fetch(find(NAME))
    assert list(place.iterdir()) == []
    assert fetch(found).is_dir()


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (401, {"X-Error-Code": "RepoNotFound"}, "The hub has no public model called people/tiny"),
        (403, {"X-Error-Code": "GatedRepo"}, "Only users whom its authors have approved"),
        (500, {}, "The hub does not send people/tiny: it answers 500"),
    ],
)
def test_a_refusal_of_the_hub_is_one_sentence(
    status: int, headers: dict[str, str], sentence: str, served: Hub
) -> None:
    served.status, served.headers = status, headers
    with pytest.raises(HubError, match=sentence):
        find(NAME)


def test_no_request_is_sent_for_an_invalid_or_forbidden_name(
    served: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for allowed in ("", "people/other", "other/*", "tiny"):
        monkeypatch.setenv(ALLOWED, allowed)
        assert is_on() == bool(allowed)
        with pytest.raises(HubError, match="This server does not fetch people/tiny"):
            find(NAME)
    monkeypatch.setenv(ALLOWED, "*")
    for name in ("", "../up", "a/b/c", "a..b/c", "https://x/y", "people/<b>", ".hidden", "a/.."):
        with pytest.raises(HubError, match="is not the name of a model on the hub"):
            find(name)
    assert served.asked == []
