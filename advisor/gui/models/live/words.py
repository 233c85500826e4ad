"""The sensors in words: values with their units, who is held back or asleep, and why something is not there."""

import datetime
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from advisor.locale import N_, Language
from advisor.monitor.processes import CardUser
from advisor.records.base import Gap
from advisor.records.hardware.telemetry import AcceleratorSample, TelemetrySample
from advisor.report.words.problems import GAP_REASONS
from advisor.units import GIB, MINUTE_S

_UNITS = {"processor": "%", "graphics": "%", "temperature": "°C", "power": "W", "clock": "GHz"} | dict.fromkeys(
    ("disk", "network"), "MB/s"
)
_HOST_LABELS = {
    "host.cpu_ratio": N_("all cores"),
    "host.memory_used_bytes": N_("in use"),
    "host.cpu_temperature_celsius": N_("processor"),
    "host.cpu_power_w": N_("processor"),
    "host.disk_read_bytes_per_s": N_("read"),
    "host.disk_written_bytes_per_s": N_("written"),
    "host.network_received_bytes_per_s": N_("received"),
    "host.network_sent_bytes_per_s": N_("sent"),
}
THROTTLES: dict[str, str] = {
    "power_limit": N_("held back by its power limit"),
    "heat": N_("held back by heat"),
    "hardware_slowdown": N_("held back by its hardware"),
    "power_brake": N_("held back by the power supply"),
    "set_clocks": N_("held at a set clock"),
    "sync_boost": N_("held back by another card"),
}
OBSTACLES: dict[str, str] = {
    "mig": N_("the card is divided into instances (MIG), and its driver reports this of whole cards only"),
    "wsl": N_("inside the Windows Subsystem for Linux the driver does not report this"),
}
_ONLY_CARDS = frozenset({"graphics", "graphics_memory", "clock"})
_NONE = "–"
_LONG_AGO_S = 120.0


class _Seen(Protocol):
    """A curve, as far as it matters here."""

    @property
    def key(self) -> str:
        """Its field."""

    @property
    def now(self) -> float | None:
        """Its value."""


def unit(graph_id: str) -> str:
    """Return the unit of a graph."""
    return _UNITS.get(graph_id, "GB")


def label(name: str, latest: TelemetrySample, language: Language) -> str:
    """Return what a sensor is called beside its curve."""
    if name in _HOST_LABELS:
        return language.gettext(_HOST_LABELS[name])
    return card_name(int(name.split(".")[1]), latest, language)


def card_name(position: int, latest: TelemetrySample, language: Language) -> str:
    """Return what a card is called in a graph: its short name, or its number where there are several of the same."""
    card = latest.accelerators[position]
    twins = [place for place, other in enumerate(latest.accelerators) if other.name == card.name]
    if len(twins) > 1:
        return language.gettext("card {n}").format(n=twins.index(position) + 1)
    return _short(card, language)


def core_name(position: int, language: Language) -> str:
    """Return what a processor's core is called, such as "Processor, core 3"."""
    return language.gettext("Processor, core {n}").format(n=position + 1)


def _short(card: AcceleratorSample, language: Language) -> str:
    return card.name.removeprefix("NVIDIA ").removeprefix("AMD ").strip() or language.gettext("graphics card")


def value_text(graph_id: str, field: str, value: float, latest: TelemetrySample, language: Language) -> str:
    """Return a value in its graph's unit, such as "42 %" or "3.1 of 16 GB"."""
    if graph_id in {"memory", "graphics_memory"}:
        return _memory_text(value, total_gib(field, latest), language)
    if graph_id in {"processor", "graphics"}:
        return language.percent(value / 100)
    if graph_id == "clock":
        return _with_unit(value, 2, "GHz", language)
    return _with_unit(value, 1 if graph_id in {"disk", "network"} and value < 10 else 0, _UNITS[graph_id], language)


def _with_unit(value: float, digits: int, name: str, language: Language) -> str:
    return f"{language.number(value, digits)}\N{NO-BREAK SPACE}{name}"


def _memory_text(used_gib: float, whole_gib: float | None, language: Language) -> str:
    used = language.number(used_gib, 1)
    if whole_gib is None:
        return f"{used}\N{NO-BREAK SPACE}GB"
    total = language.number(whole_gib, 0 if whole_gib >= 10 else 1)
    return language.gettext("{used} of {total} GB").format(used=used, total=total)


