"""The files that a Hugging Face Space and Streamlit Community Cloud read agree with the rest."""

import re
from pathlib import Path

import yaml
from streamlit.web.server.app_discovery import discover_asgi_app

from attention_lab.installing import CPU_INDEX, pinned

ROOT = Path(__file__).parents[2]
CLOUD = ROOT / "deploy" / "cloud"
CONTAINERFILE = (ROOT / "deploy" / "container" / "Containerfile").read_text("utf-8")


def test_streamlit_finds_the_app_in_the_entrypoint_of_the_cloud() -> None:
    """Otherwise it would run the file as a page, without rooms and figures."""
    found = discover_asgi_app(CLOUD / "streamlit_app.py")
    assert found.is_asgi_app
    assert found.import_string == "streamlit_app:app"


def test_the_cloud_installs_the_pinned_packages_and_pytorch_for_the_cpu() -> None:
    text = (CLOUD / "requirements.txt").read_text("utf-8")
    rest, torch = [line for line in text.splitlines() if not line.startswith("#")]
    assert (CLOUD / rest.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    version = pinned().partition("==")[2]
    assert torch == f"torch @ {CPU_INDEX}/torch-{version}%2Bcpu-cp312-cp312-manylinux_2_28_x86_64.whl"
    assert "Python 3.12" in (ROOT / "docs" / "operations.md").read_text("utf-8")


def test_the_cloud_has_the_fonts_of_the_image() -> None:
    named = (CLOUD / "packages.txt").read_text("utf-8").split()
    fonts = [name for name in named if name.startswith("fonts-")]
    assert fonts == re.findall(r"fonts-[\w-]+", CONTAINERFILE)
    assert [name for name in named if name not in fonts] == ["chromium"]


def test_a_space_uses_the_port_of_the_image() -> None:
    _, front, _ = (ROOT / "deploy" / "space" / "README.md").read_text("utf-8").split("---\n", 2)
    said = yaml.safe_load(front)
    (port,) = re.findall(r"STREAMLIT_SERVER_PORT=(\d+)", CONTAINERFILE)
    assert said["sdk"] == "docker"
    assert str(said["app_port"]) == port
    assert len(said["short_description"]) <= 60
