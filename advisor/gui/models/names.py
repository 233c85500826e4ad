"""Names of currencies, countries and networks as people call them, in the user's language."""

from collections.abc import Mapping, Sequence

from advisor.locale import N_, Language
from advisor.units import GIB

PICTURES, PARTS, TEXTS, LANGUAGE, SPEECH, SERIES, TABLES = (
    N_("Classify pictures"),
    N_("Find or make parts of pictures"),
    N_("Understand texts"),
    N_("Language models"),
    N_("Speech"),
    N_("Time series"),
    N_("Tables"),
)
_GROUPS = (PICTURES, PARTS, TEXTS, LANGUAGE, SPEECH, SERIES, TABLES)
_GROUP_OF_SAMPLE = {"image": PICTURES, "sequence": TEXTS, "row": TABLES}
# Group and name; a name that is the same in every language is not marked for translation.
_NETWORKS: dict[str, tuple[str, str]] = {
    "simple_cnn": (PICTURES, N_("Small convolutional network")),
    "article_cnn": (PICTURES, N_("Photo network of the articles")),
    "resnet18": (PICTURES, "ResNet-18"),
    "resnet34": (PICTURES, "ResNet-34"),
    "resnet50": (PICTURES, "ResNet-50"),
    "resnet101": (PICTURES, "ResNet-101"),
    "resnet152": (PICTURES, "ResNet-152"),
    "densenet121": (PICTURES, "DenseNet-121"),
    "vgg16": (PICTURES, "VGG-16"),
    "mobilenet_v2": (PICTURES, "MobileNet v2"),
    "mobilenet_v3_small": (PICTURES, "MobileNet v3 Small"),
    "mobilenet_v3_large": (PICTURES, "MobileNet v3 Large"),
    "efficientnet_b0": (PICTURES, "EfficientNet-B0"),
    "efficientnet_b3": (PICTURES, "EfficientNet-B3"),
    "convnext_tiny": (PICTURES, "ConvNeXt Tiny"),
    "vit_small": (PICTURES, "Vision Transformer, ViT-S/16"),
    "vit_base": (PICTURES, "Vision Transformer, ViT-B/16"),
    "ssd300": (PARTS, N_("SSD300, object detection")),
    "segmentation_unet": (PARTS, N_("U-Net, segmentation")),
    "diffusion_unet": (PARTS, N_("Diffusion U-Net, Stable Diffusion 1.5")),
    "sdxl_unet": (PARTS, N_("Diffusion U-Net, Stable Diffusion XL")),
    "sd3.5_medium": (PARTS, "Stable Diffusion 3.5 Medium"),
    "sd3.5_large": (PARTS, "Stable Diffusion 3.5 Large"),
    "flux_dev": (PARTS, "FLUX.1 dev"),
    "faster_rcnn": (PARTS, N_("Faster R-CNN, object detection")),
    "yolo11n": (PARTS, N_("YOLO11n, object detection")),
    "yolo11s": (PARTS, N_("YOLO11s, object detection")),
    "yolo11m": (PARTS, N_("YOLO11m, object detection")),
    "yolo11l": (PARTS, N_("YOLO11l, object detection")),
    "yolo11x": (PARTS, N_("YOLO11x, object detection")),
    "rtdetr_l": (PARTS, N_("RT-DETR-L, object detection")),
    "nnunet_2d": (PARTS, N_("nnU-Net 2D, medical segmentation")),
    "nnunet_3d": (PARTS, N_("nnU-Net 3D, medical segmentation")),
    "bert_base": (TEXTS, "BERT base"),
    "bert_large": (TEXTS, "BERT large"),
    "gpt2": (LANGUAGE, "GPT-2"),
    "gpt2_medium": (LANGUAGE, "GPT-2 medium"),
    "gpt2_large": (LANGUAGE, "GPT-2 large"),
    "gpt2_xl": (LANGUAGE, "GPT-2 XL"),
    "gpt3_xl": (LANGUAGE, "GPT-3 XL"),
    "gpt3_2.7b": (LANGUAGE, "GPT-3 2.7B"),
    "opt_1.3b": (LANGUAGE, "OPT 1.3B"),
    "llama_1b": (LANGUAGE, "Llama 1B"),
    "llama_7b": (LANGUAGE, "Llama 7B"),
    "llama_8b": (LANGUAGE, "Llama 8B"),
    "llama_70b": (LANGUAGE, "Llama 70B"),
    "whisper_tiny": (SPEECH, "Whisper tiny"),
    "whisper_base": (SPEECH, "Whisper base"),
    "whisper_small": (SPEECH, "Whisper small"),
    "whisper_medium": (SPEECH, "Whisper medium"),
    "whisper_large_v3": (SPEECH, "Whisper large-v3"),
    "whisper_large_v3_turbo": (SPEECH, "Whisper large-v3 turbo"),
    "wav2vec2_base": (SPEECH, "wav2vec 2.0 base"),
    "stacked_lstm": (SERIES, N_("Stacked LSTM")),
    "gradient_boosting": (TABLES, N_("Gradient boosting (XGBoost, LightGBM)")),
}
_MILLION, _BILLION = 1e6, 1e9


def currency_name(code: str, language: Language) -> str:
    """Return a currency's code and name, such as "EUR · euro"."""
    from babel.numbers import get_currency_name

    name = get_currency_name(code, locale=language.region)
    return f"{code} · {name}" if name and name != code else code


def country_name(code: str, language: Language) -> str:
    """Return a country's name."""
    from babel import Locale

    return str(Locale.parse(language.region).territories.get(code, code))


def network_name(name: str, language: Language) -> str:
    """Return what people call a network of the catalogue; another one, such as a user's own, as it is."""
    return language.gettext(_NETWORKS[name][1]) if name in _NETWORKS else name


def network_choice(name: str, parameters: int, language: Language) -> str:
    """Return a network with its size, such as "ResNet-50 · 26 M"; the size is left out where it is not known."""
    title = network_name(name, language)
    return f"{title} · {parameters_text(parameters, language)}" if parameters > 0 else title


def parameters_text(parameters: int, language: Language) -> str:
    """Return a number of parameters in short, such as "26 M"."""
    if parameters >= _BILLION and not language.counts_in_millions:
        return f"{language.significant(parameters / _BILLION)} B"
    return f"{language.significant(parameters / _MILLION)} M"


def network_groups(networks: Mapping[str, str], language: Language) -> tuple[tuple[str, Sequence[str]], ...]:
    """Return networks by what they are for: the title of each group, and its networks in a fixed order.

    Args:
        networks: Names with what each takes: ``image``, ``sequence`` or ``row``.
        language: Of the titles.
    """
    order = {name: place for place, name in enumerate(_NETWORKS)}
    found: dict[str, list[str]] = {}
    for name in sorted(networks, key=lambda one: (order.get(one, len(order)), one)):
        group = _NETWORKS[name][0] if name in _NETWORKS else _GROUP_OF_SAMPLE[networks[name]]
        found.setdefault(group, []).append(name)
    return tuple((language.gettext(group), tuple(found[group])) for group in _GROUPS if group in found)


def card_line(name: str, language: Language) -> str:
    """Return a graphics card with its memory and the year it came out, as far as they are known."""
    from advisor.catalog import known_device

    device = known_device(name)
    if device is None:
        return name
    memory = f"{language.number(device.memory_bytes / GIB)}\N{NO-BREAK SPACE}GB" if device.memory_bytes else ""
    year = device.released[:4] if device.released else ""
    return " · ".join(part for part in (name, memory, year) if part)
