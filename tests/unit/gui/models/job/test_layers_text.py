"""A network of one's own as lines of text."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import preset
from advisor.catalog.workloads import check_workload
from advisor.errors import InputError
from advisor.gui.models.job.layers_text import EXAMPLE, MAX_LINES, layers_of, text_of
from advisor.gui.models.job.question import Question
from advisor.records.job.workload import Layer

KINDS = ("conv", "dense", "max_pool", "lstm", "transformer", "embedding", "flatten")
NUMBER = st.none() | st.integers(1, 10_000)


@given(
    st.lists(
        st.builds(
            Layer,
            kind=st.sampled_from(KINDS),
            size=NUMBER,
            kernel=NUMBER,
            stride=NUMBER,
            vocabulary=NUMBER,
            heads=NUMBER,
            padding=st.sampled_from(["same", "valid"]),
            repeat=st.integers(1, 99),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_shown_is_what_is_read(layers: list[Layer]) -> None:
    """Any layers, written as lines and read again, are the same."""
    assert layers_of(text_of(tuple(layers))) == tuple(layers)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    """Whatever is typed or pasted, there are layers or one sentence."""
    with contextlib.suppress(InputError):
        assert layers_of(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Write one layer a line"),
        ("# only a remark", "Write one layer a line"),
        ("conv 32\nconvolution 3", "Line 2: 'convolution' is not a layer"),
        ("dense many", "Line 1: 'many' is not understood"),
        ("conv 32 kernel=three", "'kernel=three' is not understood"),
        ("conv 32 __class__=1", "is not understood"),
        ("dense 1\n" * (MAX_LINES + 1), "more than 500 lines"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, said: str) -> None:
    """The first mistake is one sentence that says where and what would be right."""
    with pytest.raises(InputError, match=said):
        layers_of(text)


def test_remarks_commas_and_capitals_do_not_matter() -> None:
    """People write freely."""
    assert layers_of("Conv 32, kernel=5  # first\n\nDENSE 10") == (
        Layer(kind="conv", size=32, kernel=5),
        Layer(kind="dense", size=10),
    )


def question() -> Question:
    """Return the article's job with three networks to choose from."""
    made = Question(
        presets=(preset("article_cnn"),),
        networks={"resnet50": "image", "bert_base": "sequence", "gradient_boosting": "row"},
    )
    made.choose("article_cnn")
    return made


def test_the_example_is_a_network() -> None:
    """The lines that are offered to begin with describe a network that can be trained."""
    asked = question()
    asked.change_layers(layers_of(EXAMPLE))

    assert asked.workload is not None
    assert check_workload(asked.workload).layers
    assert asked.sample_kind == "image"


def test_a_network_of_texts_takes_texts() -> None:
    """Layers that begin with an embedding read tokens."""
    asked = question()
    asked.change_layers(layers_of("embedding 64 vocabulary=1000\nlstm 64\ndense 2"))

    assert asked.workload is not None
    assert asked.sample_kind == "sequence"
    assert (asked.workload.image_size, asked.workload.input_kind) == (None, "text")
    assert check_workload(asked.workload).layers


@pytest.mark.parametrize("name", ["resnet50", "bert_base", "gradient_boosting"])
def test_another_network_makes_a_sound_job(name: str) -> None:
    """Whatever network is chosen, and back again, the parts of the job go together."""
    asked = question()
    for chosen in (name, "gradient_boosting", name, "resnet50", name):
        asked.change_network(chosen)
        assert asked.workload is not None
        assert check_workload(asked.workload).network == chosen
    asked.change_size(64)
    assert asked.size == 64
    asked.change_size(None)
    assert asked.size is None


def test_what_the_person_set_stays_with_another_network() -> None:
    """Size and epochs that were written stay; what came with the ready-made job follows the network."""
    asked = question()
    asked.change_size(96)
    asked.change_workload(epochs=7.0)
    asked.change_network("resnet50")
    assert asked.workload is not None
    assert (asked.size, asked.workload.epochs, asked.task) == (96, 7.0, "article_cnn")
    asked.change_network("bert_base")
    assert (asked.size, asked.task) == (None, "own_job"), "a length of texts is no edge of photos"


def test_an_unknown_network_changes_nothing() -> None:
    """What the catalogue does not have is not asked for."""
    asked = question()
    before = asked.workload
    asked.change_network("nothing")

    assert asked.workload is before
