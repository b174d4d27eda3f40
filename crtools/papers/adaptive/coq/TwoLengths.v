(* Laws on two lengths l < u, with weights x on l and y on u: the suprema of the ratios to H-SF's form, and where they
  are. *)
From Crtools Require Import Prelude Forms.

Definition on_two (f : R -> R -> R) (l u x y : R) : R := f l l * x ^ 2 + 2 * f l u * x * y + f u u * y ^ 2.

Definition a_ell (s l u x y : R) : R := l * (s + l) * (x + y) * (x + 2 * y) + u * (s + u) * y ^ 2.
Definition a_max_two (s l u x y : R) : R := (s + u) * (x + y) * (l * x + u * y).

Lemma square_above : forall c d x y, 0 < c -> c * d ^ 2 = y - x -> x <= y /\ (x = y <-> d = 0).
Proof.
  intros c d x y C H. assert (0 <= c * d ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). split; [lra |].
  split; [| intros ->; lra]. intros ->. apply Rsqr_0_uniq. unfold Rsqr. apply (Rmult_eq_reg_l c); lra.
Qed.

(* At s = 0, A_min's ratio is at most (3 - l/u)/2, and only where l x = u y. *)
(* Theorem "a_min on two points": \sup_{t \ge 0} \frac{x^\top A x}{x^\top B x} = \frac{3-\alpha}{2}
   Reading: s = 0, every 0 < α < 1; attained at t = x_l/x_u = 1/α, that is x_l l = x_u u, and nowhere else *)
(* Finding "a-min-bound" of "thm-two-point", proved at form-at-zero: on ${ℓ, u}$: $CR(A_min) ≤ (3-alpha)/2$
   Reading: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound = (3-alpha)/2; num = l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y; den =
   l**2*x**2+2*l**2*x*y+u**2*y**2; ratio = 1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1) *)
Theorem two_point_bound : forall l u x y, 0 < l < u ->
  on_two (a 0) l u x y <= (3 - l / u) / 2 * on_two (b 0) l u x y /\
  (on_two (a 0) l u x y = (3 - l / u) / 2 * on_two (b 0) l u x y <-> l * x = u * y).
Proof.
  intros l u x y H. assert (0 < (u - l) / (2 * u)) as C by (apply Rdiv_lt_0_compat; lra).
  destruct (square_above _ (l * x - u * y) (on_two (a 0) l u x y) ((3 - l / u) / 2 * on_two (b 0) l u x y) C) as [P Q].
  { unfold on_two, a, b. field. lra. }
  split; [exact P |]. rewrite Q. lra.
Qed.

(* For every s: the exact supremum. *)
Definition excess (s l u : R) : R :=
  (s + l) * (u - l) * (s + l + u) / (2 * (s + u) * (l * (s + l) + sqrt (l * (s + l) * (u * (s + u))))).

(* Theorem "a_min on two points, every s": \sup = 1 + \frac{(s+l)(u-l)(s+l+u)}{2(s+u)\,(a + \sqrt{a d})},\quad a =
   l(s+l),\ d = u(s+u)
   Reading: every s ≥ 0 and 1 ≤ l < u; attained at x_l/x_u = √(d/a) *)
Theorem two_point_every_s : forall s l u x y, 0 <= s -> 0 < l < u ->
  on_two (a s) l u x y <= (1 + excess s l u) * on_two (b s) l u x y /\
  (on_two (a s) l u x y = (1 + excess s l u) * on_two (b s) l u x y <->
   sqrt (l * (s + l)) * x = sqrt (u * (s + u)) * y).
