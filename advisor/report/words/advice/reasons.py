"""Why this is the answer, why another is not, and where the articles disagree: codes of the advice as sentences."""

from collections.abc import Mapping
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import FactValue, Option, Reason
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.labels import with_spoken_difference
from advisor.report.words.placeholders import fill
from advisor.report.words.problems import mending_sentences

UNKNOWN_CODE: Final = N_("Another version of this program gave a reason that this one does not know.")
"""Stands for the sentence of a code in a report from elsewhere."""

REASONS: Final[dict[str, str]] = {
    "after_deadline": N_("Nothing ends within {default_deadline_s}: this takes {run_s}."),
    "after_deadline/asked": N_("Nothing ends in time: you allow {deadline_s}, and this takes {run_s}."),
    "after_deadline/rent": N_(
        "Nothing ends within {default_deadline_s}: with its start and the upload of your data, this takes {run_s}."
    ),
    "after_deadline/rent/asked": N_(
        "Nothing ends in time: you allow {deadline_s}, and with its start and the upload of your data, this takes"
        " {run_s}."
    ),
    "busy_here": N_(
        "This computer would be busy for {busy_hours} of the {month_hours} hours of a month, and its electricity would "
        "cost more: {staying_usd} instead of {chosen_usd}."
    ),
    "buying_may_be_late": N_(
        "Buying {device} would cost less over the same time, {horizon_usd} instead of {chosen_usd}, but a run may "
        "take up to {high_s} there; you allow {deadline_s}."
    ),
    "card_against_processor": N_(
        "It takes {card_s} on the graphics card, {processor_s} on the processor alone: {times} times as long."
    ),
    "card_against_processor/several": N_(
        "It takes {card_s} on the {count} graphics cards together, {processor_s} on the processor alone: {times} times "
        "as long."
    ),
    "card_unknown": N_(
        "This computer's graphics card, {unknown_card}, is not in the catalogue, so no time can be predicted for it. "
        "If it has another name, set it by hand (--gpu)."
    ),
    "cores_unsaid": N_(
        "This chip is sold with {unsaid_cores} GPU cores, and nobody said how many this one has; the answer is for "
        "{device}. Name another by its cores, such as --gpu '{chip} {other}-core GPU'."
    ),
    "card_limited/cu126": N_(
        "Current builds of PyTorch have no code for {limited_card}; the one for CUDA 12.6 has: pip install torch "
        "--index-url https://download.pytorch.org/whl/cu126"
    ),
    "card_limited/old": N_(
        "No PyTorch of today computes on {limited_card}; the last that did is years old. Try yours before you count on "
        "this time."
    ),
    "card_limited/unused": N_(
        "No PyTorch of today computes on {limited_card}, so the answer does not count on it; the last that did is "
        "years old."
    ),
    "card_limited/rdna2": N_(
        "AMD does not list {limited_card} among the cards that ROCm supports: under Linux PyTorch usually runs on it "
        "once HSA_OVERRIDE_GFX_VERSION=10.3.0 is set, and AMD vouches for nothing. Try it before you count on this "
        "time."
    ),
    "card_limited/rocm": N_(
        "AMD does not list {limited_card} among the cards that ROCm supports: PyTorch may or may not run on it, and "
        "only under Linux. Try it before you count on this time."
    ),
    "card_limited": N_("PyTorch runs on {limited_card} only in a build made for it."),
    "cheapest/single_gpu": N_(
        "Of the dependable options that are in time, this purchase costs least: {horizon_usd} in {horizon_months}, "
        "electricity included, resale deducted."
    ),
    "cheapest/single_gpu/guess": N_(
        "Of what computes fast enough by the best guess, this purchase costs least: {horizon_usd} in {horizon_months}, "
        "electricity included, resale deducted."
    ),
    "cheapest/cloud/guess": N_(
        "Of what computes fast enough by the best guess, renting this costs least: {run_usd} a run, {horizon_usd} in "
        "{horizon_months}."
    ),
    "cheapest/cloud/guess/once": N_(
        "Of what computes fast enough by the best guess, renting this costs least: {horizon_usd}."
    ),
    "cheapest/single_gpu/one": N_(
        "Of what is in time with a single card, this purchase costs least: {horizon_usd} in {horizon_months}, "
        "electricity included, resale deducted."
    ),
    "cheapest/cloud/one": N_(
        "Of what is in time with a single card, renting this costs least: {run_usd} a run, {horizon_usd} in "
        "{horizon_months}."
    ),
    "cheapest/cloud/one/once": N_("Of what is in time with a single card, renting this costs least: {horizon_usd}."),
    "cheapest/single_gpu/only": N_(
        "Of all that meet your wishes, this purchase costs least: {horizon_usd} in {horizon_months}, "
        "electricity included, resale deducted."
    ),
    "cheapest/single_gpu/quick": N_(
        "Of what needs far fewer hours than this computer, this purchase costs least: {horizon_usd} in "
        "{horizon_months}, electricity included, resale deducted."
    ),
    "cheapest/single_gpu/sure": N_(
        "Of what is in time even in its slowest case, this purchase costs least: {horizon_usd} in {horizon_months}, "
        "electricity included, resale deducted."
    ),
    "cheapest/cloud/sure": N_(
        "Of what is in time even in its slowest case, renting this costs least: {run_usd} a run, {horizon_usd} in "
        "{horizon_months}."
    ),
    "cheapest/cloud/sure/once": N_(
        "Of what is in time even in its slowest case, renting this costs least: {horizon_usd}."
    ),
    "cheapest/cloud": N_(
        "Of the dependable options that are in time, renting this costs least: {run_usd} a run, {horizon_usd} in "
        "{horizon_months}."
    ),
    "cheapest/cloud/once": N_("Of the dependable options that are in time, renting this costs least: {horizon_usd}."),
    "cheapest/cloud/quick": N_(
        "Of what needs far fewer hours than this computer, renting this costs least: {run_usd} a run, {horizon_usd} in "
        "{horizon_months}."
    ),
    "cheapest/cloud/only": N_(
        "Of all that meet your wishes, renting this costs least: {run_usd} a run, {horizon_usd} in {horizon_months}."
    ),
    "cheapest/cloud/only/once": N_("Of all that meet your wishes, renting this costs least: {horizon_usd}."),
    "classical": N_(
        "This is classical machine learning, which computes on the processor unless told otherwise: no graphics card "
        "is needed."
    ),
    "classical/faster": N_(
        "This is classical machine learning, which the processor can do; a graphics card would take {card_s}."
    ),
    **dict.fromkeys(
        ("classical/single_gpu", "classical/cloud"),
        N_(
            "This is classical machine learning, which a processor does where its main memory holds the table: more "
            "memory or more cores in this computer may cost less. On a card it takes a program that computes there "
            '(XGBoost with device="cuda").'
        ),
    ),
    "cluster_work": N_(
        "One {device} would compute for {work_s}; to end within {default_deadline_s} it takes at least {count} of them."
    ),
    "cluster_work/asked": N_(
        "One {device} would compute for {work_s}; to end within the {deadline_s} you allow it takes at least {count} "
        "of them."
    ),
    "data_exceed_disk": N_(
        "The data would take about {data_bytes}, and this computer's disk has {free_bytes} free: they need another "
        "disk."
    ),
    "data_must_stay": N_("Your data must not leave, so nothing rented is considered."),
    "does_not_fit_here/card": N_(
        "It does not fit this computer's graphics card: one sample at a time takes {needed_bytes}, and the card has "
        "{available_bytes}."
    ),
    "does_not_fit_here/card/close": N_(
        "It does not fit this computer's graphics card: one sample at a time takes {needed_bytes} of its "
        "{available_bytes}, which leaves too little for what PyTorch keeps aside."
    ),
    "does_not_fit_here/cards": N_(
        "It does not fit this computer's {count} graphics cards, not even spread over them: one sample at a time takes "
        "{needed_bytes} on each, and each has {available_bytes}."
    ),
    "does_not_fit_here/cards/close": N_(
        "It does not fit this computer's {count} graphics cards, not even spread over them: one sample at a time takes "
        "{needed_bytes} of the {available_bytes} of each, which leaves too little for what PyTorch keeps aside."
    ),
    "does_not_fit_here/processor": N_(
        "It does not fit this computer: one sample at a time takes {needed_bytes}, and there are {available_bytes} of "
        "main memory."
    ),
    "does_not_fit_here/processor/close": N_(
        "It does not fit this computer: one sample at a time takes {needed_bytes} of its {available_bytes} of main "
        "memory, which leaves too little for the system and other programs."
    ),
    "does_not_fit_here/processor/table": N_(
        "It does not fit this computer: the table takes {needed_bytes}, and there are {available_bytes} of main memory."
    ),
    "does_not_fit_here/processor/table/close": N_(
        "It does not fit this computer: the table takes {needed_bytes} of its {available_bytes} of main memory, which "
        "leaves too little for the system and other programs."
    ),
    "faster_elsewhere": N_("If that is too long: {device} in the cloud does it in {run_s}, for {run_usd} a run."),
    "faster_elsewhere/rented": N_(
        "If that is too long: {device} in the cloud does it in {run_s}, for {run_usd} a run, and {before_s} pass "
        "before it until it starts and has your data."
    ),
    "fetch_weights": N_(
        "Before the first run its weights have to be fetched: {weights_bytes}, about {fetch_s} over a typical home "
        "connection; its result is there after about {first_s}."
    ),
    "fetch_weights/line": N_(
        "Before the first run its weights have to be fetched: {weights_bytes}, about {fetch_s} over your line; its "
        "result is there after about {first_s}."
    ),
    "host_cannot_load": N_(
        "Your main memory of {main_memory_bytes} cannot load the network: its weights, {weights_bytes}, come in files "
        "of up to {shard_bytes}, and one of them has to be held at a time."
    ),
    "host_loads_in_parts": N_(
        "Its weights, {weights_bytes}, are more than your main memory of {main_memory_bytes} holds: load them file by "
        "file straight to the card (safetensors, device_map), which takes {shard_bytes} at most."
    ),
    "fits_here_with": N_("It uses {needed_bytes} of the card's {available_bytes}."),
    "fits_here_with/several": N_("It uses {needed_bytes} of {available_bytes} on each of the {count} cards."),
    "in_parts": N_(
        "To fit, each step of {device} is done in {parts} parts (gradient accumulation); the result is the same."
    ),
    "in_parts/normalized": N_(
        "To fit, each step of {device} is done in {parts} parts (gradient accumulation). Its batch normalization then "
        "sees {samples} of {batch_size} samples at a time: check how good the result is."
    ),
    "in_parts/infer": N_(
        "To fit, {device} takes each batch in {parts} parts, one after the other; the result is the same."
    ),
    "in_a_week": N_("Within a week, {device} would get through {week_samples} of your {samples} samples."),
    "in_time_here/asked": N_("It ends in {run_s}; you allow {deadline_s}."),
    "in_time_here": N_("A run finishes in {run_s} on the computer you have, so there is nothing to buy."),
    "in_time_here/doubted": N_("As far as we can tell, a run takes {run_s}: there is probably nothing to buy."),
    "in_time_here/doubted/asked": N_("As far as we can tell, it ends in {run_s}; you allow {deadline_s}."),
    "in_time_here/pretended": N_("With these parts it ends in {run_s}."),
    "input_bound/this_computer": N_(
        "The graphics card waits {idle_ratio} of the time for the processor to prepare the data: a faster card alone "
        "would not help; more processor cores, more loading workers or data prepared beforehand would."
    ),
    "input_bound/this_computer/rates": N_(
        "The loader delivers {loader_samples_per_s} samples a second, and the graphics card could take "
        "{card_samples_per_s}: a faster card alone would not help; more processor cores, more loading workers or data "
        "prepared beforehand would."
    ),
    "input_bound": N_(
        "The graphics card would wait {idle_ratio} of the time for the processor to prepare the data: data prepared "
        "beforehand would help more than a faster card."
    ),
    "input_bound/cores": N_(
        "The graphics card would wait {idle_ratio} of the time for the processor to prepare the data: with a computer "
        "of {threads} threads, {extra_usd} more, a run takes {run_s} instead of {slow_s}."
    ),
    "loading_unknown": N_(
        "How your program loads the images is not known: with one loading process, as PyTorch and Keras do unless told "
        "otherwise, and large pictures, a run may take up to {high_s}; with one process for each processor core "
        "(num_workers, workers), about {run_s}."
    ),
    "may_miss_here/card": N_(
        "On this computer's graphics card it takes about {run_s}, but it may be {high_s}; you allow {deadline_s}."
    ),
    "may_miss_here/processor": N_(
        "On this computer's processor it takes about {run_s}, but it may be {high_s}; you allow {deadline_s}."
    ),
    "near_tie/single_gpu": N_(
        "Buying is nearly as good: {device} costs {horizon_usd} over the same time, instead of {chosen_usd}."
    ),
    "near_tie/cloud": N_(
        "Renting is nearly as good: {device} costs {horizon_usd} over the same time, instead of {chosen_usd}."
    ),
    "near_tie": N_("This computer would only just miss your deadline: it takes {run_s}."),
    "near_tie/in_time": N_("This computer would do as well if all goes well: it takes about {run_s}."),
    "needs_host": N_(
        "The price includes {host_usd} for a computer around the card, because this one has no place for it."
    ),
    "needs_host/loads": N_(
        "The price includes {host_usd} for a computer of {threads} threads around the card, because loading the data "
        "sets the pace: with {fewer_threads} threads a run would take {slow_s} instead of {run_s}."
    ),
    "needs_host/unseen": N_(
        "The price includes {host_usd} for a computer around the card. Whether this one has a place and the power for "
        "it cannot be seen from here: look before you buy."
    ),
    "never_pays_back": N_("Buying would not pay: {device} costs {purchase_usd}, too much for {runs} runs in all."),
    "never_pays_back/once": N_("Buying would not pay: {device} costs {purchase_usd}, too much for a single run."),
    "never_pays_back/months": N_(
        "Buying would not pay: {device} costs {purchase_usd} and would pay back, unsold, only after {months}."
    ),
    "no_node_fits": N_("It fits no single computer, not even one with eight of the largest cards."),
    "no_node_fits/bytes": N_(
        "As it is, it fits no single computer: spread over {device}, one sample on each takes {needed_bytes}, and each "
        "has {available_bytes}."
    ),
    "no_node_in_time": N_("Even {device} would take {run_s}."),
    "not_predicted": N_("No time could be predicted for this job, so nothing can be compared."),
    "over_budget": N_("Nothing that does the job is within your budget of {budget_usd}; this takes {outlay_usd}."),
    "over_budget/here": N_(
        "It takes {outlay_usd}, beyond your budget of {budget_usd}; the quickest within that is this computer: "
        "{within_s}."
    ),
    "over_budget/within": N_(
        "It takes {outlay_usd}, beyond your budget of {budget_usd}; the quickest within that is {within}: {within_s}."
    ),
    "pays_back": N_("Against renting, it pays back after {months}, even if it is never sold."),
    "pays_back/once": N_("It costs less than renting for this one run, even if it is never sold."),
    "pays_by_resale": N_("It costs less than renting only because it can be sold at the end."),
    "pays_by_resale/months": N_(
        "It costs less than renting only because it can be sold at the end; otherwise it would pay for itself "
        "after {months}."
    ),
    "server_of_own": N_(
        "Your data must not leave, and no card that is sold for a desk holds the job, not even four together. {device} "
        "would: {run_s} a run."
    ),
    "several_devices": N_("It takes {count} cards together; one alone is too small, too slow or far more expensive."),
    "several_devices/processors": N_("It takes {count} computers together; one alone is too slow or too small."),
    "slow_disk": N_(
        "This computer's hard disk holds it back: it delivers about {disk_samples_per_s} pictures a second, one here "
        "and one there. A solid-state drive would help, or the pictures packed into large files that are read in order "
        "(WebDataset, tar)."
    ),
    "small_on_processor": N_("It is a small task: the processor alone ends it in {run_s}."),
    "tight_deadline": N_("It may take up to {high_s}."),
    "tight_deadline/asked": N_("It may take up to {high_s}; you allow {deadline_s}."),
    "tight_deadline/rent": N_("With its start and the upload of your data it may take up to {high_s}."),
    "tight_deadline/rent/asked": N_(
        "With its start and the upload of your data it may take up to {high_s}; you allow {deadline_s}."
    ),
    "use_all_cards/copies": N_(
        "A script uses one card unless it is written for more: train with DistributedDataParallel, started by "
        "torchrun --nproc-per-node={count}."
    ),
    "use_all_cards/nodes": N_(
        "A script uses one card unless it is written for more: train with DistributedDataParallel or FSDP, started by "
        "torchrun on every node (--nnodes)."
    ),
    "use_all_cards/processors": N_(
        "A script uses one computer unless it is written for more: train with DistributedDataParallel, started by "
        "torchrun on every node (--nnodes)."
    ),
    "use_all_cards/train": N_(
        "A script uses one card unless it is written for more, and here no card holds everything: train with FSDP or "
        "DeepSpeed ZeRO, started by torchrun --nproc-per-node={count}."
    ),
    "use_all_cards/infer": N_(
        'No card holds the whole network: its layers are spread over the cards (device_map="auto" in Transformers), '
        "and compute one after the other."
    ),
    "tpu": N_(
        "A TPU would cost more: {device} {horizon_usd} over the same time instead of {chosen_usd}, at {run_s} a run; "
        "and it runs programs written for JAX or PyTorch/XLA alone."
    ),
    "tpu/close": N_(
        "If your program is written for JAX or PyTorch/XLA, or can be, a TPU is worth a look: {device} costs "
        "{horizon_usd} over the same time instead of {chosen_usd}, at {run_s} a run."
    ),
    "too_many_runs_here": N_(
        "This computer would be busy for {busy_hours} hours a month, and a month has {month_hours}."
    ),
    "too_slow_here/card": N_("On this computer's graphics card it takes {run_s}, which is too long."),
    "too_slow_here/card/asked": N_("On this computer's graphics card it takes {run_s}; you allow {deadline_s}."),
    "too_slow_here/card/little": N_("On this computer's graphics card it takes a little longer than {deadline_s}."),
    "too_slow_here/processor/little": N_("On this computer's processor it takes a little longer than {deadline_s}."),
    "too_slow_here/processor": N_("On this computer's processor it takes {run_s}, which is too long."),
    "too_slow_here/processor/asked": N_("On this computer's processor it takes {run_s}; you allow {deadline_s}."),
}

