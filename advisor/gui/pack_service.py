"""The measuring pack as the window sees it. No Qt here; a test hands the widget another one."""

import os
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from advisor.pack import Installer
    from advisor.records.hardware.measuring_pack import PackPlan, PackProgress, PackStatus


class PackService(Protocol):
    """What can be done with the pack; everything but ``progress`` and ``stop`` takes its time."""

    @property
    def progress(self) -> "PackProgress | None":
        """How far an installation is; None while none runs."""

    def status(self) -> "PackStatus":
        """Return how the pack is."""

    def plan(self) -> "PackPlan | None":
        """Return what would be downloaded; None where it was stopped."""

    def install(self, plan: "PackPlan") -> "PackStatus":
        """Download what was planned; stopped, return how things are."""

    def remove(self) -> "PackStatus":
        """Remove the pack and return how things are."""

    def stop(self) -> None:
        """End what runs."""


class CorePackService:
    """The real pack, imported where it is first used so that the window appears early."""

    def __init__(self) -> None:
        self._installer: Installer | None = None
        self._progress: PackProgress | None = None

    @property
    def progress(self) -> "PackProgress | None":
        """How far an installation is; None while none runs."""
        return self._progress

    def status(self) -> "PackStatus":
        """Return how the pack is, after trying it."""
        from advisor.pack import Store, expected_devices, pack_status
        from advisor.session.run import probe

        return pack_status(Store(), expected_devices(probe()))

    def plan(self) -> "PackPlan | None":
        """Return what would be downloaded; None where it was stopped."""
        from advisor.pack import Installer, StoppedError, Store, backend_for
        from advisor.session.run import probe

        self._installer = Installer(backend_for(probe(), os.environ), Store())
        try:
            return self._installer.plan()
        except StoppedError:
            return None

    def install(self, plan: "PackPlan") -> "PackStatus":
        """Download what was planned; stopped, return how things are."""
        from advisor.pack import Installer, StoppedError, Store

        self._installer = Installer(plan.backend, Store())
        try:
            self._installer.install(plan, self._note)
        except StoppedError:
            pass  # the widget says so; what was downloaded stays
        finally:
            self._progress = None
        return self.status()

    def remove(self) -> "PackStatus":
        """Remove the pack and return how things are."""
        from advisor.pack import Store

        Store().remove()
        return self.status()

    def stop(self) -> None:
        """End what runs."""
        if self._installer is not None:
            self._installer.stop()

    def _note(self, progress: "PackProgress") -> None:
        self._progress = progress
