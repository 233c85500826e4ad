"""Why a ready-made job has as many epochs as it has, and how many are usual, by whom."""

import msgspec
import pytest

from advisor.catalog import presets
from advisor.gui.models.job.epochs_hint import epochs_hint
from advisor.gui.models.job.question import Question
from advisor.locale import Language, language
from advisor.records.job.workload import Preset

EN, ES = language("en"), language("es")


def hints(job: str, spoken: Language, known: tuple[Preset, ...] | None = None, **changes: object) -> list[str]:
    """Return all that is said of the epochs of a ready-made job, below what the field asks."""
    return hint(job, spoken, known, **changes)[1].splitlines()[1:]


def hint(job: str, spoken: Language, known: tuple[Preset, ...] | None = None, **changes: object) -> tuple[str, str]:
    """Return what stands below the field, and in its tooltip."""
    question = Question(presets=presets() if known is None else known)
    question.choose(job)
    question.change_workload(**changes)
    return epochs_hint(question, "How many?", spoken)


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_an_article_is_why_its_job_has_the_epochs_it_has(spoken: Language) -> None:
    """Of fewer than are usual the article is no reason: the answer was for half of what anybody does."""
    first, *_usual = hints("densenet121_cats_dogs", spoken)
    start = {
        "en": "20 in this example, taken from an article: “Evaluando el rendimiento",
        "es": "20 en este ejemplo, tomado de un artículo: «Evaluando el rendimiento",
    }
    [usual] = hints("article_cnn", spoken)
    scratch = {
        "en": "10 to 25 are usual (TensorFlow and Keras, training image classifiers from scratch)",
        "es": "Lo habitual es de 10 a 25 (TensorFlow y Keras, entrenamiento desde cero de clasificadores de imágenes)",
    }
    assert first.startswith(start[spoken.code])
    assert first.endswith({"en": "”", "es": "»"}[spoken.code])
    assert usual == scratch[spoken.code]


def test_only_what_is_not_usual_needs_a_word() -> None:
    """A number of the user's own needs no reason, nor one within the range."""
    assert [one.partition(" ")[0] for one in hints("article_cnn", EN, epochs=12.0)] == ["10"]
    assert [one.partition(" ")[0] for one in hints("bert_finetuning", EN)] == ["2"]
    assert hints("vit_finetuning", EN)[0] == "5 come with this example"
    assert hints("whisper_finetuning", EN) == ["10 to 25 are usual (Hugging Face)"]
    [whisper] = [one for one in presets() if one.workload.id == "whisper_finetuning"]
    longer = msgspec.structs.replace(whisper, workload=msgspec.structs.replace(whisper.workload, epochs=25.5))
    assert hints("whisper_finetuning", EN, (longer,))[0] == "25.5 come with this example", "25 beside 25.5"


def test_what_stands_below_the_field_is_short() -> None:
    """Seven lines stood there, with a Spanish title in English text: the tooltip has who and where."""
    assert hint("vit_finetuning", EN)[0] == "5 come with this example; 10 to 25 are usual"
    assert hint("article_cnn", EN)[0] == "10 to 25 are usual"
    assert hint("stacked_lstm", EN, epochs=12.0) == ("", "How many?")