LITTLE_LATE_RATIO = 1.05
"""Nobody is told that something may take 12 hours, longer than 12 hours."""

OBSTACLES: Final[dict[str, str]] = {
    "data_must_stay": N_("your data must not leave"),
    "dearer": N_("costs {extra_usd} more"),
    "delivered_late": N_("must be delivered first, and you allow {deadline_s}"),
    "does_not_fit": N_("does not fit"),
    "does_not_fit/bytes": N_("does not fit: takes {needed_bytes}, has {available_bytes}"),
    "does_not_fit/bytes/close": N_("does not fit: takes {needed_bytes} of {available_bytes}, and some must stay free"),
    "interruptible": N_("may be interrupted at any time"),
    "less_supported": N_("fewer programs run on it as they are"),
    "less_supported/no_cuda": N_("has no CUDA, which many programs need"),
    "less_supported/old_card": N_("older card: the usual PyTorch builds have no code for it"),
    "marketplace": N_("other people's machines: price and availability change by the hour"),
    "may_miss_deadline": N_("may take up to {high_s}, longer than {deadline_s}"),
    "may_miss_deadline/little": N_("may take a little longer than {deadline_s}"),
    "may_miss_deadline/rented": N_("with its start and your data may take up to {high_s}, longer than {deadline_s}"),
    "misses_deadline": N_("takes {run_s}, longer than {deadline_s}"),
    "misses_deadline/little": N_("takes a little longer than {deadline_s}"),
    "misses_deadline/done": N_("done after {done_s}, start and your data included, later than {deadline_s}"),
    "misses_deadline/fetched": N_("done after {fetched_s}, fetching the weights included, later than {deadline_s}"),
    "not_needed": N_("not needed: this computer is enough"),
    "not_predicted": N_("its time cannot be predicted"),
    "not_supported": N_("cannot run this job"),
    "over_budget": N_("over budget: takes {outlay_usd}"),
    "price_unknown": N_("its price is not known"),
    "slower": N_("slower: {run_s}"),
    "slower/alike": N_("no faster"),
    "too_many_runs": N_("too slow for so many runs a month"),
}

