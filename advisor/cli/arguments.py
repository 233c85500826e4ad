"""The command line's grammar: options, their help in the user's language, and checks a parser alone cannot make."""

import argparse
import math
import re
from collections.abc import Callable, Sequence

from advisor.catalog import check_limits
from advisor.cli.parser import Parser
from advisor.errors import InputError
from advisor.locale import LANGUAGES, Language, own_language, system_language
from advisor.session.own_network import is_program

FORMATS = ("text", "json", "html", "md", "pdf")
LISTS = ("workloads", "devices", "computers", "offers", "cases", "rules")
PRECISIONS = ("fp32", "tf32", "fp16", "bf16", "amp")
ATTENTIONS = ("fused", "decomposed")
OPTIMIZERS = ("none", "sgd", "adam", "adamw")
METHODS = ("scratch", "full", "transfer", "lora", "qlora")
JOB_FIELDS = (
    "samples",
    "epochs",
    "batch_size",
    "loaders",
    "attention",
    "framework_year",
    "channels_last",
    "compiled",
    "precision",
    "optimizer",
    "method",
    "task",
    "image_size",
    "sequence_length",
)
"""Options that are fields of the workload."""
MOST_MINUTES = 10_080.0
"""A week: no suite takes longer, and clocks have an end."""
_LONGEST_COUNT = 18
"""Digits of a whole number; what it may be at most is said where it is used."""
_MOST_IN_SHAPE = 2**31


def requested_language(argv: Sequence[str]) -> Language:
    """Return the language asked for by ``--lang``, else the user's own, before anything else is read."""
    for position, argument in enumerate(argv):
        if argument == "--lang" and position + 1 < len(argv):
            return _language_of(argv[position + 1])
        if argument.startswith("--lang="):
            return _language_of(argument.removeprefix("--lang="))
    return system_language()


def _language_of(code: str) -> Language:
    if code not in LANGUAGES:
        raise InputError(
            "Language '{code}' is not available; choose one of: {known}.", code=code, known=", ".join(LANGUAGES)
        )
    return own_language(code)


def parse_arguments(argv: Sequence[str], lang: Language) -> argparse.Namespace:
    """Return the checked arguments.

    Raises:
        InputError: An argument is unknown, has a wrong value, or does not go with the others.
    """
    parser = build_parser(lang)
    for argument in argv:
        if argument.startswith("--") and argument.endswith("=--"):  # which argparse drops, and then trips over
            raise parser.without_value(argument.removesuffix("=--"))
    arguments = parser.parse_args(argv)
    _check_values(arguments, parser)
    if arguments.predict is not None and arguments.on is None:
        raise InputError("--predict needs a device: add --on DEVICE (see advisor --list devices).")
    if arguments.on is not None and arguments.predict is None:
        raise InputError("--on belongs to --predict: say which network with --predict NAME.")
    if arguments.trace is not None and arguments.suite != "full":
        raise InputError("--trace needs --suite full: only that profiles training steps.")
    if arguments.torch_build is not None and not re.fullmatch(r"[a-z]+[0-9.]*", arguments.torch_build):
        raise InputError(
            "'{name}' is no build of PyTorch; write one such as cpu, cu126 or xpu.", name=arguments.torch_build
        )
    if arguments.devices != 1 and arguments.predict is None:
        raise InputError("--devices belongs to --predict; a report compares one and several devices by itself.")
    if arguments.input_shape is not None and not is_program(arguments.predict or arguments.workload or ""):
        raise InputError("--input-shape belongs to a network of your own, such as --workload model.py:build.")
    return arguments


def _check_values(arguments: argparse.Namespace, parser: Parser) -> None:
    """Refuse texts without a sign, and numbers beyond what makes sense, before anything is begun with them."""
    for name, value in vars(arguments).items():
        option = _option(name)
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and not text.strip() for text in texts):
            raise parser.without_value(option)
        if name in JOB_FIELDS or name == "devices":
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
    _add_commands(parser, lang)
    _add_report_options(parser, lang)
    _add_job_options(parser, lang)
    _add_predict_options(parser, lang)
    _add_pack_options(parser, lang)
    return parser


