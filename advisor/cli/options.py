"""Every option of the command line in tables, and how its value is read."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from advisor.cli.option_values import (
    amount_or_none_type,
    amount_type,
    count_type,
    minutes_type,
    ranks_type,
    shape_type,
    shard_type,
    share_type,
    upper_type,
    whole_type,
)
from advisor.locale import LANGUAGES, N_, Language

FORMATS = ("text", "json", "html", "md", "pdf", "sheet", "png")
LISTS = ("workloads", "models", "devices", "computers", "offers", "cases", "rules")
LAUNCHERS = ("slurm", "ansible", "kubernetes")
COLLECTORS = ("ansible", "slurm", "windows")
PRECISIONS = ("fp32", "tf32", "fp16", "bf16", "amp")
ATTENTIONS = ("fused", "decomposed")
INPUTS = ("memory", "jpeg", "text", "table", "files")
OPTIMIZERS = ("none", "sgd", "adam", "adamw", "adamw_8bit")
METHODS = ("scratch", "full", "transfer", "lora", "qlora")
_YES_OR_NO: Mapping[str, Any] = {"action": argparse.BooleanOptionalAction, "default": None}
"""An option that has a ``--no-``; None: neither was said, and a ready-made job's own setting stays."""


class Option(NamedTuple):
    """An option of the command line.

    Attributes:
        name: As it is written.
        help: What it does, in English.
        metavar: What stands for its value in the help, in English.
        parse: Gives, for a language, the function that reads the value.
        more: What else ``ArgumentParser.add_argument`` is told.
    """

    name: str
    help: str
    metavar: str | tuple[str, ...] | None = None
    parse: Callable[[Language], Callable[[str], Any]] | None = None
    more: Mapping[str, Any] = {}


def add_options(group: Any, options: Sequence[Option], lang: Language) -> None:
    """Add options to a group of the parser, in a language."""
    _ = lang.gettext
    for option in options:
        settings = {"help": _(option.help), **option.more}
        if option.metavar is not None:
            settings["metavar"] = _(option.metavar) if isinstance(option.metavar, str) else option.metavar
        if option.parse is not None:
            settings["type"] = option.parse(lang)
        group.add_argument(option.name, **settings)


COMMANDS = (
    Option(
        "--report",
        N_("probe, measure and recommend; write the report to FILE or to the screen"),
        N_("FILE"),
        more={"nargs": "?", "const": "-"},
    ),
    Option("--predict", N_("predict one network, or FILE.py:NAME, on one device (with --on)"), N_("NAME")),
    Option(
        "--watch",
        N_("run your own training script unchanged and watch its steps: advisor --watch -- python train.py"),
        more={"action": "store_true"},
    ),
    Option(
        "--fleet",
        N_("judge many computers by their reports: a folder, a .zip or a .jsonl; opens no connection"),
        N_("FOLDER"),
    ),
    Option(
        "--scaling",
        N_("measure what several devices, or several computers (--nodes, --slurm), reach together"),
        more={"action": "store_true"},
    ),
    Option(
        "--collect",
        N_("print a file that collects the reports of many computers, for the tool you have"),
        more={"choices": COLLECTORS},
    ),
    Option(
        "--share",
        N_("write the measurements of your last check (or of --machine) into a folder for others, after showing them"),
        N_("FOLDER"),
    ),
    Option(
        "--learn",
        N_("let measurements of other computers correct predictions for their devices; none undoes it"),
        N_("FOLDER|none"),
    ),
    Option(
        "--sweep",
        N_("print a table (CSV) of jobs on all devices: of --jobs, of --workload, or all ready-made ones"),
        more={"action": "store_true"},
    ),
    Option("--list", N_("list what this program knows"), more={"choices": LISTS}),
    Option("--doctor", N_("show what was detected, how, and what is missing"), more={"action": "store_true"}),
    Option(
        "--compare",
        N_("compare two reports: two machines, or before and after"),
        ("A.json", "B.json"),
        more={"nargs": 2},
    ),
    Option(
        "--was-it-true",
        N_("list earlier answers and how they held; for one of them (its number, or last), measure its job again"),
        N_("NUMBER"),
        more={"nargs": "?", "const": "all"},
    ),
    Option(
        "--refresh-prices",
        N_("fetch newer cloud prices from the internet, now and only now"),
        more={"action": "store_true"},
    ),
    Option("--how-sure", N_("show how well predictions hold on public measurements"), more={"action": "store_true"}),
    Option(
        "--measuring-pack",
        N_("download the PyTorch that fits your graphics card, for measurements alone; or show or remove it"),
        more={"choices": ("install", "status", "remove")},
    ),
    Option(
        "--schema",
        N_("print the JSON Schema of a report, or of what --fleet, --scaling or --task generate writes"),
        more={"nargs": "?", "const": "report", "choices": ("report", "fleet", "scaling", "serving")},
    ),
)