DISAGREEMENTS: Final[dict[str, str]] = {
    "already_enough": N_(
        "By the articles' rules you would get a graphics card; by the numbers, what you have is enough."
    ),
    "beyond_one_computer": N_("The articles' rules would make do with one computer; by the numbers, none is enough."),
    "buying_is_cheaper": N_("The articles' rules would rent; by the numbers, buying is cheaper for you."),
    "does_not_fit_here": N_("The articles' rules would stay on this computer, but the job does not fit it."),
    "one_computer_will_do": N_("The articles' rules would take a cluster; by the numbers, one computer will do."),
    "renting_is_cheaper": N_(
        "By the articles' rules you would get a graphics card; you would use it so seldom that renting is cheaper."
    ),
    "too_slow_here": N_(
        "The articles' rules would stay on this computer, but that takes longer than you want to wait."
    ),
}


def reason_sentence(reason: Reason, report: Report, language: Language) -> str:
    """Return one reason for the answer."""
    if reason.code == "torch_mismatch":
        return mending_sentences(str(reason.values.get("mismatch", "")), report.machine, language)
    code = f"{reason.code}/pretended" if report.is_simulated else reason.code
    if is_untrusted(report) and f"{reason.code}/doubted" in REASONS:
        code = f"{reason.code}/doubted"
    elif reason.code == "needs_host" and "kind" not in reason.values and not report.machine.takes_no_card:
        code = "needs_host/unseen"
    text = _variant(code if code in REASONS else reason.code, reason.values, REASONS)
    values = with_spoken_difference(with_spoken_times(reason.values, language), report, language)
    return fill(language.gettext(text), values, report, language)


