"""What a job trains on, in plain words."""

import msgspec
import pytest

from advisor.catalog import preset, presets
from advisor.locale import language
from advisor.report.words.samples import samples_phrase, samples_title

EN = language("en")


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1 photo"), (517, "517 photos"), (18_687, "18,687 photos"), (10_000_000, "10 million photos")],
)
def test_what_was_written_into_the_field_stands_in_the_line_above_it(count: int, said: str) -> None:
    """No count that somebody can have counted is rounded."""
    assert samples_phrase(msgspec.structs.replace(preset("article_cnn").workload, samples=count), EN) == said


def test_the_field_is_called_what_the_line_calls_its_examples() -> None:
    """Photos are photos in both."""
    for one in presets():
        noun = samples_phrase(one.workload, EN).rpartition(" ")[2]
        assert samples_title(one.workload, EN) == f"Number of {noun}"


def test_what_a_network_listens_to_is_no_text() -> None:
    """With and without a length of its own."""
    for name in ("wav2vec2_finetuning", "whisper_finetuning"):
        assert samples_phrase(preset(name).workload, EN).endswith(" recordings")
    assert samples_phrase(preset("stacked_lstm").workload, EN) == "60,000 sequences"


def test_what_is_cut_out_of_a_scan_is_no_picture() -> None:
    """nnU-Net's epoch has 500 cut-outs, of however few scans."""
    assert samples_phrase(preset("nnunet_3d").workload, EN) == "500 examples"
