"""Limits of control groups: both versions, all ancestors, and the odd paths containers show."""

from hypothesis import given
from hypothesis import strategies as st

from advisor.probe.host.cgroup import read_limits
from tests.unit.probe.computers.fakes import RecordedFiles

V2 = {
    "/proc/self/cgroup": "0::/a/b/c",
    "/proc/self/mountinfo": "30 28 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
}


def limits(files: dict[str, str]) -> tuple[float | None, int | None]:
    """Return cores and memory these files leave."""
    found = read_limits(RecordedFiles(files, {}))
    return found.cores, found.memory_bytes


def test_no_group_means_no_limit() -> None:
    """Without control groups nothing is limited."""
    assert limits({}) == (None, None)


def test_word_max_is_no_limit() -> None:
    """Version 2 writes "max" where nothing is limited."""
    assert limits(V2 | {"/sys/fs/cgroup/a/memory.max": "max", "/sys/fs/cgroup/a/cpu.max": "max 100000"}) == (None, None)


@given(st.lists(st.one_of(st.none(), st.integers(1, 64)), min_size=4, max_size=4))
def test_tightest_ancestor_counts(quotas: list[int | None]) -> None:
    """Whatever the levels allow, the smallest one holds."""
    files = dict(V2)
    for folder, quota in zip(("", "/a", "/a/b", "/a/b/c"), quotas, strict=True):
        files[f"/sys/fs/cgroup{folder}/cpu.max"] = "max 100000" if quota is None else f"{quota * 100000} 100000"
        files[f"/sys/fs/cgroup{folder}/memory.max"] = "max" if quota is None else str(quota * 2**30)
    given_quotas = [quota for quota in quotas if quota is not None]
    expected = min(given_quotas) if given_quotas else None
    assert limits(files) == (expected, None if expected is None else expected * 2**30)


def test_memory_high_slows_like_a_limit() -> None:
    """Above memory.high a group is throttled, so it counts like a limit."""
    assert limits(V2 | {"/sys/fs/cgroup/a/memory.high": "1000"})[1] == 1000


def test_version_1_container_sees_only_its_branch() -> None:
    """Without a namespace of its own, the mount begins where the group is, and the path is cut accordingly."""
    files = {
        "/proc/self/cgroup": "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc",
        "/proc/self/mountinfo": (
            "25 20 0:21 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
            "26 20 0:22 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct"
        ),
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "4294967296",
        "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000",
        "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000",
    }
    assert limits(files) == (0.5, 4294967296)


def test_group_outside_the_visible_tree() -> None:
    """A path that leaves the namespace ("/../x") falls back to what is mounted."""
    files = V2 | {"/proc/self/cgroup": "0::/../../x", "/sys/fs/cgroup/cpu.max": "100000 100000"}
    assert limits(files) == (1.0, None)


def test_hybrid_takes_both_versions() -> None:
    """With both versions mounted, the controllers of version 1 count."""
    files = {
        "/proc/self/cgroup": "4:memory:/job\n0::/init.scope",
        "/proc/self/mountinfo": (
            "25 20 0:21 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
            "26 20 0:22 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"
        ),
        "/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1073741824",
    }
    assert limits(files) == (None, 1073741824)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=20))
def test_garbage_limits_nothing(groups: str, mounts: str, quota: str) -> None:
    """Unreadable files never raise."""
    read_limits(
        RecordedFiles(
            {"/proc/self/cgroup": groups, "/proc/self/mountinfo": mounts, "/sys/fs/cgroup/cpu.max": quota}, {}
        )
    )


def test_files_kept_in_memory_are_not_used() -> None:
    """What the system can drop at once counts as free; what nobody says counts as used."""
    group = V2 | {"/sys/fs/cgroup/a/memory.max": "1000", "/sys/fs/cgroup/a/memory.current": "700"}
    stat = {"/sys/fs/cgroup/a/memory.stat": "anon 400\ninactive_file 200"}

    assert read_limits(RecordedFiles(group, {})).memory_used_bytes == 700
    assert read_limits(RecordedFiles(group | stat, {})).memory_used_bytes == 500
