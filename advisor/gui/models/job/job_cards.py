"""The ready-made jobs as cards: picture, plain words, and the heading each stands under."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.locale import N_, Language
from advisor.locale import language as language_of
from advisor.records.job.workload import Preset, Workload
from advisor.report.words.networks import network_name


@dataclass(frozen=True, kw_only=True)
class Card:
    """A ready-made job in plain words.

    Attributes:
        preset_id: Workload id; None for "Something else …".
        picture: Name of an icon in resources/icons.
        group: Heading that it stands under, behind "Something else …".
        is_only_found: Shown where it is searched alone, for there are many of its kind.
    """

    preset_id: str | None
    picture: str
    title: str
    description: str
    group: str = ""
    is_only_found: bool = False


# Preset id, picture, title, description: the cards of the first screen, in order; they are there before the catalogue.
CARDS: tuple[tuple[str, str, str, str], ...] = (
    ("simple_cnn", "preset-network", N_("Learn with small networks"), N_("Courses and first experiments")),
    ("article_cnn", "preset-photos", N_("Classify my photos"), N_("Train a model to recognise what is in them")),
    ("bert_finetuning", "preset-text", N_("Fine-tune a text model"), N_("Adapt a ready model that classifies texts")),
    (
        "llm_7b_qlora",
        "preset-language",
        N_("Adapt a language model"),
        N_("A 7B model on my own texts, on one card (QLoRA)"),
    ),
    ("classical_ml", "preset-table", N_("Spreadsheets and tables"), N_("Classic machine learning, no deep network")),
)
# Preset id, picture, title; the preset's own title says the rest.
_MORE: dict[str, tuple[str, str]] = {
    "densenet121_cats_dogs": ("preset-animals", N_("Tell cats from dogs")),
    "stacked_lstm": ("preset-series", N_("Sequences and time series")),
    "resnet50_imagenet": ("preset-vision", N_("Train a big vision model")),
    "llm_7b_lora": ("preset-language-small", N_("Adapt a language model in 16-bit (LoRA)")),
    "llm_7b_full": ("preset-language-whole", N_("Retrain a whole language model")),
    "llm_70b_scratch": ("preset-cluster", N_("Build a language model")),
    "diffusion_finetuning": ("preset-brush", N_("Generate pictures in my style")),
    "segmentation_unet": ("preset-regions", N_("Find regions in pictures")),
    "nnunet_3d": ("preset-volume", N_("Find organs in 3-D scans")),
    "faster_rcnn_coco": ("preset-objects", N_("Find objects in pictures")),
    "yolo_photos": ("preset-search", N_("Find things in my own photos (YOLO)")),
    "sdxl_lora": ("preset-palette", N_("Teach Stable Diffusion XL my style")),
    "flux_lora": ("preset-spark", N_("Teach FLUX my style")),
    "whisper_finetuning": ("preset-speech", N_("Turn speech into text")),
    "wav2vec2_finetuning": ("preset-letters", N_("Turn speech into letters (wav2vec 2.0)")),
    "voice_vits": ("preset-voice", N_("Give a computer a voice (VITS)")),
    "vit_finetuning": ("preset-leaf", N_("Adapt a vision transformer to my photos")),
    "embedding_finetuning": ("preset-meaning", N_("Search my own texts by meaning (embeddings)")),
    "sd35_lora": ("preset-easel", N_("Teach Stable Diffusion 3.5 my style")),
    "dino_finetuning": ("preset-patches", N_("Adapt DINOv2 to my photos")),
    "reranker_finetuning": ("preset-ranks", N_("Sort search results (reranker)")),
    "dpo_7b": ("preset-choice", N_("Teach a language model the better answer (DPO)")),
    "vision_language_lora": ("preset-sight", N_("Adapt a model that sees and writes")),
    "robot_act": ("preset-arm", N_("Teach a robot arm a task")),
    "robot_diffusion": ("preset-arms", N_("Teach a robot arm a task (diffusion policy)")),
    "robot_smolvla": ("preset-command", N_("Teach a robot arm by words (SmolVLA)")),
    "detr_photos": ("preset-frames", N_("Find things in my own photos (DETR)")),
    "sam_finetuning": ("preset-cutout", N_("Cut out things in pictures (SAM)")),
    "grpo_reasoning": ("preset-steps", N_("Teach a language model to reason (GRPO)")),
    "game_ppo": ("preset-game", N_("Learn a game by trying it out")),
    "series_patchtst": ("preset-forecast", N_("Forecast time series (transformer)")),
    "graph_molecules": ("preset-molecule", N_("Molecules and other graphs")),
}
# Heading, and the jobs under it, in their order; what has no heading stands at the end.
_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        N_("Recognise photos"),
        ("densenet121_cats_dogs", "vit_finetuning", "dino_finetuning", "resnet50_imagenet"),
    ),
    (
        N_("Find and cut out things in pictures"),
        ("yolo_photos", "detr_photos", "faster_rcnn_coco", "segmentation_unet", "sam_finetuning", "nnunet_3d"),
    ),
    (N_("Generate pictures"), ("sdxl_lora", "flux_lora", "sd35_lora", "diffusion_finetuning")),
    (
        N_("Language models"),
        ("llm_7b_lora", "llm_7b_full", "dpo_7b", "grpo_reasoning", "vision_language_lora", "llm_70b_scratch"),
    ),
    (N_("Texts and search"), ("embedding_finetuning", "reranker_finetuning")),
    (N_("Speech"), ("whisper_finetuning", "wav2vec2_finetuning", "voice_vits")),
    (N_("Series, graphs and molecules"), ("stacked_lstm", "series_patchtst", "graph_molecules")),
    (N_("Robots and games"), ("robot_act", "robot_diffusion", "robot_smolvla", "game_ppo")),
)
_UNGROUPED = N_("Further jobs")
FIRST_JOBS = frozenset(row[0] for row in CARDS)
"""Jobs of the first screen."""
_EN = language_of("en")  # titles in a report are English
_FALLBACK_PICTURE = "preset-network"


def cards(language: Language) -> tuple[Card, ...]:
    """Return the cards of the first screen; the last one leads to every other job."""
    _ = language.gettext
    shown = [
        Card(preset_id=preset_id, picture=picture, title=_(title), description=_(description))
        for preset_id, picture, title, description in CARDS
    ]
    other = Card(
        preset_id=None,
        picture="preset-other",
        title=_("Something else …"),
        description=_("Other jobs, or your own numbers"),
    )
    return (*shown, other)


def job_title(preset_id: str, language: Language) -> str:
    """Return what a ready-made job is called on its card; empty where it has none."""
    titles = {row[0]: row[2] for row in CARDS} | {known: title for known, (_picture, title) in _MORE.items()}
    return language.gettext(titles[preset_id]) if preset_id in titles else ""


def more_cards(presets: Sequence[Preset], language: Language) -> tuple[Card, ...]:
    """Return the jobs behind "Something else …", those of a kind together."""
    order = {preset_id: place for place, (preset_id, _group) in enumerate(_grouped())}
    others = [preset for preset in presets if preset.workload.id not in FIRST_JOBS]
    others.sort(key=lambda preset: order.get(preset.workload.id, len(order)))
    return tuple(_more_card(preset, language) for preset in others)


def model_cards(models: Sequence[Preset], language: Language) -> tuple[Card, ...]:
    """Return adapting each known language model, which is shown where one is searched."""
    _ = language.gettext
    return tuple(
        Card(
            preset_id=one.workload.id,
            picture="preset-language",
            title=_("Adapt {model}").format(model=one.workload.title),
            description=_("On my own texts (QLoRA)"),
            group=_("Language models"),
            is_only_found=True,
        )
        for one in models
    )


def found_by(card: Card, wanted: str) -> bool:
    """Return whether each of the words that are searched stands in a card's own, a model's name as on the Hub, too."""
    from advisor.catalog.spelling import plain_name, spellings  # the window appears before the catalogue is read

    words = wanted.casefold().split()
    text = f"{card.title} {card.description} {card.group} {card.preset_id}".casefold()
    plain = plain_name(f"{card.title} {card.preset_id}") if card.is_only_found else ""
    found = all(word in text or any(one in plain for one in spellings(word)) for word in words)
    return found and bool(words or not card.is_only_found)


def _grouped() -> Iterator[tuple[str, str]]:
    """Yield each job that has a heading, with it."""
    for title, preset_ids in _GROUPS:
        for preset_id in preset_ids:
            yield preset_id, title


def _more_card(preset: Preset, language: Language) -> Card:
    own_title = language.regrouped(preset.titles.get(language.code) or preset.workload.title)
    picture, title = _MORE.get(preset.workload.id, (_FALLBACK_PICTURE, ""))
    return Card(
        preset_id=preset.workload.id,
        picture=picture,
        title=language.gettext(title) if title else own_title,
        description=own_title if title else "",
        group=language.gettext(dict(_grouped()).get(preset.workload.id, _UNGROUPED)),
    )


def job_choices(
    presets: Sequence[Preset], workload: Workload | None, language: Language
) -> tuple[tuple[str | None, str], ...]:
    """Return id and title of every ready-made job, with the user's own job first where it is none of them."""
    known = {preset.workload.id for preset in presets}
    found = [*cards(language)[:-1], *more_cards(presets, language)]
    rows = tuple((card.preset_id, card.title) for card in found if card.preset_id in known)
    if workload is None or workload.id in known:
        return rows
    is_named = workload.title == network_name(workload.network, _EN)
    return ((None, network_name(workload.network, language) if is_named else workload.title), *rows)
