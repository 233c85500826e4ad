"""What stands below the number of epochs: why it is what it is, and how many are usual."""

from collections.abc import Iterator

from advisor.gui.models.job.question import Question
from advisor.locale import Language
from advisor.report.words.samples import epoch_count
from advisor.report.words.sources import measurer_phrase


def epochs_hints(question: Question, language: Language) -> Iterator[str]:
    """Yield where the number of a ready-made job is from, and how many are usual, with who publishes that."""
    _, number = language.gettext, language.number
    recipe, usual = question.recipe, question.usual_epochs
    if recipe is not None and recipe.source.startswith("«"):  # of an article, which begins with its title
        article = recipe.source[: recipe.source.index("»") + 1]
        said = _("{epochs} as in the article that this job is from: {article}")
        yield said.format(epochs=epoch_count(recipe.workload, language), article=article)
    elif recipe is not None and usual is not None and not usual.low <= recipe.workload.epochs <= usual.high:
        said = _("{epochs} come with this ready-made job")
        yield said.format(epochs=epoch_count(recipe.workload, language))
    if usual is not None:
        said, source = _("{low} to {high} are usual ({source})"), measurer_phrase(usual.source.author, language)
        yield said.format(low=number(usual.low), high=number(usual.high), source=source)
