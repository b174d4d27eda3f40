(* What claims say of the forms, at the numbers of a witness or for all: each statement stands for a finding of the ledger. *)
From Crtools Require Import Prelude Forms Suprema Inverse Logarithms TwoLengths LinearGeometric Geometric.

(* ---- A_max: the lower bound that is claimed ------------------------------------------------------------------------- *)

Lemma a_max_below : forall s r, (s <= 1)%nat -> max_supremum (INR s) 1 2 = (INR s + 2) / (2 * (INR s + 1)) * (1 + sqrt r) ->
  0 <= r < 2 -> let alpha := INR 1 / INR 2 in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) 1 2 x <= K * form (B (INR s)) 1 2 x.
Proof.
  intros n r N E Q alpha. exists (max_supremum (INR n) 1 2). split; [| intros x; apply a_max_supremum; [apply pos_INR | lia]].
  pose proof (pos_INR n). apply le_INR in N. cbn in N. revert E N H. generalize (INR n). intros s E N H. rewrite E.
  unfold alpha. cbn [INR]. replace (1 / (1 + 1)) with (/ 2) by field.
  rewrite sqrt_inv by lra. pose proof (sqrt_lt_1_alt r 2 ltac:(lra)) as L. pose proof (sqrt_pos r) as P.
  apply Rle_lt_trans with (1 * (1 + sqrt r)).
  - apply Rmult_le_compat_r; [lra |]. apply (Rmult_le_reg_r (2 * (s + 1))); [lra |]. field_simplify; lra.
  - replace ((1 + 1 / / sqrt 2) / (2 * / 2)) with (1 + sqrt 2); [lra |]. field. pose proof (sqrt_lt_R0 2). lra.
Qed.

(* On [1, 2] the supremum of A_max's ratio is below the bound. *)
(* Finding "bound-at-zero" of "thm-amax-lower", refuted at form-at-zero: $CR(A_max)$ is at least the bound, of the
   form at $s = 0$
   Reading: $s = 0$, all lengths $l < u$ with $l/u = α$, the supremum over all weights, of the form as $M → ∞$
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower_at_zero : (let s := 0 in let l := 1 in let u := 2 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) l u x <= K * form (B (INR s)) l u x)%R)%nat.
Proof.
  apply (a_max_below 0 (4 / 3)); [lia | | lra]. unfold max_supremum. rewrite Sum_one. cbn [INR].
  replace (1 + (0 + 1) / 1 * / (0 + 2 * (1 + 1) - 1)) with (4 / 3) by field. field.
Qed.

(* Finding "bound-of-form" of "thm-amax-lower", refuted at form: $CR(A_max)$ is at least the bound, of the form for
   every $s$
   Reading: every $s ≥ 0$, all lengths $l < u$ with $l/u = α$, the supremum over all weights, of the form as $M → ∞$
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower : (let s := 1 in let l := 1 in let u := 2 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) l u x <= K * form (B (INR s)) l u x)%R)%nat.
Proof.
  apply (a_max_below 1 (3 / 2)); [lia | | lra]. unfold max_supremum. rewrite Sum_one. cbn [INR].
  replace (1 + (1 + 1) / 1 * / (1 + 2 * (1 + 1) - 1)) with (3 / 2) by field. field.
Qed.

(* ---- upper bounds for all lengths ------------------------------------------------------------------------------------ *)

Lemma times_B : forall s l u x c d, 0 <= s -> (1 <= l <= u)%nat -> c <= d -> c * form (B s) l u x <= d * form (B s) l u x.
Proof. intros s l u x c d Z H C. apply Rmult_le_compat_r; [apply B_semidefinite; [exact Z | lia] | exact C]. Qed.

Lemma stretched : forall s l u, 0 <= s -> (1 <= l <= u)%nat ->
  1 <= INR l <= INR u /\ (s + INR u) / (s + INR l) <= INR u / INR l.
Proof.
  intros s l u Z H. destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  split; [lra |]. eapply from_difference with (d := s * (INR u - INR l) / (INR l * (s + INR l))).
  - apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra | apply Rmult_lt_0_compat; lra].
  - field. lra.
Qed.

(* A_max: the upper bound that is claimed, of the form. *)
(* Finding "bound-at-zero" of "thm-amax-upper", proved at form-at-zero: $CR(A_max)$ is at most the bound, of the
   form at $s = 0$
   Reading: $s = 0$, all lengths $l < u$ with $l/u = α$, all weights, of the form as $M → ∞$
   Given: bound = (1+1/alpha)/(2*alpha) *)
