"""The rules shipped with the program: complete, bilingual, sourced, and each one can fire."""

import datetime
import re

import pytest

from advisor.recommend.facts import FACT_UNITS, fact
from advisor.recommend.rules import clauses_of, evaluate, load_rules, placeholders
from advisor.records.job.advice import Condition, FactValue, Rule

RULES = load_rules()
BY_ID = {rule.id: rule for rule in RULES}


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("scenario_1", "this_computer"),
        ("scenario_2", "single_gpu"),
        ("scenario_3", "single_gpu"),
        ("scenario_4", "cluster"),
    ],
)
def test_the_four_scenarios_speak_for_their_tier(name: str, tier: str) -> None:
    """Each scenario of the article is a rule with its consequence."""
    assert BY_ID[name].tier == tier


def test_scenario_3_leaves_the_choice_between_machine_and_cloud() -> None:
    """The article says own machine or cloud service."""
    assert BY_ID["scenario_3"].also == ("cloud",)


@pytest.mark.parametrize(
    ("prefix", "figures"),
    [
        ("matrix_product_large", ("8", "2")),
        ("gpu_over_cpu", ("8", "12", "43 s", "413 s")),
        ("batch_size", ("64", "128", "69", "14", "3")),
        ("hours_instead_of_a_day", ("13", "2", "99")),
        ("cpu_feeds_gpu", ("60", "63")),
        ("inference", ("5 s", "2", "3 s")),
        ("laptop_card_toy", ()),
        ("laptop_card_high_end", ()),
        ("family_geforce", ()),
        ("family_quadro", ()),
        ("family_tesla", ()),
        ("family_radeon", ()),
        ("family_instinct", ()),
        ("memory_hbm", ()),
        ("memory_gddr", ()),
        ("memory_bandwidth", ()),
        ("matrix_product_moderate", ()),
    ],
)
def test_each_article_has_its_rules_with_its_figures(prefix: str, figures: tuple[str, ...]) -> None:
    """The figures of the articles stand in both languages of the rule that quotes them."""
    for text in BY_ID[prefix].text.values():
        for figure in figures:
            assert figure in text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_measured_ratio_of_the_article_is_quoted_as_each_country_writes_it() -> None:
    """9.6 in English and in Mexico, 9,6 in Spain, in each rule about the ratio."""
    for rule in RULES:
        if rule.id.startswith("gpu_over_cpu"):
            assert all("{9.6}" in text for text in rule.text.values())


def test_no_text_of_a_rule_has_a_decimal_sign_of_one_country() -> None:
    """A number with decimals stands in braces, to be written as the reader's country does."""
    said = [text for rule in RULES for text in (*rule.text.values(), *rule.title.values())]
    assert [text for text in said if re.search(r"(?<![{\d.,])\d+[.,]\d{1,2}(?![\d}])", text)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_is_sourced_and_bilingual(rule: Rule) -> None:
    """Title and text in English and Spanish, article with author and a date."""
    assert set(rule.text) == set(rule.title) == {"en", "es"}
    assert rule.text["en"] != rule.text["es"]
    assert rule.source.title
    assert rule.source.author
    assert datetime.date.fromisoformat(rule.source.date) <= datetime.date(2026, 11, 21)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_speaks_to_the_reader_as_a_friend(rule: Rule) -> None:
    """Spanish texts use the familiar form."""
    words = {word.strip(".,:;()").lower() for word in rule.text["es"].split()}
    assert not words & {"usted", "ustedes", "elija", "opte", "utilice", "necesita"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_can_fire(rule: Rule) -> None:
    """There are facts for which the rule holds; no rule contradicts itself."""
    values: dict[str, FactValue] = {}
    for clause in clauses_of(rule):
        condition = clause[0]
        values[condition.fact] = _between(condition, values.get(condition.fact))
    facts = {name: fact(name, value, "asked") for name, value in values.items()}
    fired, _nearly = evaluate([rule], facts)
    assert [one.rule.id for one in fired] == [rule.id]


def _between(condition: Condition, earlier: FactValue) -> FactValue:
    """Return a value that meets the condition, and an earlier one over the same fact where there is one."""
    value = condition.value
    if isinstance(value, tuple):
        return value[0]
    if isinstance(value, (bool, str)):
        other = "something else" if isinstance(value, str) else not value
        return other if condition.operator == "!=" else value
    wanted = {"<": value - 1, "<=": value, ">": value + 1, ">=": value, "==": value, "!=": value + 1}[
        condition.operator
    ]
    return (earlier + wanted) / 2 if isinstance(earlier, (int, float)) else wanted


def test_each_rule_names_only_facts_there_are() -> None:
    """Texts and conditions use the names the program fills in."""
    for rule in RULES:
        named = {condition.fact for clause in clauses_of(rule) for condition in clause}
        assert named | placeholders(*rule.text.values()) <= FACT_UNITS.keys()
