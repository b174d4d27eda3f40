"""Texts that people read. Mathematics stands between dollar signs where it is written; each medium shows it its own way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache
from typing import TYPE_CHECKING, Any

from crtools.installed_ledgers import policy_indices
from crtools.latex_to_text import readable
from crtools.report.tokens import FUNCTIONS, LETTERS, typed

if TYPE_CHECKING:
    from crtools.ledger.trust import Trust

SYMBOL = re.compile(rf"([A-Z]{{2,}}|[A-Za-z]|{'|'.join(LETTERS)})(?:_([A-Za-z0-9]{{1,2}}))?")
"""A letter, or some capitals, with or without an index: names of evidence that are mathematics."""

TYPED = re.compile(r"[\w\s()+*/,.^-]+")

MARKS = re.compile(r"_|\*\*|sqrt\(")
"""What mathematics without dollar signs has at least one of."""

SIGN = re.compile(r"\$[^$]+\$")
"""A text that is mathematics alone."""

KINDS = {"Citation": "cited", "Argument": "argued", "Inference": "joined"}
"""What is said of a step that is no formula; a formula is judged by the kernel, or computed by crtools where no rule has it."""

DECIDED = ("proved", "certified", "refuted")

NUMERAL = re.compile(r"[≈−-]?\d|\[")
"""How a value begins that needs no colon before it."""

LEADS = ("by", "at", "of", "least", "most")
"""Words after which a value follows without a colon."""

LONG = 24
"""Characters of a number beyond which it is shortened."""


def runs(text: str) -> list[tuple[str, bool]]:
    """Return the stretches of a text in turn, each with whether it is mathematics.

    That is what stands between dollar signs, and in the rest a policy's name with its index (A_min), and formulas as the
    command line takes them; a dollar without its other is prose.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}${parts[-1]}"]
    return [run for n, part in enumerate(parts) if part for run in ([(part, True)] if n % 2 else _unmarked_runs(part))]


def _unmarked_runs(text: str) -> list[tuple[str, bool]]:
    """Return the stretches of a text without dollar signs: mathematics that is written without them is found."""
    if not MARKS.search(text):
        return [(text, False)]
    if _is_typed(text):
        return [(text, True)]
    found: list[tuple[str, bool]] = []
    at = 0
    for match in _plain().finditer(text):
        if match["code"] is None and _balanced(match[0]):
            found += [(text[at : match.start()], False), (match[0], True)]
            at = match.end()
    return [run for run in (*found, (text[at:], False)) if run[0]]


@cache
def _plain() -> re.Pattern[str]:
    """Return the mathematics that stands in a text without dollar signs, and code, in which there is none."""
    own = "|".join(sorted(map(re.escape, {*policy_indices(), "ℓ"})))
    return re.compile(
        rf"(?P<code>``.*?``)|(?<![\w/.^{{-])(?:A_(?:{own})(?![\w-]|\.\w|/[a-z])|[Σ∑]_\{{[^{{}}]*\}}(?:\^(?:\{{[^{{}}]*\}}|\w))?"
        r"|[\w()+*/^.-]*?(?:sqrt\(|\*\*)[\w()+*/^.-]*[\w)])"
    )


def _is_typed(text: str) -> bool:
    """Return whether a whole text is a formula as the command line takes it, with a power or a root in it."""
    words = re.findall(r"[A-Za-z]+", text)
    known = all(len(word) == 1 or word in FUNCTIONS or word in LETTERS or word == "sqrt" for word in words)
    return known and TYPED.fullmatch(text) is not None and re.search(r"sqrt\(|\*\*", text) is not None


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


LETTER = re.compile(r"``.*?``|(?<![\w.'’-])l(?![^\W²³κ]|[='’]|-\w)|(?<![\w-])log(?=\()")
"""The letter and the function of code where they stand in a sentence; none is a word, and ``l=1`` is code."""

SUM = re.compile(r"[∑Σ]_(?:\{([^{}]*)\}|\(([^()]*)\))(?:\^(?:\{([^{}]*)\}|\(([^()]*)\)|(\w))|([ⁿ⁰-⁹]+))?\s*(?=(.)?)")
"""A sum with its range below and perhaps its end above, which a line of text shows in one bracket."""


