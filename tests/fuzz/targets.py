"""Every reader of what comes from outside, with documents it takes, and what is done with what it returns.

A reader may refuse with an ``AdvisorError``; anything else it raises is a fault.
"""

import json
import random
import struct
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from advisor import wire
from advisor.catalog import network_of
from advisor.catalog.described import _KINDS, images
from advisor.catalog.language.config import read_model
from advisor.catalog.offers import read_offers, read_origins, shipped_folder
from advisor.catalog.workloads import find_workload
from advisor.cli.arguments import parse_arguments
from advisor.fleet.inventory import inventory_members
from advisor.history import History
from advisor.learning import gather, learn
from advisor.locale import language
from advisor.pack.store import MAKING, MANIFEST, Making, Store
from advisor.predict.serving.size import parameter_count
from advisor.records.channel import Answer, CaseResult, Command, Ready, RunCase, Sample
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.measuring_pack import PackManifest
from advisor.records.request import Observation
from advisor.records.results.history_entry import summarise
from advisor.records.results.measured.watched import WatchedJob, WatchedScript
from advisor.report.documents.scaling import render_scaling
from advisor.report.formats.write import render
from advisor.report.words.learned import fault_sentence, learned_sentences
from advisor.resource import resource_path
from advisor.session.forecast import conclude
from advisor.session.given.model_files import model_network
from advisor.session.given.own_network import job_of
from tests.fakes.measured import matmul_case
from tests.unit.catalog.language.test_config import CONFIGS
from tests.unit.catalog.language.test_gguf import TENSORS, VALUES, head
from tests.unit.catalog.language.test_safetensors import HEAD
from tests.unit.fleet.test_inventory import GLPI, ROWS
from tests.unit.learning import build as others
from tests.unit.report.documents.test_scaling import SCALING
from tests.unit.report.samples import enough, every

EN, ES = language("en"), language("es")


@dataclass(frozen=True)
class Target:
    """A reader.

    Attributes:
        seeds: Documents that it takes.
        read: Reads one, and uses what was read.
        is_json: Whether values are changed, too, and not bytes alone.
    """

    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], None]
    is_json: bool = False


@cache
def _reports() -> tuple[bytes, ...]:
    return tuple(wire.encode(report) for report in every().values())


def _read_report(content: bytes) -> None:
    report = wire.decode_report(content)
    for form in ("text", "md", "html", "json"):
        render(report, form, EN)
    render(report, "text", ES)
    summarise(report)


@cache
def _machines() -> tuple[bytes, ...]:
    return tuple(wire.encode(report.machine) for report in every().values())


def _read_machine(content: bytes) -> None:
    known = enough()
    machine = wire.decode_machine(content)
    render(conclude(Observation(machine=machine, is_simulated=True), known.workload, known.circumstances), "text", EN)


_WORKLOADS = (
    b'[workload]\nnetwork = "resnet50"\nsamples = 12000\nepochs = 30\nbatch_size = 64\nprecision = "amp"\n'
    b'input_kind = "jpeg"\nloaders = 8\n[circumstances]\nruns_per_month = 8\ndeadline_h = 12\nbudget_usd = 900\n',
    b'[workload]\ntitle = "own"\nsamples = 100\nepochs = 3\nimage_size = 64\n'
    b'[[workload.layers]]\nkind = "conv"\nfilters = 16\n',
)


def _in_file(name: str, content: bytes, read: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        read(path)


def _read_workload(content: bytes) -> None:
    _in_file("job.toml", content, lambda path: find_workload(str(path)))


@cache
def _shared() -> tuple[bytes, ...]:
    source = random.Random(1)
    ratios = dict.fromkeys(others.NETWORKS[:2], 1.1)
    return tuple(wire.encode(others.shared(hand, ratios, source)) for hand in range(4))


def _shared_and_reports() -> Sequence[bytes]:
    return _shared()[0], wire.encode(others.report())


def _read_shared(content: bytes) -> None:
    """Learn from three computers beside the one that is changed, and say what was learned."""

    def use(path: Path) -> None:
        for number, other in enumerate(_shared()[1:]):
            path.with_name(f"{number}.json").write_bytes(other)
        found = gather(path.parent)
        for sentence in learned_sentences(learn(found), ES):
            assert sentence.replace("\xa0", " ").isprintable(), sentence
        for fault in found.left_out:
            fault_sentence(fault.reason, fault.cases, EN)

    _in_file("shared.json", content, use)


def _watched() -> Sequence[bytes]:
    script = WatchedScript(ended="itself", watched_s=9.0, memory_bytes=10**9, epochs=3.0)
    job = WatchedJob(script=script, workload=enough().workload, network=network_of(enough().workload))
    return (wire.encode(job),)


def _read_watched(content: bytes) -> None:
    wire.decode_watched(content, "job.json")


def _origins() -> Sequence[bytes]:
    return ((shipped_folder() / "snapshot.toml").read_bytes(),)


def _read_origins(content: bytes) -> None:
    _in_file("snapshot.toml", content, lambda path: read_origins(path.parent))


@cache
def _prices() -> tuple[bytes, ...]:
    files = sorted(shipped_folder().glob("*.csv"))
    return tuple(b"\n".join(path.read_bytes().splitlines()[:12]) + b"\n" for path in files[:4])


def _read_prices(content: bytes) -> None:
    list(read_offers(content.decode("utf-8", "replace"), "aws", "2026-10"))


@cache
def _histories() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder) / "history.sqlite3")
        history.add(enough())
        return (history.path.read_bytes(),)


def _read_history(content: bytes) -> None:
    def use(path: Path) -> None:
        history = History(path)
        for entry in history.entries():
            history.report(entry.id)
        history.purge()

    _in_file("history.sqlite3", content, use)