Proof.
  intros s l u x y S H.
  assert (0 < l * (s + l)) as A0 by (apply Rmult_lt_0_compat; lra).
  assert (0 < u * (s + u)) as D0 by (apply Rmult_lt_0_compat; lra).
  pose proof (sqrt_lt_R0 _ A0) as P0. pose proof (sqrt_lt_R0 _ D0) as Q0.
  pose proof (sqrt_sqrt (l * (s + l)) ltac:(lra)) as PP. pose proof (sqrt_sqrt (u * (s + u)) ltac:(lra)) as QQ.
  unfold excess. rewrite sqrt_mult by lra.
  set (p := sqrt (l * (s + l))) in *. set (q := sqrt (u * (s + u))) in *.
  pose proof (Rmult_lt_0_compat p q P0 Q0) as PQ.
  set (e := (s + l) * (u - l) * (s + l + u) / (2 * (s + u) * (l * (s + l) + p * q))).
  assert (0 < e) as C.
  { apply Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat; lra. }
  destruct (square_above e (p * x - q * y) (on_two (a s) l u x y) ((1 + e) * on_two (b s) l u x y) C) as [I J].
  { assert (on_two (a s) l u x y = on_two (b s) l u x y + 2 * e * (l * (s + l) + p * q) * (x * y)) as ->.
    { unfold on_two, a, b, e. field. lra. }
    replace (on_two (b s) l u x y) with ((p * p) * x ^ 2 + 2 * (p * p) * x * y + (q * q) * y ^ 2)
      by (rewrite PP, QQ; unfold on_two, b; ring). rewrite <- PP. ring. }
  split; [exact I |]. rewrite J. lra.
Qed.

(* One bound for every s. *)
(* Theorem "a_min on two points, one bound for every s": \sup \le 1 + \tfrac12(1+\alpha)\Bigl(\sqrt{1/\alpha} - 1\Bigr)
   Reading: every s ≥ 0 and 1 ≤ l < u; from the exact supremum 1 + (u−l)(s+l+u)/(2(s+u)(l + √(l u (s+u)/(s+l)))) *)
Theorem two_point_one_bound : forall s l u x y, 0 <= s -> 0 < l < u ->
  on_two (a s) l u x y <= (1 + (1 + l / u) * (sqrt (u / l) - 1) / 2) * on_two (b s) l u x y.
Proof.
  intros s l u x y S H. destruct (two_point_every_s s l u x y S H) as [I _]. eapply Rle_trans; [exact I |].
  assert (0 <= on_two (b s) l u x y) as B0.
  { replace (on_two (b s) l u x y) with (l * (s + l) * (x + y) ^ 2 + (u - l) * (s + u + l) * y ^ 2) by (unfold on_two,
    b; ring).
    apply Rplus_le_le_0_compat; (apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply pow2_ge_0]). }
  apply Rmult_le_compat_r; [exact B0 |]. apply Rplus_le_compat_l. unfold excess.
  assert (0 < l * l) as LL by (apply Rmult_lt_0_compat; lra).
  assert (0 <= u / l) as UL by (apply Rle_mult_inv_pos; lra).
  pose proof (sqrt_lt_R0 (u / l) ltac:(apply Rdiv_lt_0_compat; lra)) as R0. pose proof (sqrt_sqrt _ UL) as RR.
  set (r := sqrt (u / l)) in *. assert (u = r * r * l) as U by (rewrite RR; field; lra).
  assert ((s + l) * (l * r) <= sqrt (l * (s + l) * (u * (s + u)))) as M.
  { rewrite <- (sqrt_Rsqr ((s + l) * (l * r))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
    apply sqrt_le_1_alt. unfold Rsqr.
    replace ((s + l) * (l * r) * ((s + l) * (l * r))) with ((l * (s + l) * u) * (s + l)) by (rewrite U; ring).
    replace (l * (s + l) * (u * (s + u))) with ((l * (s + l) * u) * (s + u)) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply Rmult_le_pos |]; lra | lra]. }
  assert (1 < r) as R1.
  { apply Rnot_le_lt. intro Y. assert (r * r <= 1 * 1) by (apply Rmult_le_compat; lra).
    apply (Rmult_le_compat_r l) in H0; lra. }
  assert (0 < s + l) by lra. assert (0 < l * r) by (apply Rmult_lt_0_compat; lra).
  assert (0 < (s + l) * (l * r)) by (apply Rmult_lt_0_compat; lra).
  assert (0 < l * (s + l)) by (apply Rmult_lt_0_compat; lra).
  apply Rle_trans with ((s + l) * (u - l) * (s + l + u) / (2 * (s + u) * (l * (s + l) + (s + l) * (l * r)))).
  - apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra |].
    apply Rinv_le_contravar; [repeat apply Rmult_lt_0_compat; lra |].
    apply Rmult_le_compat_l; lra.
  - clearbody r. replace (u - l) with ((r - 1) * (r + 1) * l) by lra.
    apply Rle_trans with ((1 + l * / (s + u)) * (r - 1) / 2); [right; field; repeat split; lra |].
    assert (/ (s + u) <= / u) as V by (apply Rinv_le_contravar; lra). apply (Rmult_le_compat_l l) in V; [| lra].
    assert ((1 + l * / (s + u)) * (r - 1) <= (1 + l / u) * (r - 1)) by (apply Rmult_le_compat_r; unfold Rdiv; lra). lra.