def unmarked(text: str) -> str:
    """Return a text as a terminal shows it: mathematics in Unicode, without the dollar signs."""
    return "".join(in_signs(part) if maths else spoken(part) for part, maths in runs(text))


def sentence(words: str) -> str:
    """Return words with ℓ and ln for the letter and the function of code."""
    return LETTER.sub(lambda m: {"l": "ℓ", "log": "ln"}.get(m[0], m[0]), words)


def spoken(words: str) -> str:
    """Return words without marked mathematics as a terminal shows them: x_ℓ, a_(i, j), 2^(k + 1)."""
    own = _bracketed(SUM.sub(_sum, sentence(words)))
    return re.sub(r"(?<![A-Za-z])[A-Za-z]_(?:l[a-z]?|[a-z]l)(?![A-Za-z0-9_])", lambda m: m[0].replace("l", "ℓ"), own)


def in_signs(formula: str) -> str:
    """Return a formula in Unicode's signs; between dollar signs it may be written in these, as typed, or in LaTeX."""
    return _in_a_line(readable(formula) if "\\" in formula else typed(formula))


def in_a_line(latex: str) -> str:
    """Return a step's or a theorem's formula, which is LaTeX, as a terminal shows it."""
    return _in_a_line(readable(latex))


def _in_a_line(text: str) -> str:
    return _bracketed(SUM.sub(_sum, re.sub(r"(?<![\w.])1 (?=[∑Σ])", "", text)))


def _bracketed(text: str) -> str:
    """Return a text with what is raised or lowered in braces in round brackets."""
    return re.sub(r"(?<=[_^])\{([^{}]*)\}", r"(\1)", text)


def _sum(found: re.Match[str]) -> str:
    below, above = (
        found[1] or found[2] or "",
        found[3] or found[4] or found[5] or {"ⁿ": "n"}.get(found[6] or "", found[6]),
    )
    return f"{found[0][0]}({below}{f'…{above}' if above else ''})" + " " * bool(found[7])


def step_name(step: Mapping[str, Any], number: int) -> str:
    """Return the name of a proof's step; empty where that is its number or the theorem that it cites."""
    return "" if step["step"] == str(number) or step["kind"] == "Citation" else step["step"]


def titled(theorem: str) -> str:
    """Return a theorem's name as a title: an instance of one with parameters has these in words, in brackets that stand apart."""
    return re.sub(r"(?<=\S)\(([a-z_]+(?:, [a-z_]+)*)\)$", lambda m: f" ({m[1].replace('_', ' ')})", theorem)


def both_sides(step: Mapping[str, Any]) -> str:
    """Return what stands before a step's formula: words where both sides of an identity are written the same, and one is shown."""
    return "both sides are" if step["kind"] == "Identity" and "=" not in step["latex"] else ""


def coq_words(mark: Mapping[str, Any], steps: int) -> str:
    """Return what Coq's kernel accepted of a theorem of so many steps; empty for nothing."""
    if mark["theorem"]:
        return f"accepted whole, as {mark['theorem']}"
    return f"{mark['steps']} of {steps} steps accepted" if mark["steps"] else ""


def counted(number: int, what: str) -> str:
    """Return a number of things in words: 1 step, 2 steps."""
    return f"{number} {what}{'s' * (number != 1)}"


def in_words(steps: int) -> str:
    """Return how many sentences a result rests on, after a comma; empty for none."""
    return f", resting on {counted(steps, 'sentence')}" if steps else ""


def rests_on(trust: Trust, status: str, in_coq: bool) -> str:
    """Return what a verdict rests on, in words; empty where there is nothing to say."""
    if in_coq:
        return "accepted whole by Coq's kernel (a record; make coq repeats it)"
    sentences = counted(trust.argued, "sentence") if trust.argued else ""
    computed = f"{counted(trust.computed, 'step')} that only crtools computed" if trust.computed else ""
    said = " and ".join(filter(None, (sentences, computed)))
    words, facts = f"rests on {said}" if said else "", counted(trust.facts, "fact")
    if trust.missing:
        why = f"no certificate: {trust.missing}" if trust.asked and status in DECIDED else ""
        return "; ".join(filter(None, (words, why)))
    if words:
        return f"{words}, {facts} judged" if trust.facts else words
    return f"every step judged: {facts}" if trust.facts else "by its witness alone, which the judge recomputed"


