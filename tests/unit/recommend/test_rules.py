"""Rules as data: reading them strictly, and firing them only on what is known."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import CatalogError
from advisor.recommend.facts import fact
from advisor.recommend.rules import (
    clauses_of,
    defaults,
    evaluate,
    load_rules,
    placeholders,
    rule_tier,
    upper_limit,
)
from advisor.records.base import Source
from advisor.records.job.advice import Condition, Fact, Rule

SOURCE = Source(title="An article", author="Somebody", date="2024")
ARTICLES = '[an_article]\ntitle = "An article"\nauthor = "Somebody"\ndate = "2024-01-02"\ndate_kind = "published"\n'
RULE = """
[[rule]]
id = "one"
title = { en = "One", es = "Uno" }
source = "an_article"
tier = "cloud"
when = [{ fact = "samples", operator = ">", value = 10 }]
text = { en = "Many: {samples}.", es = "Muchas: {samples}." }
"""


def _rule(*when: Condition, **more: object) -> Rule:
    return Rule(id="r", when=when, text={"en": "", "es": ""}, source=SOURCE, **more)  # type: ignore[arg-type]


def _condition(name: str, operator: str, value: object) -> Condition:
    return Condition(fact=name, operator=operator, value=value)  # type: ignore[arg-type]


def _facts(**values: object) -> dict[str, Fact]:
    return {name: fact(name, value, "asked") for name, value in values.items()}  # type: ignore[arg-type]


def _load(folder: Path, rules: str, articles: str = ARTICLES) -> tuple[Rule, ...]:
    (folder / "rules").mkdir()
    (folder / "rules" / "a.toml").write_text(rules, encoding="utf-8")
    (folder / "articles.toml").write_text(articles, encoding="utf-8")
    return load_rules(folder / "rules", folder / "articles.toml")


def test_a_rule_file_is_read_with_its_source(tmp_path: Path) -> None:
    """A rule carries the article it names, not only the article's key."""
    [rule] = _load(tmp_path, RULE)
    assert (rule.id, rule.tier, rule.source.author, rule.source.date) == ("one", "cloud", "Somebody", "2024-01-02")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"an_article"', '"another"', "no article"),
        ('es = "Uno"', 'fr = "Un"', "en and es"),
        ('es = "Muchas: {samples}."', 'es = " "', "en and es"),
        ("Muchas: {samples}", "Muchas", "different facts"),
        ('fact = "samples"', 'fact = "weather"', "no fact is called 'weather'"),
        ("{samples}", "{nonsense}", "no fact is called 'nonsense'"),
        ("value = 10", 'value = "ten"', "needs a number"),
        ("value = 10", "value = true", "needs a number"),
        ("value = 10", "value = [10]", "wrong"),
        ('operator = ">"', 'operator = "in"', "list"),
        ('operator = ">"', 'operator = "=~"', "wrong"),
        ('tier = "cloud"', 'tier = "moon"', "wrong"),
        ('tier = "cloud"', "any_of = [[]]", "empty"),
        ('tier = "cloud"', "sets = { nonsense = 1.0 }", "no fact is called 'nonsense'"),
        ('tier = "cloud"', 'sets = { samples = "nonsense" }', "no fact is called 'nonsense'"),
        ('tier = "cloud"', 'colour = "red"', "colour"),
        ("[[rule]]", "[[rule", "wrong"),
    ],
)
def test_a_wrong_rule_is_refused_by_name(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    """Each mistake in a rule file stops the program with a message that names the file."""
    with pytest.raises(CatalogError, match=complaint) as caught:
        _load(tmp_path, RULE.replace(old, new))
    assert "a.toml" in str(caught.value)


def test_two_rules_of_one_name_are_refused(tmp_path: Path) -> None:
    """A rule id is unique over all files."""
    with pytest.raises(CatalogError, match="two rules 'one'"):
        _load(tmp_path, RULE + RULE)


def test_a_folder_without_rules_is_refused(tmp_path: Path) -> None:
    """An installation that lost its rules says so."""
    with pytest.raises(CatalogError, match="No rules"):
        load_rules(tmp_path)


def test_a_missing_list_of_articles_is_refused(tmp_path: Path) -> None:
    """A file that cannot be read is an error of the catalogue, not a crash."""
    with pytest.raises(CatalogError, match=r"articles\.toml cannot be read"):
        load_rules(tmp_path, tmp_path / "articles.toml")


@pytest.mark.parametrize(
    ("operator", "limit", "value", "expected"),
    [
        ("<", 5, 4, True),
        ("<", 5, 5, False),
        ("<=", 5, 5, True),
        (">", 5, 6, True),
        (">", 5, 5, False),
        (">=", 5, 5, True),
        ("==", 5, 5, True),
        ("!=", 5, 5, False),
        ("!=", 5, 4, True),
    ],
)
def test_each_operator_compares(operator: str, limit: int, value: int, expected: bool) -> None:
    """A rule fires exactly when its comparison holds."""
    fired, _nearly = evaluate([_rule(_condition("samples", operator, limit))], _facts(samples=value))
    assert bool(fired) is expected


def test_in_looks_into_a_list() -> None:
    """The operator ``in`` asks for one of several values."""
    rule = _rule(_condition("who", "in", ("student", "teacher")))
    assert evaluate([rule], _facts(who="teacher"))[0]
    assert not evaluate([rule], _facts(who="company"))[0]


@given(operator=st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), limit=st.integers(-10, 10))
def test_an_unknown_fact_never_fires_a_rule(operator: str, limit: int) -> None:
    """Neither a fact without value nor an absent one makes a condition hold, whatever the comparison."""
    rule = _rule(_condition("samples", operator, limit))
    for facts in ({}, _facts(samples=None)):
        fired, nearly = evaluate([rule], facts)
        assert not fired
        assert not nearly