def total_gib(field: str, latest: TelemetrySample) -> float | None:
    """Return the whole of a memory; None where it is not known."""
    if field.startswith("host."):
        total = latest.host.memory_total_bytes
    else:
        total = latest.accelerators[int(field.split(".")[1])].memory_total_bytes
    return None if total is None else total / GIB


def clock_text(wall_s: float, language: Language) -> str:
    """Return a time of day of here, from seconds since 1970."""
    from babel.dates import format_time

    moment = datetime.datetime.fromtimestamp(wall_s).astimezone()
    return str(format_time(moment, format="medium", locale=language.region))


def ago_phrase(seconds: float, language: Language) -> str:
    """Return how long ago a moment was, in seconds and, where these are many, in minutes."""
    _ = language.gettext
    if seconds < _LONG_AGO_S:
        return _("Values of {seconds} s ago").format(seconds=language.number(seconds))
    return _("Values of {minutes} min ago").format(minutes=language.number(seconds / MINUTE_S, 1))


# --- what is not there ---


def absences(missing: Iterable[tuple[str, str]]) -> str:
    """Return which graphs are not there, one line a reason.

    Args:
        missing: Title and reason of each.
    """
    titles: dict[str, list[str]] = {}
    for title, reason in missing:
        titles.setdefault(reason, []).append(title)
    return "\n".join(f"{_listed(names)}: {reason}" for reason, names in titles.items())


def _listed(names: Sequence[str]) -> str:
    """Return names in one line; only the first keeps its capital, for the others stand within the sentence."""
    return ", ".join([names[0], *(f"{name[0].lower()}{name[1:]}" for name in names[1:])])


_NOT_FOUND: Final = "not_found"


def missing(
    graph_id: str, fields: Iterable[str], curves: Sequence[_Seen], latest: TelemetrySample, language: Language
) -> str:
    """Return why the graph or some of its curves are not there; empty where nothing is missing."""
    _ = language.gettext
    if graph_id in _ONLY_CARDS and not latest.accelerators:
        return _no_cards(latest, language)
    present = {curve.key for curve in curves if curve.now is not None}
    gaps = {gap.field: gap for gap in latest.gaps}
    unread = _(GAP_REASONS[_NOT_FOUND])
    reasons: dict[str, list[str]] = {}
    for field in fields:
        gap = gaps.get(field)
        if gap is not None and field not in present:
            reasons.setdefault(reason_phrase(gap, language), []).append(label(field, latest, language))
    if not curves and len(reasons) == 1:
        reason = next(iter(reasons))
        if reason == unread:
            return _("this computer does not report it.")
        return _("not available ({reason}).").format(reason=reason)
    texts = []
    for reason, names in reasons.items():
        text = _("{sensor}: not available ({reason}).")
        if reason == unread:
            text = _("{sensor}: this computer does not report it.")
        texts.append(text.format(sensor=", ".join(dict.fromkeys(names)), reason=reason))
    return " ".join(f"{text[0].upper()}{text[1:]}" for text in texts)


def _no_cards(latest: TelemetrySample, language: Language) -> str:
    gap = next((gap for gap in latest.gaps if gap.field == "accelerators"), None)
    if gap is None:
        return language.gettext("No graphics card was found in this computer.")
    text = language.gettext("The sensors of the graphics cards cannot be read ({reason}).")
    return text.format(reason=gap.detail)


def reason_phrase(gap: Gap, language: Language) -> str:
    """Return why a sensor says nothing."""
    return language.gettext(OBSTACLES.get(gap.detail, GAP_REASONS[gap.reason]))


# --- the cards ---


def throttle_phrase(card: AcceleratorSample, language: Language) -> str:
    """Return what holds a card back; empty where nothing does."""
    return ", ".join(language.gettext(THROTTLES[code]) for code in card.throttle_reasons if code in THROTTLES)


def throttle_text(latest: TelemetrySample, language: Language) -> str:
    """Return which cards are held back, and by what; empty where none is."""
    texts = []
    for position, card in enumerate(latest.accelerators):
        reasons = throttle_phrase(card, language)
        if reasons:
            texts.append(f"{card_name(position, latest, language)}: {reasons}")
    return " · ".join(texts)


