"""What renting costs beside the hours of a run, as far as the user knows: folded away, for most leave it as it is."""

from advisor.gui.base.context import Context
from advisor.gui.pages.advice.question.change_marks import ChangeMarks
from advisor.gui.pages.advice.question.folded_fields import FoldedFields
from advisor.gui.widgets.fields import NumberBox
from advisor.locale import N_
from advisor.records.job.workload import Circumstances
from advisor.units import BYTES_PER_MBIT, MINUTE_S

_MOST_MINUTES, _MOST_MBIT, _MOST_TRIES = 10_000, 1e6, 1e6


class RentingPanel(FoldedFields):
    """Fields for work before each run, the line to a provider, and runs that fail."""

    TITLE = N_("Advanced: renting")
    ABOUT = N_("Set-up, your connection and failed runs; they make renting slower and more expensive")

    def __init__(self, context: Context, marks: ChangeMarks) -> None:
        super().__init__(context)
        self._marks = marks
        self.setup = NumberBox(context, 0, _MOST_MINUTES, 1)
        self.upload = NumberBox(context, 0, _MOST_MBIT, 1)
        self.download = NumberBox(context, 0, _MOST_MBIT, 1)
        self.tries = NumberBox(context, 0, _MOST_TRIES)
        self._build()
        for box in (self.setup, self.upload, self.download, self.tries):
            box.valueChanged.connect(lambda _value: self._on_edited())
        self.retranslate()

    def _build(self) -> None:
        rows = (
            (
                self.setup,
                "setup_s",
                N_("Set-up per run"),
                N_("Paid time you spend setting up the rented machine"),
            ),
            (self.upload, "upload_bytes_per_s", N_("Upload speed"), N_("Of your connection; 0 means an ordinary one")),
            (
                self.download,
                "download_bytes_per_s",
                N_("Download speed"),
                N_("Of your connection, for weights and results; 0 means an ordinary one"),
            ),
            (
                self.tries,
                "failed_tries",
                N_("Failed runs"),
                N_("Runs you expect to repeat over all the months of use"),
            ),
        )
        for box, fact, name, hint in rows:
            self.add_field(box, name, hint, self._marks.add(box, (fact,)))

    def _on_edited(self) -> None:
        self.emit_changed(
            setup_s=self.setup.value() * MINUTE_S,
            upload_bytes_per_s=self.upload.value() * BYTES_PER_MBIT or None,
            download_bytes_per_s=self.download.value() * BYTES_PER_MBIT or None,
            failed_tries=self.tries.value(),
        )

    def fill(self, circumstances: Circumstances) -> None:
        """Show what the question says of renting."""
        self._is_filling = True
        self.setup.show_value(circumstances.setup_s / MINUTE_S)
        self.upload.show_value((circumstances.upload_bytes_per_s or 0.0) / BYTES_PER_MBIT)
        self.download.show_value((circumstances.download_bytes_per_s or 0.0) / BYTES_PER_MBIT)
        self.tries.show_value(circumstances.failed_tries)
        self._is_filling = False

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        super().retranslate()
        _ = self._context.gettext
        for _caption, box, name, _hint in self._captions:
            self._marks.name(box, _(name))
        self.setup.set_unit(_("min"))
        for box in (self.upload, self.download):
            box.set_unit(_("Mbit/s"))
            box.setSpecialValueText(_("a typical home connection"))
