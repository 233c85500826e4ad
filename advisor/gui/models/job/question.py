"""The user's question: which ready-made job, with which numbers, how often and how soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from advisor.errors import InputError
from advisor.gui.models.job.edit_history import EditHistory, State
from advisor.locale import N_, Language
from advisor.locale import language as language_of
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, EpochRange, Layer, Preset, Workload, on_samples
from advisor.records.results.measured.own_data import FoundData
from advisor.records.results.report import Report
from advisor.report.words.networks import network_name
from advisor.report.words.samples import samples_phrase
from advisor.units import DAY_S, HOUR_S, MINUTE_S, MONTH_S

WEEKS_PER_MONTH = MONTH_S / (7 * DAY_S)
DAYS_PER_MONTH = MONTH_S / DAY_S

DEADLINES_S: tuple[tuple[float, str], ...] = (
    (10 * MINUTE_S, N_("ten minutes")),
    (HOUR_S, N_("an hour")),
    (12 * HOUR_S, N_("a night")),
    (DAY_S, N_("a day")),
    (3 * DAY_S, N_("three days")),
    (7 * DAY_S, N_("a week")),
    (MONTH_S, N_("a month")),
)
FREQUENCIES: tuple[tuple[float, str], ...] = (
    (1.0, N_("once a month")),
    (2.0, N_("twice a month")),
    (WEEKS_PER_MONTH, N_("every week")),
    (3 * WEEKS_PER_MONTH, N_("three times a week")),
    (DAYS_PER_MONTH, N_("every day")),
    (5 * DAYS_PER_MONTH, N_("five times a day")),
)


@dataclass(frozen=True, kw_only=True)
class Card:
    """A ready-made job in plain words.

    Attributes:
        preset_id: Workload id; None for "Something else …".
        picture: Name of an icon in resources/icons.
        group: Heading that it stands under, behind "Something else …".
    """

    preset_id: str | None
    picture: str
    title: str
    description: str
    group: str = ""


# Preset id, picture, title, description: the cards of the first screen, in order; they are there before the catalogue.
CARDS: tuple[tuple[str, str, str, str], ...] = (
    ("simple_cnn", "preset-network", N_("Learn with small networks"), N_("Courses and first experiments")),
    ("article_cnn", "preset-photos", N_("Classify my photos"), N_("Train a model to recognise what is in them")),
    ("bert_finetuning", "preset-text", N_("Fine-tune a text model"), N_("Adapt a ready model that classifies texts")),
    (
        "llm_7b_qlora",
        "preset-language",
        N_("Adapt a language model"),
        N_("A 7B model on my own texts, on one card (QLoRA)"),
    ),
    ("classical_ml", "preset-table", N_("Spreadsheets and tables"), N_("Classic machine learning, no deep network")),
)
# Preset id, picture, title; the preset's own title says the rest.
_MORE: dict[str, tuple[str, str]] = {
    "densenet121_cats_dogs": ("preset-animals", N_("Tell cats from dogs")),
    "stacked_lstm": ("preset-series", N_("Sequences and time series")),
    "resnet50_imagenet": ("preset-vision", N_("Train a big vision model")),
    "llm_7b_lora": ("preset-language-small", N_("Adapt a language model in 16 bit (LoRA)")),
    "llm_7b_full": ("preset-language-whole", N_("Retrain a whole language model")),
    "llm_70b_scratch": ("preset-cluster", N_("Build a language model")),
    "diffusion_finetuning": ("preset-brush", N_("Generate pictures in my style")),
    "segmentation_unet": ("preset-regions", N_("Find regions in pictures")),
    "nnunet_3d": ("preset-volume", N_("Find organs in 3-D scans")),
    "faster_rcnn_coco": ("preset-objects", N_("Find objects in pictures")),
    "yolo_photos": ("preset-search", N_("Find things in my own photos (YOLO)")),
    "sdxl_lora": ("preset-palette", N_("Teach Stable Diffusion XL my style")),
    "flux_lora": ("preset-spark", N_("Teach FLUX my style")),
    "whisper_finetuning": ("preset-speech", N_("Turn speech into text")),
    "wav2vec2_finetuning": ("preset-letters", N_("Turn speech into letters (wav2vec 2.0)")),
    "vit_finetuning": ("preset-leaf", N_("Adapt a vision transformer to my photos")),
    "embedding_finetuning": ("preset-meaning", N_("Search my own texts by meaning (embeddings)")),
    "sd35_lora": ("preset-easel", N_("Teach Stable Diffusion 3.5 my style")),
    "dino_finetuning": ("preset-patches", N_("Adapt DINOv2 to my photos")),
    "reranker_finetuning": ("preset-ranks", N_("Sort search results (reranker)")),
    "dpo_7b": ("preset-choice", N_("Teach a language model the better answer (DPO)")),
    "vision_language_lora": ("preset-sight", N_("Adapt a model that sees and writes")),
    "robot_act": ("preset-arm", N_("Teach a robot arm a task")),
    "robot_diffusion": ("preset-arms", N_("Teach a robot arm a task (diffusion policy)")),
    "robot_smolvla": ("preset-command", N_("Teach a robot arm by words (SmolVLA)")),
    "detr_photos": ("preset-frames", N_("Find things in my own photos (DETR)")),
    "sam_finetuning": ("preset-cutout", N_("Cut out things in pictures (SAM)")),
    "grpo_reasoning": ("preset-steps", N_("Teach a language model to reason (GRPO)")),
    "game_ppo": ("preset-game", N_("Learn a game by trying it out")),
    "series_patchtst": ("preset-forecast", N_("Forecast time series (transformer)")),
    "graph_molecules": ("preset-molecule", N_("Molecules and other graphs")),
}
# Heading, and the jobs under it, in their order; what has no heading stands at the end.
_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        N_("Recognise photos"),
        ("densenet121_cats_dogs", "vit_finetuning", "dino_finetuning", "resnet50_imagenet"),
    ),
    (
        N_("Find and cut out things in pictures"),
        ("yolo_photos", "detr_photos", "faster_rcnn_coco", "segmentation_unet", "sam_finetuning", "nnunet_3d"),
    ),
    (N_("Generate pictures"), ("sdxl_lora", "flux_lora", "sd35_lora", "diffusion_finetuning")),
    (
        N_("Language models"),
        ("llm_7b_lora", "llm_7b_full", "dpo_7b", "grpo_reasoning", "vision_language_lora", "llm_70b_scratch"),
    ),
    (N_("Texts and search"), ("embedding_finetuning", "reranker_finetuning")),
    (N_("Speech"), ("whisper_finetuning", "wav2vec2_finetuning")),
    (N_("Series, graphs and molecules"), ("stacked_lstm", "series_patchtst", "graph_molecules")),
    (N_("Robots and games"), ("robot_act", "robot_diffusion", "robot_smolvla", "game_ppo")),
)
_UNGROUPED = N_("Further jobs")
_EN = language_of("en")  # titles in a report are English
_FALLBACK_PICTURE = "preset-network"
FIRST_CHOICE = "article_cnn"
# What is said of the user, not of a job: once set here, it stays with every job.
_PERSONAL = frozenset(
    {
        "who",
        "budget_usd",
        "horizon_months",
        "data_must_stay",
        "electricity_usd_per_kwh",
        "setup_s",
        "upload_bytes_per_s",
        "download_bytes_per_s",
        "failed_tries",
    }
)


def cards(language: Language) -> tuple[Card, ...]:
    """Return the cards of the first screen; the last one leads to every other job."""
    _ = language.gettext
    shown = [
        Card(preset_id=preset_id, picture=picture, title=_(title), description=_(description))
        for preset_id, picture, title, description in CARDS
    ]
    other = Card(
        preset_id=None,
        picture="preset-other",
        title=_("Something else …"),
        description=_("Other jobs, or your own numbers"),
    )
    return (*shown, other)


def job_title(preset_id: str, language: Language) -> str:
    """Return what a ready-made job is called on its card; empty where it has none."""
    titles = {row[0]: row[2] for row in CARDS} | {known: title for known, (_picture, title) in _MORE.items()}
    return language.gettext(titles[preset_id]) if preset_id in titles else ""


def more_cards(presets: Sequence[Preset], language: Language) -> tuple[Card, ...]:
    """Return the jobs behind "Something else …", those of a kind together."""
    first = {row[0] for row in CARDS}
    order = {preset_id: place for place, (preset_id, _group) in enumerate(_grouped())}
    others = [preset for preset in presets if preset.workload.id not in first]
    others.sort(key=lambda preset: order.get(preset.workload.id, len(order)))
    return tuple(_more_card(preset, language) for preset in others)


def found_by(card: Card, wanted: str) -> bool:
    """Return whether each of the words that are searched stands in a card's own."""
    text = f"{card.title} {card.description} {card.group} {card.preset_id}".casefold()
    return all(word in text for word in wanted.casefold().split())


