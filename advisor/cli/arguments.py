"""The command line's grammar: its options in groups, and the checks that a parser alone cannot make."""

import argparse
import re
from collections.abc import Iterator, Sequence

from advisor.cli.options import (
    CLUSTER_OPTIONS,
    COMMANDS,
    FLEET_OPTIONS,
    JOB_OPTIONS,
    OWN_CODE_OPTIONS,
    PACK_OPTIONS,
    PREDICT_OPTIONS,
    RECEIPT_OPTIONS,
    REPORT_OPTIONS,
    SCALING_OPTIONS,
    SERVING_OPTIONS,
    WATCH_OPTIONS,
    add_options,
)
from advisor.cli.parser import Parser
from advisor.errors import InputError
from advisor.locale import LANGUAGES, Language, own_language, system_language

JOB_FIELDS = (
    "samples",
    "epochs",
    "batch_size",
    "loaders",
    "input_kind",
    "attention",
    "framework_year",
    "channels_last",
    "compiled",
    "checkpointing",
    "precision",
    "optimizer",
    "fused_optimizer",
    "method",
    "task",
    "image_size",
    "sequence_length",
)
"""Options that are fields of the workload."""
SERVING_FIELDS = ("weights", "prompt_tokens", "new_tokens", "context", "users")
"""Options that say how a language model is asked."""
QUESTION_FIELDS = ("answers_per_month", "hours_per_month", "least_tokens_per_s", "longest_wait_s")
"""Options that say what one is run for."""
_NOT_SERVING = ("data", "require", "label", "trace", "deadline")
"""Options of a report that say nothing of a model that is to be run."""
_SCALING_FIELDS = ("nodes", "hostfile", "slurm", "launch", "ranks", "port", "dry_run", "node_count")
_TEXT_OR_JSON = ("predict", "watch", "list", "doctor", "compare", "was_it_true")
"""Commands that show no page."""
_LAST_PORT = 65535
_LONGEST = 16_384
"""Characters of an argument; a path has at most 4,096 on Linux."""
_MOST_TIMES = 256
"""So often an option may be given."""
_LIMITED = (*JOB_FIELDS, "devices")


def requested_language(argv: Sequence[str]) -> Language:
    """Return the language of ``--lang``, else the user's own, before anything else is read.

    It is written as in the country of ``--country``, as the window writes as in the country of its settings.
    """
    argv = _own_part(argv)[0]
    code, country = _first_value(argv, "--lang"), _first_value(argv, "--country")
    if code is not None and code not in LANGUAGES:
        raise InputError(
            "Language '{code}' is not available; choose one of: {known}.", code=code, known=", ".join(LANGUAGES)
        )
    return own_language(code or system_language().code, country=country and country.upper())


def _first_value(argv: Sequence[str], option: str) -> str | None:
    for position, argument in enumerate(argv):
        if argument == option and position + 1 < len(argv):
            return argv[position + 1]
        if argument.startswith(f"{option}="):
            return argument.removeprefix(f"{option}=")
    return None


def parse_arguments(argv: Sequence[str], lang: Language) -> argparse.Namespace:
    """Return the checked arguments.

    Raises:
        InputError: An argument is unknown, has a wrong value, or does not go with the others.
    """
    parser = build_parser(lang)
    argv, command = _own_part(argv)
    for argument in argv:
        if argument.startswith("--") and argument.endswith("=--"):  # which argparse drops, and then trips over
            raise parser.without_value(argument.removesuffix("=--"))
    arguments = parser.parse_args(argv)
    _check_values(arguments, parser)
    arguments.command = command
    if _names_serving(arguments):
        arguments.task = "generate"
    _check_companions(arguments)
    return arguments


def _check_companions(arguments: argparse.Namespace) -> None:
    """Refuse options without the command that they belong to."""
    _check_own_code(arguments)
    _check_format(arguments)
    if arguments.jobs is not None and arguments.fleet is None and not arguments.sweep:
        raise InputError("--jobs belongs to --fleet and --sweep.")
    if arguments.shard is not None and not arguments.sweep:
        raise InputError("{option} belongs to {other}.", option="--shard", other="--sweep")
    if arguments.out is not None and arguments.fleet is None and not arguments.scaling:
        raise InputError("--out belongs to --fleet and --scaling.")
    _check_receipt(arguments)
    _check_scaling(arguments)
    _check_cluster(arguments)
    _check_prediction(arguments)
    if arguments.trace is not None and arguments.suite != "full":
        raise InputError("--trace needs --suite full: only that profiles training steps.")
    if arguments.data is not None and (arguments.machine is not None or arguments.predict is not None):
        raise InputError("--data goes with --report, and not with --machine: your data are measured on this computer.")
    if arguments.once and arguments.runs_per_month is not None:
        raise InputError("--once and --runs-per-month say two things; give one of them.")
    _check_job(arguments)


