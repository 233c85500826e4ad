"""The question: the job with its numbers, how often and how soon, and every change of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from advisor.errors import InputError
from advisor.gui.models.job.edit_history import EditHistory, State
from advisor.gui.models.job.how_soon_how_often import is_equal
from advisor.locale import language as language_of
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, EpochRange, Layer, Preset, Workload, on_samples
from advisor.records.results.measured.own_data import FoundData
from advisor.records.results.report import Report
from advisor.report.words.networks import network_name

_EN = language_of("en")  # titles in a report are English
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
_HOW_OFTEN = ("runs_per_month", "deadline_s")
"""What a job usually comes with, and is the user's once they have changed it."""

_SIZE_FIELDS = {"image": "image_size", "sequence": "sequence_length", "row": "columns"}
_INPUT_KINDS = {"image": "jpeg", "sequence": "text", "row": "table"}
OWN_JOB, OWN_NETWORK, OWN_PROGRAM = "own_job", "own", "own_program"
_WITHOUT_ATTENTION = frozenset({"cnn", "recurrent", "classical"})
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


@dataclass
class Question:
    """What is asked at the moment; changes as the user chooses.

    Attributes:
        presets: All ready-made jobs.
        models: The usual job of adapting each known language model.
        networks: Names of the networks a job can train, with what each takes: ``image``, ``sequence`` or ``row``.
        parameters: How many parameters each of them has.
        workload: The job, with the user's own numbers; None until one is chosen.
        circumstances: How often, how soon, with how much money.
        own: What the user set about themselves, by its name in the circumstances.
        usd_per_unit: Worth of one unit of the currency.
        program: The work of the network in the user's own program that was run last.
        found: The user's data; another ready-made job has none.
        threads: Of this computer, as many as a program may use; None until it was looked at.
        edits: The user's steps, and the question as it was taken over.
    """

    presets: tuple[Preset, ...] = ()
    models: tuple[Preset, ...] = ()
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
    threads: int | None = None
    edits: EditHistory = field(default_factory=EditHistory)
    _left: dict[str, Workload] = field(default_factory=dict)

    @property
    def own_network(self) -> Network | None:
        """The work of the job's network where that stands in the user's own program; None: a catalogue has it."""
        is_asked = self.workload is not None and self.program is not None and self.workload.network == self.program.name
        return self.program if is_asked else None

    @property
    def is_of_no_list(self) -> bool:
        """Whether the job trains a network of the user's own, or a language model that was searched for."""
        return self.own_network is not None or any(one.workload.id == self.task for one in self.models)

    def choose(self, preset_id: str) -> None:
        """Take a ready-made job, or adapt a language model, if it is known.

        Its samples decide how many steps an epoch has, as they do once the user says another number: the articles' job
        goes through its photos nearly twice, and no field of the form would say so. Where an article has fewer epochs
        than are usual, the fewest that are count: the answer is to hold for what people do. How often and how soon,
        where the user has said that, stay as they are.
        """
        found = self._ready_made(preset_id)
        if found is not None:
            said = {name: getattr(self.circumstances, name) for name in _HOW_OFTEN if name in self.changed}
            self._leave()
            self.load_preset(found)
            self.workload = self._left.get(preset_id, self.workload)
            self._replace(said)

    def _ready_made(self, preset_id: str) -> Preset | None:
        known = (*self.presets, *self.models)
        found = next((preset for preset in known if preset.workload.id == preset_id), None)
        if found is None:
            return None
        of_samples = on_samples(found.workload, found.workload.samples)
        workload = msgspec.structs.replace(found.workload, **of_samples, epochs=_enough_epochs(found))
        return msgspec.structs.replace(found, workload=workload)

    def _leave(self) -> None:
        """Keep the numbers that the user changed in a ready-made job for when it is chosen again."""
        if self.workload is None:
            return
        self._left.pop(self.workload.id, None)
        if self.changed and self.found is None:
            self._left[self.workload.id] = self.workload

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
        """Take the question of a report."""
        self.load_asked(report.workload, report.circumstances)

    def load_asked(self, workload: Workload, circumstances: Circumstances) -> None:
        """Take what was asked before, counted in the user's own currency and country, at their electricity.

        What differs in it from the ready-made job that it asks about counts as the user's change, as it did then.
        """
        before = self.state
        self.found = None
        self.workload, self.circumstances = workload, self._counted(circumstances)
        name = "electricity_usd_per_kwh"
        self._replace({name: self.own[name]} if name in self.own else {})
        if not before.same_as(self.state):  # the answer to this very question changes nothing in it
            self._take_over(before)
            usual = self._ready_made(workload.id)
            if usual is not None:
                said = {name: getattr(self.circumstances, name) for name in _PERSONAL}
                circumstances = msgspec.structs.replace(self._counted(usual.circumstances), **said)
                self.edits.usual = replace(self.state, workload=usual.workload, circumstances=circumstances)

    def knows(self, workload: Workload) -> bool:
        """Return whether a job can be asked without a file of the user's own, which only that run of it had."""
        is_ready_made = self._ready_made(workload.id) is not None
        return is_ready_made or bool(workload.layers) or workload.network in self.networks

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
        if self.workload is None:
            return None
        from advisor.catalog.epochs import usual_epochs  # the window appears before the catalogue is read

        kind = self._kind_of_network()
        return None if kind is None else usual_epochs(self.workload, *kind)

    @property
    def recipe(self) -> Preset | None:
        """The ready-made job whose epochs stand unchanged; None where they are the user's, or those that are usual."""
        job = self.workload
        if job is None or job.epochs_are_default:
            return None
        return next(
            (one for one in self.presets if (one.workload.id, one.workload.epochs) == (job.id, job.epochs)), None
        )

    def _kind_of_network(self) -> tuple[str, str] | None:
        """Return the family of the job's network and what a sample of it is; None where that is not known."""
        from advisor.catalog.named_networks import known_network
        from advisor.catalog.networks.layers import network_of_layers

        own = self.own_network
        if self.workload is not None and self.workload.layers:
            try:
                own = network_of_layers(self.workload)
            except InputError:  # layers that do not go together yet
                return None
        if own is not None:
            return own.family, own.sample
        entry = None if self.workload is None else known_network(self.workload.network)
        return None if entry is None else (entry.family, entry.sample)

    @property
    def has_attention(self) -> bool:
        """Whether the job's network has attention, as far as is known; or it was said how it is worked out."""
        kind = self._kind_of_network()
        said = self.workload is not None and self.workload.attention is not None
        return said or kind is None or kind[0] not in _WITHOUT_ATTENTION

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

    @property
    def size_limits(self) -> tuple[int, int | None]:
        """The least and the greatest size of a sample that the job's network takes, as far as they are known."""
        from advisor.catalog.networks.tables import size_limits

        if self.workload is None or self.workload.layers or self.own_network is not None:
            return 1, None
        return size_limits(self.workload.network) or (1, None)

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


def _is_once(circumstances: Circumstances) -> bool:
    months = circumstances.horizon_months
    return months > 0 and is_equal(circumstances.runs_per_month, 1.0 / months)


def _enough_epochs(found: Preset) -> float:
    """Return a ready-made job's epochs, or the fewest that are usual where an article has fewer."""
    workload = found.workload
    if not found.source.startswith("«"):  # a recipe of those who made the network
        return workload.epochs
    from advisor.catalog.epochs import usual_epochs  # the window appears before the catalogue is read
    from advisor.catalog.named_networks import known_network

    entry = known_network(workload.network)
    usual = None if entry is None else usual_epochs(workload, entry.family, entry.sample)
    return workload.epochs if usual is None else max(workload.epochs, usual.low)
