"""Files for other tools: each field is one that the tool's own schema has, and its numbers are the answer's."""

import re
from typing import Any, get_args

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.errors import InputError
from advisor.locale import language
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.handover import Tool, handover, yaml
from advisor.session.forecast import conclude
from advisor.units import DAY_S, GIB
from tests.unit.benchmark.diagnosed import machine

EN = language("en")
SCHEMAS: dict[str, dict[str, set[str]]] = {
    # Read 2026-11-23: sky/utils/schemas.py of skypilot-org/skypilot at 00052dfe, and its YAML reference.
    "skypilot": {
        "": {"name", "workdir", "num_nodes", "resources", "file_mounts", "envs", "secrets", "setup", "run"},
        "resources": {"infra", "accelerators", "cpus", "memory", "instance_type", "use_spot", "disk_size", "disk_tier"},
    },
    # core/models/configurations.py at 01fda0fc, profiles.py at 033382e8, resources.py at 0268145a of dstackai/dstack.
    "dstack": {
        "": {"type", "name", "nodes", "python", "image", "env", "commands", "resources", "backends", "regions",
             "spot_policy", "max_price", "max_duration"},
        "resources": {"cpu", "memory", "shm_size", "gpu", "disk"},
    },
    # ClusterConfig of commands/config/config_args.py at 002dd35a of huggingface/accelerate; unknown keys are refused.
    # fsdp_config: documentation of Transformers 5.13.1, "Accelerate".
    "accelerate": {
        "": {"compute_environment", "distributed_type", "mixed_precision", "use_cpu", "debug", "num_processes",
             "machine_rank", "num_machines", "gpu_ids", "main_process_ip", "main_process_port", "rdzv_backend",
             "same_network", "main_training_function", "enable_cpu_affinity", "fsdp_config", "downcast_bf16"},
        "fsdp_config": {"fsdp_version", "fsdp_auto_wrap_policy", "fsdp_reshard_after_forward", "fsdp_offload_params",
                        "fsdp_activation_checkpointing", "fsdp_cpu_ram_efficient_loading", "fsdp_state_dict_type"},
    },
}  # fmt: skip
SBATCH = {"job-name", "nodes", "ntasks-per-node", "gpus-per-node", "cpus-per-task", "time", "output"}
"""Of sbatch(1), read 2026-11-23."""


def _report(name: str, card: str | None = None, gib: int = 0, **wishes: Any) -> Report:
    cards = [] if card is None else [
        Accelerator(vendor="nvidia", index=0, name=card, kind="discrete", trains=True, memory_bytes=gib * GIB)
    ]  # fmt: skip
    return conclude(Observation(machine=machine(*cards)), find_workload(name).workload, Circumstances(**wishes))


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """A rent of one card, of several, a cluster, and a purchase."""
    return {
        "one": _report("llm_7b_full", "GeForce RTX 4090", 24),
        "several": _report("llm_7b_full", "GeForce RTX 4090", 24, deadline_s=4 * 3600.0),
        "cluster": _report("llm_70b_scratch"),
        "bought": _report("llm_7b_qlora", runs_per_month=60.0, data_must_stay=True),
    }


@pytest.mark.parametrize("tool", list(SCHEMAS))
def test_every_field_is_in_the_schema_of_the_tool(tool: Tool, reports: dict[str, Report]) -> None:
    """Outer fields, and those below them."""
    for name in ("one", "several", "cluster"):
        group = ""
        for line in handover(reports[name], tool, EN).splitlines():
            found = re.match(r"( *)([\w-]+):( .*)?$", line)
            if line.startswith("#") or found is None:
                assert line.startswith(("#", "  - ")), line
                continue
            group = group if found[1] else ""
            assert found[2] in SCHEMAS[tool][group], (name, line)
            group = found[2] if found[3] is None and not found[1] else group


def test_the_numbers_are_those_of_the_answer(reports: dict[str, Report]) -> None:
    """Cards of a machine, machines, price and time."""
    for name in ("one", "several", "cluster"):
        chosen = next(one for one in reports[name].advice.options if one.id == reports[name].advice.chosen)
        assert chosen.offer is not None
        each, nodes = chosen.offer.device_count, chosen.device_count // chosen.offer.device_count
        script = handover(reports[name], "sbatch", EN)
        assert set(re.findall(r"^#SBATCH --([\w-]+)=", script, re.MULTILINE)) <= SBATCH
        assert f"--nodes={nodes}\n" in script
        assert f"--gpus-per-node={each}\n" in script
        assert f'accelerators: "{chosen.offer.device_name}' in handover(reports[name], "skypilot", EN)
        assert f'gpu: "{chosen.offer.device_name}:' in handover(reports[name], "dstack", EN)
        config = handover(reports[name], "accelerate", EN)
        assert f"num_processes: {chosen.device_count}\n" in config
        limit = re.search(r"--time=(\d+)-(\d\d):(\d\d):00", script)
        assert limit is not None
        assert int(limit[1]) * DAY_S + int(limit[2]) * 3600 + int(limit[3]) * 60 >= (chosen.run_s or 0.0)