def _check_own_code(arguments: argparse.Namespace) -> None:
    """Refuse options of the user's own code where there is none."""
    if arguments.watch and not arguments.command:
        raise InputError("--watch needs a command: advisor --watch -- python train.py")
    if (arguments.keep_running or arguments.save is not None) and not arguments.watch:
        raise InputError("--keep-running and --save belong to --watch.")
    if arguments.confine and not (arguments.watch or _names_a_program(arguments)):
        raise InputError("--confine goes with --watch, or with a network of your own: --workload model.py:build.")


def _check_format(arguments: argparse.Namespace) -> None:
    """Refuse a page, or a picture, of what is no answer."""
    plain = any(getattr(arguments, name) not in (None, False) for name in _TEXT_OR_JSON)
    is_page = arguments.format not in (None, "text", "json")
    if is_page and (plain or (arguments.format in {"png", "sheet"} and arguments.report is None)):
        raise InputError("--format {form} goes with --report: it shows an answer.", form=arguments.format)


def _check_receipt(arguments: argparse.Namespace) -> None:
    """Refuse a time that was taken without the answer that it belongs to."""
    if arguments.took is not None and arguments.was_it_true in (None, "all"):
        raise InputError("--took needs the number of an answer: advisor --was-it-true 3 --took '2 h 40 min'")
    if arguments.ran_on is not None and arguments.took is None:
        raise InputError("--ran-on belongs to --took; what is measured again is measured here.")


def _check_prediction(arguments: argparse.Namespace) -> None:
    """Take a single card as the device of a prediction; refuse a network or a device without the other."""
    if arguments.predict is not None and arguments.on is None and len(arguments.gpu) == 1:
        arguments.on = arguments.gpu[0]
    if arguments.predict is not None and arguments.on is None:
        raise InputError("--predict needs a device: add --on DEVICE (see advisor --list devices).")
    if arguments.on is not None and arguments.predict is None:
        raise InputError("--on belongs to --predict: say which network with --predict NAME.")


def _check_scaling(arguments: argparse.Namespace) -> None:
    """Refuse options of a group without one, and groups that are named twice."""
    given = [name for name in _SCALING_FIELDS if getattr(arguments, name) not in (None, False)]
    if given and not arguments.scaling:
        raise InputError("{option} belongs to --scaling.", option=_option(given[0]))
    ways = [name for name in ("nodes", "hostfile", "slurm") if name in given]
    if len(ways) > 1:
        raise InputError("--nodes, --hostfile and --slurm name computers in three ways; give one of them.")
    if given and arguments.cluster is not None:
        raise InputError(
            "{option} with {other} measures nothing; leave {more} out.",
            option="--scaling",
            other="--cluster",
            more=_option(given[0]),
        )
    if arguments.launch is not None and not ways:
        raise InputError("--launch needs computers: add --nodes, --hostfile or --slurm.")
    if arguments.port is not None and arguments.port > _LAST_PORT:
        raise InputError("There is no port {port}; the last is {last}.", port=arguments.port, last=_LAST_PORT)


def _check_cluster(arguments: argparse.Namespace) -> None:
    """Refuse what is said of a cluster that nobody named."""
    said = [name for name in ("cluster_price", "queue_hours", "cluster_nodes") if getattr(arguments, name) is not None]
    if said and arguments.cluster is None:
        raise InputError("{option} belongs to {other}.", option=_option(said[0]), other="--cluster")
    if said and arguments.scaling:
        raise InputError("{option} goes with --report, about a training.", option=_option(said[0]))
    others = (arguments.predict, arguments.fleet, arguments.watch)
    is_other = arguments.task == "generate" or any(one not in (None, False) for one in others)
    if arguments.cluster is not None and is_other:
        raise InputError("{option} goes with --report, about a training.", option="--cluster")


def _check_job(arguments: argparse.Namespace) -> None:
    """Refuse what does not go with how the job is named."""
    if arguments.torch_build is not None and not re.fullmatch(r"[a-z]+[0-9.]*", arguments.torch_build):
        raise InputError(
            "'{name}' is not a build of PyTorch; write one such as cpu, cu126 or xpu.", name=arguments.torch_build
        )
    _check_serving(arguments)
    if arguments.devices != 1 and arguments.predict is None:
        raise InputError("--devices belongs to --predict; a report compares one and several devices by itself.")
    if arguments.input_shape is not None and not _names_a_program(arguments):
        raise InputError("--input-shape belongs to a network of your own, such as --workload model.py:build.")


