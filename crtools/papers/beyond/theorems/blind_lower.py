"""No blind policy is better than ρ*: a price on machine time (crtools.blind.price), on one machine and in the process."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.blind.least import cost, least_cost
from crtools.blind.price import end_of_price, lost
from crtools.enclosure import Enclosure, ball
from crtools.papers.beyond.theorems import kill_and_restart
from crtools.papers.nonclairvoyant.theory import TEXT
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

CONSTANT = Fraction(61, 50)
"""1.22: what is lost of ln R."""

A, B, P, y, r, z, t, x, L, rho = sp.symbols("A B P y r z t x L rho", positive=True)

PRICE = (
    "the price w(t) is $2√(ρq) − q t$ up to $t₀ = √(ρ/q)$, $ρ/t$ from there up to $T√R$ and 0 after, with $q = 3 − 2√2$, "
    "$\\ln T = \\ln 2ρ − 1 + κ/(2ρ)$, $κ = 2Y − 2ρ \\ln Y$, $Y = ρ + √(ρ² − ρ)$"
)

LAW = r"P(v > t) = t^{-1/2} \text{ on } [1, R),\ v \le R"


def constant() -> Enclosure:
    """Return an enclosure of what is lost of ln R."""
    return Enclosure.from_ball(lost(ball(least_cost(20).value.lower).union(ball(least_cost(20).value.upper))))


def attempts() -> Theorem:
    """What an attempt gains and uses, for any law of sizes."""
    proof = Proof("what an attempt gains and uses", "every law of sizes, every $0 ≤ a < c$")
    return proof.argued(
        r"\mathrm{gain} = P(v > a) - P(v > c),\quad F = a P(v > a) + \int_a^c P(v > t)\,dt",
        "an attempt that kills at c, after one at a, runs with probability P(v > a), and then for min(v, c)",
        test=kill_and_restart.step_uses,
        tested="every law on {1, 2, 4, 9} with weights in {1, 2, 5}, every a < c, exactly",
        name="uses",
    ).qed()


def duality_on_machine() -> Theorem:
    """On one machine what all jobs gain and pay, less the price of all time, is at most E ΣC_j."""
    proof = Proof(
        "weak duality on one machine",
        "every n; independent sizes of any law up to R; every policy with kill and restart that may know the law and use coins; "
        "every price $w_n ≥ 0$ that does not rise",
        r"\mathbb E\sum_j C_j \ge \sum_j \mathbb E\Bigl[\sum_k \mathrm{gain}_k(t_k - R) + w_n(t_k)F_k\Bigr] - \int_0^\infty w_n",
    )
    proof.cite(attempts())
    return proof.argued(
        r"\sum_j \text{what job } j \text{ pays} \le \int_0^\infty w_n,\quad C_j \ge t_k - R",
        "given the other sizes and the coins, a job's kill ages and starts are fixed as long as it is unfinished; only attempts "
        "beyond its oldest age count. It completes after the start of its last attempt, t_k − R. The machine runs one job at a time "
        "and the price does not rise, so all jobs together pay at most ∫ w_n, and each attempt at least w_n at t_k for each unit of "
        "its time",
        test=kill_and_restart.prices,
        tested="every 3 sizes in {1, 4, 9} under three plans of thresholds and a price with three steps, exactly",
        name="duality",
    ).qed()


def duality_in_process() -> Theorem:
    """In the process the same with token-instants for machine time, against an optimum that is near the volume bound."""
    s, k = sp.symbols("s k", positive=True)
    proof = Proof(
        "weak duality in the process",
        "every s ≥ 0, n and M > v(u); independent lengths of any law up to u; policies and prices as on one machine; a request may also "
        "pause and keep its memory, but not leave the memory and keep its tokens",
        r"\mathbb E\,\mathrm{TEL} \ge \sum_j \mathbb E\Bigl[\sum_k \mathrm{gain}_k \bigl(t_k - \tfrac{u(u+1)}2\bigr) + w_n(t_k) F_k\Bigr] "
        r"- M\int w_n,\quad "
        r"\mathrm{OPT} \le \tfrac{1}{2(M - v(u))}\textstyle\sum_{i,j}v(\min(o_i, o_j)) + O(n)",
    )
    text = "an attempt that ends at age c holds s + k tokens at age k: v(c) = sc + c(c+1)/2 token-instants in all"
    proof.telescoping(text, s + k, _volume(k, s), k, name="volumes")
    proof.cite(attempts())
    a, p = sp.symbols("a p", positive=True)
    proof.nonnegative(
        "a request that pauses at age a for v(a)/(s+a) + p instants, p ≥ 0, holds no less in them than v(a), what an attempt from nothing "
        "to a uses",
        (_volume(a, s) / (s + a) + p) * (s + a) - _volume(a, s),
        (s, 0),
        (a, 1),
        (p, 0),
        name="long pause",
    )
    proof.nonnegative(
        "a shorter pause takes at most a instants", a - _volume(a, s) / (s + a), (s, 0), (a, 1), name="short pause"
    )
    proof.telescoping("all pauses, at most a at each age a < u: Σ a", a, a * (a + 1) / 2, a, name="all pauses")
    proof.identity("with u instants of work", (p - 1) * p / 2 + p, p * (p + 1) / 2, name="longest")
    proof.argued(
        r"\text{after a pause of } v(a)/(s+a) \text{ instants or more, at age } a, \text{ a new attempt may be counted: up to } c "
        r"\text{ it and the pause use at least } F(a, c)",
        "F(a, c) = v(a)P(o > a) + what is used beyond a. The pause holds v(a) or more of each that is longer than a, and is over "
        "before the attempt ends, so at a price of w_n(t_k) or more. Shorter pauses are left in their attempt, and use more",
        test=kill_and_restart.pauses,
        tested="every law on {1, 2, 4} with weights in {1, 2, 5}, s in {0, 2}, every a < c and pause up to 8, exactly",
        name="pauses",
    )
    proof.argued(
        r"\sum_j \text{what request } j \text{ pays} \le M\sum_{t\ge1} w_n(t) \le M\int_0^\infty w_n,\quad "
        r"C_j \ge t_k - \tfrac{u(u+1)}2",
        "as on one machine: attempts run beside each other, but at each instant they hold at most M, and none takes more than u(u+1)/2 "
        "instants: u of work, and pauses of at most a instants at each age a < u",
        test=kill_and_restart.prices_in_process,
        tested="kill and restart with doubled lengths: every 4 lengths in {1, 3, 5}, s in {0, 2}, two memories, exactly",
        name="duality",
    )
    return proof.argued(
        r"\mathrm{OPT} \le \tfrac{1}{2(M - v(u))}\sum_{i,j}v(\min(o_i, o_j)) + n\Bigl(\textstyle\sum_{p\le u}(1+p) + u\Bigr)",
        "one length after the other, from the shortest on: ⌊M/v(o)⌋ requests start at each instant, so the ages 1 … o are held by at "
        "most so many each and use at most M; then o instants pass. A class takes at most N_o/⌊M/v(o)⌋ + 1 + o instants, and "
        "⌊M/v⌋ ≥ (M − v)/v",
        test=kill_and_restart.pacing,
        tested="five lists of lengths, s in {0, 1, 3}, three memories each",
        name="paced",
    ).qed()


def _volume(o: sp.Expr, s: sp.Expr) -> sp.Expr:
    return o * (2 * s + o + 1) / 2


def steps() -> Theorem:
    """Each step of a job and its machine time cost at least 2ρ ln y, and all steps together at least ρ ln R + κ."""
    gain, uses = (1 - 1 / y) / r, r * (2 * y - 1)
    proof = Proof(
        "what a job's steps cost",
        f"sizes with ${LAW}$; times per job, so that machine time is priced by w; every ρ ≤ ρ*; $R ≥ (2+√2)²$; "
        f"kill ages $c_1 < c_2 < …$ with $c_k = r_k²$, $y = r_k/r_{{k−1}}$, at times $t_1 ≤ t_2 ≤ …$; {PRICE}",
        r"\sum_k \bigl(\mathrm{gain}_k\, t_k + w(t_k) F_k\bigr) \ge \rho\ln R + \kappa",
    )
    proof.cite(attempts())
    proof.integral(
        "the integral, in τ = √t: dt/√t = 2 dτ", sp.Integer(2), (x, r, r * y), 2 * r * y - 2 * r, name="integral"
    )
    proof.identity("and with the first part", r + (2 * r * y - 2 * r), uses, name="F")
    proof.identity(
        "gain · F does not depend on r, and is ρ-cost · ln² y", gain * uses, cost(y, L) * L**2, name="product"
    )
    proof.cite(TEXT.theorem("one stationary point"))
    proof.therefore(
        r"\mathrm{gain}\cdot F \ge \rho \ln^2 y",
        "gain · F/ln² y is the cost of which ρ* is the least value, and ρ ≤ ρ*",
        of=("product", "one stationary point"),
        name="least",
    )
    proof.identity(
        "with gain = A², F = B², ρ = P², at τ² = t ≥ t₀: gain·t + ρF/t − 2√(ρ gain F) is a square",
        A**2 * z**2 + P**2 * B**2 / z**2 - 2 * P * A * B,
        (A * z - P * B / z) ** 2,
        name="from t₀ on",
    )
    root = sp.Symbol("w", positive=True)  # w² = 2
    q_value = 3 - 2 * root
    proof.identity(
        "gain/F ≤ q = 3 − 2w as r ≥ 1, w = √2: q y(2y−1) − (y−1) is 2q times a square, as w² = 2",
        q_value * y * (2 * y - 1) - (y - 1) - 2 * q_value * (y - 1 - root / 2) ** 2,
        (root**2 - 2) * (root + sp.Rational(5, 2) - 4 * y),
        name="quotient",
    )
    proof.identity(
        "before t₀, with gain/F = A² ≤ q = B²: (A² − B²) t + 2PB falls in t, and at t₀ = P/B exceeds 2PA by a square",
        (A**2 - B**2) * P / B + 2 * P * B - 2 * P * A,
        P * (A - B) ** 2 / B,
        name="before t₀",
    )
    proof.therefore(
        r"\mathrm{gain}\cdot t + w(t)F \ge 2\sqrt{\rho\,\mathrm{gain}\,F} \ge 2\rho\ln y \quad (t \le T\sqrt R)",
        "the first inequality where the price is ρ/t by the square; before, where w(t) F + gain · t is F times what falls in t, by its "
        "value at t₀; the second as gain · F ≥ ρ ln² y",
        of=("least", "from t₀ on", "quotient", "before t₀"),
        name="step",
    )
    proof.nonnegative(
        "the last step, of x/y to x = √R, gains all that is left, 1/r. Its F/gain = x²(2y−1)/y² falls in y, and at y = x is "
        "2x − 1 ≥ 1/q for x ≥ 2 + √2: so it too costs 2√(ρ gain F), gain · F = 2y − 1",
        -sp.diff((2 * y - 1) / y**2, y),
        y >= 1,
        name="last",
    )
    proof.identity(
        "1/q = 2(2 + w) − 1, as w² = 2", (2 * (2 + root) - 1) * q_value, 1 - 4 * (root**2 - 2), name="last size"
    )
    proof.identity(
        "2√(ρ(2y−1)) − 2ρ ln y is least where y² = ρ(2y−1), at the root Y = ρ + √(ρ²−ρ) (the smaller root is below 1): with "
        "2y − 1 = Y²/ρ it is κ = 2Y − 2ρ ln Y there",
        (rho + x) ** 2 - rho * (2 * (rho + x) - 1) - (x**2 - (rho**2 - rho)),
        0,
        name="kappa",
    )
    proof.identity(
        "steps after T√R gain at least T · √R/r in all; T x − 2ρ ln x is least at x = 2ρ/T, and ln T is such that it is κ there: "
        "2ρ − 2ρ (ln 2ρ − ln T) with ln T = ln 2ρ − 1 + κ/(2ρ)",
        2 * rho - 2 * rho * (L - (L - 1 + B / (2 * rho))),
        B,
        name="after T√R",
    )
    proof.therefore(
        r"\textstyle\sum_k \ge 2\rho\sum\ln y_k + \kappa = \rho\ln R + \kappa",
        "either all steps are before T√R and the last one adds κ, or those from T√R on do",
    )
    return proof.qed()


def price() -> Theorem:
    """What all machine time costs, and what is lost of ln R."""
    b = sp.Symbol("b", positive=True)
    proof = Proof(
        "the price of all machine time",
        f"every ρ > 1, $R ≥ (2+√2)²$; {PRICE}",
        rf"2\Bigl(\rho\ln R + \kappa - \int_0^\infty w\Bigr) \ge \rho(\ln R - {sp.latex(sp.Rational(str(CONSTANT)))})",
    )
    proof.integral("up to t₀ = P/b, with ρ = P², q = b²", 2 * P * b - b**2 * t, (t, 0, P / b), 3 * P**2 / 2)
    proof.therefore(
        r"\int_0^\infty w = \rho\Bigl(\tfrac32 + \ln\tfrac{T\sqrt R}{t_0}\Bigr)",
        "ln t₀ = ½ ln ρ + ln(1+√2)",
    )
    k, l2, lr, ls, big = sp.symbols("kappa ell2 ellrho ells ellR")
    whole = sp.Rational(3, 2) + big / 2 + (l2 + lr - 1 + k / (2 * rho)) - lr / 2 - ls
    proof.identity(
        "so c = 1 + 2 ln 2 + ln ρ − 2 ln(1+√2) − κ/ρ is lost",
        2 * (rho * big + k - rho * whole),
        rho * (big - (1 + 2 * l2 + lr - 2 * ls - k / rho)),
    )
    proof.computed(
        r"c \le " + sp.latex(sp.Rational(str(CONSTANT))), "balls at ρ*; and T√R ≥ t₀ at R = (2+√2)²", _lost_enough
    )
    return proof.therefore(r"2(\rho\ln R + \kappa - \textstyle\int w) \ge \rho(\ln R - 1.22)").qed()


def _lost_enough() -> str | None:
    found, rho = constant(), ball(least_cost(20).value.lower)
    if not end_of_price(rho) * (2 + ball(2).sqrt()) > rho.sqrt() * (1 + ball(2).sqrt()):
        return "the price ends before t₀"
    return None if found.upper <= CONSTANT else f"c = {found}"


def on_machine() -> Theorem:
    """On one machine, at every n, for random sizes: hence no blind policy has a smaller ratio than ρ*."""
    proof = Proof(
        "no blind policy is better, on one machine",
        f"every n; one machine, kill and restart; sizes drawn independently, ${LAW}$; every policy that may know this law and use "
        "coins, but not the sizes; the optimum knows the sizes",
        r"\frac{\mathbb E\sum_j C_j}{\mathbb E\,\mathrm{OPT}} \ge \frac{\rho^*(\ln R - 1.22) - 2R/n}{1 + \ln R + 4\sqrt R/n} "
        r"\to \rho^*\,\frac{\ln R - 1.22}{1 + \ln R} \to \rho^*",
    )
    proof.cite(duality_on_machine(), steps(), price())
    proof.therefore(
        r"2\,\mathbb E\sum_j C_j \ge n^2\rho^*(\ln R - 1.22) - 2nR",
        "times and prices scale with n. For R < (2+√2)² the bound on the ratio is below 1",
    )
    m = sp.Symbol("n", positive=True)
    proof.identity(
        "shortest first pays n E v + n(n−1)/2 · E min, E v = 2√R − 1, E min = 1 + ln R",
        m * (2 * x - 1) + m * (m - 1) / 2 * (1 + L),
        (m**2 * (1 + L) + 4 * m * x - 2 * m - m * (1 + L)) / 2,
    )
    return proof.therefore(
        r"2\,\mathbb E\,\mathrm{OPT} \le n^2(1 + \ln R) + 4n\sqrt R",
        "a policy whose ratio is ρ on every instance has E ΣC_j ≤ ρ E OPT over random ones",
    ).qed()


def in_process() -> Theorem:
    """In the process, for every s and interval, as n → ∞ and then M → ∞."""
    s, k = sp.symbols("s k", positive=True)
    proof = Proof(
        "no blind policy is better, in the process",
        "every s ≥ 0 and ℓ ≤ a < u; lengths drawn independently with P(o > k) = √(v(a)/v(k)) for a ≤ k < u; n → ∞, then M → ∞; every "
        "policy that may know this law and use coins, but not the lengths; against the optimum",
        r"\mathrm{CR} \ge \rho^*\,\frac{\ln(v(u)/v(a)) - 1.22}{1 + \sum_{k=a}^{u-1}(s+k+1)/v(k)} \to \rho^* \quad (u \to \infty)",
    )
    proof.cite(duality_in_process(), steps(), price())
    proof.therefore(
        r"F = v(a')P(o > a') + \sum_{a' \le k < c} P(o > k)\,(s+k+1) \ge \sqrt{v(a)}\,(2\sqrt{v(c)} - \sqrt{v(a')}),\quad "
        r"\mathrm{gain} \text{ as before}",
        "P(o > k) = √(v(a)/v(k)) is at least √(v(a)/t) for v(k) ≤ t < v(k+1); volumes are counted in v(a), and R = v(u)/v(a)",
        name="more use",
    )
    proof.therefore(
        r"\mathrm{CR} \ge \rho^*\,\frac{\ln R - 1.22}{1 + \sum_k P(o > k)^2 (s+k+1)/v(a)}",
        "times are counted in n v(a)/M, so that all else is of the order 1/n, and then 1/M",
    )
    proof.nonnegative("the terms of the sum are at most 2/k", 2 / k - (s + k + 1) / _volume(k, s), (s, 0), (k, 1))
    return proof.therefore(
        r"\textstyle\sum_k (s+k+1)/v(k) \le \ln R + \sum_k 2/k^2 < \ln R + 4, \text{ so the bound tends to } \rho^*",
        "x − ln(1 + x) ≤ x²/2 at x = (s+k+1)/v(k) ≤ 2/k, and ln(1 + x) = ln(v(k+1)/v(k)) telescopes",
    ).qed()