Qed.

(* A_l at s = 0: 1 + alpha/(2(1 - alpha)) for alpha <= 1/2, attained; 1 + 2 alpha^2 above, attained; alpha = l/u. *)
Lemma a_ell_low : forall l u x y, 0 < l -> 2 * l <= u ->
  a_ell 0 l u x y <= (1 + l / u / (2 * (1 - l / u))) * on_two (b 0) l u x y /\
  (a_ell 0 l u x y = (1 + l / u / (2 * (1 - l / u))) * on_two (b 0) l u x y <-> l * x = (u - 2 * l) * y).
Proof.
  intros l u x y L H. assert (0 < l / (2 * (u - l))) as C by (apply Rdiv_lt_0_compat; lra).
  destruct (square_above _ (l * x - (u - 2 * l) * y) (a_ell 0 l u x y)
    ((1 + l / u / (2 * (1 - l / u))) * on_two (b 0) l u x y) C) as [P Q].
  { unfold on_two, a_ell, b. field. repeat split; lra. }
  split; [exact P |]. rewrite Q. lra.
Qed.

Lemma a_ell_high : forall l u x y, 0 < l < u -> u <= 2 * l -> 0 <= x -> 0 <= y ->
  a_ell 0 l u x y <= (1 + 2 * (l / u) ^ 2) * on_two (b 0) l u x y /\
  a_ell 0 l u 0 y = (1 + 2 * (l / u) ^ 2) * on_two (b 0) l u 0 y.
Proof.
  intros l u x y H U X Y. split; [| unfold a_ell, on_two, b; field; lra].
  assert (0 <= (l / u) ^ 2 * x * (2 * l ^ 2 * x + (4 * l ^ 2 - u ^ 2) * y)) as P.
  { assert (0 <= 4 * l ^ 2 - u ^ 2) by (replace (4 * l ^ 2 - u ^ 2) with ((2 * l - u) * (2 * l + u)) by ring; apply
    Rmult_le_pos; lra).
    pose proof (pow2_ge_0 l) as L2. apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow2_ge_0 | exact X] |].
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
  apply Rminus_le. apply Rle_trans with (- ((l / u) ^ 2 * x * (2 * l ^ 2 * x + (4 * l ^ 2 - u ^ 2) * y))); [right | lra].
  unfold a_ell, on_two, b. field. lra.
Qed.

(* Theorem "a_ell on two points": \sup_t = 1 + \frac{\alpha}{2(1-\alpha)}\ (\alpha \le \tfrac12),\qquad 1 + 2\alpha^2\
   (\alpha \ge \tfrac12)
   Reading: s = 0, every 0 < α < 1; attained at t = 1/α − 2 for α ≤ ½ and at t = 0 above *)
