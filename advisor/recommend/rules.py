"""Read the articles' rules and see which hold: rules are data, this module must not know what any of them says."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from advisor.articles import article_sources, read_toml
from advisor.errors import CatalogError
from advisor.locale import LANGUAGES
from advisor.recommend.facts import FACT_UNITS
from advisor.records.base import Source
from advisor.records.job.advice import Condition, Fact, FactValue, FiredRule, Rule, Tier
from advisor.resource import resource_path

Clause = tuple[Condition, ...]
"""At least one of these must hold; a rule fires when all its clauses do."""

_NUMERIC = frozenset({"<", "<=", ">", ">="})
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
    "==": lambda value, limit: value == limit,
    "!=": lambda value, limit: value != limit,
    "in": lambda value, choices: value in choices,
}


class _RuleRow(msgspec.Struct, forbid_unknown_fields=True):
    """One rule as the file has it; ``source`` names an article."""

    id: str
    title: dict[str, str]
    text: dict[str, str]
    source: str
    when: tuple[Condition, ...] = ()
    any_of: tuple[tuple[Condition, ...], ...] = ()
    tier: Tier | None = None
    also: tuple[Tier, ...] = ()
    sets: dict[str, float | str] = {}


class _RuleFile(msgspec.Struct, forbid_unknown_fields=True):
    """One file of rules."""

    rule: tuple[_RuleRow, ...]


def load_rules(folder: Path | None = None, articles: Path | None = None) -> tuple[Rule, ...]:
    """Return all rules, checked, in the order of file names and of the rules within.

    Args:
        folder: Folder of ``*.toml`` files; None: the one shipped with the program.
        articles: The list of articles; None: the one shipped with the program.

    Raises:
        CatalogError: A file cannot be read, or a rule is wrong; the message names file and rule.
    """
    sources = article_sources(articles or resource_path("references", "articles.toml"))
    rules: dict[str, Rule] = {}
    for path in sorted((folder or resource_path("rules")).glob("*.toml")):
        for row in read_toml(path, _RuleFile).rule:
            if row.id in rules:
                raise CatalogError(f"{path.name}: there are two rules '{row.id}'.")
            rules[row.id] = _checked(row, sources, path.name)
    if not rules:
        raise CatalogError("No rules were found; please install the program again.")
    return tuple(rules.values())


def evaluate(rules: Iterable[Rule], facts: Mapping[str, Fact]) -> tuple[tuple[FiredRule, ...], tuple[FiredRule, ...]]:
    """Return the rules that fire and those that miss one clause of several.

    A condition over an unknown fact does not hold, so an unknown fact never fires a rule, nor does it bring one near.
    """
    fired: list[FiredRule] = []
    nearly: list[FiredRule] = []
    for rule in rules:
        clauses = clauses_of(rule)
        unmet = [clause for clause in clauses if not any(holds(c, facts) for c in clause)]
        if not unmet:
            fired.append(_fired(rule, facts, None))
        elif len(unmet) == 1 and len(clauses) > 1 and (missing := _first_known(unmet[0], facts)):
            nearly.append(_fired(rule, facts, missing))
    return tuple(fired), tuple(nearly)


def clauses_of(rule: Rule) -> tuple[Clause, ...]:
    """Return what must hold for a rule: each of its conditions, and one of each group of alternatives."""
    return (*((condition,) for condition in rule.when), *rule.any_of)


def holds(condition: Condition, facts: Mapping[str, Fact]) -> bool:
    """Return whether a condition is known to hold."""
    value = _value(condition.fact, facts)
    return value is not None and _COMPARE[condition.operator](value, condition.value)


def rule_tier(fired: Sequence[FiredRule]) -> Rule | None:
    """Return the rule that decides the tier: of those that speak for one, the most specific; of equals, the last."""
    speaking = [f.rule for f in fired if f.rule.tier is not None]
    return max(reversed(speaking), key=lambda rule: len(clauses_of(rule)), default=None)


def defaults(rules: Iterable[Rule], facts: Mapping[str, Fact]) -> tuple[dict[str, Fact], tuple[FiredRule, ...]]:
    """Return the facts that were not asked and that a rule gives a default, and those rules; the most specific wins."""
    found: dict[str, Fact] = {}
    applied: dict[str, FiredRule] = {}
    specific_last = sorted((rule for rule in rules if rule.sets), key=lambda rule: len(clauses_of(rule)))
    for fired in evaluate(specific_last, facts)[0]:
        for name, given in fired.rule.sets.items():
            value = _value(given, facts) if isinstance(given, str) else given
            if _value(name, facts) is None and value is not None:
                found[name] = Fact(name=name, value=value, unit=FACT_UNITS[name], basis="default")
                applied[name] = fired
    return found, tuple(applied.values())


def upper_limit(rules: Iterable[Rule], name: str, tier: Tier) -> float | None:
    """Return up to which value of a fact the rules speak for a tier; None where none of them looks at it."""
    limits = [
        float(condition.value)
        for rule in rules
        if rule.tier == tier
        for clause in clauses_of(rule)
        for condition in clause
        if condition.fact == name and condition.operator in ("<", "<=") and isinstance(condition.value, (int, float))
    ]
    return max(limits, default=None)


def placeholders(*texts: str) -> set[str]:
    """Return the names in braces in the texts."""
    return {name for text in texts for name in re.findall(r"\{(\w+)\}", text)}


def _value(name: str, facts: Mapping[str, Fact]) -> FactValue:
    fact = facts.get(name)
    return None if fact is None else fact.value


def _first_known(clause: Clause, facts: Mapping[str, Fact]) -> Condition | None:
    return next((c for c in clause if _value(c.fact, facts) is not None), None)


def _fired(rule: Rule, facts: Mapping[str, Fact], missing: Condition | None) -> FiredRule:
    named = {c.fact for clause in clauses_of(rule) for c in clause} | placeholders(*rule.text.values())
    named |= {given for given in rule.sets.values() if isinstance(given, str)}
    return FiredRule(rule=rule, facts={name: _value(name, facts) for name in sorted(named)}, missing=missing)


def _checked(row: _RuleRow, sources: Mapping[str, Source], file_name: str) -> Rule:
    problem = _problem(row, sources)
    if problem:
        raise CatalogError(f"{file_name}, rule '{row.id}': {problem}.")
    return Rule(
        id=row.id,
        title=row.title,
        when=row.when,
        any_of=row.any_of,
        tier=row.tier,
        also=row.also,
        sets=row.sets,
        text=row.text,
        source=sources[row.source],
    )


def _problem(row: _RuleRow, sources: Mapping[str, Source]) -> str | None:
    """Return what is wrong with a rule, or None."""
    if row.source not in sources:
        return f"no article is called '{row.source}'"
    for texts in (row.title, row.text):
        if set(texts) != set(LANGUAGES) or not all(text.strip() for text in texts.values()):
            return f"title and text must be there in {' and '.join(LANGUAGES)}, and in nothing else"
    if len({frozenset(placeholders(text)) for text in row.text.values()}) > 1:
        return "its texts name different facts"
    conditions = [*row.when, *(c for group in row.any_of for c in group)]
    named = {c.fact for c in conditions} | placeholders(*row.text.values()) | set(row.sets)
    named |= {given for given in row.sets.values() if isinstance(given, str)}
    if unknown := sorted(named - FACT_UNITS.keys()):
        return f"no fact is called '{unknown[0]}'"
    if not all(row.any_of):
        return "a group of alternatives is empty"
    return next((text for c in conditions if (text := _condition_problem(c))), None)


def _condition_problem(condition: Condition) -> str | None:
    is_list = isinstance(condition.value, tuple)
    if (condition.operator == "in") != is_list:
        return f"'{condition.fact}': a list goes with 'in', and only with it"
    is_number = isinstance(condition.value, (int, float)) and not isinstance(condition.value, bool)
    if condition.operator in _NUMERIC and not is_number:
        return f"'{condition.fact} {condition.operator}' needs a number"
    return None
