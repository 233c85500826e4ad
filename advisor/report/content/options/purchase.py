"""What a purchase asks of a computer, what is known of this one, and what its owner must look up before paying."""

import re
from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.hardware.device import Board, HostParts
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets, Heading, Item, Section
from advisor.report.provenance.money import of_price
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import outlasts_hardware
from advisor.report.words.labels import amount, option_title, spoken_date, with_article
from advisor.report.words.sources import source_phrase


def purchase_section(report: Report, language: Language) -> Section:
    """Return what must fit where something is bought; empty where nothing is, or what is bought is whole."""
    _, option = language.gettext, report.advice.purchase
    if option is None or option.is_computer or outlasts_hardware(option):
        return Section("purchase", "", ())
    origin = of_price(option, report, language)
    known = tuple(Item(text, origin=origin) for text in purchase_facts(option, report, language))
    asked = tuple(Item(text, origin=origin) for text in to_look_up(option, report, language))
    title = _("Before you buy {option}").format(option=with_article(option, option_title(option, language), language))
    blocks = (Bullets(known), Heading(_("What you must look up")), Bullets(asked))
    return Section("purchase", title, blocks if known else blocks[1:])


def purchase_facts(option: Option, report: Report, language: Language) -> Iterator[str]:
    """Yield what is known of the card, of the computer around it, or of this one."""
    _ = language.gettext
    if option.host_usd > 0 and report.host is not None:
        yield _host(report.host, option, report, language)
    board = report.board
    if board is not None and option.device == board.device:
        yield from _board(board, option, language)
    if option.host_usd <= 0 and not option.is_computer:
        yield _this(report, language)


def _host(host: HostParts, option: Option, report: Report, language: Language) -> str:
    text = language.gettext(
        "The computer around it, {price}: {cores} cores with {threads} threads, {memory} of main memory, a solid-state "
        "drive and a power supply of {supply} W, as somebody paid it on {date} ({source}); what each part cost is not "
        "published."
    )
    said = text.format(
        price=amount(option.host_usd, report, language),
        cores=language.number(host.cores),
        threads=language.number(host.threads),
        memory=quantities.memory(host.memory_bytes, language),
        supply=language.number(host.supply_w),
        date=spoken_date(host.as_of, language),
        source=source_phrase(host.source, language),
    )
    if host.extra_as_of is None or host.extra_source is None:
        return said
    text = language.gettext(
        "Its processor costs {extra} more than one of six cores in a list of {date} ({source}): it is chosen for the "
        "loading of your data."
    )
    extra = text.format(
        extra=amount(host.extra_usd, report, language),
        date=spoken_date(host.extra_as_of, language),
        source=source_phrase(host.extra_source, language),
    )
    return f"{said} {extra}"


def _board(board: Board, option: Option, language: Language) -> Iterator[str]:
    _ = language.gettext
    cited = source_phrase(board.source, language)
    if board.supply_w is not None:
        text = _("For one such card a power supply of {supply} W is suggested ({source}).")
        if option.device_count > 1 and board.power_w is not None:
            text = _(
                "For one such card a power supply of {supply} W is suggested ({source}); each further card draws up to "
                "{power} W more."
            )
        power = 0.0 if board.power_w is None else board.power_w
        yield text.format(supply=language.number(board.supply_w), power=language.number(power), source=cited)
    if board.length_mm is not None and board.slots is not None:
        text = language.ngettext(
            "The maker's own card is {length} mm long and covers {slots} slot; others differ.",
            "The maker's own card is {length} mm long and covers {slots} slots; others differ.",
            board.slots,
        )
        yield text.format(length=language.number(board.length_mm), slots=language.number(board.slots))


def _this(report: Report, language: Language) -> str:
    """Return what the probe knows of the computer that the card would go into."""
    _, host = language.gettext, report.machine.host
    text = _("This computer has {threads} threads to prepare data and {memory} of main memory.")
    said = text.format(
        threads=language.number(host.cpu.usable_cores, 1), memory=quantities.memory(host.memory.limit_bytes, language)
    )
    links = [card.pcie for card in report.machine.accelerators if card.pcie is not None]
    link = next((one for one in links if one.max_generation and one.max_width), None)
    if link is None:
        unseen = _("Which slots it has cannot be seen from here.")
        return f"{said} {unseen}"
    lanes = _("Its present card and slot reach PCIe {generation} with {width} lanes.")
    return f"{said} {lanes.format(generation=link.max_generation, width=link.max_width)}"


def _connectors(listed: str, language: Language) -> str:
    """Return connectors as the catalogue lists them, ``2x 8-pin``, in the words of a language."""
    text = language.gettext("{count}x {pins}-pin")
    return re.sub(r"(\d+)x (\d+)-pin", lambda found: text.format(count=found[1], pins=found[2]), listed)


def to_look_up(option: Option, report: Report, language: Language) -> Iterator[str]:
    """Yield the questions that no program can answer from inside a computer."""
    _ = language.gettext
    yield _("What it costs today, where you would buy it.")
    board = report.board if report.board is not None and report.board.device == option.device else None
    if option.is_computer:
        return
    count, is_new = option.device_count, option.host_usd > 0
    supply = None if board is None or board.supply_w is None else board.supply_w + (count - 1) * (board.power_w or 0.0)
    if supply is None:
        yield _("What power supply the maker of the card asks for, and whether yours gives it.")
    elif is_new:
        if report.host is not None and supply > report.host.supply_w:
            text = _("A stronger power supply than the {has} W in this price: {needs} W.")
            yield text.format(has=language.number(report.host.supply_w), needs=language.number(supply))
    else:
        text = _("Whether your power supply gives {needs} W: see its label.")
        yield text.format(needs=language.number(supply))
    if board is not None and board.connectors:
        text = _("Whether the supply has the connectors: {connectors} for each card.")
        yield text.format(connectors=_connectors(board.connectors, language))
    if board is not None and board.length_mm is not None:
        text = _(
            "Whether the case has {length} mm of room from the bracket to the drives, for the very card you choose."
        )
        yield text.format(length=language.number(board.length_mm))
    if count > 1:
        text = _("Whether the board has {count} slots with enough lanes, far enough apart for the cards to get air.")
        yield text.format(count=language.number(count))
    elif not is_new:
        yield _("Whether a long PCIe slot (x16) is free, or the present card can be removed.")