def _add_commands(parser: Parser, lang: Language) -> None:
    _ = lang.gettext
    commands = parser.add_argument_group(_("what to do")).add_mutually_exclusive_group()
    commands.add_argument(
        "--report",
        nargs="?",
        const="-",
        metavar=_("FILE"),
        help=_("probe, measure and recommend; write the report to FILE or to the screen"),
    )
    commands.add_argument(
        "--predict", metavar=_("NAME"), help=_("predict one network, or FILE.py:NAME, on one device (with --on)")
    )
    commands.add_argument("--list", choices=LISTS, help=_("list what this program knows"))
    commands.add_argument("--doctor", action="store_true", help=_("show what was detected, how, and what is missing"))
    commands.add_argument(
        "--compare",
        nargs=2,
        metavar=("A.json", "B.json"),
        help=_("compare two reports: two machines, or before and after"),
    )
    commands.add_argument(
        "--refresh-prices", action="store_true", help=_("fetch newer cloud prices from the internet, now and only now")
    )
    commands.add_argument(
        "--how-sure", action="store_true", help=_("show how well predictions hold on public measurements")
    )
    commands.add_argument(
        "--measuring-pack",
        choices=("install", "status", "remove"),
        help=_("download the PyTorch that fits your graphics card, for measurements alone; or show or remove it"),
    )
    commands.add_argument("--schema", action="store_true", help=_("print the JSON Schema of a report"))


def _add_report_options(parser: Parser, lang: Language) -> None:
    _ = lang.gettext
    group = parser.add_argument_group(_("options"))
    parser.add_own_options(group)
    group.add_argument("--format", choices=FORMATS, help=_("form of the output; else from the file's ending"))
    group.add_argument("--suite", choices=("quick", "full", "none"), default="quick", help=_("how much to measure"))
    group.add_argument(
        "--max-minutes",
        metavar="N",
        type=_amount(lang, MOST_MINUTES),
        help=_("how long it may take; tests that no longer fit are left out (usually 1 minute, full suite 12)"),
    )
    group.add_argument(
        "--trace",
        metavar=_("FOLDER"),
        help=_("write what the profiled steps did into this folder, for ui.perfetto.dev (with --suite full)"),
    )
    group.add_argument(
        "--workload",
        metavar=_("NAME|FILE.toml|FILE.py:NAME"),
        help=_(
            "what you want to train: a name from --list workloads, a file, or what gives a network in your own "
            "Python file, whose code is then run"
        ),
    )
    group.add_argument(
        "--machine",
        metavar=_("FILE.json"),
        help=_("advise for the machine in this report, or in the JSON of --doctor; measure nothing here"),
    )
    group.add_argument(
        "--gpu",
        metavar=_("NAME:MEMORY"),
        action="append",
        default=[],
        help=_("set the graphics card by hand, such as 'RTX 3060:12GB'"),
    )
    group.add_argument(
        "--no-history", action="store_true", help=_("do not keep this check among those that the window lists")
    )
    group.add_argument("--lang", choices=LANGUAGES, help=_("language of texts and numbers"))
    group.add_argument("--currency", metavar=_("CODE"), type=str.upper, help=_("currency of prices, such as EUR"))
    group.add_argument(
        "--country", metavar=_("CODE"), type=str.upper, help=_("country of the electricity price, such as ES")
    )
    group.add_argument(
        "--electricity", metavar="N", type=_amount(lang), help=_("your price of a kilowatt-hour, in your currency")
    )
    group.add_argument(
        "--exchange-rate", metavar="N", type=_amount(lang), help=_("units of your currency for one US dollar, today")
    )
    group.add_argument(
        "--resale",
        metavar="N",
        type=_share(lang),
        help=_("percent of the price that a card brings at the end (else by its age)"),
    )
    group.add_argument("--budget", metavar="N", type=_amount(lang), help=_("money you can spend, in your currency"))
    group.add_argument(
        "--deadline", metavar=_("HOURS"), type=_amount(lang), help=_("one run must end within so many hours")
    )
    group.add_argument("--runs-per-month", metavar="N", type=_amount(lang), help=_("how often you run it"))
    group.add_argument("--months", metavar="N", type=_amount(lang), help=_("how many months you will use it"))
    group.add_argument(
        "--data-must-stay", action="store_true", help=_("the data may not leave your premises: no cloud")
    )