def strength(trust: Trust, in_coq: bool) -> str:
    """Return the same in a word or two, for a table; empty where there is no certificate and no sentence."""
    if in_coq:
        return "Coq"
    if trust.argued:
        return counted(trust.argued, "sentence")
    return "" if trust.missing else "every step judged" if trust.facts else "its witness"


def coq_note(theorems: int) -> str:
    """Return how many theorems Coq's kernel has accepted, as a record says; empty for none."""
    are = "theorem is" if theorems == 1 else "theorems are"
    return f"{theorems} {are} recorded as accepted whole by Coq's kernel; make coq repeats it" if theorems else ""


def step_kind(step: Mapping[str, Any]) -> str:
    """Return how far a step is from being only words: judged (and said: its words count), cited, argued, joined, computed, failed."""
    judged = "judged and said" if step.get("said") else "judged"
    return (KINDS.get(step["kind"]) or (judged if "formal" in step else "computed")) if step["holds"] else "failed"


@cache
def _underscores() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the underscores in a value's name that stand for a hyphen (in a policy's name) and for a space; an A keeps its index."""
    own = "|".join(sorted(map(re.escape, policy_indices()))) or "(?!)"
    hyphen = re.compile(rf"(?:(?<=^a)|(?<=_a))_(?={own})|(?<=h)_(?=sf)|(?<=H)_(?=SF)")
    return hyphen, re.compile(rf"(?<!A)_|_(?!{own})")


def label(name: str) -> str:
    """Return the name of a value in evidence as a text: a symbol is mathematics, all else is words."""
    hyphen, space = _underscores()
    symbol = None if hyphen.search(name) else SYMBOL.fullmatch(name)
    if symbol is None:
        words = re.sub(r"\b(lemma|paper|theorem) s\b", r"\1's", space.sub(" ", hyphen.sub("-", name)))
        return re.sub(r"A_\w+", r"$\g<0>$", words)
    letter, index = LETTERS.get(symbol[1], symbol[1]), symbol[2]
    if index == "M":  # a multiple of the memory
        return f"${letter}M$"
    return f"${letter}_{index}$" if index else f"${letter}$"


def shown(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(label(str(name)), shown(item)) for name, item in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    """Return a name with its value as words: ``n = 3``, ``by counting 12``, ``law: uniform``."""
    said = unmarked(name)
    if SIGN.fullmatch(name):
        return f"{said} = {text}"
    return f"{said} {text}" if NUMERAL.match(text) or said.split()[-1] in LEADS else f"{said}: {text}"


def near(text: str, figures: int) -> str:
    """Return an integer, a decimal or a fraction p/q, however large, with so many figures."""
    top, _, bottom = text.partition("/")
    with localcontext() as context:
        context.prec = figures + 5
        value = Decimal(top) / Decimal(bottom or 1)
        return f"{value:.{figures}g}"


def is_fraction(text: str) -> bool:
    """Return whether a text is a fraction of two integers."""
    return re.fullmatch(r"-?\d+/0*[1-9]\d*", text) is not None


def scalar(item: Any) -> tuple[str, str]:
    """Return a scalar as a short marked text, and its whole value where it is exact and longer, else an empty text."""
    if item is None or isinstance(item, bool):
        return {None: "none", True: "yes", False: "no"}[item], ""
    if isinstance(item, float):
        return f"{item:.6g}", ""
    text = str(item).replace(" +/- ", " ± ")
    if is_fraction(text):
        approximate = f"≈ {near(text, 6)}"
        return (approximate, text) if len(text) > LONG else (f"{text} {approximate}" if len(text) > 9 else text, "")
    if re.fullmatch(r"-?\d+\.\d{7,}", text):
        return text[: text.index(".") + 6] + "…", text
    if len(text) <= LONG or not re.search(r"\d{25,}", text):
        return text, ""
    if re.fullmatch(r"-?\d+", text):
        return f"≈ {near(text, 6)}", text
    return re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text), text
