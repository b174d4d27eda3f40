"""The errors that a user meets: bad input, a certificate that was not reached, and a run that does not end."""

from __future__ import annotations

from typing import Any


class InputError(ValueError):
    """A value from outside is not allowed: one line with the argument, the value and what is allowed."""

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        super().__init__(f"{argument} = {_short(value)}: {allowed}")
        self.argument = argument
        self.value = value
        self.allowed = allowed

    def __reduce__(self) -> tuple[Any, ...]:  # so that it crosses from one process to another
        return type(self), (self.argument, self.value, self.allowed)


class NotCertified(ArithmeticError):
    """No enclosure of the asked width was reached; ``width`` is the relative width that was."""

    def __init__(self, reason: str, width: float | None = None) -> None:
        reached = "" if width is None else f" (reached a relative width of {width:.3g})"
        super().__init__(reason + reached)
        self.reason = reason
        self.width = width

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.width)


class Livelock(RuntimeError):
    """A run reached its limit of time with requests left; the message shows the state."""

    def __init__(self, policy: str, limit: int, waiting: int, running: int, cancellations: int) -> None:
        super().__init__(
            f"{policy}: not finished at t = {limit}: {waiting} requests wait, {running} run, "
            f"{cancellations} cancellations so far; give a larger limit if this is no livelock"
        )
        self.policy = policy
        self.limit = limit
        self.waiting = waiting
        self.running = running
        self.cancellations = cancellations

    def __reduce__(self) -> tuple[object, ...]:
        return Livelock, (self.policy, self.limit, self.waiting, self.running, self.cancellations)


def _short(value: object, limit: int = 80) -> str:
    text = str(value)
    if value is not None and not isinstance(value, str | int | float):
        text += f" ({type(value).__name__})"
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