def _add_job_options(parser: Parser, lang: Language) -> None:
    _ = lang.gettext
    group = parser.add_argument_group(_("options of what is trained, instead of the usual ones"))
    group.add_argument("--samples", metavar="N", type=_count(lang), help=_("images, texts or rows of your data"))
    group.add_argument("--epochs", metavar="N", type=_amount(lang), help=_("how many times they are gone through"))
    group.add_argument(
        "--batch-size", metavar="N", type=_count(lang), help=_("samples per step (with --predict: of each device)")
    )
    group.add_argument(
        "--loaders",
        metavar="N",
        type=_whole(lang),
        help=_("processes that load images while the device computes (num_workers, workers); 0: none"),
    )
    group.add_argument(
        "--attention",
        choices=ATTENTIONS,
        help=_("in one kernel (scaled_dot_product_attention, FlashAttention), or in products and softmax (eager)"),
    )
    group.add_argument(
        "--framework-year", metavar="N", type=_count(lang), help=_("year of PyTorch and its libraries, where it is old")
    )
    group.add_argument(
        "--channels-last", action="store_true", default=None, help=_("images are stored with their colours last")
    )
    group.add_argument(
        "--compiled", action="store_true", default=None, help=_("the network is compiled (torch.compile)")
    )
    group.add_argument("--precision", choices=PRECISIONS, help=_("numeric format"))
    group.add_argument("--optimizer", choices=OPTIMIZERS, help=_("optimizer of the training"))
    group.add_argument("--method", choices=METHODS, help=_("train all of it, or only a part"))
    group.add_argument("--task", choices=("train", "infer"), help=_("training or inference"))
    group.add_argument("--image-size", metavar="N", type=_count(lang), help=_("edge of the images in pixels"))
    group.add_argument("--sequence-length", metavar="N", type=_count(lang), help=_("tokens per sequence"))
    group.add_argument(
        "--input-shape",
        metavar="N,N,…",
        type=_shape(lang),
        help=_("numbers of one sample, such as 1,28,28, for a network of your own"),
    )


def _add_predict_options(parser: Parser, lang: Language) -> None:
    _ = lang.gettext
    group = parser.add_argument_group(_("options of --predict"))
    group.add_argument("--on", metavar=_("DEVICE"), help=_("the device, a name from --list devices"))
    group.add_argument("--devices", metavar="N", type=_count(lang), default=1, help=_("devices working together"))


def _add_pack_options(parser: Parser, lang: Language) -> None:
    _ = lang.gettext
    group = parser.add_argument_group(_("options of --measuring-pack"))
    group.add_argument("--yes", action="store_true", help=_("download without asking"))
    group.add_argument(
        "--torch-build",
        metavar=_("NAME"),
        help=_("which PyTorch: cpu, cu126, cu129, xpu …, or registry for the usual one; else the one that fits"),
    )


def _amount(lang: Language, most: float = math.inf) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value > 0):
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a number above 0").format(text=text))
        if value > most:
            said = lang.gettext("'{text}' is more than {most}").format(text=text, most=lang.number(most))
            raise argparse.ArgumentTypeError(said)
        return value

    return parse


def _share(lang: Language) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not 0 <= value <= 100:
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a number from 0 to 100").format(text=text))
        return value / 100

    return parse


def _count(lang: Language) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isdecimal() and len(text) <= _LONGEST_COUNT and int(text) > 0):
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a whole number above 0").format(text=text))
        return int(text)

    return parse


def _whole(lang: Language) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isdecimal() and len(text) <= _LONGEST_COUNT and int(text) <= 10_000):
            raise argparse.ArgumentTypeError(
                lang.gettext("'{text}' is not a whole number from 0 to 10000").format(text=text)
            )
        return int(text)

    return parse


def _shape(lang: Language) -> Callable[[str], tuple[int, ...]]:
    count = _count(lang)

    def parse(text: str) -> tuple[int, ...]:
        shape = tuple(count(part.strip()) for part in text.replace("x", ",").split(","))
        if max(shape) > _MOST_IN_SHAPE:
            said = lang.gettext("'{text}' is more than {most}").format(text=text, most=lang.number(_MOST_IN_SHAPE))
            raise argparse.ArgumentTypeError(said)
        return shape

    return parse