def test_several_cards_are_started_by_torchrun(reports: dict[str, Report]) -> None:
    """One card is not; several machines meet at the first."""
    assert "torchrun" not in handover(reports["one"], "dstack", EN)
    assert "torchrun --standalone --nproc-per-node=" in handover(reports["several"], "dstack", EN)
    assert '--rdzv-endpoint="$head:29500"' in handover(reports["cluster"], "sbatch", EN)
    assert "$SKYPILOT_NODE_RANK" in handover(reports["cluster"], "skypilot", EN)


def test_a_shopping_list_adds_up_and_asks(reports: dict[str, Report]) -> None:
    """Card and computer are the price of the option; what no program sees is asked."""
    report = reports["bought"]
    chosen = next(one for one in report.advice.options if one.id == report.advice.chosen)
    assert chosen.purchase_usd > 0
    text = handover(report, "shopping", EN)
    cells = [row.split("|")[2].strip() for row in text.splitlines() if row.startswith("| ") and "$" in row]
    sums = [float(cell.strip("$").replace(",", "")) for cell in cells]
    assert sums[-1] == pytest.approx(sum(sums[:-1]), rel=0.01)
    assert "- [ ] What it costs today" in text
    assert "power supply of" in text


def test_a_cluster_of_ones_own_gets_the_batch_file(reports: dict[str, Report]) -> None:
    """With its nodes and the cards of each, or none where its processors compute."""
    report = reports["cluster"]
    rented = next(one for one in report.advice.options if one.id == report.advice.chosen)
    processor = next(one.device for one in report.advice.options if one.id == "here/cpu")
    for device, devices, expected in ((rented.device, 32, "--gpus-per-node=8\n"), (processor, 4, None)):
        own = msgspec.structs.replace(
            rented, id="site/4", offer=None, device=device, device_count=devices, site_nodes=4, run_s=3600.0
        )
        options = (own, *report.advice.options)
        advice = msgspec.structs.replace(report.advice, options=options, chosen=own.id)
        script = handover(msgspec.structs.replace(report, advice=advice), "sbatch", EN)
        assert "--nodes=4\n" in script
        assert (expected or "--ntasks") in script
        assert ("#SBATCH --gpus-per-node" in script) is (expected is not None)


def test_what_has_nothing_for_a_tool_is_refused(reports: dict[str, Report]) -> None:
    """No rent where the data must stay."""
    with pytest.raises(InputError):
        handover(reports["bought"], "skypilot", EN)


def test_yaml_reads_back_as_it_was_written(reports: dict[str, Report]) -> None:
    """By the reference reader, where it is installed."""
    reader = pytest.importorskip("yaml")
    fields: Any = {"a": 'say "x"\\', "b": {"c": True, "d": 1.5}, "e": ["f", "g: h"]}
    assert reader.safe_load(yaml(fields)) == fields
    for tool in SCHEMAS:
        assert isinstance(reader.safe_load(handover(reports["cluster"], tool, EN)), dict)  # type: ignore[arg-type]


def test_each_tool_is_known_to_the_command_line() -> None:
    """The option's choices are the tools there are."""
    from advisor.cli.options import REPORT_OPTIONS

    option = next(one for one in REPORT_OPTIONS if one.name == "--take-me-there")
    assert tuple(option.more["choices"]) == get_args(Tool)


def test_a_file_for_what_is_not_the_answer_says_so() -> None:
    """Who has enough was handed a job for a rented card, as if that were the answer."""
    enough = _report("classical_ml")
    assert enough.advice.tier == "this_computer"
    for tool in ("skypilot", "dstack", "sbatch"):
        assert "# The answer is what you have: " in handover(enough, tool, EN)
    rent = _report("llm_7b_full", "GeForce RTX 4090", 24)
    assert "The answer is" not in handover(rent, "skypilot", EN)
