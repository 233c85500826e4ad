"""What stands below the number of epochs: why it is what it is, and how many are usual."""

from collections.abc import Iterator

from advisor.gui.models.job.question import Question
from advisor.locale import Language
from advisor.report.words.samples import epoch_count
from advisor.report.words.sources import measurer_phrase


def epochs_hint(question: Question, asked: str, language: Language) -> tuple[str, str]:
    """Return what stands below the field in a line or two, and all that is known, for its tooltip.

    Args:
        question: With the job.
        asked: What the field asks, in the language of the moment.
        language: That of the moment.
    """
    said = (*_why(question, language), *_usual(question, language))
    if not said:
        return "", asked
    return "; ".join(short for short, _line in said), "\n".join((asked, *(line for _short, line in said)))


def _why(question: Question, language: Language) -> Iterator[tuple[str, str]]:
    """Yield where the number of a ready-made job is from, in short and with the article's title."""
    _, recipe, usual = language.gettext, question.recipe, question.usual_epochs
    if recipe is None:
        return
    epochs = epoch_count(recipe.workload, language)
    short = _("{epochs} come with this example").format(epochs=epochs)
    if recipe.source.startswith("«"):  # of an article, which begins with its title
        said = _("{epochs} in this example, taken from an article").format(epochs=epochs)
        title = _("“{title}”").format(title=recipe.source[1 : recipe.source.index("»")])
        yield short, f"{said}: {title}"
    elif usual is not None and not usual.low <= recipe.workload.epochs <= usual.high:
        yield short, short


def _usual(question: Question, language: Language) -> Iterator[tuple[str, str]]:
    """Yield how many are usual, in short and with who publishes that."""
    _, usual = language.gettext, question.usual_epochs
    if usual is None:
        return
    ends = {"low": language.number(usual.low), "high": language.number(usual.high)}
    source = measurer_phrase(usual.source.author, language)
    yield (
        _("{low} to {high} are usual").format(**ends),
        _("{low} to {high} are usual ({source})").format(**ends, source=source),
    )
