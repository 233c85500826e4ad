"""Names of currencies and countries."""

from advisor.gui.models.region_names import country_name, currency_name
from advisor.locale import language

EN, ES = language("en"), language("es")


def test_currencies_and_countries_have_names() -> None:
    """Names are in the user's language."""
    assert currency_name("EUR", EN) == "EUR · Euro"
    assert country_name("ES", ES) == "España"
