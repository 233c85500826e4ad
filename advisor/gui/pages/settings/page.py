"""Settings: language, looks, money; and what the program is and keeps."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QWidget

from advisor.gui.backend import Catalogue
from advisor.gui.base.context import Context
from advisor.gui.base.settings import TEXT_PERCENTS, Settings
from advisor.gui.dialogs.shortcuts_dialog import SHORTCUTS
from advisor.gui.models.names import countries_by_name, currency_name
from advisor.gui.widgets.basic import GRID, Card, Page, label, lay_out
from advisor.gui.widgets.fields import ChoiceBox, NumberBox
from advisor.locale import N_

AS_SYSTEM = "system"
LANGUAGE_NAMES = ((AS_SYSTEM, N_("Same as the system")), ("en", "English"), ("es", "Español"))
THEME_NAMES = (
    ("system", N_("Same as the system")),
    ("light", N_("Light")),
    ("dark", N_("Dark")),
    ("contrast", N_("High contrast")),
)
INTERVALS = tuple((value, value) for value in ("0.25", "0.5", "1", "2", "5"))
_TEXT_SIZES = tuple((str(percent), "") for percent in TEXT_PERCENTS)
_LEAST_WIDTH, _MOST_WIDTH = 28 * GRID, 42 * GRID
_BETWEEN = 3 * GRID
_AROUND = 16 * GRID
"""Of a card: margins of the page and its own, and what scrolls the page."""
_HIGHEST_PRICE = 100.0
_COUNTRYS_PRICE = -0.01
"""Stands for it in the field: 0 is the price of those who pay nothing."""
_CURRENCY_INSTEAD, _COUNTRY_INSTEAD = "USD", "US"  # what is counted with where the user's own are not in the table


class SettingsPage(Page):
    """The user's choices; each takes effect at once and is kept.

    Signals:
        region_changed: With the codes of currency and country.
        electricity_changed: With the user's own price of a kilowatt-hour in dollars; None takes the country's.
        interval_changed: With the seconds between two samples of the live page.
    """

    region_changed = Signal(str, str)
    electricity_changed = Signal(object)
    interval_changed = Signal(float)

    def __init__(self, context: Context, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self._settings = settings
        self._forms: list[QFormLayout] = []
        self._captions: list[tuple[QLabel, QWidget, str, str]] = []
        self._usd_per_unit: Mapping[str, float] = {"USD": 1.0}
        self._currencies: Mapping[str, str] = {}  # by country
        self._countrys_usd: Mapping[str, float | None] = {}
        self.title = label("display")
        self.column.addWidget(self.title)
        self._titles: list[tuple[QLabel, str]] = []
        self._begin(N_("Language and appearance"))
        self.language = self._choice(
            N_("Language"), N_("Of this window and of reports"), LANGUAGE_NAMES, settings.language_code or AS_SYSTEM
        )
        self.theme = self._choice(
            N_("Appearance"), N_("Light, dark, high contrast, or as the desktop"), THEME_NAMES, context.theme_choice
        )
        self.text_size = self._choice(
            N_("Text size"), N_("Of all words in the window"), _TEXT_SIZES, str(settings.text_percent)
        )
        self._begin(N_("Money"))
        self.currency = self._choice(N_("Currency"), N_("Of every price and cost"), (), settings.currency)
        self.country = self._choice(
            N_("Country"),
            N_("Decides what electricity costs and, until you choose one, the currency"),
            (),
            settings.country,
        )
        self.electricity = self._price()
        self._begin(N_("Measuring and notices"))
        self.interval = self._choice(
            N_("Live page: a sample every"), N_("More often costs a little more"), INTERVALS, f"{settings.interval_s:g}"
        )
        self.notifies = self._tick(is_on=settings.notifies)
        self.warns = self._tick(is_on=settings.warns_before)
        self.shortcuts_title = label("title")
        self._keys: list[tuple[QLabel, str]] = []
        self.shortcuts_card = self._shortcut_card()
        self.column.addWidget(self.shortcuts_card)
        self.column.addStretch(1)
        self.language.activated.connect(self._on_language)
        self.theme.activated.connect(self._on_theme)
        self.text_size.activated.connect(self._on_text_size)
        self.currency.activated.connect(self._on_region)
        self.country.activated.connect(self._on_country)
        self.electricity.editingFinished.connect(self._on_electricity)
        self.interval.activated.connect(self._on_interval)
        self.notifies.toggled.connect(self._on_ticks)
        self.warns.toggled.connect(self._on_ticks)
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._align)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the fields have the room there is."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._align()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the top: it opened where the last visit had ended."""
        super().showEvent(event)
        self.verticalScrollBar().setValue(0)

    def _begin(self, title: str) -> None:
        """Begin a card of choices that belong together."""
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(_BETWEEN)
        self._form.setVerticalSpacing(int(1.5 * GRID))
        self._forms.append(self._form)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        words = label("title")
        self._titles.append((words, title))
        choices = Card()
        choices.body.addWidget(words)
        choices.body.addLayout(self._form)
        self.column.addWidget(choices)

    def _align(self) -> None:
        """Let all rows look alike: each caption beside its field, or where there is no room for one so, all above."""
        captions = [words for words, _box, _caption, _hint in self._captions]
        boxes = [box for _words, box, _caption, _hint in self._captions]
        for one in (*captions, *boxes):
            one.ensurePolished()  # else its letters are not yet those of the theme
        widest = max(words.fontMetrics().horizontalAdvance(words.text()) for words in captions) + GRID
        room = self.viewport().width() - _AROUND
        most = round(_MOST_WIDTH * self._context.text_scale)
        width = min(most, max(_LEAST_WIDTH, *(box.sizeHint().width() for box in boxes)))
        is_beside = widest + _BETWEEN + width <= room
        wrapping = QFormLayout.RowWrapPolicy.DontWrapRows if is_beside else QFormLayout.RowWrapPolicy.WrapAllRows
        for form in self._forms:
            form.setRowWrapPolicy(wrapping)
        for words, box in zip(captions, boxes, strict=True):
            box.setFixedWidth(width if is_beside else max(_LEAST_WIDTH, min(most, room)))
            # Fixed: a layout may remember what a label asked for in larger letters, which is a little more than these.
            words.setFixedWidth(widest if is_beside else max(_LEAST_WIDTH, min(widest, room)))
            words.setMinimumHeight(box.sizeHint().height() if is_beside else 0)  # in the middle of the field
        lay_out()

    def add_section(self, section: QWidget) -> None:
        """Put a section of its own between the choices and the keyboard."""
        self.column.insertWidget(self.column.indexOf(self.shortcuts_card), section)

    def _price(self) -> NumberBox:
        """Return the field of the user's own price of electricity; below nothing stands the country's."""
        field = NumberBox(self._context, _COUNTRYS_PRICE, _HIGHEST_PRICE, decimals=3)
        field.setSingleStep(-_COUNTRYS_PRICE)
        words = label("body")
        words.setBuddy(field)
        self._form.addRow(words, field)
        self._captions.append(
            (
                words,
                field,
                N_("Electricity price (per kWh)"),
                N_("Your own price; emptied, the field takes the country's"),
            )
        )
        return field

    def _tick(self, *, is_on: bool) -> QCheckBox:
        box = QCheckBox()
        box.setChecked(is_on)
        self._form.addRow(box)  # over both columns: its words are long
        return box

    def _on_electricity(self) -> None:
        own = self.electricity.value() * self._usd_per_unit.get(self._settings.currency, 1.0)
        self._settings.electricity_usd_per_kwh = own if own >= 0.0 else None
        self._settings.save()
        self.electricity_changed.emit(self._settings.electricity_usd_per_kwh)

    def _on_interval(self) -> None:
        self.interval_changed.emit(float(self.interval.currentData()))

    def show_interval(self, interval_s: float) -> None:
        """Show what was chosen elsewhere."""
        self.interval.setCurrentIndex(max(0, self.interval.findData(f"{interval_s:g}")))

    def _on_ticks(self) -> None:
        self._settings.notifies = self.notifies.isChecked()
        self._settings.warns_before = self.warns.isChecked()
        self._settings.save()

    def _show_electricity(self) -> None:
        """Show the user's price in their currency."""
        _ = self._context.gettext
        own = self._settings.electricity_usd_per_kwh
        chosen = self._settings.currency
        currency = chosen if chosen in self._usd_per_unit else _CURRENCY_INSTEAD
        rate = self._usd_per_unit.get(currency, 1.0)
        usd = self._countrys_usd.get(self.country.currentData() or "")
        words = _("the country's price")
        if usd is not None:
            price = self._context.language.money(usd / rate, currency)
            words = _("the country's price ({price})").format(price=price)
        self.electricity.setSpecialValueText(words)
        self.electricity.set_unit(currency)
        self.electricity.setValue(_COUNTRYS_PRICE if own is None else own / rate)

    def _choice(self, caption: str, hint: str, rows: tuple[tuple[str, str], ...], chosen: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)  # else it asks for what it was at first
        for value, text in rows:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        words = label("body")
        words.setBuddy(box)
        self._form.addRow(words, box)
        self._captions.append((words, box, caption, hint))
        return box

    def _shortcut_card(self) -> Card:
        card = Card()
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setHorizontalSpacing(3 * GRID)
        form.setVerticalSpacing(GRID)
        for keys, meaning in SHORTCUTS:
            key_label = label("strong", wrap=False)
            meaning_label = label("body")
            form.addRow(key_label, meaning_label)
            self._keys += ((key_label, keys), (meaning_label, meaning))
        card.body.addWidget(self.shortcuts_title)
        card.body.addLayout(form)
        return card

    def _on_language(self) -> None:
        chosen = self.language.currentData()
        self._settings.language_code = None if chosen == AS_SYSTEM else chosen
        self._settings.save()
        self._context.set_language(self._settings.spoken().code)

    def _on_theme(self) -> None:
        self._settings.theme = self.theme.currentData()
        self._settings.save()
        self._context.set_theme(self.theme.currentData())

    def _on_text_size(self) -> None:
        self._settings.text_percent = int(self.text_size.currentData())
        self._settings.save()
        self._context.set_text_percent(self._settings.text_percent)

    def show_catalogue(self, catalogue: Catalogue) -> None:
        """Offer the currencies and countries that are known."""
        self._usd_per_unit, self._currencies = catalogue.usd_per_unit, catalogue.countries
        self._countrys_usd = catalogue.electricity
        for box, codes, chosen, instead in (
            (self.currency, catalogue.usd_per_unit, self._settings.currency, _CURRENCY_INSTEAD),
            (self.country, catalogue.countries, self._settings.country, _COUNTRY_INSTEAD),
        ):
            box.clear()
            for code in sorted(codes):
                box.addItem(code, code)
            box.setCurrentIndex(box.findData(chosen if chosen in codes else instead))
        self.retranslate()

    def _name_countries(self) -> None:
        """Put the countries in the order of the names they have in the language of the moment."""
        box, chosen = self.country, self.country.currentData()
        codes = [box.itemData(position) for position in range(box.count())]
        for position, (name, code) in enumerate(countries_by_name(codes, self._context.language)):
            box.setItemText(position, name)
            box.setItemData(position, code)
        box.setCurrentIndex(box.findData(chosen))

    def _on_country(self) -> None:
        """Count in the country's money, too, unless the user chose another than that of the country before."""
        if self.currency.currentData() == self._currency_in(self._settings.country):
            own = self._currency_in(self.country.currentData())
            self.currency.setCurrentIndex(self.currency.findData(own))
        self._on_region()

    def _currency_in(self, country: str) -> str:
        return self._currencies.get(country, _CURRENCY_INSTEAD)

    def _on_region(self) -> None:
        self._settings.currency = self.currency.currentData()
        self._settings.country = self.country.currentData()
        self._settings.save()
        self._context.set_language(self._settings.spoken().code)  # numbers are written as in the country
        self._show_electricity()
        self.region_changed.emit(self._settings.currency, self._settings.country)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Settings"))
        self.title.setText(_("Settings"))
        for words, box, caption, hint in self._captions:
            words.setText(_(caption))
            box.setAccessibleName(_(caption))
            box.setAccessibleDescription(_(hint))
        for words, title in self._titles:
            words.setText(_(title))
        self._align()
        for position, (_value, text) in enumerate(THEME_NAMES):
            self.theme.setItemText(position, _(text))
        for position, percent in enumerate(TEXT_PERCENTS):
            self.text_size.setItemText(position, self._context.language.percent(percent / 100))
        self.language.setItemText(self.language.findData(AS_SYSTEM), _(LANGUAGE_NAMES[0][1]))
        language = self._context.language
        for position in range(self.currency.count()):
            self.currency.setItemText(position, currency_name(self.currency.itemData(position), language))
        self._name_countries()
        for position, (value, _text) in enumerate(INTERVALS):
            self.interval.setItemText(position, _("{n} s").format(n=language.number(float(value), 2)))
        self._show_electricity()
        self.notifies.setText(_("Notify me when a check finishes"))
        self.warns.setText(_("Warn me if other programs would slow the check"))
        self.notifies.setAccessibleDescription(_("Only while this window is not in front"))
        self.warns.setAccessibleDescription(_("You can then put it right, measure all the same, or not measure"))
        self.shortcuts_title.setText(_("Keyboard"))
        for meaning_label, meaning in self._keys:
            meaning_label.setText(_(meaning))
