"""Try what could be changed about a job, so that it fits the user's own device or ends sooner there."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from advisor.errors import AdvisorError
from advisor.options.candidates import Candidate
from advisor.options.prediction import predict_options
from advisor.options.pricing import run_time
from advisor.predict import Target, predict_many
from advisor.predict.memory import footprint
from advisor.predict.timing.step_work import REDUCED
from advisor.records.base import Interval
from advisor.records.hardware.machine import Machine
from advisor.records.job.changes import ChangeCode, Effect, JobChange, JobChanges, LeastMemory
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.report import is_batch_normalized
from advisor.units import HOUR_S

WORTH_RATIO = 0.95
"""A change is named for its time where it saves a twentieth; less is within the scatter of any measurement."""
LONG_S = HOUR_S
"""Where a job fits and surely ends within this, nobody asks how to make it shorter."""
_MOST_SHARDS = 8
"""Cards of one computer; spreading a job over more is no change of this one."""
_LEAST_TOKENS, _LEAST_PIXELS, _PIXEL_STEP = 128, 64, 32
_EFFECTS: tuple[Effect, ...] = ("none", "hardly", "other")
_MEMORY_CODES = frozenset(
    {"accumulation", "adamw_8bit", "amp", "checkpointing", "fp16", "lora", "qlora", "quantised", "together"}
)


Resized = Callable[[Workload], Network]


class _Try(NamedTuple):
    """A change: the fields of the workload that become others, and what that does to what is trained."""

    code: ChangeCode
    effect: Effect
    fields: dict[str, Any]
    value: int | None = None
    also: tuple[ChangeCode, ...] = ()


def job_changes(
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    work: Network,
    workload: Workload,
    observation: Observation,
    *,
    resized: Resized | None,
) -> JobChanges | None:
    """Return what would help on the best device of this computer; None where nothing is asked for or nothing helps.

    Times are those predicted for the job as it is, times what the change does to a prediction from specifications:
    what was measured here of the job as it is says nothing of one that was changed.

    Args:
        candidates: The ways to get the job done.
        predictions: One for each.
        work: What is trained.
        workload: How.
        observation: This computer, whose hard disk may hold the job back, and what was measured on it.
        resized: Returns the network for samples of the size that a workload says; None: nobody knows it at other sizes.
    """
    here = [
        (candidate, prediction)
        for candidate, prediction in zip(candidates, predictions, strict=True)
        if candidate.torch_device is not None and prediction is not None and prediction.memory is not None
    ]
    if not here:
        return None
    candidate, now = min(here, key=_order)
    run_s, interval = run_time(now, workload)
    assert now.memory is not None, "those without were left out"
    fits = now.memory.fits
    if fits is not False and now.accumulation_steps == 1 and interval.high <= LONG_S:
        return None
    trier = _Trier((candidate, work, workload), observation.machine, (run_s, interval), resized)
    tried = (*_in_full(candidate, work, workload, observation), *trier.all())
    found = [one for one in tried if _is_useful(one, run_s, is_fitting=fits is not False)]
    if now.accumulation_steps > 1:
        is_same = workload.task != "train" or not is_batch_normalized(work)
        found.append(_accumulated(now, run_s, interval, "none" if is_same else "other"))
    is_cut = fits is False and work.family != "classical"
    if not found and not is_cut:
        return None
    [whole] = predict_many(work, workload, [Target(candidate.device, candidate.device_count)], cut_batch=False)
    taken = whole.memory if whole is not None and whole.memory is not None else now.memory
    return JobChanges(
        option=candidate.id,
        whole_bytes=taken.total_bytes,
        available_bytes=taken.available_bytes,
        run_s=run_s,
        fits=fits,
        least=tuple(trier.least()) if is_cut else (),
        shards=_shards(now, candidate) if is_cut else None,
        changes=tuple(sorted(_worth_the_bits(found), key=_rank)),
    )


def _in_full(candidate: Candidate, work: Network, workload: Workload, observation: Observation) -> Iterator[JobChange]:
    """Yield the job in 32 bit on a processor, which may have no instructions for the shorter format that was asked for.

    Without them PyTorch computes it in software: fifteen networks took 1.4 to 55 times as long on a processor of 2017
    (torch 2.13, half of them more than 8 times). Only measurements tell, and the time is the one they tell.
    """
    if candidate.device.device_class != "cpu" or workload.precision not in REDUCED or workload.precision_is_default:
        return
    full = msgspec.structs.replace(workload, precision="fp32")
    [found] = predict_options([candidate], work, full, observation)
    if found is None or found.memory is None or found.basis not in ("measured", "scaled"):
        return
    run_s, interval = run_time(found, full)
    memory = found.memory
    yield JobChange(
        code="fp32",
        memory_bytes=memory.total_bytes,
        fits=memory.fits,
        run_s=run_s,
        interval=interval,
        effect="hardly",
    )


def _order(pair: tuple[Candidate, Prediction]) -> tuple[bool, bool, float]:
    """Cards before the processor unless only that holds the job, then what is fastest."""
    candidate, prediction = pair
    is_processor = candidate.device.device_class == "cpu"
    fits = prediction.memory is not None and prediction.memory.fits is not False
    return is_processor, not fits, prediction.time_per_step_s


def _worth_the_bits(found: Sequence[JobChange]) -> list[JobChange]:
    """Return the changes without QLoRA where LoRA takes no more memory and ends no later: four bits cost accuracy."""
    lora = next((one for one in found if one.code == "lora" and one.fits), None)
    return [
        one
        for one in found
        if one.code != "qlora"
        or lora is None
        or one.memory_bytes < lora.memory_bytes
        or one.run_s < WORTH_RATIO * lora.run_s
    ]


def _rank(change: JobChange) -> tuple[bool, int, float]:
    return change.fits is False, _EFFECTS.index(change.effect), change.run_s


def _is_useful(change: JobChange, run_s: float, *, is_fitting: bool) -> bool:
    if is_fitting:
        return change.fits is not False and change.run_s < WORTH_RATIO * run_s
    return change.code in _MEMORY_CODES or change.fits is True


def _accumulated(now: Prediction, run_s: float, interval: Interval, effect: Effect) -> JobChange:
    assert now.memory is not None, "only what fits is cut into parts"
    return JobChange(
        code="accumulation",
        value=now.accumulation_steps,
        memory_bytes=now.memory.total_bytes,
        fits=now.memory.fits,
        run_s=run_s,
        interval=interval,
        effect=effect,
    )


def _joined(some: Sequence[_Try]) -> _Try:
    """Return several changes as one."""
    fields = {name: value for one in some for name, value in one.fields.items()}
    effects: list[Effect] = ["none", *(one.effect for one in some)]
    effect = max(effects, key=_EFFECTS.index)
    return _Try("together", effect, fields, also=tuple(one.code for one in some))


def _shards(now: Prediction, candidate: Candidate) -> int | None:
    count = None if now.memory is None or now.task != "train" else now.memory.devices_needed
    is_several = count is not None and candidate.device_count < count <= _MOST_SHARDS
    return count if is_several and candidate.device.device_class != "cpu" else None


class _Trier:
    """Predicts a changed job on one device, beside the job as it is."""

    def __init__(
        self,
        asked: tuple[Candidate, Network, Workload],
        machine: Machine,
        now: tuple[float, Interval],
        resized: Resized | None,
    ) -> None:
        self._candidate, self._work, self._workload = asked
        self._observation, self._resized = Observation(machine=machine), resized
        self._run_s, self._interval = now
        before = self._predicted(self._work, self._workload)
        self._before_s = None if before is None else run_time(before, self._workload)[0]
        self._limit = "unknown" if before is None else before.limit

    def all(self) -> Iterator[JobChange]:
        """Yield every change that can be tried, with what it brings; several together where none alone is enough."""
        is_enough = False
        for one in (*self._as_large(), *self._smaller()):
            tried = self._tried(one)
            if tried is not None and tried.fits is False and one.code in ("lora", "qlora"):
                tried = self._tried(one, checkpointing=True) or tried
            if tried is not None:
                is_enough = is_enough or (tried.fits is True and tried.effect != "other")
                yield tried
        together = None if is_enough else self._tried(self._smallest(self._same()))
        if together is not None and together.fits and len(together.also) > 1:
            yield together

    def least(self) -> Iterator[LeastMemory]:
        """Yield the least memory it runs in: what trains the same, then, where that is less, what does not."""
        same = self._smallest(self._same())
        same_bytes = self._of_one_sample(same.fields)
        yield LeastMemory(memory_bytes=same_bytes, codes=same.also, effect=same.effect)
        other = self._smallest([*self._same(), *(one for one in self._by_method() if one.effect == "other")])
        other_bytes = self._of_one_sample(other.fields)
        if other_bytes < WORTH_RATIO * same_bytes:
            yield LeastMemory(memory_bytes=other_bytes, codes=other.also, effect=other.effect)

    def _same(self) -> list[_Try]:
        return [one for one in self._as_large() if one.code in _MEMORY_CODES and one.effect != "other"]

    def _smallest(self, tries: Sequence[_Try]) -> _Try:
        """Return those of the changes that together take the least for one sample; of equal ones the fewest."""
        sets = [some for count in range(len(tries) + 1) for some in combinations(tries, count)]
        joined = [_joined(some) for some in sets if len({next(iter(one.fields)) for one in some}) == len(some)]
        return min(joined, key=lambda one: self._of_one_sample(one.fields))

    def _of_one_sample(self, fields: dict[str, Any]) -> float:
        device, changed = self._candidate.device, msgspec.structs.replace(self._workload, **fields)
        is_cpu = device.device_class == "cpu"
        return footprint(self._work, changed, is_cpu=is_cpu).total(1.0, self._candidate.device_count)

    def _as_large(self) -> Iterator[_Try]:
        """Yield the changes that leave the samples as they are."""
        job, device = self._workload, self._candidate.device
        on_card, trains = device.device_class != "cpu", job.task == "train"
        if trains and job.precision in ("fp32", "tf32") and on_card:
            yield _Try("amp", "hardly", {"precision": "amp", "precision_is_default": False})
        if not trains and job.precision in ("fp32", "tf32", "amp") and on_card:
            yield _Try("fp16", "hardly", {"precision": "fp16", "precision_is_default": False})
        if trains and self._work.layers and not job.checkpointing:
            yield _Try("checkpointing", "none", {"checkpointing": True})
        if trains and on_card and job.optimizer in ("adam", "adamw") and device.vendor in ("nvidia", "amd", "intel"):
            yield _Try("adamw_8bit", "hardly", {"optimizer": "adamw_8bit"})
        if on_card and not job.compiled:
            yield _Try("compiled", "none", {"compiled": True})
        yield from self._by_method()
        if job.loaders is not None and 2 * max(job.loaders, 1) <= (self._candidate.cpu_cores or 0.0):
            count = int(self._candidate.cpu_cores or 0.0)
            yield _Try("loaders", "none", {"loaders": count}, count)
        if self._limit in ("input", "disk") and job.epochs > 1:  # who prepares them goes through them once as well
            yield _Try("prepared", "none", {"input_kind": "memory"})

    def _by_method(self) -> Iterator[_Try]:
        job = self._workload
        if self._work.family != "transformer" and job.method != "lora":
            return  # adapters stand beside products of matrices, of which a network that has some is made
        if job.task == "infer" and job.method != "qlora":
            yield _Try("quantised", "hardly", {"method": "qlora"})
        if job.task == "train" and job.method in ("full", "transfer"):
            yield _Try("lora", "other", {"method": "lora"})
        if job.task == "train" and job.method in ("full", "transfer", "lora"):
            yield _Try("qlora", "other", {"method": "qlora"})

    def _smaller(self) -> Iterator[_Try]:
        """Yield the changes that make each sample smaller: the largest that fits, of halves and three quarters."""
        if self._resized is None:
            return
        length = self._workload.sequence_length or self._work.sequence_length
        if length is not None and self._work.family == "transformer":
            sizes = [length // part for part in (2, 4, 8) if length // part >= _LEAST_TOKENS]
            yield from self._first_fitting("sequence_length", sizes)
        edge = self._workload.image_size or self._work.image_size
        if edge is not None:
            rounded = [int(edge * ratio) // _PIXEL_STEP * _PIXEL_STEP for ratio in (0.75, 0.5)]
            sizes = [size for size in rounded if _LEAST_PIXELS <= size < edge]
            yield from self._first_fitting("image_size", sizes)

    def _first_fitting(self, code: ChangeCode, sizes: Sequence[int]) -> Iterator[_Try]:
        tries = [_Try(code, "other", {code: size}, size) for size in sizes]
        results = ((one, self._tried(one)) for one in tries)
        first = next((one for one, tried in results if tried is not None and tried.fits is not False), None)
        if first is not None:
            yield first

    def _tried(self, one: _Try, *, checkpointing: bool = False) -> JobChange | None:
        fields = {**one.fields, "checkpointing": True} if checkpointing else one.fields
        changed = msgspec.structs.replace(self._workload, **fields)
        try:
            is_other = one.code in ("image_size", "sequence_length")
            work = self._resized(changed) if is_other and self._resized is not None else self._work
        except AdvisorError:
            return None  # the network takes no such size
        found = self._predicted(work, changed)
        if found is None or found.memory is None or not self._before_s:
            return None
        ratio = run_time(found, changed)[0] / self._before_s
        return JobChange(
            code=one.code,
            value=one.value,
            checkpointing=checkpointing,
            also=one.also,
            memory_bytes=found.memory.total_bytes,
            fits=found.memory.fits,
            run_s=self._run_s * ratio,
            interval=Interval(low=self._interval.low * ratio, high=self._interval.high * ratio),
            effect=one.effect,
        )

    def _predicted(self, work: Network, workload: Workload) -> Prediction | None:
        [found] = predict_options([self._candidate], work, workload, self._observation)
        return found
