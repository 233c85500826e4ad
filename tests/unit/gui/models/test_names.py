"""Names of currencies, countries and networks."""

from advisor.catalog.networks.tables import network_index
from advisor.gui.models.names import (
    card_line,
    card_named,
    countries_by_name,
    currency_name,
    network_choice,
    network_groups,
)
from advisor.locale import language
from advisor.report.words.networks import network_name

EN, ES = language("en"), language("es")


def test_currencies_and_countries_have_names() -> None:
    """Names are in the user's language."""
    assert currency_name("EUR", EN) == "EUR · Euro"
    assert ES.country("ES") == "España"


def test_every_network_has_a_name() -> None:
    """No list shows what only a file would be called, and each network stands in one group."""
    known = {entry.name: entry.sample for entry in network_index() if not entry.validation_only}
    assert [name for name in known if network_name(name, EN) == name] == []
    for spoken in (EN, ES):
        listed = [name for _title, names in network_groups(known, spoken) for name in names]
        assert sorted(listed) == sorted(known)


def test_a_network_shows_its_size() -> None:
    """Spanish, whose billion is another, counts in millions; "43 M" stood there without a word of what."""
    assert network_choice("resnet50", 25_557_032, EN) == "ResNet-50 · 26 million parameters"
    assert network_choice("llama_7b", 6_738_415_616, EN) == "Llama 7B · 6.7 billion parameters"
    assert network_choice("llama_7b", 6_738_415_616, ES) == "Llama 7B · 6700 millones de parámetros"
    assert network_choice("gradient_boosting", 0, EN) == "Gradient boosting (XGBoost, LightGBM)"


def test_a_card_is_told_from_its_namesakes() -> None:
    """By memory and year; one that no catalogue has keeps its name alone."""
    line = card_line("GeForce RTX 4060", language("en"))
    assert line.startswith("GeForce RTX 4060 · 8\N{NO-BREAK SPACE}GB · 20")
    twice = card_line("GeForce RTX 4060 Ti 16GB", language("en"))
    assert twice.startswith("GeForce RTX 4060 Ti 16GB · 20"), "its memory is in its name"
    assert card_line("Nobody's card", language("en")) == "Nobody's card"


def test_a_card_is_named_as_people_write_it() -> None:
    """Without its series, as on the command line; neither half a name nor a card that is not offered is taken."""
    cards = ("GeForce RTX 5070 Ti", "GeForce RTX 5070 Ti Laptop", "Radeon RX 7900 XTX")
    written = ("RTX 5070 Ti", " nvidia rtx 5070 ti ", "7900 XTX", "RTX 5070", "RTX 50", "RTX 5070 Ti Laptop", "")
    found = [card_named(text, cards) for text in written]
    assert found == [cards[0], cards[0], cards[2], "", "", cards[1], ""]


def test_countries_stand_where_their_names_are_looked_for() -> None:
    """By the name in the language, not by its code; an accent moves none to the end."""
    codes = ("AT", "CZ", "DE", "ES", "SA")
    assert [code for _name, code in countries_by_name(codes, EN)] == ["AT", "CZ", "DE", "SA", "ES"]
    assert [name for name, _code in countries_by_name(codes, ES)] == [
        "Alemania",
        "Arabia Saudí",
        "Austria",
        "Chequia",
        "España",
    ]
    assert [code for _name, code in countries_by_name(("AX", "ZA", "BE"), EN)] == ["AX", "BE", "ZA"]
