"""The articles' rules in words: title, sentence, source, and the conditions they would have to meet."""

from advisor.locale import N_, Language
from advisor.records.job.advice import Condition, FactValue, FiredRule
from advisor.records.results.report import Report
from advisor.report.words.labels import METHODS, spoken_date
from advisor.report.words.placeholders import fill, spell

FACTS: dict[str, str] = {
    "batch_normalized": N_("whether the network normalizes over the samples of a batch"),
    "batch_size": N_("size of a batch"),
    "budget_is_stated": N_("a budget is given"),
    "budget_usd": N_("budget"),
    "card_idle_ratio": N_("share of time the card waits for data"),
    "card_memory_bytes": N_("memory of the graphics card"),
    "card_samples_per_s": N_("samples a second the card could take"),
    "chosen_family": N_("family of the chosen card"),
    "chosen_limit": N_("what holds the chosen device back"),
    "chosen_memory_type": N_("memory type of the chosen card"),
    "chosen_vendor": N_("maker of the chosen card"),
    "data_must_stay": N_("the data must not leave"),
    "deadline_s": N_("time a run may take"),
    "fetch_s": N_("time to fetch the network's weights"),
    "fits_card_here": N_("it fits this computer's graphics card"),
    "fits_here": N_("it fits this computer"),
    "fits_one_gpu": N_("it fits one graphics card"),
    "fits_one_node": N_("it fits one computer with up to eight cards"),
    "gpu_over_cpu_ratio": N_("graphics card over processor, measured here"),
    "gpu_time_per_month_s": N_("time of one graphics card a month"),
    "has_card": N_("there is a graphics card to train on"),
    "horizon_months": N_("months of use"),
    "input_kind": N_("kind of input data"),
    "is_company": N_("a company asks"),
    "is_laptop": N_("this is a laptop"),
    "is_small": N_("it is a small task"),
    "data_bytes": N_("size of the data"),
    "free_disk_bytes": N_("free room on the disk"),
    "disk_samples_per_s": N_("samples a second the hard disk delivers"),
    "loader_samples_per_s": N_("samples a second the loader delivers"),
    "loaders": N_("processes that load the data"),
    "main_memory_bytes": N_("main memory"),
    "memory_needed_bytes": N_("memory needed"),
    "method": N_("kind of training"),
    "network_family": N_("kind of network"),
    "parameters": N_("parameters of the network"),
    "runs_on_gpu": N_("the answer computes on a graphics card"),
    "runs_per_month": N_("runs a month"),
    "samples": N_("samples"),
    "task": N_("training or only using the network"),
    "time_between_runs_s": N_("time from one run to the next"),
    "time_here_s": N_("time on this computer"),
    "time_on_card_s": N_("time on this computer's graphics card"),
    "time_on_one_gpu_s": N_("time on a graphics card of medium speed"),
    "time_on_one_node_s": N_("time on one computer with up to eight cards"),
    "time_on_processor_s": N_("time on this computer's processor"),
    "torch_mismatch": N_("why PyTorch cannot use the card"),
    "train_flop": N_("operations of the whole training"),
    "unknown_card": N_("graphics card that is not in the catalogue"),
    "unsaid_cores": N_("numbers of GPU cores the chip may have"),
    "limited_card": N_("graphics card that needs a PyTorch of its own"),
    "limited_kind": N_("which PyTorch it needs"),
    "usable_cores": N_("processor cores"),
    "weights_bytes": N_("size of the network's weights"),
    "who": N_("who asks"),
}
_YES_NO: dict[str, tuple[str, str]] = {
    # what would have to be: true, false
    "budget_is_stated": (N_("you had given a budget"), N_("you had given no budget")),
    "data_must_stay": (N_("your data could not leave"), N_("your data could leave")),
    "fits_card_here": (
        N_("it fitted this computer's graphics card"),
        N_("it did not fit this computer's graphics card"),
    ),
    "fits_here": (N_("it fitted this computer"), N_("it did not fit this computer")),
    "fits_one_gpu": (N_("it fitted one graphics card"), N_("it did not fit one graphics card")),
    "fits_one_node": (
        N_("it fitted one computer with up to eight cards"),
        N_("it did not fit one computer, even with eight cards"),
    ),
    "has_card": (N_("there were a graphics card to train on"), N_("there were no graphics card to train on")),
    "is_company": (N_("you were a company"), N_("you were no company")),
    "is_laptop": (N_("this were a laptop"), N_("this were no laptop")),
    "is_small": (N_("it were a small task"), N_("it were no small task")),
    "runs_on_gpu": (N_("it ran on a graphics card"), N_("it did not run on a graphics card")),
}
_DEMANDS = {
    "<": N_("less than {limit}"),
    "<=": N_("at most {limit}"),
    ">": N_("more than {limit}"),
    ">=": N_("at least {limit}"),
    "==": N_("{limit}"),
    "!=": N_("anything but {limit}"),
    "in": N_("one of {limit}"),
}


def fact_phrase(name: str, language: Language) -> str:
    """Return what a fact is called; an unknown one as it is written."""
    return language.gettext(FACTS[name]) if name in FACTS else name


def condition_phrase(near: FiredRule, report: Report, language: Language) -> str:
    """Return under which one condition, now missed, a rule would hold."""
    if near.missing is None:
        return ""
    _ = language.gettext
    return _("This would apply if {condition}.").format(condition=_wanted(near, near.missing, report, language))


def _wanted(near: FiredRule, missing: Condition, report: Report, language: Language) -> str:
    _ = language.gettext
    if missing.fact in _YES_NO and isinstance(missing.value, bool):
        wanted = missing.value == (missing.operator == "==")
        return _(_YES_NO[missing.fact][0 if wanted else 1])
    limits = missing.value if isinstance(missing.value, tuple) else (missing.value,)
    limit = ", ".join(_value(missing.fact, one, report, language) for one in limits)
    return _("{fact} were {demand} (now {value})").format(
        fact=fact_phrase(missing.fact, language),
        value=_value(missing.fact, near.facts.get(missing.fact), report, language),
        demand=_(_DEMANDS[missing.operator]).format(limit=limit),
    )


def _value(name: str, value: FactValue, report: Report, language: Language) -> str:
    for method, text in METHODS.items():
        if name == "method" and value == method:
            return language.gettext(text)
    return spell(name, value, report, language)


def rule_title(fired: FiredRule, language: Language) -> str:
    """Return the title of a rule."""
    return fired.rule.title.get(language.code) or fired.rule.title.get("en") or fired.rule.id


def rule_sentence(fired: FiredRule, report: Report, language: Language) -> str:
    """Return what a rule says, with the values of the facts it names."""
    text = fired.rule.text.get(language.code) or fired.rule.text.get("en", "")
    return fill(text, fired.facts, report, language)


def rule_source(fired: FiredRule, language: Language) -> str:
    """Return where a rule is from, in one line."""
    _ = language.gettext
    if fired.rule.sets:
        return _("Assumed by this program; say what you want instead.")
    source = fired.rule.source
    day = spoken_date(source.date, language)
    dated = _("read on {date}").format(date=day) if source.is_read_date else day
    return ", ".join(part for part in (_("“{title}”").format(title=source.title), source.author, dated) if part)
