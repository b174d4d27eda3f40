"""The total latency that a policy's form predicts for the requests of a run: n²/(2M) times the form at their shares."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from crtools.errors import InputError
from crtools.forms import FORM, Form, form_given_for
from crtools.numeric_types import IntArray, RingElement
from crtools.process.policies import POLICY, Policy
from crtools.process.run import Run
from crtools.process.workload import Requests
from crtools.setting import Setting
from crtools.user_file import file_of, from_file, is_file, things


def form_in_file(policy: object) -> Form | None:
    """Return the form of ``FILE.py`` whose ``given_for`` names the policy of ``FILE.py[:NAME]``; None where there is none."""
    if isinstance(policy, Policy) or not is_file(policy):
        return None
    name = from_file("policy", str(policy), POLICY).name
    candidates = things("policy", file_of(str(policy)), FORM).values()
    forms = {id(form): form for form in candidates if name in form.given_for}
    if len(forms) > 1:
        allowed = f"must have at most one form in its file whose given_for names it, not {len(forms)}"
        raise InputError("policy", policy, allowed)
    return next(iter(forms.values()), None)


def form_latency(policy: str | Policy, form: Form | None, run: Run, requests: Requests) -> float | None:
    """Return the latency that the form given for the policy predicts; ``form`` is that of a user's own policy.

    None where no form is given, or where the requests do not share s, l and u.
    """
    given = form_given_for(run.ran) if isinstance(policy, str) else form
    lengths, s, l, u, *_ = requests
    if given is None or not (isinstance(s, int) and isinstance(l, int) and isinstance(u, int)):
        return None
    return form_value(given, lengths, run.memory, s, l, u)


def form_value(form: Form, lengths: IntArray, memory: int, s: int, l: int, u: int) -> float:
    """Return n²/(2M) times a form at the shares of the given lengths."""
    counts = np.bincount(lengths, minlength=u + 1)[l:].astype(float)
    return _value_at(form, s, l, u, counts.tobytes()) / (2 * memory)


@lru_cache(maxsize=256)
def _value_at(form: Form, s: int, l: int, u: int, counts: bytes) -> float:
    """Return a form at counts of lengths, cached because they are the same at every memory."""
    weights: RingElement = np.frombuffer(counts)
    return float(form.on(Setting(s, l, u)).value(weights))