(* Finding "bound-up-to-half" of "thm-aell", proved at form-at-zero: on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+alpha/(2*(1-alpha))$
   for $α ≤ ½$
   Reading: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound_low = 1+alpha/(2*(1-alpha)); bound_high = 1+2*alpha**2; display_1_left =
   l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y; display_1_right = u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2);
   display_2 = u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2); display_3 =
   1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2); premise = 2*alpha*(1+alpha)*t *)
(* Finding "bound-from-half" of "thm-aell", proved at form-at-zero: on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+2*alpha**2$ for $α ≥
   ½$
   Reading: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound_low = 1+alpha/(2*(1-alpha)); bound_high = 1+2*alpha**2; display_1_left =
   l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y; display_1_right = u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2);
   display_2 = u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2); display_3 =
   1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2); premise = 2*alpha*(1+alpha)*t *)
Theorem a_ell_on_two : forall l u, 0 < l < u ->
  (l / u <= 1 / 2 -> forall x y, a_ell 0 l u x y <= (1 + l / u / (2 * (1 - l / u))) * on_two (b 0) l u x y /\
    (a_ell 0 l u x y = (1 + l / u / (2 * (1 - l / u))) * on_two (b 0) l u x y <-> x = (/ (l / u) - 2) * y)) /\
  (1 / 2 <= l / u -> forall x y, 0 <= x -> 0 <= y -> a_ell 0 l u x y <= (1 + 2 * (l / u) ^ 2) * on_two (b 0) l u x y /\
    a_ell 0 l u 0 y = (1 + 2 * (l / u) ^ 2) * on_two (b 0) l u 0 y).
Proof.
  intros l u H. assert (l = l / u * u) as E by (field; lra). split; intros C x y.
  - apply (Rmult_le_compat_r u) in C; [| lra]. destruct (a_ell_low l u x y ltac:(lra) ltac:(lra)) as [P Q].
    split; [exact P |]. rewrite Q. replace ((/ (l / u) - 2) * y) with ((u - 2 * l) * y / l) by (field; lra). split; intros G.
    + rewrite <- G. field. lra.
    + rewrite G. field. lra.
  - apply (Rmult_le_compat_r u) in C; [| lra]. intros X Y. apply a_ell_high; lra.
Qed.

(* For every s: s = 0 with the roots of what the two lengths occupy in the place of the lengths. *)
(* Theorem "a_ell on two points, every s": \sup_t = 1 + \frac{\beta}{2(1-\beta)}\ (\beta \le \tfrac12),\qquad 1 +
   2\beta^2\ (\beta \ge \tfrac12),\qquad \beta = \sqrt{\tfrac{l(s+l)}{u(s+u)}}
   Reading: every s ≥ 0 and 1 ≤ l < u, so that 0 < β < 1; attained at t = 1/β − 2 for β ≤ ½ and at t = 0 above *)
Theorem a_ell_every_s : forall s l u, 0 <= s -> 0 < l < u ->
  let beta := sqrt (l * (s + l) / (u * (s + u))) in 0 < beta < 1 /\
  (beta <= 1 / 2 -> forall x y, a_ell s l u x y <= (1 + beta / (2 * (1 - beta))) * on_two (b s) l u x y /\
    (a_ell s l u x y = (1 + beta / (2 * (1 - beta))) * on_two (b s) l u x y <-> x = (/ beta - 2) * y)) /\
  (1 / 2 <= beta -> forall x y, 0 <= x -> 0 <= y -> a_ell s l u x y <= (1 + 2 * beta ^ 2) * on_two (b s) l u x y /\
    a_ell s l u 0 y = (1 + 2 * beta ^ 2) * on_two (b s) l u 0 y).
