"""Settings: language, looks, money; and what the program is and keeps."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel

from advisor import __version__
from advisor.gui.context import Context
from advisor.gui.models.region import country_name, currency_name
from advisor.gui.services import Catalogue
from advisor.gui.settings import Settings
from advisor.gui.widgets.basic import GRID, Card, Page, label
from advisor.locale import N_

LANGUAGE_NAMES = (("en", "English"), ("es", "Español"))
THEME_NAMES = (("system", N_("As the system")), ("light", N_("Light")), ("dark", N_("Dark")))
SHORTCUTS = (
    ("Ctrl+1 … 6", N_("Open a page")),
    ("Ctrl+Enter", N_("Check my computer")),
    ("Esc", N_("Stop the check")),
    ("Ctrl+T", N_("Show a chart as a table, and back")),
    ("Ctrl+Q", N_("Close the window")),
)
_BOX_WIDTH = 42 * GRID


class SettingsPage(Page):
    """The person's choices; each takes effect at once and is kept.

    Signals:
        region_changed: With the codes of currency and country.
    """

    region_changed = Signal(str, str)

    def __init__(self, context: Context, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self._settings = settings
        self._captions: list[tuple[QLabel, QComboBox, str]] = []
        self.title = label("display")
        self.column.addWidget(self.title)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(3 * GRID)
        self._form.setVerticalSpacing(int(1.5 * GRID))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        choices = Card()
        choices.body.addLayout(self._form)
        self.column.addWidget(choices)
        self.language = self._choice(N_("Language"), LANGUAGE_NAMES, context.language.code)
        self.theme = self._choice(N_("Appearance"), THEME_NAMES, context.theme_choice)
        self.currency = self._choice(N_("Currency"), (), settings.currency)
        self.country = self._choice(N_("Country"), (), settings.country)
        self.shortcuts_title = label("title")
        self._keys: list[tuple[QLabel, str]] = []
        self.column.addWidget(self.shortcuts_title)
        self.column.addWidget(self._shortcut_card())
        self.about = label("muted")
        self.column.addWidget(self.about)
        self.column.addStretch(1)
        self.language.activated.connect(self._on_language)
        self.theme.activated.connect(self._on_theme)
        self.currency.activated.connect(self._on_region)
        self.country.activated.connect(self._on_region)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _choice(self, caption: str, rows: tuple[tuple[str, str], ...], chosen: str) -> QComboBox:
        box = QComboBox()
        box.setFixedWidth(_BOX_WIDTH)
        for value, text in rows:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        words = label("body", wrap=False)
        words.setBuddy(box)
        self._form.addRow(words, box)
        self._captions.append((words, box, caption))
        return box

    def _shortcut_card(self) -> Card:
        card = Card()
        form = QFormLayout()
        form.setHorizontalSpacing(3 * GRID)
        for keys, meaning in SHORTCUTS:
            key_label = label("strong", wrap=False)
            key_label.setText(keys)
            meaning_label = label("body")
            form.addRow(key_label, meaning_label)
            self._keys.append((meaning_label, meaning))
        card.body.addLayout(form)
        return card

    def _on_language(self) -> None:
        self._settings.language_code = self.language.currentData()
        self._settings.save()
        self._context.set_language(self.language.currentData())

    def _on_theme(self) -> None:
        self._settings.theme = self.theme.currentData()
        self._settings.save()
        self._context.set_theme(self.theme.currentData())

    def show_catalogue(self, catalogue: Catalogue) -> None:
        """Offer the currencies and countries that are known."""
        for box, codes, chosen in (
            (self.currency, catalogue.usd_per_unit, self._settings.currency),
            (self.country, catalogue.countries, self._settings.country),
        ):
            box.clear()
            for code in sorted(codes):
                box.addItem(code, code)
            box.setCurrentIndex(box.findData(chosen))
        self.retranslate()

    def _on_region(self) -> None:
        self._settings.currency = self.currency.currentData()
        self._settings.country = self.country.currentData()
        self._settings.save()
        self.region_changed.emit(self._settings.currency, self._settings.country)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Settings"))
        self.title.setText(_("Settings"))
        for words, box, caption in self._captions:
            words.setText(_(caption))
            box.setAccessibleName(_(caption))
        for position, (_value, text) in enumerate(THEME_NAMES):
            self.theme.setItemText(position, _(text))
        language = self._context.language
        for box, name_of in ((self.currency, currency_name), (self.country, country_name)):
            for position in range(box.count()):
                box.setItemText(position, name_of(box.itemData(position), language))
        self.shortcuts_title.setText(_("Keyboard"))
        for meaning_label, meaning in self._keys:
            meaning_label.setText(_(meaning))
        about = _("Version {version}. Nothing leaves this computer. Only these settings are kept, in {file}.")
        self.about.setText(about.format(version=__version__, file=self._settings.path.name))