def _grouped() -> Iterator[tuple[str, str]]:
    """Yield each job that has a heading, with it."""
    for title, preset_ids in _GROUPS:
        for preset_id in preset_ids:
            yield preset_id, title


def _more_card(preset: Preset, language: Language) -> Card:
    own_title = preset.titles.get(language.code) or preset.workload.title
    picture, title = _MORE.get(preset.workload.id, (_FALLBACK_PICTURE, ""))
    return Card(
        preset_id=preset.workload.id,
        picture=picture,
        title=language.gettext(title) if title else own_title,
        description=own_title if title else "",
        group=language.gettext(dict(_grouped()).get(preset.workload.id, _UNGROUPED)),
    )


_SIZE_FIELDS = {"image": "image_size", "sequence": "sequence_length", "row": "columns"}
_INPUT_KINDS = {"image": "jpeg", "sequence": "text", "row": "table"}
OWN_JOB, OWN_NETWORK, OWN_PROGRAM = "own_job", "own", "own_program"
_USUAL_EDGE, _USUAL_LENGTH = 224, 128


def _reset(now: State, usual: State, names: Sequence[str]) -> dict[str, Any]:
    """Return the job and the circumstances of now with some facts as they were usual."""
    assert now.workload is not None
    assert usual.workload is not None
    job = {name: getattr(usual.workload, name) for name in names if hasattr(usual.workload, name)}
    facts = {name: getattr(usual.circumstances, name) for name in names if hasattr(usual.circumstances, name)}
    return {
        "workload": msgspec.structs.replace(now.workload, **job),
        "circumstances": msgspec.structs.replace(now.circumstances, **facts),
        "own": {name: value for name, value in now.own.items() if name not in facts}
        | {name: usual.own[name] for name in facts if name in usual.own},
    }


