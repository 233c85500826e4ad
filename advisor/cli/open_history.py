"""The history as a command opens it: what was damaged is said."""

from pathlib import Path

from advisor.cli.output import say
from advisor.history import History, history_path
from advisor.locale import Language


def command_history(language: Language) -> History:
    """Return the user's history; should it be damaged, where its file is moved is said on stderr."""

    def tell(aside: Path) -> None:
        sentence = language.gettext("The history was damaged. It is kept as {file}, and a new one was begun.")
        say(sentence.format(file=aside))

    return History(history_path(), tell=tell)
