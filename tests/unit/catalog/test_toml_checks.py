"""Checks what a user writes in a TOML file; each mistake becomes one sentence that says how to fix it."""

from pathlib import Path

import pytest

from advisor.catalog.workloads import read_workload
from advisor.errors import InputError, InputErrors
from advisor.locale import language
from tests.unit.catalog.files_of_jobs import GOOD, OWN, written


def test_all_mistakes_are_said_at_once(tmp_path: Path) -> None:
    """A bad network, number of samples and epochs, and a key of another table, in both languages."""
    text = '[workload]\nnetwork = "resnet5"\nsamples = "many"\nepochs = -3\n[circumstances]\nwhom = "me"\n'
    with pytest.raises(InputErrors) as refusal:
        read_workload(written(tmp_path, text))
    lines = str(refusal.value).splitlines()
    assert len(lines) == 4
    for word in ("samples", "epochs", "resnet50", "whom"):
        assert any(word in line for line in lines)
    assert "debe ser un número entero" in refusal.value.sentence(language("es").gettext)


@pytest.mark.parametrize(
    ("text", "english", "spanish"),
    [
        ("network = resnet", "not a value of TOML (texts go in quotes), in line 1, column 11", "en la línea 1"),
        ("a = 1 b", "something follows that belongs on a line of its own, in line 1", "línea aparte"),
    ],
)
def test_why_a_file_is_no_toml_is_said_in_the_users_language(
    tmp_path: Path, text: str, english: str, spanish: str
) -> None:
    """Python's reader of TOML speaks English only."""
    with pytest.raises(InputError) as refusal:
        read_workload(written(tmp_path, text))
    assert english in str(refusal.value)
    assert spanish in refusal.value.sentence(language("es").gettext)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("batch_size", "batchsize", "there is no key batchsize; did you mean batch_size?"),
        ("[circumstances]", "[circumstance]", "there is no table circumstance; did you mean circumstances?"),
        ("[workload]", "[circumstances2]", "there is no table circumstances2"),
        ("epochs = 30", "epochs = -1", "epochs must be between 0.001 and 1,000,000, not -1."),
        ("epochs = 30", "epochs = nan", "epochs must be a number, not nan."),
        ("batch_size = 64", "batch_size = 0", "batch_size must be between 1 and"),
        ("batch_size = 64", "batch_size = 6.5", "batch_size must be a whole number, not 6.5."),
        ("batch_size = 64", "batch_size = true", "batch_size must be a whole number, not True."),
        ("batch_size = 64", "batch_size = 30_000", "batch_size is 30000 but there are 20000 samples"),
        ("samples = 20_000", 'samples = "many"', "samples must be a whole number, not 'many'."),
        ("samples = 20_000", "samples = 10000000000000000", "samples must be between 1 and 10,000,000,000,000"),
        ("samples = 20_000", "", "has no samples; add a line such as samples = 20_000."),
        ("epochs = 30", 'precision = "fp8"', "precision must be one of fp32, tf32, fp16, bf16, amp, not 'fp8'."),
        ("epochs = 30", 'precision = "fp64"', "precision must be one of fp32, tf32, fp16, bf16, amp, not 'fp64'."),
        ("epochs = 30", "framework_year = 24", "framework_year must be between 2012 and 2100, not 24."),
        ("epochs = 30", f"epochs = {'9' * 400}", "epochs must be a number, not 999"),
        ("epochs = 30", f"epochs = {'9' * 5000}", "is not valid TOML: a number has too many digits."),
        ("epochs = 30", f"epochs = 0x{'f' * 5000}", "epochs must be a number, not …."),
        ("epochs = 30", f"epochs = {'[' * 5000}", "is not valid TOML: lists stand too deep in each other."),
        ("[workload]", "[[workload", "TOML: the name of a table without its closing bracket, in line 2"),
        (
            "epochs = 30",
            'title = "C:\\Users"',
            "TOML: a backslash in a text; write it twice, or / in its place, in line",
        ),
        ("epochs = 30", 'title = "\\q"', "TOML: a backslash in a text; write it twice"),
        ("epochs = 30", "title = {a = 1, a = 2}", "TOML: this key was written before"),
        ("epochs = 30", "epochs = 2026-02-30", "TOML: not a day in the calendar"),
        ("deadline_h = 12", f"deadline_h = {'9' * 300}", "deadline_h must be between 0.000278 and"),
        ("epochs = 30", 'precision = ["fp32"]', "precision must be one of"),
        ("epochs = 30", "augmentation = 1", "augmentation must be true or false, not 1."),
        ("epochs = 30", "title = 7", "title must be a text in quotes, not 7."),
        ("epochs = 30", 'title = "\\u0007"', "title must be at most 200 printable characters."),
        ("epochs = 30", "sequence_length = 12", "sequence_length does not apply to resnet50, which takes images"),
        ("epochs = 30", "image_size = 9", "The image_size of resnet50 must be from 32 to 2048, not 9."),
        ("epochs = 30", 'method = "classical"', "method classical does not go with resnet50"),
        ("ResNet-50", "resnet", "there is no network 'resnet'. Did you mean resnet"),
        ("deadline_h = 12", 'deadline_h = "soon"', "deadline_h must be a number, not 'soon'."),
        ("deadline_h = 12", "deadline_days = 0", "deadline_days must be between 1.16e-05 and"),
        ("deadline_h = 12", 'currency = "euro"', "currency must be an ISO code"),
        ("deadline_h = 12", 'country = "es"', "country must be an ISO code such as \"ES\", not 'es'."),
        ("[workload]", "workload = 3\n[other]", "there is no table other"),
        ("samples = 20_000", "samples = ", "is not valid TOML"),
    ],
)
def test_each_mistake_gets_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    """It names the file and the key and says how to fix it."""
    with pytest.raises(InputError) as refusal:
        read_workload(written(tmp_path, GOOD.replace(old, new)))
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith("mine.toml")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('kind = "activation"', 'kind = "relu"', "layer 2: kind must be one of conv, dense"),
        ('kind = "activation"', "size = 3", "layer 2 has no kind"),
        ('kind = "global_pool"', 'kind = "dense"\nsize = 3', "layers: number 3 (dense) needs a vector"),
        ("size = 32", "size = 32\nfilters = 3", "layer 1: there is no key filters"),
        ("image_size = 64", "", "say what goes in"),
        ("image_size = 64", 'image_size = 64\nnetwork = "resnet50"', "layers describe a network of your own"),
    ],
)
def test_mistakes_in_layers_get_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    """It names the layer."""
    with pytest.raises(InputError) as refusal:
        read_workload(written(tmp_path, OWN.replace(old, new)))
    assert sentence in str(refusal.value)
    with pytest.raises(InputError, match=r"write \[\[workload.layers\]\]"):
        read_workload(written(tmp_path, "[workload]\nsamples = 3\nlayers = 3"))