REPORT_OPTIONS = (
    Option("--format", N_("form of the output; otherwise from the file's ending"), more={"choices": FORMATS}),
    Option("--suite", N_("how much to measure"), more={"choices": ("quick", "full", "none"), "default": "quick"}),
    Option(
        "--max-minutes",
        N_("how long it may take; tests that no longer fit are left out (usually 1 minute, full suite 12)"),
        "N",
        minutes_type,
    ),
    Option(
        "--trace",
        N_("write what the profiled steps did into this folder, for ui.perfetto.dev (with --suite full)"),
        N_("FOLDER"),
    ),
    Option(
        "--workload",
        N_(
            "what you want to train: a name from --list workloads, a file, what gives a network in your own Python "
            "file, whose code is then run, or what --watch saved"
        ),
        N_("NAME|FILE.toml|FILE.py:NAME|FILE.json"),
    ),
    Option(
        "--data",
        N_("your own data: counted, and loading some of them measured; no name of a file is kept"),
        N_("FILE|FOLDER"),
    ),
    Option(
        "--machine",
        N_("advise for the machine in this report, or in the JSON of --doctor; measure nothing here"),
        N_("FILE.json"),
    ),
    Option(
        "--gpu",
        N_("set the graphics card by hand, such as 'RTX 3060:12GB'"),
        N_("NAME:MEMORY"),
        more={"action": "append", "default": []},
    ),
    Option(
        "--no-history", N_("do not keep this check among those that the window lists"), more={"action": "store_true"}
    ),
    Option(
        "--label",
        N_("what you call this computer in the report, such as room-3-pc-07; nothing names it otherwise"),
        N_("NAME"),
    ),
    Option("--lang", N_("language of texts and numbers"), more={"choices": LANGUAGES}),
    Option("--currency", N_("currency of prices, such as EUR"), N_("CODE"), upper_type),
    Option(
        "--country",
        N_("country you are in, such as ES: price of electricity, and how numbers are written"),
        N_("CODE"),
        upper_type,
    ),
    Option("--electricity", N_("your price of a kilowatt-hour, in your currency; 0: none"), "N", amount_or_none_type),
    Option("--exchange-rate", N_("units of your currency for one US dollar, today"), "N", amount_type),
    Option("--resale", N_("percent of the price that a card brings at the end (else by its age)"), "N", share_type),
    Option("--setup-minutes", N_("work on a rented machine before each run, while it is paid"), "N", minutes_type),
    Option("--upload-mbit", N_("what your line sends to a provider, in Mbit/s"), "N", amount_type),
    Option(
        "--download-mbit",
        N_("what your line fetches: weights, and results from a provider, in Mbit/s"),
        "N",
        amount_type,
    ),
    Option("--failed-tries", N_("runs that fail and have to be done once more, in all the months"), "N", whole_type),
    Option("--budget", N_("money you can spend, in your currency; 0: none"), "N", amount_or_none_type),
    Option("--deadline", N_("one run must end within this many hours"), N_("HOURS"), amount_type),
    Option("--runs-per-month", N_("how often you run it"), "N", amount_type),
    Option("--once", N_("you run it a single time"), more={"action": "store_true"}),
    Option("--months", N_("how many months you will use it"), "N", amount_type),
    Option(
        "--what-if",
        N_(
            "is it worth it? a card such as 'RTX 5090', 'second card', 'more memory', 'more cores', 'faster disk', or "
            "'upgrade' for each of them"
        ),
        N_("PART"),
    ),
    Option(
        "--take-me-there",
        N_("instead of the report, the file for a tool that takes the answer further, or a list for shopping"),
        more={"choices": ("sbatch", "skypilot", "dstack", "accelerate", "shopping")},
    ),
    Option(
        "--require",
        N_("end with status 4 unless the answer meets this, such as 'hours<8 and fits'"),
        N_("CONDITIONS"),
    ),
    Option(
        "--data-must-stay",
        N_("the data may not leave your premises: no cloud"),
        more=_YES_OR_NO,
    ),
)

