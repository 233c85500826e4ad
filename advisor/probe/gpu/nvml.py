"""NVIDIA's management library, with every failure turned into a reason. Knows errors, not what is asked.

The names and error codes are those of nvidia-ml-py's module ``pynvml``.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from advisor.probe.evidence_log import EvidenceLog
from advisor.records.base import GapReason

T = TypeVar("T")

# Source: pynvml.py 13.615.71, constants NVML_ERROR_*.
_REASONS: dict[str, GapReason] = {
    "NVML_ERROR_NOT_SUPPORTED": "not_supported",
    "NVML_ERROR_FUNCTION_NOT_FOUND": "not_supported",
    "NVML_ERROR_NO_DATA": "not_supported",
    "NVML_ERROR_DEPRECATED": "not_supported",
    "NVML_ERROR_ARGUMENT_VERSION_MISMATCH": "not_supported",
    "NVML_ERROR_VGPU_ECC_NOT_SUPPORTED": "not_supported",
    "NVML_ERROR_NOT_FOUND": "not_found",
    "NVML_ERROR_NO_PERMISSION": "permission_denied",
    "NVML_ERROR_OPERATING_SYSTEM": "permission_denied",
    "NVML_ERROR_DRIVER_NOT_LOADED": "no_driver",
    "NVML_ERROR_LIBRARY_NOT_FOUND": "no_driver",
    "NVML_ERROR_GPU_IS_LOST": "device_lost",
    "NVML_ERROR_RESET_REQUIRED": "device_lost",
    "NVML_ERROR_GPU_NOT_FOUND": "device_lost",
    "NVML_ERROR_LIB_RM_VERSION_MISMATCH": "library_mismatch",
    "NVML_ERROR_TIMEOUT": "timeout",
}
REMEDIES: dict[GapReason, str] = {
    "no_driver": "install_nvidia_driver",
    "driver_without_library": "install_nvidia_library",
    "library_mismatch": "restart_after_driver_update",
    "device_lost": "restart_lost_gpu",
    "permission_denied": "allow_gpu_access",
    "container": "start_container_with_gpu",
    "asleep": "wake_gpu",
}


class NvmlCallError(Exception):
    """A call failed; says why in our terms.

    Attributes:
        reason: As a gap names it.
        detail: The library's own words.
    """

    def __init__(self, reason: GapReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Nvml:
    """An open session with the library; closes itself, because an open one keeps a laptop's card awake.

    Source: an open handle holds the card at full power, closing lets it sleep after about 6 s
    (https://github.com/D-Brox/cosmic-ext-applet-system-monitor/issues/38, measured on an RTX 2000 Ada laptop, 2026-06).
    """

    def __init__(self, library: Any, *, attach: bool = True) -> None:
        self._library = library
        self._attach = attach
        named = (getattr(library, name, None) for name in ("NVMLError", "NVMLLibraryMismatchError"))
        self._errors: tuple[type[Exception], ...] = tuple(
            one for one in named if isinstance(one, type) and issubclass(one, Exception)
        )

    def __enter__(self) -> "Nvml":
        if self._attach:
            self.call("nvmlInit")
        else:
            self.call("nvmlInitWithFlags", self.constant("NVML_INIT_FLAG_NO_ATTACH"))
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.call("nvmlShutdown")
        except NvmlCallError:  # the card was lost meanwhile; there is nothing left to close
            return

    def constant(self, name: str) -> Any:
        """Return a constant of the library, or None where this version lacks it."""
        return getattr(self._library, name, None)

    def call(self, function: str, *arguments: Any, **options: Any) -> Any:
        """Return the answer of a library function.

        Raises:
            NvmlCallError: It failed, is missing in this version, or answered with bytes that are no text.
        """
        try:
            return getattr(self._library, function)(*arguments, **options)
        except self._errors as error:
            raise NvmlCallError(self.reason(error), str(error)) from error
        except (AttributeError, TypeError) as error:  # an older binding lacks the function or the argument
            raise NvmlCallError("not_supported", f"{function}: {type(error).__name__}") from error
        except Exception as error:  # the library is broken, or a lost card answers with garbage
            raise NvmlCallError("unreadable", f"{function}: {type(error).__name__}") from error

    def reason(self, error: Exception) -> GapReason:
        """Return why a call failed."""
        value = getattr(error, "value", None)
        if value is None:
            return "not_supported"  # NVMLLibraryMismatchError: binding and library differ in a structure
        for name, reason in _REASONS.items():
            if self.constant(name) == value:
                return reason
        return "unreadable"

    def answer(self, function: str, *arguments: Any, convert: Callable[[Any], T], **options: Any) -> T:
        """Return the converted answer of a library function.

        Raises:
            NvmlCallError: It failed, or its answer has not the form it should have.
        """
        try:
            return convert(self.call(function, *arguments, **options))
        except NvmlCallError:
            raise
        except Exception as error:  # whatever the conversion makes of an answer of another form
            raise NvmlCallError("unreadable", f"{function}: {type(error).__name__}") from error

    def ask(
        self, log: EvidenceLog, field: str, function: str, *arguments: Any, convert: Callable[[Any], T], check: str = ""
    ) -> T | None:
        """Return a converted answer and note its evidence; on failure return None and note the gap."""
        try:
            value = self.answer(function, *arguments, convert=convert)
        except NvmlCallError as error:
            log.missing(field, error.reason, error.detail, REMEDIES.get(error.reason))
            return None
        log.found(field, function, check)
        return value
