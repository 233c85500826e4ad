"""The measuring pack in words: what would be downloaded, how far it is, how it is and how to fix it."""

from advisor.locale import N_, Language
from advisor.records.hardware.measuring_pack import PackPlan, PackProgress, PackStatus

_STAGES = {
    "looking": N_("Looking up what would be downloaded …"),
    "downloading": N_("Downloading and unpacking: {size} on the disk so far."),
    "checking": N_("Trying the downloaded PyTorch on every device …"),
    "done": N_("The measuring pack is ready."),
}
_HEALTH = {
    "absent": N_("There is no measuring pack; measurements use the PyTorch that came with this program."),
    "ready": N_("The measuring pack is ready: PyTorch {version} on {devices}."),
    "broken": N_("The measuring pack does not start: {problem}."),
    "card_not_covered": N_("The measuring pack cannot use your graphics card: {problem}."),
}
_REMEDIES = {
    "absent": "",
    "ready": "",
    "broken": N_("Install it again with: advisor --measuring-pack install"),
    "card_not_covered": N_(
        "If your driver is up to date, an older build may have code for the card: "
        "advisor --measuring-pack install --torch-build cu126"
    ),
}


def plan_sentences(plan: PackPlan, language: Language) -> list[str]:
    """Return what would be downloaded, how much, from where and to where."""
    _ = language.gettext
    size = _("of unknown size") if plan.download_bytes is None else data_amount(plan.download_bytes, language)
    files = language.ngettext("{n} file", "{n} files", plan.packages).format(n=language.number(plan.packages))
    hosts = ", ".join(plan.hosts) or _("this computer")
    lines = [
        _("PyTorch {version} for this computer ({build}): {files}, {size}.").format(
            version=plan.torch_version, build=plan.backend, files=files, size=size
        ),
        _("From: {hosts}").format(hosts=hosts),
        _("Into: {folder}").format(folder=plan.folder),
    ]
    free = data_amount(plan.free_bytes, language)
    if plan.needed_bytes is None:
        lines.append(_("Free on that disk: {free}.").format(free=free))
    else:
        needed = data_amount(plan.needed_bytes, language)
        lines.append(_("Needed on that disk: {needed}; free: {free}.").format(needed=needed, free=free))
    if plan.is_resumed:
        lines.append(_("An interrupted download goes on; what is there already is not fetched again."))
    return lines


def progress_phrase(progress: PackProgress, language: Language) -> str:
    """Return how far it is."""
    return language.gettext(_STAGES[progress.stage]).format(size=data_amount(progress.written_bytes, language))


def status_sentences(status: PackStatus, language: Language) -> list[str]:
    """Return how the pack is, and what to do where something is wrong with it."""
    _ = language.gettext
    torch = status.torch
    problem, devices, version = "", "", ""
    if torch is not None:
        faults = "; ".join(f"{name}: {said}" for name, said in torch.faults.items())
        problem = (torch.problem or faults or _("its PyTorch does not see it")).rstrip(".")
        devices, version = ", ".join(torch.devices), torch.version
    lines = [_(_HEALTH[status.health]).format(problem=problem, devices=devices, version=version)]
    if remedy := _REMEDIES[status.health]:
        lines.append(_(remedy))
    if status.is_unfinished:
        lines.append(_("An interrupted installation waits; install again to go on."))
    if status.size_bytes:
        text = _("It takes {size} in {folder}.")
        lines.append(text.format(size=data_amount(status.size_bytes, language), folder=status.folder))
    return lines


def data_amount(amount_bytes: int, language: Language) -> str:
    """Return an amount of data in GB or MB, as disks and downloads are labelled (powers of ten)."""
    if amount_bytes >= 1e9:
        return f"{language.number(amount_bytes / 1e9, 1)} GB"
    return f"{language.number(amount_bytes / 1e6)} MB"