def _method_for(sample: str, method: str) -> str:
    """Return how a network that takes such samples learns, keeping the method where it can."""
    if sample == "row":
        return "classical"
    return "scratch" if method == "classical" else method


def job_choices(question: Question, language: Language) -> tuple[tuple[str | None, str], ...]:
    """Return id and title of every ready-made job, with the user's own job first where it is none of them."""
    presets = {preset.workload.id for preset in question.presets}
    found = [*cards(language)[:-1], *more_cards(question.presets, language)]
    rows = tuple((card.preset_id, card.title) for card in found if card.preset_id in presets)
    workload = question.workload
    if workload is None or workload.id in presets:
        return rows
    is_named = workload.title == network_name(workload.network, _EN)
    return ((None, network_name(workload.network, language) if is_named else workload.title), *rows)


@dataclass
class Question:
    """What is asked at the moment; changes as the user chooses.

    Attributes:
        presets: All ready-made jobs.
        networks: Names of the networks a job can train, with what each takes: ``image``, ``sequence`` or ``row``.
        parameters: How many parameters each of them has.
        workload: The job, with the user's own numbers; None until one is chosen.
        circumstances: How often, how soon, with how much money.
        own: What the user set about themselves, by its name in the circumstances.
        usd_per_unit: Worth of one unit of the currency.
        program: The work of the network in the user's own program that was run last.
        found: The user's data; another ready-made job has none.
        edits: The user's steps, and the question as it was taken over.
    """

    presets: tuple[Preset, ...] = ()
    networks: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, int] = field(default_factory=dict)
    currency: str = "USD"
    country: str = "US"
    usd_per_unit: float = 1.0
    workload: Workload | None = None
    circumstances: Circumstances = field(default_factory=Circumstances)
    own: dict[str, Any] = field(default_factory=dict)
    program: Network | None = None
    found: FoundData | None = None
    edits: EditHistory = field(default_factory=EditHistory)

    @property
    def own_network(self) -> Network | None:
        """The work of the job's network where that stands in the user's own program; None: a catalogue has it."""
        is_asked = self.workload is not None and self.program is not None and self.workload.network == self.program.name
        return self.program if is_asked else None

    def choose(self, preset_id: str) -> None:
        """Take a ready-made job, if it is known."""
        found = next((preset for preset in self.presets if preset.workload.id == preset_id), None)
        if found is not None:
            self.load_preset(found)

    def load_preset(self, preset: Preset) -> None:
        """Take a job with the circumstances it usually comes with, and what the user set about themselves."""
        before = self.state
        self.found = None
        self.workload, self.circumstances = preset.workload, self._counted(preset.circumstances)
        self._replace(self.own)
        self._take_over(before)

    def load_file(self, preset: Preset) -> None:
        """Take a job of the user's own file; what that states counts before what was set here."""
        before = self.state
        self.found = None
        usual = Circumstances()
        is_stated = {name: getattr(preset.circumstances, name) != getattr(usual, name) for name in _PERSONAL}
        self.workload, self.circumstances = preset.workload, self._counted(preset.circumstances)
        self._replace({name: value for name, value in self.own.items() if not is_stated[name]})
        self._take_over(before)

    def load_report(self, report: Report) -> None:
        """Take the question of a report, counted in the user's own currency and country, at their electricity."""
        before = self.state
        self.found = None
        self.workload, self.circumstances = report.workload, self._counted(report.circumstances)
        name = "electricity_usd_per_kwh"
        self._replace({name: self.own[name]} if name in self.own else {})
        if not before.same_as(self.state):  # the answer to this very question changes nothing in it
            self._take_over(before)

    def change_network(self, name: str) -> None:
        """Train another network of the catalogue; what the user set stays where it still fits.

        The size is that network's usual one, unless the user said another for samples of the same kind.
        """
        if self.workload is None or name not in self.networks:
            return
        sample = self.networks[name]
        has_size = self.sample_kind == sample and _SIZE_FIELDS[sample] in self.changed
        size = {} if not has_size else {_SIZE_FIELDS[sample]: getattr(self.workload, _SIZE_FIELDS[sample])}
        self.change_workload(
            id=OWN_JOB,
            title=network_name(name, _EN),
            network=name,
            layers=(),
            **{"image_size": None, "sequence_length": None, "columns": None, **size},
            method=_method_for(sample, self.workload.method),
            input_kind=_INPUT_KINDS[sample] if self.sample_kind != sample else self.workload.input_kind,
            steps_per_epoch=None,
            epochs_are_default=self._are_epochs_open,
        )

    def load_program(self, network: Network, job: Workload) -> None:
        """Train the network in the user's own program; how much and how often stays where the job has such samples.

        Args:
            network: Its work, traced.
            job: The job usual for such a network.
        """
        now = self.workload
        if now is not None and now.method != "classical" and self.networks.get(now.network) == network.sample:
            job = msgspec.structs.replace(job, samples=now.samples, batch_size=now.batch_size)
            if not self._are_epochs_open:
                job = msgspec.structs.replace(job, epochs=now.epochs, epochs_are_default=False)
        before = self.state
        self.program = network
        self.workload = msgspec.structs.replace(job, id=OWN_JOB)
        self._take_over(before)

    def load_seen(self, network: Network, job: Workload) -> None:
        """Take the job of a network whose work is known: of a watched script, or a language model's own file."""
        before = self.state
        self.found, self.program = None, network
        self.workload = msgspec.structs.replace(job, id=OWN_JOB)
        self._take_over(before)

    def load_data(self, found: FoundData, job: Workload) -> None:
        """Train on the user's data, as the job on them says."""
        before = self.state
        self.found, self.workload = found, job
        self._take_over(before)

    def change_layers(self, layers: tuple[Layer, ...]) -> None:
        """Train a network of the user's own layers."""
        if self.workload is None:
            return
        workload = self.workload
        takes_tokens = layers[0].kind == "embedding"
        self.change_workload(
            id=OWN_JOB,
            title=OWN_NETWORK,
            network=OWN_NETWORK,
            layers=layers,
            image_size=None if takes_tokens else workload.image_size or _USUAL_EDGE,
            sequence_length=workload.sequence_length or _USUAL_LENGTH if takes_tokens else None,
            columns=None,
            method="scratch",
            input_kind=_INPUT_KINDS["sequence" if takes_tokens else "image"],
            steps_per_epoch=None,
            epochs_are_default=self._are_epochs_open,
        )

    @property
    def task(self) -> str:
        """Id of the ready-made job that was chosen, as long as samples are of its kind; else of the job itself."""
        workload, usual = self.workload, None if self.edits.usual is None else self.edits.usual.workload
        if workload is None or usual is None or workload.id != OWN_JOB or workload.layers or self.own_network:
            return "" if workload is None else workload.id
        is_alike = self._sample_of(usual) == self.sample_kind and usual.method == workload.method
        return usual.id if is_alike else workload.id

    @property
    def sample_kind(self) -> str:
        """What the job's network takes: ``image``, ``sequence`` or ``row``."""
        workload = self.workload
        if workload is None:
            return "image"
        if workload.layers:
            return "sequence" if workload.sequence_length is not None else "image"
        return self._sample_of(workload)

    def _sample_of(self, workload: Workload) -> str:
        usual = "row" if workload.method == "classical" else "sequence" if workload.sequence_length else "image"
        return self.networks.get(workload.network, usual)

    def change_size(self, size: int | None) -> None:
        """Give each sample another size, in the unit of its kind; None: the network's usual one."""
        self.change_workload(**{_SIZE_FIELDS[self.sample_kind]: size})

    @property
    def usual_epochs(self) -> EpochRange | None:
        """How often such jobs go through their data; None where nobody publishes it."""
        from advisor.catalog.epochs import usual_epochs  # the window appears before the catalogue is read

        kind = self._kind_of_network()
        return None if self.workload is None or kind is None else usual_epochs(self.workload, *kind)

    def _kind_of_network(self) -> tuple[str, str] | None:
        """Return the family of the job's network and what a sample of it is; None where that is not known."""
        from advisor.catalog.networks.layers import network_of_layers
        from advisor.catalog.networks.tables import find_entry

        own = self.own_network
        if self.workload is not None and self.workload.layers:
            try:
                own = network_of_layers(self.workload)
            except InputError:  # layers that do not go together yet
                return None
        if own is not None:
            return own.family, own.sample
        if self.workload is None or self.workload.network not in self.networks:
            return None
        entry = find_entry(self.workload.network)
        return entry.family, entry.sample

    @property
    def _are_epochs_open(self) -> bool:
        """Whether another network may take another number: the recipe of a ready-made job is that job's alone."""
        if self.workload is None or self.workload.epochs_are_default:
            return True
        is_ready_made = any(one.workload.id == self.workload.id for one in self.presets)
        return is_ready_made and "epochs" not in self.changed

    def _assume_epochs(self) -> None:
        """Take as many epochs as are usual where nobody said how many."""
        from advisor.catalog.epochs import assume_epochs

        kind = self._kind_of_network() if self.workload is not None and self.workload.epochs_are_default else None
        if self.workload is not None and kind is not None:
            self.workload = assume_epochs(self.workload, *kind)

    @property
    def size(self) -> int | None:
        """The size of a sample; None: the network's usual one."""
        if self.workload is None:
            return None
        found: int | None = getattr(self.workload, _SIZE_FIELDS[self.sample_kind])
        return found

    def change_workload(self, **numbers: Any) -> None:
        """Replace numbers of the job."""
        if self.workload is None:
            return
        if numbers.get("precision", self.workload.precision) != self.workload.precision:
            numbers["precision_is_default"] = False
        if numbers.get("epochs", self.workload.epochs) != self.workload.epochs:
            numbers["epochs_are_default"] = False
        if "samples" in numbers:
            usual = None if self.edits.usual is None else self.edits.usual.workload
            numbers |= on_samples(usual or self.workload, numbers["samples"])
        before = self.state
        self.workload = msgspec.structs.replace(self.workload, **numbers)
        self._assume_epochs()
        self.edits.remember(before, self.state)

    def change_circumstances(self, **facts: Any) -> None:
        """Replace facts of the user's side."""
        before = self.state
        self.own.update({name: value for name, value in facts.items() if name in _PERSONAL})
        self._replace(facts)
        self.edits.remember(before, self.state)

    # --- steps back and forth ---

    @property
    def state(self) -> State:
        """The question as it stands."""
        return State(
            workload=self.workload,
            circumstances=self.circumstances,
            own=dict(self.own),
            found=self.found,
            program=self.program,
        )

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        return self._restore(self.edits.undo(self.state))

    def redo(self) -> bool:
        """Make the change again that was taken back last; return whether there was one."""
        return self._restore(self.edits.redo(self.state))

    @property
    def changed(self) -> frozenset[str]:
        """Names of what the user changed in the job and the circumstances since the job was taken over."""
        return self.edits.changed(self.state)

    def reset(self, *names: str) -> None:
        """Ask of some facts, or of all where none is named, what was asked when the job was taken over."""
        before, usual = self.state, self.edits.usual
        if usual is None:
            return
        if "epochs" in names or ("network" in names and before.workload and before.workload.epochs_are_default):
            names = (*names, "epochs", "epochs_are_default")
        if "samples" in names:
            names = (*names, "validation_samples")
        if names:
            usual = replace(before, **_reset(before, usual, names))
        self._restore(usual)
        self.edits.remember(before, self.state)

    def _take_over(self, before: State) -> None:
        self._assume_epochs()
        self.edits.take_over(before, self.state)

    def _restore(self, state: State | None) -> bool:
        if state is None:
            return False
        price = self.circumstances.electricity_usd_per_kwh  # Settings have it
        self.workload, self.found, self.own = state.workload, state.found, dict(state.own)
        self.program = state.program
        self.circumstances = msgspec.structs.replace(self._counted(state.circumstances), electricity_usd_per_kwh=price)
        return True

    def _replace(self, facts: Mapping[str, Any]) -> None:
        """Replace circumstances; "just once" stays once where the time it is spread over changes."""
        before = self.circumstances
        months = facts.get("horizon_months", before.horizon_months)
        if _is_once(before) and 0 < months != before.horizon_months:
            facts = {"runs_per_month": 1 / months, **facts}
        self.circumstances = msgspec.structs.replace(before, **facts)

    def _counted(self, circumstances: Circumstances) -> Circumstances:
        """Return circumstances in the user's currency and country; a rate is one of another currency else."""
        rate = circumstances.units_per_usd if circumstances.currency == self.currency else None
        return msgspec.structs.replace(circumstances, currency=self.currency, country=self.country, units_per_usd=rate)

    @property
    def usd_per_shown_unit(self) -> float:
        """Worth of one unit of the currency in this question, which may have a rate of exchange of its own."""
        own = self.circumstances.units_per_usd
        return 1 / own if own else self.usd_per_unit

    def converted(self, report: Report) -> Report:
        """Return a report with its money in the user's currency, at the rate that counts now."""
        asked = report.circumstances
        if asked.currency == self.currency:
            return report
        asked = msgspec.structs.replace(asked, currency=self.currency, units_per_usd=None)
        return msgspec.structs.replace(report, circumstances=asked, currency_per_usd=1 / self.usd_per_unit)

    def set_region(self, currency: str, country: str, usd_per_unit: float) -> None:
        """Count in another currency, with another country's electricity."""
        self.currency, self.country, self.usd_per_unit = currency, country, usd_per_unit
        self.circumstances = self._counted(self.circumstances)


