"""A model that its own file describes, as a network to train; nothing is fetched, no code is run."""

from advisor.catalog.described import described_kinds, described_network
from advisor.catalog.described.values import kind_of
from advisor.catalog.language import find_model
from advisor.catalog.language.config import Values, description_file, language_kinds, read_config, reads
from advisor.catalog.language.training import language_network, usual_steps
from advisor.errors import InputError
from advisor.predict.serving.size import parameter_count
from advisor.records.job.work import Network
from advisor.resource import given_path

_NEAREST = {"rt_detr": "rtdetr_l", "rt_detr_v2": "rtdetr_l"}
"""What to ask for where a file is not read: the same network by its name."""


def model_network(model: str, sequence_length: int | None = None, image_size: int | None = None) -> Network:
    """Return the work of training a model that its own file describes.

    Args:
        model: A ``config.json``, a GGUF file, or a folder that holds one; or a language model's name.
        sequence_length: Tokens of a sequence; None: the usual 1,024, or what it was made for where that is less.
        image_size: Edge of the images; None: what it was made for.

    Raises:
        InputError: The file is none, or of an architecture that is not known.
    """
    described = _description(model)
    if described is not None:
        return described_network(*described, image_size or sequence_length)
    found = find_model(model)
    return language_network(found, sequence_length or usual_steps(found), parameter_count(found))


def _description(model: str) -> tuple[Values, str] | None:
    """Return what the file of another network than a language model holds, and its name."""
    path = given_path(model)
    if not reads(path) or (file := description_file(path)).suffix == ".gguf":
        return None
    values, name = read_config(file)
    kind = kind_of(values)
    if kind in described_kinds():
        return values, name
    if kind not in language_kinds():
        if kind in _NEAREST:
            raise InputError(
                "The architecture '{kind}' is not read from its file; ask for {known}, which this program knows, by its"
                " name.",
                kind=kind,
                known=_NEAREST[kind],
            )
        known = ", ".join(sorted((*described_kinds(), *language_kinds())))
        raise InputError("The architecture '{kind}' is not known; known are: {known}.", kind=kind or "?", known=known)
    return None