def with_spoken_times(values: Mapping[str, FactValue], language: Language) -> dict[str, FactValue]:
    """Return values with how many times as long one time is as another by what is said of both, which stand beside."""
    pairs = ((values.get(longer), values.get(shorter)) for longer, shorter in _COMPARED)
    found = [
        (one, other)
        for one, other in pairs
        if isinstance(one, float)
        and isinstance(other, float)
        and other > 0
        and not quantities.duration_alike(one, other)
    ]
    said = {"times": quantities.times_as_long(*found[0], language)} if found and "times" in values else {}
    return {**values, **said}


_COMPARED = (("processor_s", "card_s"), ("run_s", "shortest_s"))


def _variant(code: str, values: Mapping[str, FactValue], texts: Mapping[str, str]) -> str:
    """Return the text that suits the values there are; of a code that only another version knows, that it is one."""
    runs = values.get("runs")
    hints = [values.get(name) for name in ("tier", "device", "task", "kind")]
    hints += ["little"] if is_little(values) else []
    hints += ["once"] if isinstance(runs, (int, float)) and runs < 1.5 else []
    hints += [
        hint
        for name, hint in (
            ("needed_bytes", "bytes"),
            ("months", "months"),
            ("card_s", "faster"),
            ("done_s", "done"),
            ("fetched_s", "fetched"),
            ("before_s", "rented"),
            ("no_cuda", "no_cuda"),
            ("old_card", "old_card"),
            ("deadline_s", "asked"),
            ("loader_samples_per_s", "rates"),
        )
        if values.get(name) is not None
    ]
    hints += ["close"] if _is_close(values) else []
    key = code
    for hint in hints:
        key = f"{key}/{hint}" if f"{key}/{hint}" in texts else key
    known = key if key in texts else next((other for other in texts if other.startswith(f"{key}/")), None)
    return UNKNOWN_CODE if known is None else texts[known]


