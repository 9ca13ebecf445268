"""The bound of a process, and what it holds, as the system says it."""

from pathlib import Path

import pytest

from core import memory
from core.memory import LEAST, MB, free_memory, memory_limit

GB = 1024 * MB


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up system whose files lie below `proc` and `cgroup`: it says nothing yet."""
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "CGROUP", tmp_path / "cgroup")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def machine(system: Path, *, total: int, free: int = 0) -> None:
    write(system / "proc/meminfo", f"MemTotal:  {total // 1024} kB\nMemAvailable:  {free // 1024} kB\n")


def test_without_data_of_the_system_there_is_no_bound(system: Path) -> None:
    assert memory_limit({}) is None
    assert free_memory() is None
    assert memory.resident() is None


def test_processes_share_most_of_the_machine(system: Path) -> None:
    machine(system, total=10 * GB)
    assert memory_limit({}) == 8 * GB
    assert memory_limit({"ATTENTION_LAB_PROCESSES": "4"}) == 2 * GB
    assert memory_limit({"ATTENTION_LAB_PROCESSES": "64"}) == LEAST * MB, (
        "less than a process needs bounds nothing"
    )
    assert memory_limit({"ATTENTION_LAB_MEMORY": "1234", "ATTENTION_LAB_PROCESSES": "7"}) == 1234 * MB
    with pytest.raises(ValueError, match="ATTENTION_LAB_PROCESSES must be a whole number from 1 on, got '0'"):
        memory_limit({"ATTENTION_LAB_PROCESSES": "0"})
    for text in ("much", "-1", "1.5", "0", str(LEAST - 1), "2GB"):
        with pytest.raises(ValueError, match=f"must be a whole number of MB from 800 on, got '{text}'"):
            memory_limit({"ATTENTION_LAB_MEMORY": text})


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("0::/", "cgroup/memory.max"),
        ("0::/system.slice/lab.service", "cgroup/system.slice/lab.service/memory.max"),
        ("0::/system.slice/lab.service", "cgroup/system.slice/memory.max"),
        ("7:cpu,memory:/lab", "cgroup/memory/lab/memory.limit_in_bytes"),
    ],
)
def test_the_limit_of_a_service_or_its_slice_holds(system: Path, line: str, limit: str) -> None:
    machine(system, total=100 * GB)
    write(system / "proc/self/cgroup", f"12:pids:/other\n{line}\n")
    write(system / limit, str(5 * GB))
    assert memory_limit({}) == 4 * GB
    assert memory_limit({"ATTENTION_LAB_PROCESSES": "2"}) == 2 * GB
    for none in ("max", str(2**63 - 4096)):
        write(system / limit, none)
        assert memory_limit({}) == 80 * GB


def test_memory_is_free_if_both_machine_and_container_have_it(system: Path) -> None:
    machine(system, total=99 * GB, free=7 * MB)
    assert free_memory() == 7 * MB
    machine(system, total=99 * GB, free=7 * GB)
    write(system / "cgroup/memory.max", str(5 * MB))
    write(system / "cgroup/memory.current", str(3 * MB))
    write(system / "cgroup/memory.stat", f"anon 1\ninactive_file {MB}\n")
    assert free_memory() == 3 * MB, "copies of files are given up first"
    write(system / "cgroup/memory.current", str(9 * MB))
    assert free_memory() == 0


def test_a_browser_counts_with_all_the_processes_it_has_started(system: Path) -> None:
    for pid, children, pss in ((7, "11 13", 100), (11, "17", 20), (13, "", 3), (17, "", 400)):
        write(system / f"proc/{pid}/task/{pid}/children", "")
        write(system / f"proc/{pid}/task/{pid + 1}/children", children)
        write(system / f"proc/{pid}/smaps_rollup", f"Rss: 9999 kB\nPss:  {pss} kB\nPss_Anon:  1 kB\n")
    assert memory.process_tree_bytes(7) == 523 * 1024
    assert memory.process_tree_bytes(11) == 420 * 1024
    assert memory.process_tree_bytes(99) == 0, "it has ended"


def test_memory_of_this_process_is_measured() -> None:
    here = memory.resident()
    if here is None:
        pytest.skip("this system has no /proc")
    assert 50 * MB < here < 10 * GB
    memory.give_back()
