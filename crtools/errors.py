"""The errors that a user meets: bad input, a certificate that was not reached, and a run that does not end."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number

MISSING = object()
"""The value of an argument that must be given and is not."""


@dataclass(eq=False, repr=False)
class InputError(ValueError):
    """A value from outside is not allowed: one line with the argument, the value and what is allowed."""

    argument: str
    value: object
    allowed: str

    def __str__(self) -> str:
        if self.value is MISSING:
            return f"{self.argument}: {self.allowed}"
        return f"{self.argument} = {_short(self.value)}: {self.allowed}"


@dataclass(eq=False, repr=False)
class NotCertified(ArithmeticError):
    """No enclosure of the asked width was reached; ``width`` is the relative width that was."""

    reason: str
    width: float | None = None

    def __str__(self) -> str:
        return self.reason + ("" if self.width is None else f" (reached a relative width of {self.width:.3g})")


@dataclass(eq=False, repr=False)
class Livelock(RuntimeError):
    """A run reached its limit of time with requests left; the message shows the state."""

    policy: str
    limit: int
    waiting: int
    running: int
    cancellations: int

    def __str__(self) -> str:
        return (
            f"{self.policy}: not finished at t = {self.limit}: {self.waiting} requests wait, {self.running} run, "
            f"{self.cancellations} cancellations so far; give a larger limit if this is no livelock"
        )


def _short(value: object, limit: int = 80) -> str:
    text = str(value)
    if value is not None and not isinstance(value, str | Number) and not hasattr(value, "free_symbols"):
        text += f" ({type(value).__name__})"
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