def _is_close(values: Mapping[str, FactValue]) -> bool:
    """Return whether what does not fit is told by figures that alone would say that it does."""
    needed, available = values.get("needed_bytes"), values.get("available_bytes")
    if not isinstance(needed, float | int) or not isinstance(available, float | int):
        return False
    return quantities.seems_to_fit(needed, available)


def is_little(values: Mapping[str, FactValue]) -> bool:
    """Return whether what is late is so by less than rounded times tell."""
    deadline_s = values.get("deadline_s")
    times = (values.get(name) for name in ("high_s", "run_s", "done_s", "fetched_s"))
    late = [time_s for time_s in times if isinstance(time_s, float)]
    if not late or not isinstance(deadline_s, float):
        return False
    is_told_alike = late[0] > deadline_s and quantities.duration_alike(late[0], deadline_s)
    return is_told_alike or ("high_s" in values and late[0] < LITTLE_LATE_RATIO * deadline_s)


def obstacle_phrase(option: Option, report: Report, language: Language) -> str:
    """Return the one reason an option is not the answer; empty for the chosen one."""
    if option.obstacle is None:
        return ""
    text = _variant(option.obstacle, dict(option.obstacle_values), OBSTACLES)
    if option.obstacle == "slower" and _are_told_alike(option.obstacle_values, language):
        text = OBSTACLES["slower/alike"]
    return late_phrase(text, with_spoken_difference(option.obstacle_values, report, language), report, language)


def _are_told_alike(values: Mapping[str, float], language: Language) -> bool:
    """Return whether the time of an option is told by the same words as that of the answer."""
    told = [quantities.duration(values[name], language) for name in ("run_s", "chosen_s") if name in values]
    return len(told) > 1 and told[0] == told[1]


def late_phrase(text: str, values: Mapping[str, FactValue], report: Report, language: Language) -> str:
    """Return a phrase filled; of how late something may be, that this holds though its data are loaded well."""
    said = fill(language.gettext(text), values, report, language)
    if values.get("well_loaded_s") is None:
        return said
    return language.gettext("{late}, even with its data loaded well").format(late=said)


def disagreement_sentence(report: Report, language: Language) -> str:
    """Return why the answer differs from the articles' rule; empty where it does not."""
    code = report.advice.disagreement
    return "" if code is None else language.gettext(DISAGREEMENTS.get(code, UNKNOWN_CODE))