def _check_serving(arguments: argparse.Namespace) -> None:
    """Refuse options of a language model that writes where nothing writes."""
    lists = arguments.list == "models"
    if arguments.here and not lists:
        raise InputError("--here belongs to --list models.")
    for name in QUESTION_FIELDS:
        if getattr(arguments, name) is not None and (arguments.task != "generate" or arguments.predict is not None):
            raise InputError("{option} goes with --report and --task generate.", option=_option(name))
    training = next(_training_fields(arguments), None)
    if arguments.task == "generate" and training is not None:
        raise InputError("{option} is about training, and does not go with --task generate.", option=_option(training))
    if arguments.task == "generate" and arguments.predict is None:
        for name in _NOT_SERVING:
            if getattr(arguments, name) is not None:
                raise InputError("{option} does not go with --task generate.", option=_option(name))
    writes = arguments.task == "generate" or (lists and arguments.here)
    given = next((name for name in SERVING_FIELDS if getattr(arguments, name) is not None), None)
    if given is not None and not writes:
        raise InputError("{option} goes with --task generate, or with --list models --here.", option=_option(given))


def _names_serving(arguments: argparse.Namespace) -> bool:
    """Return whether a report is about a model that is to be run, without its being said."""
    others = (arguments.predict, arguments.fleet, arguments.list, arguments.scaling, arguments.watch, arguments.task)
    if arguments.workload is None or any(one not in (None, False) for one in others):
        return False
    from advisor.catalog.language.jobs import is_serving_job

    return is_serving_job(arguments.workload)


def _training_fields(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield what was said of a training."""
    for name in JOB_FIELDS:
        if name not in ("task", "framework_year") and getattr(arguments, name) is not None:
            yield name


def _own_part(argv: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...]]:
    """Return this program's own arguments, and the command that is to be watched."""
    if "--" not in argv or "--watch" not in argv[: (end := list(argv).index("--"))]:
        return argv, ()
    return argv[:end], tuple(argv[end + 1 :])


def _names_a_program(arguments: argparse.Namespace) -> bool:
    from advisor.session.given.own_network import is_program

    return is_program(arguments.predict or arguments.workload or "")


def _check_values(arguments: argparse.Namespace, parser: Parser) -> None:
    """Refuse texts without a sign, and numbers beyond what makes sense, before anything is begun with them."""
    for name, value in vars(arguments).items():
        option = _option(name)
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and not text.strip() for text in texts):
            raise parser.without_value(option)
        if len(texts) > _MOST_TIMES or any(isinstance(text, str) and len(text) > _LONGEST for text in texts):
            raise InputError("{option} is too long, or given too often.", option=option)
        if name in _LIMITED and value not in (None, 1):
            from advisor.catalog import check_limits  # the records load only where there is a number to look at

            check_limits(name, value, called=option)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def build_parser(lang: Language) -> Parser:
    """Return the parser with its help in the given language."""
    _ = lang.gettext
    parser = Parser(
        lang,
        description=_("Is my computer enough for deep learning, and if not, what should I get?"),
        epilog=_("Without options the window opens. Nothing leaves this computer."),
    )
    commands = parser.add_argument_group(_("what to do")).add_mutually_exclusive_group()
    add_options(commands, COMMANDS, lang)
    general = parser.add_argument_group(_("options"))
    parser.add_own_options(general)
    add_options(general, REPORT_OPTIONS, lang)
    for title, options in (
        (_("options of what is trained, instead of the usual ones"), JOB_OPTIONS),
        (_("options of your own cluster, with --report"), CLUSTER_OPTIONS),
        (_("options of --predict"), PREDICT_OPTIONS),
        (_("options of a language model that writes (--predict NAME --task generate)"), SERVING_OPTIONS),
        (_("options of --was-it-true"), RECEIPT_OPTIONS),
        (_("options of your own code"), OWN_CODE_OPTIONS),
        (_("options of --watch"), WATCH_OPTIONS),
        (_("options of --fleet"), FLEET_OPTIONS),
        (_("options of --scaling"), SCALING_OPTIONS),
        (_("options of --measuring-pack"), PACK_OPTIONS),
    ):
        add_options(parser.add_argument_group(title), options, lang)
    return parser