(* Finding "bound-of-form" of "thm-amax-upper", proved at form: $CR(A_max)$ is at most the bound, of the form for
   every $s$
   Reading: every $s ≥ 0$, all lengths $l < u$ with $l/u = α$, all weights, of the form as $M → ∞$
   Given: bound = (1+1/alpha)/(2*alpha) *)
Theorem a_max_upper : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  let alpha := INR l / INR u in a_max s l u x <= (1 + 1 / alpha) / (2 * alpha) * form (B s) l u x.
Proof.
  intros s l u x Z H alpha. destruct (stretched s l u Z H) as [L G].
  eapply Rle_trans; [apply (proj1 (a_max_supremum s l u Z H)) |]. apply times_B; trivial.
  replace ((1 + 1 / alpha) / (2 * alpha)) with (INR u / INR l * / 2 * (1 + INR u / INR l)) by (unfold alpha; field; lra).
  unfold max_supremum. set (V := Sum _ (S l) u). assert (0 <= V /\ V <= (INR u - INR l) / (s + INR l)) as [V0 V1].
  { split; [apply (max_supremum_above s l u Z H) |]. unfold V.
    apply Rle_trans with (Sum (fun k => INR k / (s + INR l) - (INR k - 1) / (s + INR l)) (S l) u).
    - apply Sum_le. intros k K. replace (INR k / (s + INR l) - (INR k - 1) / (s + INR l)) with (/ (s + INR l)) by (field; lra).
      assert (S l <= k)%nat as K2 by lia. apply le_INR in K2. rewrite S_INR in K2. apply Rinv_le_contravar; lra.
    - rewrite (Sum_telescopes _ (fun k => k / (s + INR l)) (S l) u) by (lia || (intros; reflexivity)).
      rewrite S_INR. right. field. lra. }
  assert (1 <= INR u / INR l) as Q by (apply (Rmult_le_reg_r (INR l)); [lra |]; field_simplify; lra).
  assert (0 <= (s + INR l) / INR l) as P by (apply Rle_mult_inv_pos; lra).
  apply Rle_trans with (INR u / INR l * / 2 * (1 + sqrt (1 + (s + INR l) / INR l * V))).
  - apply Rmult_le_compat_r; [pose proof (sqrt_pos (1 + (s + INR l) / INR l * V)); lra |].
    replace ((s + INR u) / (2 * (s + INR l))) with ((s + INR u) / (s + INR l) * / 2) by (field; lra). lra.
  - apply Rmult_le_compat_l; [lra |]. apply Rplus_le_compat_l. rewrite <- (sqrt_pow2 (INR u / INR l)) by lra.
    apply sqrt_le_1_alt. apply (Rmult_le_compat_l _ _ _ P) in V1.
    replace ((s + INR l) / INR l * ((INR u - INR l) / (s + INR l))) with (INR u / INR l - 1) in V1 by (field; lra).
    pose proof (Rmult_le_compat_l (INR u / INR l) 1 (INR u / INR l) ltac:(lra) Q). lra.
Qed.

(* Finding "bound-at-zero" of "thm-random", proved at form-at-zero: $CR(A_random)$ is at most the bound, of the form
   at $s = 0$
   Reading: $s = 0$, all lengths $l < u$ with $l/u = α$, all weights, of the form as $M → ∞$
   Given: bound = (1+1/alpha)/2 *)
(* Finding "bound-of-form" of "thm-random", proved at form: $CR(A_random)$ is at most the bound, of the form for
   every $s$
   Reading: every $s ≥ 0$, all lengths $l < u$ with $l/u = α$, all weights, of the form as $M → ∞$
   Given: bound = (1+1/alpha)/2 *)
Theorem a_random_upper : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  let alpha := INR l / INR u in a_random s l u x <= (1 + 1 / alpha) / 2 * form (B s) l u x.
Proof.
  intros s l u x Z H alpha. destruct (stretched s l u Z H) as [L G].
  eapply Rle_trans; [apply (proj1 (a_random_supremum s l u Z H)) |]. apply times_B; trivial.
  replace (1 / alpha) with (INR u / INR l) by (unfold alpha; field; lra).
  assert (0 <= INR u / INR l) as Q by (apply Rle_mult_inv_pos; lra).
  assert (sqrt (occupied s u / occupied s l) <= INR u / INR l); [| lra].
  rewrite <- (sqrt_pow2 (INR u / INR l)) by exact Q. apply sqrt_le_1_alt. unfold occupied.
  replace (INR u * (s + INR u) / (INR l * (s + INR l))) with (INR u / INR l * ((s + INR u) / (s + INR l))) by (field; lra).
  apply (Rmult_le_compat_l _ _ _ Q) in G. lra.