JOB_OPTIONS = (
    Option("--samples", N_("images, texts or rows of your data"), "N", count_type),
    Option("--epochs", N_("how many times training goes through them"), "N", amount_type),
    Option("--batch-size", N_("samples per step (with --predict: of each device)"), "N", count_type),
    Option(
        "--loaders",
        N_("processes that load images while the device computes (num_workers, workers); 0: none"),
        "N",
        whole_type,
    ),
    Option(
        "--input",
        N_("where samples come from: memory (nothing is loaded), jpeg (photos), text, table or files"),
        more={"choices": INPUTS, "dest": "input_kind"},
    ),
    Option(
        "--attention",
        N_("in one kernel (scaled_dot_product_attention, FlashAttention), or in products and softmax (eager)"),
        more={"choices": ATTENTIONS},
    ),
    Option("--framework-year", N_("year of PyTorch and its libraries, where it is old"), "N", count_type),
    Option("--channels-last", N_("images are stored with their colours last"), more=_YES_OR_NO),
    Option("--compiled", N_("the network is compiled (torch.compile)"), more=_YES_OR_NO),
    Option(
        "--checkpointing",
        N_("activations are computed again in the backward pass, which saves memory (gradient checkpointing)"),
        more=_YES_OR_NO,
    ),
    Option(
        "--precision",
        N_(
            "numeric format; fp32 as PyTorch runs it by default, whose convolutions use TF32 where the card can; "
            "amp: 16-bit where autocast uses it; fp16, bf16: everything in 16-bit"
        ),
        more={"choices": PRECISIONS},
    ),
    Option("--optimizer", N_("optimizer of the training"), more={"choices": OPTIMIZERS}),
    Option(
        "--fused-optimizer",
        N_("one kernel updates the parameters (fused=True); no: one for each operation; otherwise the middle"),
        more=_YES_OR_NO,
    ),
    Option("--method", N_("train all of it, or only a part"), more={"choices": METHODS}),
    Option(
        "--task",
        N_("training, inference (one pass), or generate: a language model that writes"),
        more={"choices": ("train", "infer", "generate")},
    ),
    Option("--image-size", N_("edge of the images in pixels"), "N", count_type),
    Option("--sequence-length", N_("tokens per sequence"), "N", count_type),
    Option(
        "--input-shape", N_("numbers of one sample, such as 1,28,28, for a network of your own"), "N,N,…", shape_type
    ),
)

CLUSTER_OPTIONS = (
    Option(
        "--cluster",
        N_("what --scaling measured of your own cluster; it comes before what can be rented (with --scaling: show it)"),
        N_("FILE.json"),
    ),
    Option("--cluster-price", N_("what a node of it costs an hour; usually nothing"), "N", amount_or_none_type),
    Option("--queue-hours", N_("how long a job waits there before it starts"), "N", amount_or_none_type),
    Option("--cluster-nodes", N_("how many nodes you may have, where fewer were measured"), "N", count_type),
)

