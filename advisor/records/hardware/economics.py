"""What electricity, money and the computer around a card cost, by country and currency."""

from advisor.records.base import Record, Source
from advisor.records.hardware.machine import ComputerKind


class Country(Record, frozen=True, kw_only=True):
    """Electricity of one country.

    Attributes:
        code: ISO 3166 code of two letters.
        currency: ISO 4217 code people pay in.
        electricity_usd_per_kwh: For households, taxes included; None where nobody publishes it.
        electricity_as_of: ISO date or year of that price.
        co2_g_per_kwh: Of the electricity made there.
        co2_as_of: Year.
        sources: Groups ``electricity`` and ``co2``.
    """

    code: str
    name: str
    currency: str
    electricity_usd_per_kwh: float | None = None
    electricity_as_of: str | None = None
    co2_g_per_kwh: float | None = None
    co2_as_of: str | None = None
    sources: dict[str, Source] = {}


class Currency(Record, frozen=True, kw_only=True):
    """A currency and what a dollar buys of it.

    Attributes:
        units_per_usd: Units of this currency for one USD.
        as_of: ISO date or year of the rate.
    """

    code: str
    units_per_usd: float
    as_of: str
    source: Source


class Assumption(Record, frozen=True, kw_only=True):
    """A figure of the house that the user may replace.

    Attributes:
        value: Unit in the name of the field that holds it.
        as_of: ISO date or year.
        derivation: How the figure follows from what the source says.
    """

    value: float
    as_of: str
    derivation: str
    source: Source


class PowerAround(Record, frozen=True, kw_only=True):
    """What a kind of computer draws behind its power supply, without the device that computes.

    Attributes:
        beside_processor_w: While its processor computes; ``beside_card_w``: while a card does, which its processor
            feeds.
        waiting_w: All of it, while it stands ready.
        as_of, derivation: As of an ``Assumption``.
    """

    beside_processor_w: float
    beside_card_w: float
    waiting_w: float
    as_of: str
    derivation: str
    source: Source


class HostProcessor(Record, frozen=True, kw_only=True):
    """A processor with which a computer around a card can be bought instead of its usual one.

    Attributes:
        cores: Of the processor; ``threads``: their hardware threads.
        extra_usd: What it costs more; ``extra_w``: what it draws more while it is busy.
        as_of, derivation: As of an ``Assumption``.
    """

    cores: float
    threads: float
    extra_usd: float
    extra_w: float
    as_of: str
    derivation: str
    source: Source


class Economics(Record, frozen=True, kw_only=True):
    """The money facts the advice rests on; every figure has a date and can be replaced by the user's own.

    Attributes:
        countries: By ISO code.
        currencies: By ISO code; every country's own is among them.
        storage_usd_per_gb_month: Block storage rented beside a cloud machine.
        rent_start_s: From renting a machine to the first command on it.
        upload_bytes_per_s: Of an ordinary line, from the user to a provider.
        download_bytes_per_s: Of an ordinary line, to the user.
        billing_unit_s: A rent is paid in whole units of so long.
        interruptions_per_month: How often a machine that may be taken away is.
        download_usd_per_gb: What a provider takes for data that leave it, beyond what is free.
        host_usd: A computer without graphics card, for who must buy one.
        host_cores: Processor cores of that computer; ``host_threads``: their hardware threads.
        processors: What that computer can have instead, by rising cores.
        host_memory_bytes: Its main memory; ``host_supply_w``: what its power supply gives.
        around: What a computer of each kind draws; one that is bought is a desktop computer.
        resale_ratio_per_year: Share of its price a card keeps over a year; ``host_resale_ratio_per_year``: a computer.
        charge_ratio: Electricity drawn from the socket over what the parts use (losses of the power supply).
    """

    countries: dict[str, Country]
    currencies: dict[str, Currency]
    storage_usd_per_gb_month: Assumption
    rent_start_s: Assumption
    upload_bytes_per_s: Assumption
    download_bytes_per_s: Assumption
    billing_unit_s: Assumption
    interruptions_per_month: Assumption
    download_usd_per_gb: Assumption
    host_usd: Assumption
    host_cores: Assumption
    host_threads: Assumption
    processors: tuple[HostProcessor, ...]
    host_memory_bytes: Assumption
    host_supply_w: Assumption
    around: dict[ComputerKind, PowerAround]
    resale_ratio_per_year: Assumption
    host_resale_ratio_per_year: Assumption
    charge_ratio: Assumption