Qed.

(* The total latency at memory M is in proportion to form/M. *)
(* Finding "forms-at-zero" of "lem-max-random", proved at form-at-zero: $E TEL(A_max, M) ≤ E TEL(A_random, αM)$, of
   the forms
   Reading: $s = 0$, all $l ≤ u$ and weights $x ≥ 0$, of the forms as $M → ∞$
   Given: factor = 1; requests = any *)
(* Finding "forms" of "lem-max-random", proved at form: $E TEL(A_max, M) ≤ E TEL(A_random, αM)$, of the forms
   Reading: every $s ≥ 0$, all $l ≤ u$ and weights $x ≥ 0$, of the forms as $M → ∞$
   Given: factor = 1; requests = any *)
Theorem max_random_of_forms : forall s l u x M, 0 <= s -> (1 <= l <= u)%nat -> (forall k, 0 <= x k) -> 0 < M ->
  let alpha := INR l / INR u in a_max s l u x / M <= a_random s l u x / (alpha * M).
Proof.
  intros s l u x M Z H X P alpha. destruct (stretched s l u Z H) as [L _].
  pose proof (a_max_below_a_random s l u x Z H X) as G.
  replace (a_random s l u x / (alpha * M)) with (/ (INR l / INR u) * a_random s l u x / M) by (unfold alpha; field; lra).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact G].
Qed.

(* O(log(1/alpha)): C and alpha_0 may depend on s, and on nothing else. *)
(* Finding "at-zero" of "wlog", proved at form-at-zero: $O(log(1/α))$ at $s = 0$
   Reading: at $s = 0$, all $u ≥ ℓ ≥ 1$, of the form: there are $C$ and $α₀$ such that for all $α ≤ α₀$ the supremum
   over $x ≥ 0$ is at most $C·g(α)$, that is $O(log(1/α))$
   Given: growth = log(1/alpha) *)
(* Finding "each-s" of "wlog", proved at form: $O(log(1/α))$ for each $s$
   Reading: for each integer $s ≥ 0$ (“the value of $s$ is known”), all $u ≥ ℓ ≥ 1$, of the form: there are $C$ and
   $α₀$ such that for all $α ≤ α₀$ the supremum over $x ≥ 0$ is at most $C·g(α)$, that is $O(log(1/α))$; $C$ and
   $α₀$ may depend on $s$
   Given: growth = log(1/alpha) *)
(* Finding "at-zero" of "thm-log", proved at form-at-zero: $O(log(1/α))$ at $s = 0$
   Reading: at $s = 0$, all $u ≥ ℓ ≥ 1$, of the form: there are $C$ and $α₀$ such that for all $α ≤ α₀$ the supremum
   over $x ≥ 0$ is at most $C·g(α)$, that is $O(log(1/α))$
   Given: growth = log(1/alpha) *)
(* Finding "each-s" of "thm-log", proved at form: $O(log(1/α))$ for each $s$
   Reading: for each integer $s ≥ 0$ (“the value of $s$ is known”), all $u ≥ ℓ ≥ 1$, of the form: there are $C$ and
   $α₀$ such that for all $α ≤ α₀$ the supremum over $x ≥ 0$ is at most $C·g(α)$, that is $O(log(1/α))$; $C$ and
   $α₀$ may depend on $s$
   Given: growth = log(1/alpha) *)
Theorem logarithmic : forall s, 0 <= s -> exists C alpha_0, 0 < alpha_0 /\ forall l u x, (1 <= l <= u)%nat ->
  let alpha := INR l / INR u in alpha <= alpha_0 -> (forall k, 0 <= x k) ->
  form (A s) l u x <= C * ln (1 / alpha) * form (B s) l u x.
