"""What a job trains on."""

from typing import Final, Literal

from advisor.records.job.workload import Workload

SampleKind = Literal["row", "photo", "recording", "sequence", "text", "picture", "example"]

LISTENING: Final = ("whisper", "wav2vec2", "vits")
"""Beginnings of the names of networks whose samples are sound."""
SERIES: Final = ("stacked_lstm", "patchtst")
_CUTTING = "nnunet"


def sample_kind(workload: Workload) -> SampleKind:
    """Return what a job's samples are."""
    kinds: dict[SampleKind, bool] = {
        "row": workload.method == "classical" or workload.input_kind == "table",
        "photo": workload.input_kind == "jpeg",
        "recording": workload.network.startswith(LISTENING),
        "sequence": workload.network in SERIES,
        "text": workload.sequence_length is not None,
        # Of volumes an epoch has so many cut-outs; 500 scans would be a large collection.
        "picture": workload.image_size is not None and not workload.network.startswith(_CUTTING),
    }
    return next((kind for kind, holds in kinds.items() if holds), "example")