def _pack() -> Sequence[bytes]:
    manifest = PackManifest(environment="env-1", backend="cpu", torch_version="2", installed_at="2026-11-21")
    return msgspec.json.encode(manifest), msgspec.json.encode(Making(environment="env-2", backend="cpu"))


def _read_pack(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place, precious = Path(folder) / "pack", Path(folder) / "precious"
        place.mkdir()
        precious.mkdir()
        for name in (MANIFEST, MAKING):
            (place / name).write_bytes(content)
        store = Store(place)
        store.manifest()
        store.begin("cpu")
        store.abandon()
        assert precious.is_dir(), "a folder beside the pack is gone"


def _lines() -> Sequence[bytes]:
    case = matmul_case(64)
    answers = (
        Ready(framework=Framework(version="2.13.0")),
        Sample(case_id=case.id, sample_s=0.1),
        CaseResult(case_id=case.id, samples_s=(0.1, 0.2)),
        RunCase(case=case),
    )
    return tuple(msgspec.json.encode(one) for one in answers)


def _read_line(content: bytes) -> None:
    for kind in (Answer, Command):
        wire.decode_line(content, kind)


def _arguments() -> Sequence[bytes]:
    return (
        b"--report\0out.html\0--workload\0resnet50\0--budget\0800\0--currency\0EUR\0--deadline\024",
        b"--predict\0resnet50\0--on\0RTX 4090\0--batch-size\064\0--precision\0amp",
        b"--report\0--suite\0none\0--gpu\0RTX 4060 Laptop:8GB\0--input-shape\03,224,224",
        b"--watch\0--save\0job.json\0--\0python\0train.py",
    )


def _read_arguments(content: bytes) -> None:
    try:
        parse_arguments(content.decode("utf-8", "surrogateescape").split("\0"), EN)
    except SystemExit as end:  # --help and --version
        if end.code:
            raise


def _settings() -> Sequence[bytes]:
    return (b'[General]\ntheme=dark\ninterval_s=1\noverrides="0=RTX 3060:12GB"\ngeometry=01d9\nlanguage_code=es\n',)


def _read_settings(content: bytes) -> None:
    from advisor.gui.base.settings import load_settings

    def use(path: Path) -> None:
        settings = load_settings(path)
        settings.save()
        assert load_settings(path) == settings, "what is saved is not what is read"

    _in_file("window.ini", content, use)


def _configs() -> Sequence[bytes]:
    return tuple(json.dumps(config).encode() for config in CONFIGS.values())


def _ggufs() -> Sequence[bytes]:
    return (head(VALUES, TENSORS),)


def _safetensors() -> Sequence[bytes]:
    text = json.dumps(HEAD).encode()
    return (struct.pack("<Q", len(text)) + text,)


def _model_reader(name: str) -> Callable[[bytes], None]:
    return lambda content: _in_file(name, content, lambda path: parameter_count(read_model(path)))


def _described() -> Sequence[bytes]:
    """Return descriptions of networks with every number that their library usually takes."""
    pairs = {
        "clip": {"vision_config": images.CLIP_IMAGES, "text_config": images.CLIP_TEXTS},
        "siglip": {"vision_config": images.SIGLIP_IMAGES, "text_config": images.SIGLIP_TEXTS},
    }
    known = [
        {**kind.usual, **pairs.get(name, {}), "model_type": name, "num_labels": 10} for name, kind in _KINDS.items()
    ]
    return tuple(json.dumps(one).encode() for one in (*known, *CONFIGS.values()))


def _read_described(content: bytes) -> None:
    """Train what a description tells of, on every device."""
    known = enough()

    def use(path: Path) -> None:
        network = model_network(str(path))
        conclude(Observation(machine=known.machine, is_simulated=True), job_of(network), known.circumstances, network)

    _in_file("config.json", content, use)


def _inventories() -> Sequence[bytes]:
    return json.dumps(GLPI).encode(), json.dumps(ROWS).encode()


def _read_inventory(content: bytes) -> None:
    known = enough()
    for member in inventory_members(content, "digest")[:2]:
        wire.encode(member.machine)
        conclude(Observation(machine=member.machine, is_simulated=True), known.workload, known.circumstances)


def _scalings() -> Sequence[bytes]:
    return (wire.encode(SCALING),)


def _read_scaling(content: bytes) -> None:
    scaling = wire.decode_scaling(content, "scaling.json")
    for form in ("text", "html"):
        render_scaling(scaling, form, EN)


def _presets() -> Sequence[bytes]:
    return (resource_path("catalog", "presets.toml").read_bytes()[:2000], *_WORKLOADS)


TARGETS = {
    "report": Target(_reports, _read_report, is_json=True),
    "machine": Target(_machines, _read_machine, is_json=True),
    "workload": Target(_presets, _read_workload),
    "shared": Target(_shared_and_reports, _read_shared, is_json=True),
    "watched": Target(_watched, _read_watched, is_json=True),
    "origins": Target(_origins, _read_origins),
    "prices": Target(_prices, _read_prices),
    "history": Target(_histories, _read_history),
    "pack": Target(_pack, _read_pack, is_json=True),
    "line": Target(_lines, _read_line, is_json=True),
    "arguments": Target(_arguments, _read_arguments),
    "settings": Target(_settings, _read_settings),
    "config": Target(_configs, _model_reader("config.json"), is_json=True),
    "described": Target(_described, _read_described, is_json=True),
    "gguf": Target(_ggufs, _model_reader("model.gguf")),
    "safetensors": Target(_safetensors, _model_reader("model.safetensors")),
    "inventory": Target(_inventories, _read_inventory, is_json=True),
    "scaling": Target(_scalings, _read_scaling, is_json=True),
}
