"""Pictures as files."""

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage


def png_bytes(image: QImage) -> bytes:
    """Return a picture as a PNG file; may be called in any thread."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know file names only
    return bytes(buffer.data().data())
