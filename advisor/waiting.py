"""Wait for what may never answer: a driver, a disk on the network, a server, a pipe."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def within(limit_s: float, ask: Callable[[], T]) -> T:
    """Return what somebody answers; what hangs keeps its own thread, and nobody else.

    Raises:
        TimeoutError: It has not answered in time.
        ChildProcessError: It wanted to end the program.
    """
    answers: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            answers.append(ask())
        except Exception as error:  # noqa: BLE001 - raised below, in the thread that asked
            errors.append(error)
        except BaseException as error:  # noqa: BLE001 - a library may not end this program
            errors.append(ChildProcessError(f"{type(error).__name__}: {error}"))

    thread = threading.Thread(target=run, name="asked", daemon=True)
    thread.start()
    thread.join(limit_s)
    if errors:
        raise errors[0]
    if not answers:
        raise TimeoutError
    return answers[0]
