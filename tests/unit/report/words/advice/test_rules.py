"""Conditions of rules in words: which fact, what it is, and what it would have to be."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.job.advice import Condition, FactValue, FiredRule
from advisor.report.words.advice import rules
from advisor.report.words.advice.rules import condition_phrase, fact_phrase
from advisor.units import DAY_S
from tests.unit.report import samples


def test_each_yes_or_no_fact_of_a_rule_can_be_wished_for() -> None:
    """A rule that misses a yes or no says which."""
    from advisor.recommend.rules import clauses_of, load_rules

    conditions = [c for rule in load_rules() for clause in clauses_of(rule) for c in clause]
    assert {c.fact for c in conditions if isinstance(c.value, bool)} <= set(rules._YES_NO)


EN = language("en")
REPORT = samples.rent()


def test_a_rule_nearly_holds_if() -> None:
    """The one condition missing, as a wish."""
    near = {one.rule.id: one for one in samples.rent().advice.nearly}
    assert condition_phrase(near["scenario_3"], REPORT, EN) == "This would apply if you were a company."
    owned = condition_phrase(near["scenario_2_owned"], REPORT, EN)
    assert owned == "This would apply if it fitted this computer's graphics card."


@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        (
            Condition(fact="time_on_one_gpu_s", operator="<=", value=86400),
            2 * DAY_S,
            "This would apply if time on a graphics card of medium speed were at most 1 day (now 2 days).",
        ),
        (
            Condition(fact="method", operator="!=", value="classical"),
            "classical",
            "This would apply if kind of training were anything but classical machine learning "
            "(now classical machine learning).",
        ),
        (
            Condition(fact="who", operator="in", value=("student", "teacher")),
            "company",
            "This would apply if who asks were one of student, teacher (now company).",
        ),
        (
            Condition(fact="has_card", operator="!=", value=False),
            False,
            "This would apply if there were a graphics card to train on.",
        ),
    ],
)
def test_each_kind_of_condition_is_a_wish(condition: Condition, value: FactValue, expected: str) -> None:
    """Numbers with their unit, words in words, yes and no as sentences."""
    [rule] = [one.rule for one in samples.rent().advice.nearly if one.rule.id == "scenario_3"]
    near = FiredRule(rule=rule, facts={condition.fact: value}, missing=condition)
    assert condition_phrase(near, REPORT, EN) == expected


def test_a_rule_that_fired_misses_nothing() -> None:
    """No condition, no wish."""
    assert condition_phrase(samples.rent().advice.fired[0], REPORT, EN) == ""


def test_an_unknown_fact_is_called_by_its_name() -> None:
    """A report of another version may name facts this one does not know."""
    assert fact_phrase("phase_of_the_moon", EN) == "phase_of_the_moon"


def test_a_rule_is_said_with_its_facts_and_source() -> None:
    """Title, text with values, article, author, date."""
    [ratio] = [one for one in samples.enough().advice.fired if one.rule.id == "gpu_over_cpu"]
    assert rules.rule_title(ratio, EN) == "8 to 12 times as fast"
    assert "with the same network: 9.6 times" in rules.rule_sentence(ratio, samples.enough(), EN)
    assert "Ricardo Moya, jarroba.com, read on Nov 21, 2026" in rules.rule_source(ratio, EN)
    spanish = language("es")
    assert rules.rule_source(ratio, EN).startswith("“CPU vs GPU")
    assert rules.rule_source(ratio, spanish).startswith("«CPU vs GPU")
    assert "9,6 veces" in rules.rule_sentence(ratio, samples.enough(), spanish)
    [dated] = [one for one in samples.enough().advice.fired if one.rule.id == "matrix_product_moderate"]
    assert rules.rule_source(dated, EN).endswith("Aug 22, 2024")


def test_a_default_is_no_article() -> None:
    """What the program assumes is not dressed up as somebody's rule."""
    [assumed] = [one for one in samples.buy().advice.fired if one.rule.sets]
    assert rules.rule_source(assumed, EN).startswith("Assumed by this program")


def test_a_rule_of_another_language_falls_back() -> None:
    """A rule of an older report may lack a language; its id is better than nothing."""
    [ratio] = [one for one in samples.enough().advice.fired if one.rule.id == "gpu_over_cpu"]
    bare = msgspec.structs.replace(ratio, rule=msgspec.structs.replace(ratio.rule, title={}, text={"en": "Text."}))
    assert rules.rule_title(bare, language("es")) == "gpu_over_cpu"
    assert rules.rule_sentence(bare, REPORT, language("es")) == "Text."


def test_a_time_on_one_card_says_on_which() -> None:
    """It stood as "9½ hours on one card" beside the 14 of the answer: it is that of the middle one of all cards."""
    from advisor.recommend.rules import load_rules

    said = [text for rule in load_rules() for text in rule.text.items() if "{time_on_one_gpu_s}" in text[1]]
    assert {code for code, _text in said} == {"en", "es"}
    assert all({"en": "medium speed", "es": "velocidad media"}[code] in text for code, text in said)
