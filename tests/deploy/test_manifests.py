"""A validator accepts each file that describes containers, and the files agree with the rest."""

import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.nginx.configuration import write
from deploy.settings import Settings, variable
from tests.covering import each
from tests.deploy.nginx import THREE

ROOT = Path(__file__).parents[2]
CONTAINERFILE = ROOT / "deploy" / "container" / "Containerfile"
CITATION = ROOT / "CITATION.cff"
COMPOSE = ROOT / "compose.yaml"
PROXIES = ROOT / "deploy" / "container" / "proxies.envsh"
MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
OBJECTS = [path for path in MANIFESTS if path.stem != "kustomization"]
COMPONENT = ROOT / "deploy" / "kubernetes" / "gpu"
PATCHES = [path for path in sorted(COMPONENT.glob("*.yaml")) if path.stem != "kustomization"]
NOT_HERE = {
    "host_spoofing": "the port has to stay in Host, which Streamlit compares with the Origin of a websocket",
    "missing_resolver": "behind the variable are groups of addresses, so no name is looked up",
}
"""The warnings of gixy that are expected, with their reasons."""


def complaints(tool: str, *arguments: str | Path) -> str:
    """Return the complaints of a validator beside this Python; empty if there are none."""
    command = [Path(sys.executable).with_name(tool), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr + f"{tool} ended with {done.returncode}" if done.returncode else ""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def kubernetes(kind: str) -> Any:
    """Return the one object of this kind."""
    return next(one for one in map(read, OBJECTS) if one["kind"] == kind)


def test_hadolint_finds_nothing_in_the_container_file() -> None:
    assert complaints("hadolint", CONTAINERFILE) == ""


def test_the_compose_file_follows_the_specification() -> None:
    assert complaints("check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE) == ""


@pytest.mark.long("a file that changes with a release")
def test_the_citation_follows_its_format() -> None:
    assert complaints("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", CITATION) == ""


def test_yaml_is_laid_out_as_it_should_be() -> None:
    rules = ("--strict", "--config-file", ROOT / "deploy" / ".yamllint")
    assert complaints("yamllint", *rules, COMPOSE, COMPONENT, *MANIFESTS) == ""


def test_gixy_finds_no_weakness_in_the_configuration_of_nginx(tmp_path: Path) -> None:
    write(tmp_path, THREE[:2], Settings(), listen="localhost:7043")
    assert complaints("gixy", "--skips", ",".join(NOT_HERE), tmp_path / "nginx.conf") == ""


def test_every_object_is_applied() -> None:
    resources = read(ROOT / "deploy" / "kubernetes" / "kustomization.yaml")["resources"]
    assert sorted(resources) == [path.name for path in OBJECTS]
    patches = read(COMPONENT / "kustomization.yaml")["patches"]
    assert sorted(patch["path"] for patch in patches) == [path.name for path in PATCHES]


def patched(under: Any, over: Any) -> Any:
    """Return an object with a patch, as a strategic merge makes it: names tell containers apart."""
    if isinstance(under, dict) and isinstance(over, dict):
        return under | {key: patched(under.get(key), value) for key, value in over.items()}
    if isinstance(under, list) and all("name" in one for one in under + over):
        names = {one["name"]: one for one in under}
        return list((names | {one["name"]: patched(names.get(one["name"]), one) for one in over}).values())
    return over


def test_kubernetes_takes_every_object_and_those_with_the_patches_for_gpus(tmp_path: Path) -> None:
    for patch in PATCHES:
        over, under = read(patch), read(patch.parents[1] / patch.name)
        assert over["kind"] == under["kind"]
        assert over["metadata"]["name"] == under["metadata"]["name"]
        whole = patched(under, over)
        assert whole != under
        if over["kind"] == "Deployment":
            assert [one["name"] for one in whole["spec"]["template"]["spec"]["containers"]] == ["app"]
        (tmp_path / patch.name).write_text(yaml.safe_dump(whole), "utf-8")
    made = [*OBJECTS, *tmp_path.iterdir()]
    assert complaints("kubernetes-validate", "--strict", "--quiet", *made) == ""


def test_images_and_networks_that_pods_name_are_set_in_one_place() -> None:
    chosen = read(ROOT / "deploy" / "kubernetes" / "kustomization.yaml")
    deployments = [one for one in map(read, OBJECTS) if one["kind"] == "Deployment"]
    containers = [pod for one in deployments for pod in one["spec"]["template"]["spec"]["containers"]]
    assert {pod["image"] for pod in containers} == {one["name"] for one in chosen["images"]}
    (networks,) = chosen["configMapGenerator"]
    keys = {literal.partition("=")[0] for literal in networks["literals"]}
    asked = [
        one["valueFrom"]["configMapKeyRef"]
        for pod in containers
        for one in pod["env"]
        if "configMapKeyRef" in one.get("valueFrom", {})
    ]
    assert {(one["name"], one["key"]) for one in asked} == {(networks["name"], key) for key in keys}


def test_compose_has_the_limits_that_make_serve_has() -> None:
    given = read(COMPOSE)["services"]["nginx"]["environment"]
    defaults = {name.upper(): value for name, value in asdict(Settings()).items() if value}
    assert {name: given[name] for name in defaults} == {
        name: f"${{{variable(name)}:-{value}}}" for name, value in defaults.items()
    }


def test_compose_fills_in_all_that_nginx_is_to_be_told() -> None:
    given = read(COMPOSE)["services"]["nginx"]["environment"]
    files = [*(ROOT / "deploy" / "nginx").glob("*.conf"), ROOT / "deploy" / "container" / "upstreams.conf"]
    for path in files:
        wanted = set(re.findall(r"\$\{(\w+)\}", path.read_text("utf-8")))
        assert wanted <= {*given, *spelt("")}, path.name


@each("proxy", ["10.0.0.0/8", "10.0.0.0/8,127.0.0.1/32, fd00::/8"])
def test_compose_names_the_same_proxies_as_make_serve(proxy: str, tmp_path: Path) -> None:
    write(tmp_path, [], Settings(proxy=proxy), listen="localhost:7043")
    filled_in = (tmp_path / "nginx.conf").read_text("utf-8")
    assert all(line in filled_in for line in spelt(proxy).values())
    mounted = read(COMPOSE)["services"]["nginx"]["volumes"]
    assert "./deploy/container/proxies.envsh:/docker-entrypoint.d/16-proxies.envsh:ro" in mounted
    assert os.access(PROXIES, os.X_OK), "or the entrypoint passes over it"


def spelt(proxy: str) -> dict[str, str]:
    """Return what the script of the container sets for these proxies."""
    names = ("REAL_IP_FROM", "PROXIES")
    said = f'. {PROXIES}; printf "%s\\n" "$REAL_IP_FROM" "$PROXIES"'
    asked = {**os.environ, "PROXY": proxy}
    done = subprocess.run(["sh", "-ec", said], env=asked, capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines(), strict=True))