def sleep_text(latest: TelemetrySample, language: Language) -> str:
    """Return that a card sleeps and is left alone; empty where none does."""
    asleep = [card_name(place, latest, language) for place, card in enumerate(latest.accelerators) if card.is_asleep]
    if not asleep:
        return ""
    return language.gettext("{card} is asleep and is not woken by this page.").format(card=", ".join(asleep))


def cards_title(latest: TelemetrySample, language: Language) -> str:
    """Return what stands above the cards: how many of which, where they are all the same."""
    title, cards = language.gettext("Graphics cards now"), latest.accelerators
    if len(cards) < 2 or not _are_alike(latest):
        return title
    return f"{title}: {language.number(len(cards))} × {_short(cards[0], language)}"


def _are_alike(latest: TelemetrySample) -> bool:
    return len({card.name for card in latest.accelerators}) == 1


def card_header(language: Language) -> tuple[str, ...]:
    """Return the titles of the columns of cards."""
    _ = language.gettext
    return (
        _("Card"),
        _("Busy"),
        _("Memory"),
        _("Temperature"),
        _("Power"),
        _("Clocks"),
        _("State"),
    )


def card_rows(latest: TelemetrySample, language: Language) -> tuple[tuple[str, ...], ...]:
    """Return one row a card, with what it does at this moment."""
    return tuple(_card_row(place, card, latest, language) for place, card in enumerate(latest.accelerators))


def _card_row(position: int, card: AcceleratorSample, latest: TelemetrySample, language: Language) -> tuple[str, ...]:
    short, name = _short(card, language), card_name(position, latest, language)
    is_said = short == name or _are_alike(latest)
    field = f"accelerators.{position}"
    memory = card.memory_used_bytes
    whole = total_gib(f"{field}.memory_used_bytes", latest)
    return (
        name if is_said else f"{name} · {short}",
        _NONE if card.utilisation_ratio is None else language.percent(card.utilisation_ratio),
        _NONE if memory is None else _memory_text(memory / GIB, whole, language),
        _NONE if card.temperature_celsius is None else _with_unit(card.temperature_celsius, 0, "°C", language),
        _power_text(card, language),
        _clock_text(card, language),
        _state(position, card, latest, language),
    )


def _power_text(card: AcceleratorSample, language: Language) -> str:
    if card.power_w is None:
        return _NONE
    used = language.number(card.power_w)
    if card.power_limit_w is None:
        return f"{used}\N{NO-BREAK SPACE}W"
    return language.gettext("{used} of {limit} W").format(used=used, limit=language.number(card.power_limit_w))


def _clock_text(card: AcceleratorSample, language: Language) -> str:
    """Return the clock of the arithmetic units, then that of the memory."""
    clocks = (card.clock_hz, card.memory_clock_hz)
    if clocks == (None, None):
        return _NONE
    texts = (_NONE if clock is None else language.number(clock * 1e-9, 2) for clock in clocks)
    return f"{' / '.join(texts)}\N{NO-BREAK SPACE}GHz"


def _state(position: int, card: AcceleratorSample, latest: TelemetrySample, language: Language) -> str:
    """Return in a few words what is the matter with a card."""
    if card.is_asleep:
        return language.gettext("asleep")
    lost = (gap for gap in latest.gaps if gap.field.startswith(f"accelerators.{position}."))
    if card.utilisation_ratio is None and (gap := next(lost, None)) is not None:
        return reason_phrase(gap, language)
    return throttle_phrase(card, language) or language.gettext("not held back")


def user_header(language: Language) -> tuple[str, ...]:
    """Return the titles of the columns of programs."""
    _ = language.gettext
    return _("Program"), _("Graphics card"), _("Memory")


def user_rows(users: Iterable[CardUser], latest: TelemetrySample, language: Language) -> tuple[tuple[str, ...], ...]:
    """Return one row a program on a card, largest first."""
    _ = language.gettext
    known = [user for user in users if user.position < len(latest.accelerators)]
    ordered = sorted(known, key=lambda user: (-(user.memory_bytes or 0), user.name))
    return tuple(
        (
            user.name or _("a program that may not be looked at"),
            card_name(user.position, latest, language),
            _NONE if user.memory_bytes is None else _memory_text(user.memory_bytes / GIB, None, language),
        )
        for user in ordered
    )
