"""Files for the tools that take an answer further: Slurm, SkyPilot, dstack, Accelerate, and a list for shopping.

Field names follow the tools' own schemas, read 2026-11-23: ``sky/utils/schemas.py`` (skypilot-org/skypilot),
``core/models/configurations.py``, ``profiles.py`` and ``resources.py`` (dstackai/dstack), ``ClusterConfig`` of
``commands/config/config_args.py`` (huggingface/accelerate), and ``sbatch(1)``. A test holds the files to them.
"""

import math
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, get_args

from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.job.advice import Option, Tier
from advisor.records.results.report import Report
from advisor.report.content.options.purchase import purchase_facts, to_look_up
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option, verdict_sentence
from advisor.report.words.labels import amount, option_title, spoken_date
from advisor.units import DAY_S, GB, HOUR_S, MINUTE_S

Tool = Literal["sbatch", "skypilot", "dstack", "accelerate", "shopping"]
SCRIPT = "train.py"

_SKYPILOT_CLOUDS = {"aws": "aws", "azure": "azure", "gcp": "gcp", "lambdalabs": "lambda", "nebius": "nebius",
                    "oci": "oci", "runpod": "runpod", "vastai": "vast", "digitalocean": "do"}  # fmt: skip
_DSTACK_BACKENDS = {"aws": "aws", "azure": "azure", "gcp": "gcp", "lambdalabs": "lambda", "nebius": "nebius",
                    "oci": "oci", "runpod": "runpod", "vastai": "vastai"}  # fmt: skip
_LEAST_DISK_GB = 100.0
_SKYPILOT_MEMORIES = {("A100", 80): "A100-80GB", ("V100", 32): "V100-32GB"}
"""Cards that SkyPilot tells apart by their memory."""

_PIECES: Final = {
    # Comments and commands of the files, in English like the tools they are for.
    "head": "# {tool}: {title}{machine}\n# {script} stands for your own script.\n",
    "other": "# The answer is another: {answer}. This is the best beside it that the tool can start.\n",
    "other_here": "# The answer is what you have: {answer}. This is the best to rent beside it.\n",
    "price": "{usd:g} USD an hour on {day}",
    "single": "python {script}",
    "node": "torchrun --standalone --nproc-per-node={cards} {script}",
    "nodes": (
        "torchrun --nnodes={nodes} --nproc-per-node={cards} --node-rank={rank} --master-addr={head} "
        "--master-port=29500 {script}"
    ),
    "sbatch": "# Your site may want --partition and --account as well, and a type of card: --gpus-per-node=TYPE:N.\n",
    "sbatch_nodes": (
        'head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
        'srun torchrun --nnodes="$SLURM_NNODES" --nproc-per-node={cards} --rdzv-backend=c10d '
        '--rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$head:29500" {script}\n'
    ),
    "sbatch_run": "set -e\n{command}",
    "skypilot": "# sky gpus list shows the names of cards. Put your data into workdir, or under file_mounts.\n",
    "skypilot_elsewhere": (
        "# SkyPilot is not known to reach {provider}: it takes the cheapest cloud that you may use.\n"
    ),
    "skypilot_head": '"$(echo "$SKYPILOT_NODE_IPS" | head -n 1)"',
    "dstack": "# Save it as train.dstack.yml, then: dstack apply -f train.dstack.yml\n",
    "dstack_elsewhere": "# dstack is not known to reach {provider}: it takes the cheapest of your backends.\n",
    "install": "pip install -r requirements.txt",
    "accelerate": "# accelerate launch --config_file THIS_FILE {script}\n",
    "accelerate_parts": "# In {script}: Accelerator(gradient_accumulation_steps={parts})\n",
    "accelerate_nodes": (
        "# On every machine its own machine_rank, and main_process_ip and main_process_port of the first.\n"
    ),
    "sky": "sky launch",
}

Scalar = str | int | float | bool
Fields = dict[str, "Scalar | list[str] | Fields"]


class _Run(NamedTuple):
    """What a tool is to run.

    Attributes:
        option: On what.
        nodes: Machines.
        cards: Accelerators of each; 0 where the processor computes.
        longest_s: After which it has surely ended, or hangs.
    """

    option: Option
    nodes: int
    cards: int
    longest_s: float


def handover(report: Report, tool: Tool, language: Language) -> str:
    """Return the file for a tool, from the answer or, where that is another kind of answer, the best that suits.

    Raises:
        InputError: The answer has nothing for this tool.
    """
    if tool == "shopping":
        return _shopping(report, language)
    if tool == "accelerate":
        return _accelerate(_run(_suitable(report, get_args(Tier)), report), report)
    if tool == "sbatch":
        return _sbatch(_run(_suitable(report, ("cloud", "cluster")), report), report)
    rented = _run(_suitable(report, ("cloud", "cluster"), is_rented=True), report)
    texts = {"skypilot": _skypilot, "dstack": _dstack}
    return texts[tool](rented, report)