Proof.
  intros s l u Z H beta.
  assert (0 < l * (s + l)) as P by (apply Rmult_lt_0_compat; lra).
  assert (0 < (u - l) * (s + u + l)) as Q by (apply Rmult_lt_0_compat; lra).
  assert (l * (s + l) < u * (s + u)) as PQ by lra.
  pose proof (sqrt_lt_R0 _ P) as P0. pose proof (sqrt_lt_1_alt (l * (s + l)) (u * (s + u)) ltac:(lra)) as Q0.
  pose proof (sqrt_sqrt (l * (s + l)) ltac:(lra)) as PP. pose proof (sqrt_sqrt (u * (s + u)) ltac:(lra)) as QQ.
  assert (beta = sqrt (l * (s + l)) / sqrt (u * (s + u))) as E by (apply sqrt_div; lra). rewrite E. clear beta E.
  set (p := sqrt (l * (s + l))) in *. set (q := sqrt (u * (s + u))) in *.
  assert (forall x y, a_ell s l u x y = a_ell 0 p q x y) as EA.
  { intros x y. unfold a_ell. rewrite <- PP, <- QQ. ring. }
  assert (forall x y, on_two (b s) l u x y = on_two (b 0) p q x y) as EB.
  { intros x y. unfold on_two, b. rewrite <- PP, <- QQ. ring. }
  destruct (a_ell_on_two p q ltac:(lra)) as [F G]. split; [| split; intros C x y].
  - split; [apply Rdiv_lt_0_compat; lra |]. apply (Rmult_lt_reg_r q); [lra |]. replace (p / q * q) with p by (field;
    lra). lra.
  - rewrite EA, EB. now apply F.
  - intros X Y. rewrite !EA, !EB. now apply G.
Qed.

(* A_max: with every request short the ratio is (s+u)/(s+l), so that no number bounds it. *)
(* Theorem "a_max on two points": \frac{(s+u)(x_l+x_u)(l x_l+u x_u)}{\dots} = \frac{s+u}{s+l}\ \text{at}\ x_u = 0
   Reading: every s ≥ 0 and u > l ≥ 1, of the forms *)
(* Finding "a-max-unbounded" of "thm-two-point", proved at form-at-zero: $A_max$'s ratio there is unbounded
   Reading: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound = (3-alpha)/2; num = l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y; den =
   l**2*x**2+2*l**2*x*y+u**2*y**2; ratio = 1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1) *)
(* Finding "a-max-unbounded" of "thm-two-point", proved at form: $A_max$'s ratio there is unbounded
   Reading: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound = (3-alpha)/2; num = l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y; den =
   l**2*x**2+2*l**2*x*y+u**2*y**2; ratio = 1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1) *)
Theorem a_max_unbounded : forall s l, 0 <= s -> 0 < l ->
  (forall u x, a_max_two s l u x 0 = (s + u) / (s + l) * on_two (b s) l u x 0) /\
  forall K, exists n, l < INR n /\ K * on_two (b s) l (INR n) 1 0 < a_max_two s l (INR n) 1 0.
Proof.
  intros s l S L. assert (forall u x, a_max_two s l u x 0 = (s + u) / (s + l) * on_two (b s) l u x 0) as D.
  { intros u x. unfold a_max_two, on_two, b. field. lra. }
  split; [exact D |]. intros K. set (r := l + (s + l) * (Rabs K + 1)). pose proof (Rabs_pos K). pose proof (Rle_abs K).
  assert (0 < (s + l) * (Rabs K + 1)) by (apply Rmult_lt_0_compat; lra). destruct (archimed r) as [U _].
  assert (0 <= up r)%Z as P by (apply le_IZR; unfold r in *; lra).
  exists (Z.to_nat (up r)). rewrite INR_IZR_INZ, Z2Nat.id by exact P. set (u := IZR (up r)) in *.
  split; [unfold r in U; lra |]. rewrite D. apply Rmult_lt_compat_r.
  - unfold on_two, b. assert (0 < l * (s + l)) by (apply Rmult_lt_0_compat; lra). lra.
  - apply (Rmult_lt_reg_r (s + l)); [lra |]. replace ((s + u) / (s + l) * (s + l)) with (s + u) by (field; lra).
    assert (K * (s + l) <= Rabs K * (s + l)) by (apply Rmult_le_compat_r; lra). unfold r in U. lra.
Qed.
