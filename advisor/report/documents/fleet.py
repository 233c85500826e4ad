"""The verdict for a room of computers: a page for people, and a table for spreadsheets."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.locale import N_, Language
from advisor.records.results.diagnosis import FindingKind, RemedyCode
from advisor.records.results.fleet import (
    CellState,
    FleetAdvice,
    FleetCell,
    FleetComputer,
    FleetGroup,
    FleetJob,
    FleetNeed,
    FleetPurchase,
    RefusedReason,
)
from advisor.report.content.blocks import Block, Bullets, Fold, Heading, Item, Paragraph, Section, Table
from advisor.report.content.document import Document
from advisor.report.words import quantities
from advisor.report.words.diagnosis import TITLES, remedy_sentence
from advisor.report.words.labels import spoken_date
from advisor.report.words.networks import network_name

_STATES: Final[dict[CellState, str]] = {
    "enough": N_("enough"),
    "slow": N_("too slow"),
    "does_not_fit": N_("too little memory"),
    "unknown": N_("unknown"),
}
_REFUSED: Final[dict[RefusedReason, str]] = {
    "duplicate": N_("the same report again, or an older one of the same label"),
    "link": N_("a link, which is not followed"),
    "not_a_report": N_("not a report of this program"),
    "other_version": N_("a report of another version of this program"),
    "too_large": N_("larger than a report can be"),
    "unreadable": N_("cannot be read"),
}
_CHEAP: Final[dict[FindingKind, RemedyCode]] = {
    "other_load": "close_programs",
    "on_battery": "plug_in",
    "page_faults": "keep_freed_memory",
    "power_saver": "leave_power_saver",
    "single_memory_channel": "second_memory_module",
    "slow_link": "use_full_slot",
    "throttled_heat": "improve_cooling",
    "throttled_power": "raise_power_limit",
    "unstable": "measure_again",
    "wrong_torch_build": "cpu_only_build",
}
"""What whoever looks after a room can mend with little or no money; that arithmetic is the limit is no fault."""
_SHOWN_SLOW = 50


def fleet_page(advice: FleetAdvice, language: Language, *, made: str) -> Document:
    """Return the page.

    Args:
        advice: The verdict.
        language: The reader's.
        made: ISO date of the page.
    """
    _ = language.gettext
    return Document(
        question=Paragraph(_question(advice, language)),
        verdict=Paragraph(_verdict(advice, language)),
        lead=tuple(Paragraph(text) for text in _lead(advice, language)),
        notes=tuple(Paragraph(text) for text in _notes(advice, language)),
        sections=tuple(section for section in _sections(advice, language) if section.blocks),
        colophon=_("Made by advisor {version} on {date}.").format(
            version=advice.program_version, date=spoken_date(made, language)
        ),
    )


def refused_sentence(reason: RefusedReason, language: Language) -> str:
    """Return why a file was left out."""
    return language.gettext(_REFUSED[reason])


def _question(advice: FleetAdvice, language: Language) -> str:
    computers = language.ngettext("{n} computer", "{n} computers", len(advice.computers))
    jobs = language.ngettext("{n} job", "{n} jobs", len(advice.jobs))
    said = (
        computers.format(n=language.number(len(advice.computers))),
        jobs.format(n=language.number(len(advice.jobs))),
    )
    return language.gettext("Are these computers enough? {computers}, {jobs}.").format(computers=said[0], jobs=said[1])


def _verdict(advice: FleetAdvice, language: Language) -> str:
    _ = language.gettext
    lacking = [need for need in advice.needs if need.missing]
    if not lacking:
        if any(need.people > need.seats for need in advice.needs):
            return _("They are enough where people take turns: everybody gets every job done in time.")
        return _("They are enough: everybody gets every job done in time.")
    if not advice.is_complete:
        return _("They are not enough, and nothing on sale ends every job in time.")
    chosen = _chosen(advice)
    if all(one.tier == "cloud" for one in chosen):
        text = _("They are not enough. The cheapest way is to rent: {money} in {months}.")
    elif any(one.tier == "cloud" for one in chosen):
        text = _("They are not enough. The cheapest way is to buy and to rent: {once} once, {money} in {months}.")
    else:
        text = _("They are not enough. The cheapest way is to buy: {once} once, {money} in {months}.")
    return text.format(
        once=_money(advice.purchase_usd, advice, language),
        money=_money(advice.horizon_usd, advice, language),
        months=quantities.months(advice.horizon_months, language),
    )


def _chosen(advice: FleetAdvice) -> list[FleetPurchase]:
    if advice.shared is not None:
        return [advice.shared]
    return [need.ways[0] for need in advice.needs if need.missing and need.ways]


def _money(usd: float, advice: FleetAdvice, language: Language) -> str:
    return quantities.money(usd * advice.units_per_usd, advice.currency, language)


def _lead(advice: FleetAdvice, language: Language) -> Iterator[str]:
    _ = language.gettext
    for need in advice.needs:
        job = advice.jobs[need.job]
        within = quantities.duration(job.deadline_s, language)
        text = _(
            "{job}: computers that are enough, {seats} of {computers} (a run may take {within}); people who need it, "
            "{people}."
        )
        said = text.format(
            job=_title(job, language),
            seats=language.number(need.seats),
            computers=language.number(len(advice.computers)),
            within=within,
            people=language.number(need.people),
        )
        yield f"{said} {_turns(need, job.deadline_s, language)}".rstrip()
    if advice.shared is not None:
        text = _("One kind of thing serves all of these jobs: {count} × {title}.")
        yield text.format(count=language.number(advice.shared.count), title=advice.shared.title)
    slow = [one for one in advice.computers if one.is_slow]
    if slow:
        text = language.ngettext(
            "{n} computer is slower than its equals.", "{n} computers are slower than their equals.", len(slow)
        )
        yield text.format(n=language.number(len(slow)))


def _title(job: FleetJob, language: Language) -> str:
    return network_name(job.titles.get(language.code) or job.title, language)


def _turns(need: FleetNeed, deadline_s: float, language: Language) -> str:
    _ = language.gettext
    if need.people <= need.seats or need.rounds is None or need.all_done_s is None:
        return ""
    span = need.all_done_interval
    if need.missing:
        text = _("Taking turns on those, the last is done after {time} ({rounds} rounds): too late for {missing}.")
    elif span is None or span.high <= deadline_s:
        text = _("Taking turns on those, all are done after {time} ({rounds} rounds): in time.")
    else:
        text = _(
            "Taking turns on those, all are done after {time} ({rounds} rounds): in time. It may take up to {most}, "
            "though, which would be too late."
        )
    return text.format(
        time=quantities.duration(need.all_done_s, language),
        rounds=language.number(need.rounds),
        missing=language.number(need.missing),
        most="" if span is None else quantities.duration(span.high, language),
    )


def _notes(advice: FleetAdvice, language: Language) -> Iterator[str]:
    _ = language.gettext
    if sum(need.seats > 0 for need in advice.needs) > 1:
        yield _("Each job is looked at by itself, as if nobody ran another one on these computers in the meantime.")
    if any(job.deadline_is_default for job in advice.jobs):
        yield _("Where no deadline is given, a run may take a week, or until the next one begins.")
    unmeasured = sum(not one.is_measured for one in advice.computers)
    listed = sum(one.is_inventory for one in advice.computers)
    if listed:
        text = language.ngettext(
            "{n} computer is from an inventory alone: its graphics memory is the catalogue's.",
            "{n} computers are from an inventory alone: their graphics memory is the catalogue's.",
            listed,
        )
        yield text.format(n=language.number(listed))
    if unmeasured:
        text = language.ngettext(
            "{n} computer was not measured: its times are worked out from what it is.",
            "{n} computers were not measured: their times are worked out from what they are.",
            unmeasured,
        )
        yield text.format(n=language.number(unmeasured))
    if advice.refused:
        text = language.ngettext("{n} file was left out.", "{n} files were left out.", len(advice.refused))
        yield text.format(n=language.number(len(advice.refused)))


def _sections(advice: FleetAdvice, language: Language) -> Iterator[Section]:
    _ = language.gettext
    yield Section("groups", _("Which computers do which job"), (_matrix(advice, language),))
    yield Section("slow", _("Slower than their equals"), tuple(_slow(advice, language)))
    yield Section(
        "mend", _("What holds them back, and costs little or nothing to fix"), tuple(_findings(advice, language))
    )
    yield Section("get", _("What to get"), tuple(_ways(advice, language)))
    yield Section("computers", _("Every computer"), _every(advice, language))
    yield Section("left-out", _("Left out"), tuple(_left_out(advice, language)))
    yield Section("reading", _("How to read this"), (_reading(advice, language),))


def _matrix(advice: FleetAdvice, language: Language) -> Table:
    _ = language.gettext
    rows = []
    for index, group in enumerate(advice.groups):
        members = [one for one in advice.computers if one.group == index]
        cells = tuple(_summary(group, members, job, language) for job in range(len(advice.jobs)))
        memory = quantities.memory(group.memory_bytes, language)
        rows.append((f"{group.title}\n{memory}", language.number(group.members), *cells))
    header = (_("Computers"), _("How many"), *(_title(job, language) for job in advice.jobs))
    return Table(header=header, rows=tuple(rows), numeric=frozenset({1}))


def _summary(group: FleetGroup, members: Sequence[FleetComputer], job: int, language: Language) -> str:
    """Return how a group does a job: what most of them are, how long they take, and how far they are apart."""
    _ = language.gettext
    states = Counter(one.cells[job].state for one in members)
    if len(states) == 1:
        [state] = states
        said = _(_STATES[state])
    else:
        said = ", ".join(f"{language.number(count)} {_(_STATES[state])}" for state, count in sorted(states.items()))
    median_s, spread = group.median_s[job], group.spread_ratio[job]
    if median_s is None:
        return said
    line = quantities.duration(median_s, language)
    if spread is not None and spread >= 0.01:
        line = _("{time}, some {ratio} longer").format(time=line, ratio=language.percent(spread))
    return f"{said}: {line}"


def _slow(advice: FleetAdvice, language: Language) -> Iterator[Block]:
    _ = language.gettext
    slow = sorted((one for one in advice.computers if one.is_slow), key=lambda one: -(one.pace_ratio or 0.0))
    if not slow:
        return
    items = []
    for one in slow[:_SHOWN_SLOW]:
        text = _("Takes {ratio} longer than the middle of its group.").format(
            ratio=language.percent((one.pace_ratio or 1.0) - 1)
        )
        causes = ", ".join(_(TITLES[kind]) for kind in one.causes)
        cause = (
            _("Its report says: {causes}.").format(causes=causes)
            if causes
            else _("Its report does not say why: look at its cooling, its memory modules and its power settings.")
        )
        items.append(Item(f"{text} {cause}", lead=one.name))
    yield Bullets(tuple(items))
    if len(slow) > _SHOWN_SLOW:
        yield Paragraph(_("And {n} more; the CSV has them all.").format(n=language.number(len(slow) - _SHOWN_SLOW)))


def _findings(advice: FleetAdvice, language: Language) -> Iterator[Block]:
    _ = language.gettext
    items = []
    for group in advice.groups:
        for kind, count in group.findings.items():
            if kind in _CHEAP:
                text = _("{n} of {all}").format(n=language.number(count), all=language.number(group.members))
                said = f"{_(TITLES[kind])}: {text}. {remedy_sentence(_CHEAP[kind], language)}"
                items.append(Item(said, lead=group.title))
    if items:
        yield Bullets(tuple(items))


def _ways(advice: FleetAdvice, language: Language) -> Iterator[Block]:
    _ = language.gettext
    for need in advice.needs:
        if not need.missing:
            continue
        text = language.ngettext(
            "{job}: for {n} person who gets no run in time",
            "{job}: for {n} people who get no run in time",
            need.missing,
        )
        yield Heading(text.format(job=_title(advice.jobs[need.job], language), n=language.number(need.missing)))
        if not need.ways:
            yield Paragraph(_("Nothing on sale ends a run by then, or your budget does not allow it."))
            continue
        rows = tuple(_way_row(way, advice, language) for way in need.ways)
        in_months = _("in {months}").format(months=quantities.months(advice.horizon_months, language))
        header = (_("What"), _("How many"), _("People on each"), _("A run"), _("Paid once"), in_months)
        yield Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4, 5}), marked=0)


def _way_row(way: FleetPurchase, advice: FleetAdvice, language: Language) -> tuple[str, ...]:
    _ = language.gettext
    title = way.title
    if way.into is not None:
        title = _("{title}, put into: {group}").format(title=title, group=advice.groups[way.into].title)
    elif way.tier == "cloud":
        title = _("{title}, rented").format(title=title)
    elif way.option.startswith("buy/"):
        title = _("{title}, with a computer around it").format(title=title)
    return (
        title,
        language.number(way.count),
        language.number(way.seats),
        quantities.duration(way.run_s, language),
        _money(way.purchase_usd, advice, language),
        _money(way.horizon_usd, advice, language),
    )


def _every(advice: FleetAdvice, language: Language) -> tuple[Block, ...]:
    _ = language.gettext
    more = Paragraph(_("For a spreadsheet, save this as CSV: a row for each computer and job."))
    count = len(advice.computers)
    title = language.ngettext("{n} computer", "{n} computers", count).format(n=language.number(count))
    return more, Fold(title, _computers(advice, language))


def _computers(advice: FleetAdvice, language: Language) -> Table:
    _ = language.gettext
    is_paced = _is_paced(advice)
    rows = []
    for one in advice.computers:
        pace = ("" if one.pace_ratio is None else language.percent(one.pace_ratio),) if is_paced else ()
        cells = tuple(_cell(cell, language) for cell in one.cells)
        rows.append((one.name, advice.groups[one.group].title, *pace, *cells))
    pace_title = (_("Time beside its equals"),) if is_paced else ()
    header = (_("Name"), _("Computer"), *pace_title, *(_title(job, language) for job in advice.jobs))
    return Table(header=header, rows=tuple(rows), numeric=frozenset({2} if is_paced else ()))


def _is_paced(advice: FleetAdvice) -> bool:
    """Return whether any computer could be laid beside its equals."""
    return any(one.pace_ratio is not None for one in advice.computers)


def _cell(cell: FleetCell, language: Language) -> str:
    said = language.gettext(_STATES[cell.state])
    if cell.run_s is not None and cell.interval is not None:
        span = quantities.duration_range(cell.interval.low, cell.interval.high, language)
        return f"{said}\n{quantities.duration(cell.run_s, language)} ({span})"
    if cell.memory_bytes is not None and cell.available_bytes is not None:
        return f"{said}\n{quantities.memory_of(cell.memory_bytes, cell.available_bytes, language)}"
    return said


def _left_out(advice: FleetAdvice, language: Language) -> Iterator[Block]:
    counts = Counter(one.reason for one in advice.refused)
    if counts:
        yield Bullets(
            tuple(
                Item(f"{language.number(count)} × {refused_sentence(reason, language)}")
                for reason, count in sorted(counts.items())
            )
        )


def _reading(advice: FleetAdvice, language: Language) -> Bullets:
    """Return what the words of this page mean, those alone that stand on it."""
    _ = language.gettext
    said = [_("Enough: a run ends by its deadline on the device of the computer that ends it soonest.")]
    if _is_paced(advice):
        said.append(
            _(
                "Slower than its equals: of at least five equal computers, by more than 5% and by more than they "
                "differ otherwise; chance alone says it of fewer than one in 1,000."
            )
        )
    if any(need.people > need.seats for need in advice.needs):
        said.append(
            _(
                "Whoever has no computer that is enough takes turns on one that is. Anyone who would not be done "
                "in time that way needs a card, a place at a shared computer, or a rented one. Prices are those "
                "of this program; they do not include staff, room and cables."
            )
        )
    if any(need.missing for need in advice.needs):
        said.append(
            _(
                "Paid once: the price. Over the months: all that is paid, with electricity and rent, less what "
                "selling it brings at the end; so it may be less than the price."
            )
        )
    return Bullets(tuple(Item(text) for text in said))