def _suitable(report: Report, tiers: tuple[Tier, ...], *, is_rented: bool = False) -> Option:
    """Return the answer where it is of one of these kinds, else the best of them."""
    named = () if report.advice.trade is None else report.advice.trade.rows
    ids = [report.advice.chosen, *(row.option for row in named if "cheapest" not in row.roles)]
    by_id = {one.id: one for one in report.advice.options}
    others = [one for one in report.advice.options if one.feasible]
    for one in (*(by_id[name] for name in ids if name in by_id), *others):
        is_of_kind = one.tier in tiers and (one.offer is not None or not is_rented)
        if is_of_kind and one.run_s is not None and one.obstacle != "does_not_fit":
            return one
    raise InputError("The answer has nothing that suits this tool: {tiers}.", tiers=", ".join(tiers))


def _run(option: Option, report: Report) -> _Run:
    processors = {one.device for one in report.advice.options if one.id == "here/cpu"}
    each = option.device_count // max(option.site_nodes, 1) if option.offer is None else option.offer.device_count
    longest_s = max(option.run_s or 0.0, 0.0 if option.interval is None else option.interval.high)
    cards = 0 if option.device in processors else each
    return _Run(option, max(1, round(option.device_count / max(each, 1))), cards, longest_s + HOUR_S)


def _head(run: _Run, tool: str, report: Report) -> str:
    """Return the comment that every file begins with: for what it is, and what must be put in."""
    option, offer = run.option, run.option.offer
    machine = ""
    if offer is not None:
        price = _PIECES["price"].format(usd=offer.price_usd_per_h, day=offer.as_of)
        machine = f" ({offer.provider}, {offer.instance}, {price})"
    head = _PIECES["head"].format(tool=tool, title=option.title, machine=machine, script=SCRIPT)
    chosen = chosen_option(report)
    if chosen is None or chosen.id == option.id:
        return head
    return head + _PIECES["other_here" if chosen.tier == "this_computer" else "other"].format(answer=chosen.title)


def _command(run: _Run, rank: str = "", nodes: str = "", head: str = "") -> str:
    kind = "single" if run.cards * run.nodes <= 1 else "node" if run.nodes == 1 else "nodes"
    return _PIECES[kind].format(script=SCRIPT, cards=run.cards, nodes=nodes, rank=rank, head=head)


def _sbatch(run: _Run, report: Report) -> str:
    threads = run.option.threads
    lines = {
        "job-name": "advisor",
        "nodes": run.nodes,
        "ntasks-per-node": 1,
        "gpus-per-node": run.cards or None,
        "cpus-per-task": None if not threads else max(1, math.floor(threads / run.nodes)),
        "time": _slurm_time(run.longest_s),
        "output": "%x-%j.out",
    }
    options = "".join(f"#SBATCH --{name}={value}\n" for name, value in lines.items() if value is not None)
    body = f"srun {_command(run)}\n"
    if run.nodes > 1:
        body = _PIECES["sbatch_nodes"].format(cards=max(run.cards, 1), script=SCRIPT)
    command = _PIECES["sbatch_run"].format(command=body)
    return f"#!/bin/bash\n{_head(run, 'sbatch', report)}{_PIECES['sbatch']}{options}\n{command}"


def _slurm_time(time_s: float) -> str:
    minutes = math.ceil(time_s / MINUTE_S)
    days, rest = divmod(minutes, round(DAY_S / MINUTE_S))
    return f"{days}-{rest // 60:02d}:{rest % 60:02d}:00"


def _skypilot(run: _Run, report: Report) -> str:
    offer = run.option.offer
    assert offer is not None, "rented"
    memory_gb = round((offer.device_memory_bytes or 0) / 2**30)
    card = _SKYPILOT_MEMORIES.get((offer.device_name, memory_gb), offer.device_name)
    resources: Fields = {"accelerators": f"{card}:{run.cards}", "use_spot": offer.spot, "disk_size": _disk_gb(run)}
    cloud = _SKYPILOT_CLOUDS.get(offer.provider)
    note = _PIECES["skypilot"]
    if cloud is None:
        note += _PIECES["skypilot_elsewhere"].format(provider=offer.provider)
    else:
        resources = {"infra": cloud if offer.region == "global" else f"{cloud}/{offer.region}", **resources}
    head = _PIECES["skypilot_head"]
    task: Fields = {
        "name": "advisor",
        "num_nodes": run.nodes,
        "resources": resources,
        "workdir": ".",
        "setup": _PIECES["install"],
        "run": _command(run, '"$SKYPILOT_NODE_RANK"', '"$SKYPILOT_NUM_NODES"', head),
    }
    return _head(run, _PIECES["sky"], report) + note + yaml(task)


