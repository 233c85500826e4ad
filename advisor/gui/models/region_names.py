"""Names of currencies and countries in the user's language."""

from advisor.locale import Language


def currency_name(code: str, language: Language) -> str:
    """Return a currency's code and name, such as "EUR · euro"."""
    from babel.numbers import get_currency_name

    name = get_currency_name(code, locale=language.region)
    return f"{code} · {name}" if name and name != code else code


def country_name(code: str, language: Language) -> str:
    """Return a country's name."""
    from babel import Locale

    return str(Locale.parse(language.region).territories.get(code, code))