Proof.
  intros s Z. exists (1 + (/ 2 + sqrt s) * (3 / 2)), (/ exp 1). split; [apply Rinv_0_lt_compat, exp_pos |].
  intros l u x H alpha S X. destruct (stretched s l u Z H) as [L _].
  replace (1 / alpha) with (INR u / INR l) by (unfold alpha; field; lra).
  assert (1 <= ln (INR u / INR l)) as G.
  { rewrite <- (ln_exp 1). assert (exp 1 <= INR u / INR l) as E1.
    { replace (INR u / INR l) with (/ alpha) by (unfold alpha; field; lra). rewrite <- (Rinv_inv (exp 1)).
      apply Rinv_le_contravar; [unfold alpha; apply Rdiv_lt_0_compat; lra | exact S]. }
    destruct (Rle_lt_or_eq_dec _ _ E1) as [E2 | ->]; [left; apply ln_increasing; [apply exp_pos | exact E2] | right; reflexivity]. }
  destruct (log_bound_each_s s l u x Z H X) as [P [Q T]]. eapply Rle_trans; [exact P |]. apply times_B; trivial.
  pose proof (sqrt_pos s). assert ((/ 2 + sqrt s) * (1 + / 2 * ln (INR u / INR l)) <= (/ 2 + sqrt s) * (3 / 2 * ln (INR u / INR l)));
    [apply Rmult_le_compat_l; lra | lra].
Qed.

(* ---- several prediction intervals ------------------------------------------------------------------------------------ *)

(* Classes 1, ..., n of requests: class k has the length len k, lies in the interval of number interval k and has the
   weight x k; so two intervals may share a length. Lower intervals go first: between two intervals the form is H-SF's. *)
Definition hindsight s (len : nat -> nat) (i j : nat) := B s (len i) (len j).
Definition revised_a_min s (len interval : nat -> nat) (i j : nat) := if Nat.eqb (interval i) (interval j) then A s (len i) (len j) else B s (len i) (len j).
Definition single (k : nat) := 1%nat.

(* Finding "of-the-form" of "intervals-help", proved at form-at-zero: of the form: refined intervals are no slower
   at any $x$, so their ratio is no larger
   Reading: of the forms, $s = 0$, all intervals with $u_j ≤ l_(j+1)$ and all $x ≥ 0$: at most 1 times that with the
   single interval
   Given: factor = 1 *)
(* Finding "of-the-form" of "intervals-help", proved at form: of the form: refined intervals are no slower at any
   $x$, so their ratio is no larger
   Reading: of the forms, every $s ≥ 0$, all intervals with $u_j ≤ l_(j+1)$ and all $x ≥ 0$: at most 1 times that
   with the single interval
   Given: factor = 1 *)
Theorem intervals_help : forall s n len interval x, 0 <= s -> (forall k, (1 <= len k)%nat) -> (forall k, 0 <= x k) ->
  form (revised_a_min s len interval) 1 n x <= form (revised_a_min s len single) 1 n x /\
  (0 < form (hindsight s len) 1 n x -> form (revised_a_min s len interval) 1 n x / form (hindsight s len) 1 n x <=
    form (revised_a_min s len single) 1 n x / form (hindsight s len) 1 n x).
Proof.
  intros s n len interval x Z L X. enough (form (revised_a_min s len interval) 1 n x <= form (revised_a_min s len single) 1 n x) as G.
  { split; [exact G |]. intros P. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact G]. }
  apply form_le; trivial. intros i j _ _. unfold revised_a_min, single. cbn [Nat.eqb].
  pose proof (B_below_A s (len i) (len j) Z (L i) (L j)). destruct (Nat.eqb (interval i) (interval j)); lra.
Qed.

Section Merged.
Variables (n l u : nat) (len : nat -> nat) (x : nat -> R).
Definition merged (m : nat) (k : nat) := Sum (fun i => if Nat.eqb (len i) k then x i else 0) 1 m.

Lemma merged_sum : forall g m, (forall i, (1 <= i <= m)%nat -> (l <= len i <= u)%nat) ->
  Sum (fun i => g (len i) * x i) 1 m = Sum (fun k => g k * merged m k) l u.
Proof.
  intros g m. induction m as [| m I]; intros H.
  - rewrite Sum_empty by lia. symmetry. apply Sum_zero. intros k K. unfold merged. rewrite Sum_empty by lia. ring.
  - rewrite (Sum_last _ 1 m (S m)) by lia. rewrite I by (intros; apply H; lia).
    rewrite <- (Sum_unit (fun k => g k * x (S m)) (len (S m)) u l) by (apply H; lia). rewrite <- Sum_plus.
    apply Sum_same. intros k K. unfold merged. rewrite (Sum_last _ 1 m (S m)) by lia. unfold unit.
    destruct (Nat.eqb (len (S m)) k); ring.
Qed.

Lemma merged_form : forall f m, (forall i, (1 <= i <= m)%nat -> (l <= len i <= u)%nat) ->
  form (fun i j => f (len i) (len j)) 1 m x = form f l u (merged m).