def test_all_conditions_and_one_of_each_group_must_hold() -> None:
    """A rule is an and of its conditions and of its groups of alternatives."""
    rule = _rule(
        _condition("samples", ">", 10),
        any_of=((_condition("who", "==", "student"), _condition("is_small", "==", True)),),
    )
    assert evaluate([rule], _facts(samples=11, who="company", is_small=True))[0]
    assert evaluate([rule], _facts(samples=11, who="student"))[0]
    assert not evaluate([rule], _facts(samples=11, who="company", is_small=False))[0]
    assert not evaluate([rule], _facts(samples=9, who="student"))[0]


def test_a_near_miss_names_the_condition() -> None:
    """A rule that misses one clause of several is near, and says which."""
    rule = _rule(_condition("samples", ">", 10), _condition("batch_size", ">", 10))
    fired, [near] = evaluate([rule], _facts(samples=11, batch_size=9))
    assert not fired
    assert near.missing == rule.when[1]
    assert near.facts == {"samples": 11, "batch_size": 9}


def test_a_near_miss_in_a_group_names_a_known_fact() -> None:
    """Of a group of alternatives, the first whose fact is known is the missing one."""
    rule = _rule(
        _condition("samples", ">", 10),
        any_of=((_condition("budget_usd", ">", 1), _condition("is_small", "==", True)),),
    )
    _fired, [near] = evaluate([rule], _facts(samples=11, is_small=False, budget_usd=None))
    assert near.missing is not None
    assert near.missing.fact == "is_small"


def test_a_rule_of_one_condition_is_never_near() -> None:
    """Missing the only condition is missing the rule."""
    assert evaluate([_rule(_condition("samples", ">", 10))], _facts(samples=1)) == ((), ())


def test_the_most_specific_rule_decides_the_tier() -> None:
    """Of rules that speak for a tier, the one with most clauses wins; of equals, the last."""
    wide = _rule(_condition("samples", ">", 1), tier="single_gpu")
    narrow = _rule(_condition("samples", ">", 1), _condition("batch_size", ">", 1), tier="this_computer")
    silent = _rule()
    later = _rule(_condition("samples", ">", 1), tier="cloud")
    facts = _facts(samples=2, batch_size=2)
    assert rule_tier(evaluate([narrow, wide, silent], facts)[0]) == narrow
    assert rule_tier(evaluate([wide, later], facts)[0]) == later
    assert rule_tier(evaluate([silent], facts)[0]) is None


def test_a_default_fills_only_what_was_not_asked() -> None:
    """What the user said is never replaced by a default."""
    rule = _rule(sets={"deadline_s": 5.0})
    found, [applied] = defaults([rule], _facts(deadline_s=None))
    assert found["deadline_s"].value == 5.0
    assert found["deadline_s"].basis == "default"
    assert applied.rule == rule
    assert defaults([rule], _facts(deadline_s=9.0)) == ({}, ())


def test_a_default_may_copy_a_fact_and_the_narrower_wins() -> None:
    """The rule with more conditions gives the default, and it may be another fact's value."""
    wide = _rule(sets={"deadline_s": 5.0})
    narrow = _rule(_condition("time_between_runs_s", "<", 5), sets={"deadline_s": "time_between_runs_s"})
    facts = _facts(time_between_runs_s=3.0)
    found, [applied] = defaults([narrow, wide], facts)
    assert found["deadline_s"].value == 3.0
    assert applied.rule == narrow
    assert applied.facts["time_between_runs_s"] == 3.0


def test_a_default_copied_from_an_unknown_fact_is_no_default() -> None:
    """Nothing is made up where the fact to copy is unknown."""
    assert defaults([_rule(sets={"deadline_s": "time_here_s"})], {}) == ({}, ())


def test_placeholders_are_plain_names() -> None:
    """Only a name in braces counts; attribute access and formats are text."""
    assert placeholders("{a} {b.c} {d:9} {{e}} {f}") == {"a", "e", "f"}


def test_clauses_are_conditions_and_groups() -> None:
    """The specificity of a rule counts groups as one clause each."""
    one = _condition("samples", ">", 1)
    assert clauses_of(_rule(one, any_of=((one, one),))) == ((one,), (one, one))


def test_the_largest_value_a_rule_speaks_for() -> None:
    """Of all rules for a tier, also among alternatives; the shipped ones call half an hour small."""
    assert upper_limit(load_rules(), "time_on_processor_s", "this_computer") == 1800.0
    assert upper_limit(load_rules(), "time_on_processor_s", "cluster") is None
    assert upper_limit([], "time_on_processor_s", "this_computer") is None