def summary(workload: Workload, language: Language) -> str:
    """Return the job in half a line: how many of what, how many kinds, how often through."""
    return " · ".join(filter(None, (samples_phrase(workload, language), details(workload, language))))


def details(workload: Workload, language: Language) -> str:
    """Return how many kinds of samples, and how often through; empty where neither is asked."""
    parts = []
    if workload.classes:
        parts.append(
            language.ngettext("{n} category", "{n} categories", workload.classes).format(
                n=language.number(workload.classes)
            )
        )
    if workload.method != "classical":
        passes = max(1, round(workload.epochs))
        text = language.ngettext("{n} epoch", "{n} epochs", passes)
        parts.append(text.format(n=language.number(workload.epochs, 1)))
    return " · ".join(parts)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An entry of a list to choose from."""

    value: float | None
    text: str


def deadline_choices(current_s: float | None, language: Language) -> tuple[Choice, ...]:
    """Return the deadlines to choose from, the current one among them."""
    _ = language.gettext
    rows = [Choice(value=None, text=_("no deadline")), *_choices(DEADLINES_S, language)]
    if current_s is not None and not any(_equal(current_s, row.value) for row in rows):
        hours = language.significant(current_s / HOUR_S, 2)
        rows.append(Choice(value=current_s, text=_("{hours} hours").format(hours=hours)))
    return tuple(sorted(rows, key=lambda row: float("inf") if row.value is None else row.value))


def frequency_choices(current: float, horizon_months: float, language: Language) -> tuple[Choice, ...]:
    """Return how often the job can run, the current frequency among them.

    "Just once" means once in the whole time the hardware would be used.
    """
    _ = language.gettext
    rows = _choices(FREQUENCIES, language)
    if horizon_months > 0:  # a report from elsewhere may say anything
        rows.insert(0, Choice(value=1.0 / horizon_months, text=_("just once")))
    if not any(_equal(current, row.value) for row in rows):
        rows.append(Choice(value=current, text=_("{n} times a month").format(n=language.significant(current, 2))))
    return tuple(sorted(rows, key=lambda row: row.value or 0.0))


def _is_once(circumstances: Circumstances) -> bool:
    months = circumstances.horizon_months
    return months > 0 and _equal(circumstances.runs_per_month, 1.0 / months)


def index_of(choices: Sequence[Choice], value: float | None) -> int:
    """Return the position of a value among choices, 0 where it is not there."""
    return next((i for i, choice in enumerate(choices) if _equal(value, choice.value)), 0)


def _choices(rows: Sequence[tuple[float, str]], language: Language) -> list[Choice]:
    return [Choice(value=value, text=language.gettext(text)) for value, text in rows]


def _equal(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 0.01 * max(abs(first), abs(second))