Proof.
  intros f m H. unfold form. set (g := fun a => Sum (fun k => f a k * merged m k) l u).
  transitivity (Sum (fun i => g (len i) * x i) 1 m).
  - apply Sum_same. intros i I. unfold g. rewrite <- (merged_sum (f (len i)) m H), Rmult_comm, <- Sum_times.
    apply Sum_same. intros. ring.
  - rewrite (merged_sum g m H). apply Sum_same. intros i I. unfold g. rewrite Rmult_comm, <- Sum_times. apply Sum_same.
    intros. ring.
Qed.
End Merged.

(* Finding "at-zero" of "cor-intervals", proved at form-at-zero: $O(log(1/α))$ at $s = 0$
   Reading: at $s = 0$, all lists of intervals with $u_j ≤ ℓ_{j+1}$, one interval included, $α = ℓ_1/u_m$, of the
   form: there are $C$ and $α₀$ such that for all $α ≤ α₀$ the supremum over $x ≥ 0$ is at most $C·g(α)$, that is
   $O(log(1/α))$
   Given: growth = log(1/alpha) *)
(* Finding "each-s" of "cor-intervals", proved at form: $O(log(1/α))$ for each $s$
   Reading: for each integer $s ≥ 0$ (“the value of $s$ is known”), all lists of intervals with $u_j ≤ ℓ_{j+1}$, one
   interval included, $α = ℓ_1/u_m$, of the form: there are $C$ and $α₀$ such that for all $α ≤ α₀$ the supremum
   over $x ≥ 0$ is at most $C·g(α)$, that is $O(log(1/α))$; $C$ and $α₀$ may depend on $s$
   Given: growth = log(1/alpha) *)
Theorem logarithmic_with_intervals : forall s, 0 <= s -> exists C alpha_0, 0 < alpha_0 /\
  forall l u n len interval x, (1 <= l <= u)%nat -> (forall k, (l <= len k <= u)%nat) ->
  let alpha := INR l / INR u in alpha <= alpha_0 -> (forall k, 0 <= x k) ->
  form (revised_a_min s len interval) 1 n x <= C * ln (1 / alpha) * form (hindsight s len) 1 n x.
Proof.
  intros s Z. destruct (logarithmic s Z) as [C [a0 [P H]]]. exists C, a0. split; [exact P |].
  intros l u n len interval x L K alpha S X.
  eapply Rle_trans; [apply (proj1 (intervals_help s n len interval x Z ltac:(intros k; specialize (K k); lia) X)) |].
  change (revised_a_min s len single) with (fun i j => A s (len i) (len j)). change (hindsight s len) with (fun i j => B s (len i) (len j)).
  rewrite !(merged_form l u len x) by (intros; apply K). apply H; trivial.
  intros k. unfold merged. apply Sum_nonnegative. intros i _. destruct (Nat.eqb (len i) k); [apply X | lra].
Qed.

(* ---- two lengths ---------------------------------------------------------------------------------------------------- *)

(* Finding "a-min-bound" of "thm-two-point", refuted at form: on ${ℓ, u}$: $CR(A_min) ≤ (3-alpha)/2$
   Reading: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound = (3-alpha)/2; num = l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y; den =
   l**2*x**2+2*l**2*x*y+u**2*y**2; ratio = 1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1) *)
Theorem two_point_bound_fails : let s := 1 in let l := 1 in let u := 3 in let x_l := 2 in let x_u := 1 in
  let alpha := l / u in
  0 < on_two (b s) l u x_l x_u /\ (3 - alpha) / 2 * on_two (b s) l u x_l x_u < on_two (a s) l u x_l x_u.
Proof. cbv zeta. unfold on_two, a, b. lra. Qed.

(* Finding "two-point" of "uniform-bounds", refuted at form: under two-point laws $CR(A_min)$ is at most $1.5$,
   uniformly
   Reading: each family over its own range: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in
   the limit $M → ∞$, of the forms; every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem two_point_uniform_fails : let s := 1 in let l := 1 in let u := 6 in let x_l := 5 in let x_u := 1 in
  0 < on_two (b s) l u x_l x_u /\ 15 / 10 * on_two (b s) l u x_l x_u < on_two (a s) l u x_l x_u.
Proof. cbv zeta. unfold on_two, a, b. lra. Qed.

(* Finding "bound" of "thm-aell", refuted at form: on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+alpha/(2*(1-alpha))$ for $α ≤ ½$,
   $1+2*alpha**2$ above
   Reading: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms
   Given: bound_low = 1+alpha/(2*(1-alpha)); bound_high = 1+2*alpha**2; display_1_left =
   l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y; display_1_right = u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2);
   display_2 = u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2); display_3 =
   1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2); premise = 2*alpha*(1+alpha)*t *)