def _dstack(run: _Run, report: Report) -> str:
    offer = run.option.offer
    assert offer is not None, "rented"
    memory_gb = round((offer.device_memory_bytes or 0) / 2**30)
    names = [offer.device_name, *([f"{memory_gb}GB"] if memory_gb else []), str(run.cards)]
    backend = _DSTACK_BACKENDS.get(offer.provider)
    note = _PIECES["dstack"]
    if backend is None:
        note += _PIECES["dstack_elsewhere"].format(provider=offer.provider)
    command = _command(run, '"$DSTACK_NODE_RANK"', '"$DSTACK_NODES_NUM"', '"$DSTACK_MASTER_NODE_IP"')
    task: Fields = {
        "type": "task",
        "name": "advisor",
        **({"nodes": run.nodes} if run.nodes > 1 else {}),
        "python": "3.12",
        "commands": [_PIECES["install"], command],
        "resources": {"gpu": ":".join(names), "disk": f"{_disk_gb(run)}GB.."},
        **({} if backend is None else {"backends": [backend]}),
        "spot_policy": "spot" if offer.spot else "on-demand",
        "max_price": round(offer.price_usd_per_h * 1.1, 2),
        "max_duration": f"{math.ceil(run.longest_s / HOUR_S)}h",
    }
    return _head(run, "dstack", report) + note + yaml(task)


def _disk_gb(run: _Run) -> int:
    return math.ceil(max(_LEAST_DISK_GB, 1.2 * run.option.sent_bytes / GB))


def _accelerate(run: _Run, report: Report) -> str:
    prediction, count = run.option.prediction, run.cards * run.nodes
    is_sharded = prediction is not None and prediction.shards > 1
    kind = "FSDP" if is_sharded else "MULTI_GPU" if count > 1 else "NO"
    formats = {"amp": "fp16", "fp16": "fp16", "bf16": "bf16"}  # torch.autocast computes in fp16 unless told otherwise
    precision = formats.get(report.workload.precision if prediction is None else prediction.precision, "no")
    config: Fields = {
        "compute_environment": "LOCAL_MACHINE",
        "distributed_type": kind,
        "mixed_precision": precision,
        "use_cpu": run.cards == 0,
        "num_machines": run.nodes,
        "num_processes": max(1, count),
        "machine_rank": 0,
        "main_training_function": "main",
        "rdzv_backend": "static",
        "same_network": True,
    }
    if is_sharded:
        config["fsdp_config"] = {
            "fsdp_version": 2,
            "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "fsdp_reshard_after_forward": True,
            "fsdp_offload_params": False,
            "fsdp_activation_checkpointing": report.workload.checkpointing,
            "fsdp_cpu_ram_efficient_loading": True,
            "fsdp_state_dict_type": "SHARDED_STATE_DICT",
        }
    note = _PIECES["accelerate"].format(script=SCRIPT)
    if prediction is not None and prediction.accumulation_steps > 1:
        note += _PIECES["accelerate_parts"].format(script=SCRIPT, parts=prediction.accumulation_steps)
    if run.nodes > 1:
        note += _PIECES["accelerate_nodes"]
    return _head(run, "accelerate", report) + note + yaml(config)


def yaml(fields: Fields, indent: int = 0) -> str:
    """Return fields as YAML; texts are quoted as in JSON, which YAML contains."""
    return "".join(_yaml_lines(fields, "  " * indent))


def _yaml_lines(fields: Fields, indent: str) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield f"{indent}{name}:\n"
            yield from _yaml_lines(value, indent + "  ")
        elif isinstance(value, list):
            yield f"{indent}{name}:\n"
            yield from (f"{indent}  - {_scalar(one)}\n" for one in value)
        else:
            yield f"{indent}{name}: {_scalar(value)}\n"


def _scalar(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _shopping(report: Report, language: Language) -> str:
    """Return what to buy in Markdown: prices with date and source, and what must be looked up before."""
    _ = language.gettext
    option = _suitable(report, ("single_gpu",))
    day = "" if option.price_as_of is None else spoken_date(option.price_as_of, language)
    cards_usd = option.purchase_usd - option.host_usd
    rows = [(option_title(option, language), amount(cards_usd, report, language), day)]
    if option.host_usd > 0:
        host = "" if report.host is None else spoken_date(report.host.as_of, language)
        rows.append((_("a computer around it"), amount(option.host_usd, report, language), host))
    rows.append((_("Together"), amount(option.purchase_usd, report, language), ""))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    facts = "\n".join(f"- {fact}" for fact in purchase_facts(option, report, language))
    questions = "\n".join(f"- [ ] {text}" for text in to_look_up(option, report, language))
    chosen = chosen_option(report)
    note = ""
    if chosen is None or chosen.id != option.id:
        text = _("The answer is another: {answer} This is the best purchase beside it.")
        note = text.format(answer=verdict_sentence(report, language)) + "\n\n"
    titles = (_("What"), _("Price"), _("Price of"))
    header = f"| {' | '.join(titles)} |\n|---|---:|---|"
    run = "" if option.run_s is None else _("A run takes about {time}.").format(
        time=quantities.duration(option.run_s, language)
    )  # fmt: skip
    prices = _("Prices of cards are launch or street prices; advisor --list devices names the source of each.")
    parts = (
        "# " + _("Shopping list"),
        note + run,
        f"{header}\n{table}",
        prices,
        "## " + _("What is known"),
        facts,
        "## " + _("What you must look up"),
        questions,
    )
    return "\n\n".join(parts) + "\n"
