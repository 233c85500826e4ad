"""Numbers as people say them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.locale import SPACE, language
from advisor.report.words import quantities
from advisor.units import DAY_S, GIB, HOUR_S, MONTH_S, WEEK_S, YEAR_S

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(
    ("time_s", "expected"),
    [
        (0.0004, "less than a millisecond"),
        (0.03, "30 ms"),
        (0.994, "990 ms"),
        (0.9996, "1 second"),
        (1, "1 second"),
        (38, "38 seconds"),
        (60, "1 minute"),
        (79, "1½ minutes"),
        (210, "3½ minutes"),
        (35 * 60, "35 minutes"),
        (37 * 60, "35 minutes"),
        (63 * 60, "1 hour 5 minutes"),
        (85 * 60, "1 hour 25 minutes"),
        (1.6 * HOUR_S, "1½ hours"),
        (12 * HOUR_S, "12 hours"),
        (DAY_S, "1 day"),
        (30 * HOUR_S, "30 hours"),
        (2 * DAY_S, "2 days"),
        (2.6 * DAY_S, "2½ days"),
        (11.2 * DAY_S, "11 days"),
        (21 * DAY_S, "3 weeks"),
        (4 * MONTH_S, "4 months"),
        (24 * MONTH_S, "2 years"),
        (417 * YEAR_S, "420 years"),
        (56789 * YEAR_S, "57,000 years"),
    ],
)
def test_durations_are_rounded_as_people_round(time_s: float, expected: str) -> None:
    """Halves of small numbers, fives of minutes, no false precision."""
    assert quantities.duration(time_s, EN) == expected


@pytest.mark.parametrize(
    ("time_s", "expected"),
    [
        (0.5 * 60 + 31.4, "1 minute"),
        (90 * 60, "1½ hours"),
        (HOUR_S, "1 hour"),
        (7 * DAY_S, "1 week"),
        (MONTH_S, "1 month"),
        (2 * MONTH_S, "2 months"),
        (YEAR_S, "1 year"),
        (0.62 * YEAR_S * 3.2, "2 years"),
    ],
)
def test_halves_of_a_unit(time_s: float, expected: str) -> None:
    """Between two units the larger one is used as soon as it is exact enough."""
    assert quantities.duration(time_s, EN) == expected


@given(time_s=st.floats(1.0, 1e11))
def test_a_spoken_duration_is_within_a_third(time_s: float) -> None:
    """Rounding never changes a duration by more than a third."""
    span = quantities._rounded(time_s)
    length = next(length for unit, length, _limit in quantities._UNITS if unit == span.unit)
    assert span.halves * length / 2 == pytest.approx(time_s, rel=0.34)


TIMES = st.floats(0.002, 1e10)


@given(one_s=TIMES, other_s=TIMES)
def test_what_is_said_of_two_durations_keeps_their_order(one_s: float, other_s: float) -> None:
    """The shorter one is never said to be longer, in whatever units both are told."""
    shorter_s, longer_s = sorted((one_s, other_s))
    assert quantities.spoken_s(shorter_s) <= quantities.spoken_s(longer_s)


@given(time_s=TIMES)
@example(time_s=35.7 * HOUR_S)
@example(time_s=13.7 * DAY_S)
@example(time_s=7.8 * WEEK_S)
@example(time_s=17.5 * MONTH_S)
@example(time_s=46_021_500.0)
def test_what_is_said_is_what_is_counted_with(time_s: float) -> None:
    """A difference worked out from what is said is one that a reader can check."""
    assert quantities.duration(quantities.spoken_s(time_s), EN) == quantities.duration(time_s, EN)


@given(one_s=TIMES, other_s=TIMES)
def test_no_difference_is_the_whole(one_s: float, other_s: float) -> None:
    """It "saves 3½ hours of 3½ hours": the words never claim as much as there is, or more."""
    shorter_s, longer_s = sorted((one_s, other_s))
    for language_ in (EN, ES):
        said = quantities.difference(longer_s, shorter_s, language_)
        assert said != quantities.duration(longer_s, language_)
        assert said == quantities.difference(shorter_s, longer_s, language_)
    apart_s = quantities.spoken_s(longer_s) - quantities.spoken_s(shorter_s)
    if not quantities.difference(longer_s, shorter_s, EN).startswith("almost "):
        assert apart_s < quantities.spoken_s(longer_s)


@pytest.mark.parametrize(
    ("one_s", "other_s", "said", "in_spanish", "times"),
    [
        (3.74 * HOUR_S, 1.6 * HOUR_S, "2 hours", "2 horas", "2.3"),
        (3.7 * HOUR_S, 10 * 60, "almost 3½ hours", "casi 3 horas y media", "21"),
        (3.9 * HOUR_S, 4.1 * HOUR_S, "12 minutes", "12 minutos", "1"),
        (45 * 60, 150, "43 minutes", "43 minutos", "18"),
        (45 * 60, 60, "44 minutes", "44 minutos", "45"),
        (45 * 60, 10, "almost 45 minutes", "casi 45 minutos", "270"),
        (5 * 60, 4, "almost 5 minutes", "casi 5 minutos", "75"),
    ],
)
def test_a_difference_is_that_of_what_is_said(
    one_s: float, other_s: float, said: str, in_spanish: str, times: str
) -> None:
    """Between 3½ hours and 1½ hours there are 2 hours, though it is 2½ hours to the second."""
    assert quantities.difference(one_s, other_s, EN) == said
    assert quantities.difference(one_s, other_s, ES).replace("\N{NO-BREAK SPACE}", " ") == in_spanish
    assert quantities.times_as_long(max(one_s, other_s), min(one_s, other_s), EN) == times


def test_a_range_repeats_its_unit_only_where_it_must() -> None:
    """Ends in one unit share it."""
    assert quantities.duration_range(180, 240, EN) == "3 to 4 minutes"
    assert quantities.duration_range(2400, 7000, EN) == "40 minutes to 2 hours"
    assert quantities.duration_range(200, 201, EN) == "3½ minutes"
    assert quantities.duration_range(1000, 3900, EN) == "17 minutes to 1 hour 5 minutes"
    assert quantities.duration_range(0.1, 2.0, EN) == "100 ms to 2 seconds"


def test_an_hour_and_a_half_has_one_name() -> None:
    """Just below it, it is not called 90 minutes beside an end of its interval that is."""
    assert quantities.duration(5300, EN) == "1½ hours"
    assert quantities.duration(5100, EN) == "1 hour 25 minutes"
    assert quantities.about_with_range(5300, 4700, 5600, EN) == "about 1½ hours (1 hour 20 minutes to 2 hours)"


def test_a_rough_duration_with_its_range() -> None:
    """The interval stands in brackets, without the unit where that is the same."""
    assert quantities.about_with_range(210, 180, 240, EN) == "about 3½ minutes (3 to 4)"
    assert quantities.about_with_range(1.75 * 60, 1.4 * 60, 2.4 * 60, EN) == "about 2 minutes (1½ to 2½)"
    assert quantities.about_with_range(3000, 2400, 6000, EN) == "about 50 minutes (40 minutes to 1½ hours)"
    assert quantities.about_with_range(210, 209, 211, EN) == "about 3½ minutes"
    said = "about 1 hour 10 minutes (50 minutes to 1 hour 25 minutes)"
    assert quantities.about_with_range(4200, 3000, 5100, EN) == said
    assert quantities.about_with_range(0.03, 0.02, 0.04, EN) == "about 30 ms (20 ms to 40 ms)"


@pytest.mark.parametrize(
    ("time_s", "expected"),
    [
        (0.0004, "menos de un milisegundo"),
        (0.03, "unos 30 ms"),
        (1, "alrededor de 1 segundo"),
        (210, "unos 3 minutos y medio"),
        (85 * 60, "alrededor de 1 hora y 25 minutos"),
        (1.6 * HOUR_S, "alrededor de 1 hora y media"),
        (3.4 * HOUR_S, "unas 3 horas y media"),
        (12 * HOUR_S, "unas 12 horas"),
        (3 * DAY_S, "unos 3 días"),
        (21 * DAY_S, "unas 3 semanas"),
        (YEAR_S, "alrededor de 1 año"),
    ],
)
def test_a_rough_duration_agrees_with_its_unit_in_spanish(time_s: float, expected: str) -> None:
    """Hours and weeks are feminine, and nobody says «unas 1 hora»."""
    assert quantities.about(time_s, ES).replace("\N{NO-BREAK SPACE}", " ") == expected


def test_a_range_in_spanish_has_decimals() -> None:
    """3½ is written 3,5 where no unit follows it at once."""
    assert quantities.about_with_range(1.75 * 60, 1.4 * 60, 2.4 * 60, ES) == "unos 2 minutos (de 1,5 a 2,5)"


@pytest.mark.parametrize(
    ("time_s", "expected"),
    [
        (1.234, "1.23 s"),
        (0.0429, "42.9 ms"),
        (1.5e-5, "15 µs"),
        (2e-8, "20 ns"),
        (13_400.0, "3\N{NO-BREAK SPACE}h 43\N{NO-BREAK SPACE}min"),
    ],
)
def test_measured_times_have_three_figures(time_s: float, expected: str) -> None:
    """A measurement is shown as measured, in the SI unit that suits it."""
    assert quantities.exact_seconds(time_s, EN) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (6 * GIB, "6 GB"),
        (1.9 * GIB, "1.9 GB"),
        (15.6 * GIB, "16 GB"),
        (1100 * GIB, "1,100 GB"),
        (107_102 * GIB, "107,000 GB"),
        (5 * 1024**2, "5 MB"),
    ],
)
def test_memory_is_said_as_it_is_sold(size: float, expected: str) -> None:
    """1 GB is 1024³ bytes, and nobody says 6.0."""
    assert quantities.memory(size, EN) == expected.replace(" ", "\N{NO-BREAK SPACE}")


def test_memory_of_memory() -> None:
    """Used and total share their unit."""
    assert quantities.memory_of(1.9 * GIB, 6 * GIB, EN) == "1.9 of 6 GB"
    assert quantities.memory_of(0.03 * GIB, 8 * GIB, EN) == "0.03 of 8 GB"
    assert quantities.memory_of(8 * 1024**2, 16 * GIB, EN) == "8\N{NO-BREAK SPACE}MB of 16\N{NO-BREAK SPACE}GB"


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (0.0, "$0"),
        (0.004, "less than $0.01"),
        (0.84, "$0.84"),
        (38.6, "$39"),
        (1234.0, "$1,230"),
        (123456.0, "$123,000"),
    ],
)
def test_money_is_rounded_as_people_round(amount: float, expected: str) -> None:
    """Cents only where they matter."""
    assert quantities.money(amount, "USD", EN) == expected


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (5.6e12, "5.6 TFLOP/s"),
        (9.2e10, "92 GFLOP/s"),
        (2e15, "2 PFLOP/s"),
        (3.3e6, "0.0033 GFLOP/s"),
        (12.0, "12 FLOP/s"),
    ],
)
def test_rates(rate: float, expected: str) -> None:
    """The prefix suits the size."""
    assert quantities.flop_rate(rate, EN) == expected.replace(" ", "\N{NO-BREAK SPACE}")


def test_energy_and_co2() -> None:
    """Wh and kWh, g, kg and t."""
    texts = [
        quantities.energy(32400, EN),
        quantities.energy(3.6e6, EN),
        quantities.co2(2.7, EN),
        quantities.co2(8400, EN),
        quantities.co2(3.2e6, EN),
    ]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts] == ["9 Wh", "1 kWh", "2.7 g", "8.4 kg", "3.2 t"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (42_520_584, "42.5 million"),
        (999_886_000, "1 billion"),
        (7e9, "7 billion"),
        (1e12, "1 trillion"),
        (18_687, "18,687"),
        (2.5, "2.5"),
        (3.0, "3"),
    ],
)
def test_counts(value: float, expected: str) -> None:
    """Large counts in words, small ones as they are."""
    assert quantities.count(value, EN) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (999, "999 muestras"),
        (1e6, "1 millón de muestras"),
        (1_281_167, "1,28 millones de muestras"),
        (7e9, "7000 millones de muestras"),
        (70e9, "70.000 millones de muestras"),
        (1e12, "1 billón de muestras"),
        (2.5e12, "2,5 billones de muestras"),
    ],
)
def test_large_counts_in_spanish(value: float, expected: str) -> None:
    """A thousand million is no billón, and millions take «de» before their noun."""
    text = quantities.count_before_noun(value, ES)
    assert f"{text} muestras" == expected


def test_a_scatter_has_no_decimals_from_ten_percent_on() -> None:
    """Beside "±1%" stood "±50.5%"."""
    said = [quantities.scatter(ratio, EN, 1) for ratio in (0.0123, 0.0994, 0.0996, 0.506)]
    assert said == ["±1.2%", "±9.9%", "±10%", "±51%"]


def test_factors_and_round_counts_have_two_figures() -> None:
    """9.62 times is said 9.6 times."""
    assert quantities.factor(9.627, EN) == "9.6"
    assert quantities.round_count(2345.0, EN) == "2,300"


def test_months_become_years() -> None:
    """Two years are not 24 months."""
    assert quantities.months(24, EN) == "2 years"
    assert quantities.months(3, EN) == "3 months"


def test_numbers_follow_the_region() -> None:
    """Spanish numbers have a decimal comma, whatever the texts."""
    assert quantities.memory(1.9 * GIB, language("es")).startswith("1,9")


@given(
    time_s=st.floats(0.01, 50 * YEAR_S),
    below=st.floats(1.0, 40.0),
    above=st.floats(1.0, 40.0),
)
def test_a_duration_never_stands_on_an_end_of_its_interval(time_s: float, below: float, above: float) -> None:
    """Said beside it, an end is another number, unless all three are rounded to one."""
    said = quantities.duration(time_s, EN)
    low_s, high_s = quantities.spoken_ends(time_s, time_s / below, time_s * above, EN)
    low, high = quantities.duration(low_s, EN), quantities.duration(high_s, EN)
    assert (low == high == said) or said not in (low, high)
    assert low_s <= time_s / below
    assert high_s >= time_s * above


def test_an_end_below_a_millisecond_stays_there() -> None:
    """It can be told no shorter than that, however far it moves."""
    ends = quantities.spoken_ends(0.0008, 0.0006, 0.00104, EN)

    assert ends == (0.0006, 0.00104)
    assert quantities.duration_range(*ends, EN) == "less than a millisecond to 1 ms"


def test_a_time_that_may_be_far_longer_or_shorter_is_told_by_its_ends() -> None:
    """Forty-five minutes that may be three and a half are no "about 45 minutes"."""
    told = quantities.about_with_range(2700, 210, 3000, EN)
    assert told == "3½ minutes to 50 minutes (best guess: 45 minutes)"


def test_beside_weeks_nobody_counts_in_hours() -> None:
    """It said "between 31 hours and 4 weeks"."""
    told = quantities.about_with_range(18 * DAY_S, 31 * HOUR_S, 28 * DAY_S, EN)
    assert told == "1½ days to 4 weeks (best guess: 2½ weeks)"
    assert quantities.range_around(18 * DAY_S, 31 * HOUR_S, 28 * DAY_S, EN) == "1½ days to 4 weeks"
    assert quantities.duration_range(31 * HOUR_S, 5 * DAY_S, EN) == "1½ to 5 days"
    assert quantities.duration_range(31 * HOUR_S, 2 * DAY_S, EN) == "31 hours to 2 days"
    assert quantities.duration_range(20 * HOUR_S, 5 * DAY_S, EN) == "20 hours to 5 days"


def test_what_is_told_by_the_same_words_is_told_apart() -> None:
    """52 hours are 2 days as well, 60 are not."""
    assert quantities.duration_alike(52 * HOUR_S, 2 * DAY_S)
    assert not quantities.duration_alike(60 * HOUR_S, 2 * DAY_S)
    assert not quantities.duration_alike(1.783e308, 2 * DAY_S)  # rounded up it is beyond every number


def test_both_ends_of_a_range_are_written_alike() -> None:
    """No «de 1 a 1 hora y media»."""
    assert quantities.duration_range(HOUR_S, 1.5 * HOUR_S, EN) == "1 to 1½ hours"
    assert quantities.duration_range(HOUR_S, 1.5 * HOUR_S, ES) == "de 1 a 1,5 horas"


@pytest.mark.parametrize(
    ("time_s", "english", "spanish"),
    [
        (0.02, "20 ms", "20 ms"),
        (30.0, "30 s", "30 s"),
        (450.0, "7½ min", "7,5 min"),
        (4500.0, "1 h 15 min", "1 h 15 min"),
        (5400.0, "1½ h", "1,5 h"),
        (86400.0, "1 day", "1 día"),
        (216000.0, "2½ days", "2,5 días"),
    ],
)
def test_a_column_has_the_signs_of_the_units(time_s: float, english: str, spanish: str) -> None:
    """The words of an hour and twenty minutes are cut in a table's cell."""
    for spoken, said in ((EN, english), (ES, spanish)):
        assert quantities.short_duration(time_s, spoken).replace(SPACE, " ") == said


@pytest.mark.parametrize("time_s", [0.5, 61.0, 4300.0, 5300.0, 16_000.0, 2e6, 1e9, float("inf")])
def test_a_shown_time_is_told_by_the_same_words(time_s: float) -> None:
    """What is subtracted from another time is what is read."""
    shown = quantities.spoken_s(time_s)
    assert shown == time_s or quantities.duration(shown, EN) == quantities.duration(time_s, EN)