Theorem a_ell_bound_fails : let s := 1 in let l := 1 in let u := 2 in let x_l := 1 in let x_u := 2 in
  let alpha := l / u in let bound_low := 1 + alpha / (2 * (1 - alpha)) in let bound_high := 1 + 2 * alpha ^ 2 in
  alpha = 1 / 2 /\ 0 < on_two (b s) l u x_l x_u /\
  bound_low * on_two (b s) l u x_l x_u < a_ell s l u x_l x_u /\ bound_high * on_two (b s) l u x_l x_u < a_ell s l u x_l x_u.
Proof. cbv zeta. unfold on_two, a_ell, b. lra. Qed.

(* A_l's bound is the smaller one exactly below (3 - sqrt 5)/2. *)
(* Finding "smaller-exactly-below" of "switch", proved at form-at-zero: $A_ℓ$'s bound is the smaller one exactly for
   $α < (3-sqrt(5))/2$
   Reading: of the two printed bounds, as functions of $0 < α < 1$ (they do not contain $s$)
   Given: threshold = (3-sqrt(5))/2; times = 2.6; a_min_bound = (3-alpha)/2; bound_low = 1+alpha/(2*(1-alpha));
   bound_high = 1+2*alpha**2 *)
Theorem smaller_exactly_below : forall alpha, 0 < alpha < 1 ->
  let a_min_bound := (3 - alpha) / 2 in
  let bound_low := 1 + alpha / (2 * (1 - alpha)) in let bound_high := 1 + 2 * alpha ^ 2 in
  (alpha <= 1 / 2 -> (bound_low < a_min_bound <-> alpha < (3 - sqrt 5) / 2)) /\
  (1 / 2 <= alpha -> (bound_high < a_min_bound <-> alpha < (3 - sqrt 5) / 2)).
Proof.
  intros t H m bl bh. unfold m, bl, bh. pose proof (sqrt_sqrt 5 ltac:(lra)) as Q. pose proof (sqrt_pos 5) as P.
  set (r := sqrt 5) in *. clearbody r. assert (2 < r < 3) as R by (split; apply Rnot_le_lt; intros L; nra).
  split; intros C.
  - assert (1 + t / (2 * (1 - t)) < (3 - t) / 2 <-> 0 < t ^ 2 - 3 * t + 1) as ->.
    { replace ((3 - t) / 2) with (1 + t / (2 * (1 - t)) + (t ^ 2 - 3 * t + 1) / (2 * (1 - t))) by (field; lra). split; intros G.
      - apply (Rmult_lt_reg_r (/ (2 * (1 - t)))); [apply Rinv_0_lt_compat; lra | unfold Rdiv in G; lra].
      - assert (0 < (t ^ 2 - 3 * t + 1) / (2 * (1 - t))) by (apply Rdiv_lt_0_compat; lra). lra. }
    replace (t ^ 2 - 3 * t + 1) with (((3 - r) / 2 - t) * ((3 + r) / 2 - t)) by nra. split; intros G.
    + apply Rnot_le_lt. intros L. assert (0 <= (t - (3 - r) / 2) * ((3 + r) / 2 - t)) by (apply Rmult_le_pos; lra). lra.
    + apply Rmult_lt_0_compat; lra.
  - split; intros G; [exfalso | lra]. assert (1 / 2 * (1 / 2) <= t * t) by (apply Rmult_le_compat; lra). lra.
Qed.

(* Finding "in-times" of "switch", proved at form-at-zero: at the threshold $u/l$ is $2.6$, rounded
   Reading: of the two printed bounds, as functions of $0 < α < 1$ (they do not contain $s$)
   Given: threshold = (3-sqrt(5))/2; times = 2.6; a_min_bound = (3-alpha)/2; bound_low = 1+alpha/(2*(1-alpha));
   bound_high = 1+2*alpha**2 *)
Theorem in_times : 26 / 10 - 5 / 100 < 1 / ((3 - sqrt 5) / 2) < 26 / 10 + 5 / 100.
Proof.
  pose proof (sqrt_sqrt 5 ltac:(lra)) as Q. pose proof (sqrt_pos 5) as P. set (r := sqrt 5) in *. clearbody r.
  assert (21 / 10 < r < 23 / 10) as R by (split; apply Rnot_le_lt; intros L; nra).
  replace (1 / ((3 - r) / 2)) with ((3 + r) / 2); [lra |].
  assert ((3 + r) / 2 * ((3 - r) / 2) = 1) as E by nra. rewrite <- E. field. lra.
Qed.

(* From (3 - sqrt 5)/2 on, 1 + 2 alpha^2 is not yet the larger bound. *)
(* Finding "dominates" of "dominates", refuted at form-at-zero: $1+2*alpha**2$ is at least $(3-alpha)/2$ for
   $α ≥ (3-sqrt(5))/2$
   Reading: of the printed bounds, as functions of $α$: for every $α$ from the threshold on, $α < 1$, the one is at
   least $A_min$'s, which makes $A_min$'s the better one
   Given: threshold = (3-sqrt(5))/2; dominating = 1+2*alpha**2; a_min_bound = (3-alpha)/2 *)
Theorem dominates_fails : let alpha := 5 / 13 in
  (3 - sqrt 5) / 2 <= alpha < 1 /\ 1 + 2 * alpha ^ 2 < (3 - alpha) / 2.
Proof.
  cbv zeta. pose proof (sqrt_sqrt 5 ltac:(lra)) as Q. pose proof (sqrt_pos 5) as P. set (r := sqrt 5) in *. clearbody r.
  assert (2235 / 1000 < r) as R; [| lra]. apply Rnot_le_lt. intros L.
  assert (r * r <= 2235 / 1000 * (2235 / 1000)) by (apply Rmult_le_compat; lra). lra.
Qed.

(* ---- the geometric laws at s = 0 ------------------------------------------------------------------------------------ *)

(* CR(A_min) is r under the law whose weights on the lengths k = 1, 2, ... are in proportion to x k: both forms' sums
   converge, and r is the quotient of what they tend to. *)
Definition CR (s : R) (x : nat -> R) (r : R) : Prop := exists a_min h_sf, Un_cv (fun u => form (A s) 1 u x) a_min /\
  Un_cv (fun u => form (B s) 1 u x) h_sf /\ 0 < h_sf /\ a_min / h_sf = r.

Lemma logarithm_of_2 : 83 / 120 <= ln 2.
Proof.
  replace 2 with (8 / 7 * (8 / 7 * (8 / 7 * (8 / 7 * (8 / 7 * (16807 / 16384)))))) by field.
  rewrite !ln_mult by lra. pose proof (ln_above (8 / 7) ltac:(lra)). pose proof (ln_above (16807 / 16384) ltac:(lra)). lra.
Qed.

(* Under G(p) the weights are q^k. *)
(* Finding "bound" of "geometric", proved at form-at-zero: $CR(A_min)$ under $G(p)$ is at most $1.7$
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: bound = 1.7; direction = increases *)
(* Finding "monotone" of "geometric", proved at form-at-zero: it increases with $q$
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: bound = 1.7; direction = increases *)
Theorem geometric_at_zero :
  (forall q, 0 < q < 1 -> exists r, CR 0 (geometric q) r /\ r <= 17 / 10) /\
  (forall q q', 0 < q -> q < q' -> q' < 1 -> exists r r', CR 0 (geometric q) r /\ CR 0 (geometric q') r' /\ r < r').
Proof.
  split.
  - intros q H. exists (geometric_ratio q). split; [now apply geometric_closed_form |].
    pose proof (proj1 geometric_supremum q H). pose proof logarithm_of_2. lra.
  - intros q r Q H R. exists (geometric_ratio q), (geometric_ratio r).
    split; [apply geometric_closed_form; lra | split; [apply geometric_closed_form; lra | now apply geometric_increasing]].
Qed.

(* Under LG(p) they are k q^k. *)
(* Finding "closed-form" of "thm-lg", proved at form-at-zero: $CR(A_min)$ under $LG(p)$ is the closed form
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "bound" of "thm-lg", proved at form-at-zero: it is at most $14/9$
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "weaker-bound" of "thm-lg", proved at form-at-zero: it is at most $1.6$
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "monotone" of "thm-lg", proved at form-at-zero: it increases with $q$
   Reading: $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
Theorem lg_at_zero :
  let closed_form q := (1 + q) ^ 2 * (1 + 3 * q + 6 * q ^ 2 + 3 * q ^ 3 + q ^ 4) /
    (1 + 2 * q + 11 * q ^ 2 + 8 * q ^ 3 + 11 * q ^ 4 + 2 * q ^ 5 + q ^ 6) in
  (forall q, 0 < q < 1 -> CR 0 (lg q) (closed_form q)) /\
  (forall q, 0 < q < 1 -> closed_form q <= 14 / 9) /\ (forall q, 0 < q < 1 -> closed_form q <= 16 / 10) /\
  (forall q q', 0 < q -> q < q' -> q' < 1 -> closed_form q < closed_form q').
Proof.
  intros c. assert (forall q, c q = lg_ratio q) as E by (intros q; unfold c, lg_ratio, Rdiv; f_equal; [ring | f_equal; ring]).
  clearbody c. split; [| split; [| split]].
  - intros q H. rewrite E. now apply linear_geometric.
  - intros q H. rewrite E. left. now apply linear_geometric_supremum.
  - intros q H. rewrite E. pose proof (proj1 linear_geometric_supremum q H). lra.
  - intros q r Q H R. rewrite !E. now apply linear_geometric_increasing.
Qed.

(* The mode of LG(1/20) is 1, and ln 20 is further away than 1. *)
(* Finding "near-the-mode" of "lg-mode", refuted at form-at-zero: the mode is within $1$ of $log(1/q)$
   Reading: for every $0 < q < 1$: some mode of $P(k) = k p² q^{k−1}$ differs from the formula by at most $1$ ($s$
   does not occur)
   Given: mode = log(1/q); within = 1 *)
Theorem lg_mode : let q := 1 / 20 in (forall k, (2 <= k)%nat -> lg q k < lg q 1) /\ 1 < Rabs (INR 1 - ln (1 / q)).
Proof.
  intros q. split.
  - intros k H. unfold lg, q. induction H as [| k H I]; [cbn; lra |]. cbn [pow]. rewrite S_INR.
    apply le_INR in H. cbn [INR] in *. pose proof (pow_lt (1 / 20) k ltac:(lra)) as P.
    assert ((INR k + 1) * (1 / 20 * (1 / 20) ^ k) <= INR k * (1 / 20) ^ k); [| lra].
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - replace (1 / q) with (2 * (2 * (2 * (5 / 2)))) by (unfold q; field). rewrite !ln_mult by lra. pose proof ln_2.
    pose proof (ln_above (5 / 2) ltac:(lra)). rewrite Rabs_left; cbn [INR]; lra.
Qed.

(* Finding "two-point" of "uniform-bounds", proved at form-at-zero: under two-point laws $CR(A_min)$ is at most
   $1.5$, uniformly
   Reading: each family over its own range: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the
   limit $M → ∞$, of the forms; $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
(* Finding "geometric" of "uniform-bounds", proved at form-at-zero: under geometric laws $CR(A_min)$ is at most
   $1.7$, uniformly
   Reading: each family over its own range: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the
   limit $M → ∞$, of the forms; $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
(* Finding "linear-geometric" of "uniform-bounds", proved at form-at-zero: under $LG$ laws $CR(A_min)$ is at most
   $1.56$, uniformly
   Reading: each family over its own range: $s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the
   limit $M → ∞$, of the forms; $s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem uniform_bounds_at_zero :
  (forall l u x y, 0 < l < u -> on_two (a 0) l u x y <= 15 / 10 * on_two (b 0) l u x y) /\
  (forall q, 0 < q < 1 -> exists r, CR 0 (geometric q) r /\ r <= 17 / 10) /\
  (forall q, 0 < q < 1 -> exists r, CR 0 (lg q) r /\ r <= 156 / 100).
Proof.
  split; [| split; [apply geometric_at_zero |]].
  - intros l u x y H. destruct (two_point_bound l u x y H) as [P _]. eapply Rle_trans; [exact P |].
    apply Rmult_le_compat_r.
    + replace (on_two (b 0) l u x y) with (l ^ 2 * (x + y) ^ 2 + (u - l) * (u + l) * y ^ 2) by (unfold on_two, b; ring).
      pose proof (pow2_ge_0 (x + y)). pose proof (pow2_ge_0 y). pose proof (pow2_ge_0 l).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption. apply Rmult_le_pos; lra.
    + assert (0 < l / u) by (apply Rdiv_lt_0_compat; lra). lra.
  - intros q H. exists (lg_ratio q). split; [now apply linear_geometric |].
    pose proof (proj1 linear_geometric_supremum q H). lra.
Qed.