PREDICT_OPTIONS = (
    Option("--on", N_("the device, a name from --list devices"), N_("DEVICE")),
    Option("--devices", N_("devices working together"), "N", count_type, more={"default": 1}),
)

SERVING_OPTIONS = (
    Option("--weights", N_("how its weights are stored: q4_k_m, q8_0, fp16, nf4, awq …"), N_("FORMAT")),
    Option("--prompt-tokens", N_("tokens it reads for an answer"), "N", count_type),
    Option("--new-tokens", N_("tokens it writes for an answer"), "N", count_type),
    Option("--context", N_("tokens for which there is room"), "N", count_type),
    Option("--users", N_("answers it writes at once"), "N", count_type),
    Option("--answers-per-month", N_("answers of all users, for what it costs (with --report)"), "N", amount_type),
    Option(
        "--hours-per-month",
        N_("for how long it must stand ready; 0: only while it computes (with --report)"),
        "N",
        amount_or_none_type,
    ),
    Option(
        "--least-tokens-per-s",
        N_("that each user must be given; 0: nobody waits (with --report)"),
        "N",
        amount_or_none_type,
    ),
    Option(
        "--longest-wait-s",
        N_("seconds until an answer must begin; 0: nobody waits (with --report)"),
        "N",
        amount_or_none_type,
    ),
    Option(
        "--here",
        N_("with --list models: which of them run on this computer, and how fast"),
        more={"action": "store_true"},
    ),
)

RECEIPT_OPTIONS = (
    Option("--took", N_("how long one run really took, such as '2 h 40 min'; nothing is measured then"), N_("TIME")),
    Option("--ran-on", N_("where: here, or a part of an option's name (else the recommended one)"), N_("NAME")),
)

OWN_CODE_OPTIONS = (
    Option(
        "--confine",
        N_("hold model.py, or the command of --watch: no network, no file changed, a limit on memory (Linux)"),
        more={"action": "store_true"},
    ),
)

WATCH_OPTIONS = (
    Option("--keep-running", N_("let the script run to its own end"), more={"action": "store_true"}),
    Option("--save", N_("write the job into this file, for --workload"), N_("FILE.json")),
)

FLEET_OPTIONS = (
    Option("--jobs", N_("the jobs of the room, several in a file; otherwise the one of --workload"), N_("FILE.toml")),
    Option("--shard", N_("only part i of n of the table of --sweep; together they are the whole"), "i/n", shard_type),
    Option("--out", N_("write the page into a file: .html, .pdf, .csv, .json, .md or .txt"), N_("FILE")),
)

SCALING_OPTIONS = (
    Option("--nodes", N_("the computers, by ssh: their addresses, or label=address, with commas between"), N_("A,B,…")),
    Option("--hostfile", N_("the same from a file, one computer in a line"), N_("FILE")),
    Option(
        "--slurm",
        N_("the computers of the Slurm allocation that this runs in, by srun"),
        more={"action": "store_true"},
    ),
    Option("--launch", N_("how a command is started there, such as 'ssh {address} {command}'"), N_("COMMAND")),
    Option("--ranks", N_("processes on each computer (usually one for each graphics card)"), "N", ranks_type),
    Option("--port", N_("port where they meet; usually any that is free"), "N", count_type),
    Option(
        "--dry-run",
        N_("measure nothing; print the file that starts it with this tool"),
        more={"choices": LAUNCHERS},
    ),
    Option("--node-count", N_("how many computers that file asks for"), "N", count_type),
)

PACK_OPTIONS = (
    Option("--yes", N_("go ahead without asking (also with --watch and --share)"), more={"action": "store_true"}),
    Option(
        "--torch-build",
        N_("which PyTorch: cpu, cu126, cu129, xpu …, or registry for the usual one; otherwise the one that fits"),
        N_("NAME"),
    ),
)
