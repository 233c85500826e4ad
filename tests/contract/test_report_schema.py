"""The published JSON Schema is that of the records, and every report is valid against it."""

import json
from typing import Any

import jsonschema
import pytest

from advisor import wire
from advisor.locale import language
from advisor.report.formats.write import render
from advisor.resource import resource_path
from tests.unit.report.samples import every

REPORTS = every()


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """Return the schema as published."""
    found: dict[str, Any] = json.loads(resource_path("report.schema.json").read_text(encoding="utf-8"))
    return found


def test_the_published_schema_is_that_of_the_records(schema: dict[str, Any]) -> None:
    """After a change of the records: ``advisor --schema > resources/report.schema.json``."""
    assert schema == json.loads(json.dumps(wire.report_schema()))


def test_the_schema_is_itself_valid(schema: dict[str, Any]) -> None:
    """It is a JSON Schema of the draft it names."""
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", REPORTS)
def test_each_report_is_valid(name: str, schema: dict[str, Any]) -> None:
    """What is written as JSON is what the schema describes, and nothing more."""
    content = render(REPORTS[name], "json", language("en"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(content))
    assert wire.decode_report(content) == REPORTS[name]


def test_a_foreign_field_is_not_valid(schema: dict[str, Any]) -> None:
    """The schema is strict: what it does not know, it refuses."""
    document = json.loads(render(REPORTS["enough"], "json", language("en")))
    document["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(document)


def test_the_parameters_of_the_articles_network_are_in_the_report() -> None:
    """42,520,584, as the article prints it."""
    document = json.loads(render(REPORTS["enough"], "json", language("en")))
    assert document["network"]["parameters"] == 42_520_584
