(* The inverse of H-SF's matrix B, and B^-1 A: its trace and its signs, for every u, l and s. *)
From Crtools Require Import Prelude Forms.
From Crtools Require adaptive.

(* The weights of B in the tails. *)
Definition w (s : R) (l k : nat) : R := if Nat.eqb k l then INR l * (s + INR l) else s + 2 * INR k - 1.

Definition inverse (s : R) (l u i j : nat) : R :=
  if Nat.eqb i j then / w s l i + (if Nat.ltb i u then / w s l (S i) else 0)
  else if Nat.eqb j (S i) then - / w s l j
  else if Nat.eqb i (S j) then - / w s l i
  else 0.

Definition unit (i k : nat) : R := if Nat.eqb i k then 1 else 0.

Ltac cases :=
  repeat match goal with
  | |- context [Nat.eqb ?i ?j] => destruct (Nat.eqb_spec i j)
  | |- context [Nat.ltb ?i ?j] => destruct (Nat.ltb_spec i j)
  | |- context [Nat.leb ?i ?j] => destruct (Nat.leb_spec i j)
  end; try lia.

Lemma Sum_zero : forall f l u, (forall k, (l <= k <= u)%nat -> f k = 0) -> Sum f l u = 0.
Proof.
  intros f l u H. rewrite (Sum_same f (fun k => 0 * f k) l u), Sum_times; [ring |]. intros k K. rewrite (H k K). ring.
Qed.

Lemma Sum_unit : forall f i u l, (l <= i <= u)%nat -> Sum (fun k => unit i k * f k) l u = f i.
Proof.
  intros f i u l [L H]. assert (l <= S u)%nat as H' by lia. revert L. downwards l H'; [lia |]. intros I L.
  rewrite Sum_first by lia. unfold unit at 1. destruct (Nat.eqb_spec i l) as [-> | N].
  - rewrite Sum_zero; [ring |]. intros k K. unfold unit. cases. ring.
  - rewrite I by lia. ring.
Qed.

(* Row i of the inverse times a column f: a difference of differences. *)
Definition step (s : R) (l : nat) (f : nat -> R) (k : nat) : R := (f k - (if Nat.eqb k l then 0 else f (pred k))) / w s l k.

Lemma row : forall s l u i f, (1 <= l)%nat -> (l <= i <= u)%nat ->
  Sum (fun k => inverse s l u i k * f k) l u = step s l f i - (if Nat.ltb i u then step s l f (S i) else 0).
Proof.
  intros s l u i f L H.
  rewrite (Sum_same _ (fun k =>
    (/ w s l i + (if Nat.ltb i u then / w s l (S i) else 0)) * (unit i k * f k)
    + ((if Nat.eqb i l then 0 else - / w s l i) * (unit (if Nat.eqb i l then l else pred i) k * f k)
    + (if Nat.ltb i u then - / w s l (S i) else 0) * (unit (if Nat.ltb i u then S i else u) k * f k))) l u).
  - rewrite !Sum_plus, !Sum_times, !Sum_unit by (cases). unfold step. destruct (Nat.eqb_spec (S i) l); [lia |].
    cases; cbn [pred]; unfold Rdiv; ring.
  - intros k K. unfold inverse, unit.
    destruct (Nat.eqb_spec i l), (Nat.ltb_spec i u), (Nat.eqb_spec i k), (Nat.eqb_spec k (S i)), (Nat.eqb_spec i (S k));
      subst; cases; subst; try ring; try lia.
Qed.

Lemma above_l : forall s l k, 0 <= s -> (1 <= l <= k)%nat -> 1 <= INR l <= INR k /\ 0 < w s l k.
Proof.
  intros s l k S0 [L K]. apply le_INR in K, L. simpl in L. split; [lra |]. unfold w. cases; [| lra].
  apply Rmult_lt_0_compat; lra.
Qed.

Lemma inverse_times_B : forall s l u i j, 0 <= s -> (1 <= l)%nat -> (l <= i <= u)%nat -> (l <= j <= u)%nat ->
  Sum (fun k => inverse s l u i k * B s k j) l u = if Nat.eqb i j then 1 else 0.
Proof.
  intros s l u i j S0 L I J. rewrite (row s l u i (fun k => B s k j)) by lia.
  assert (forall k, (l <= k <= u)%nat -> step s l (fun k => B s k j) k = if Nat.leb k j then 1 else 0) as D.
  { intros k K. destruct (above_l s l k S0 ltac:(lia)) as [K1 K2]. unfold step, w in *. revert K2. cases; intros K2; subst.
    - unfold B. rewrite symmetric_le by lia. unfold b. field. lra.
    - unfold B. rewrite !symmetric_le by lia. destruct k; [lia |]. cbn [pred]. rewrite S_INR in *. unfold b. field. lra.
    - unfold B. rewrite !symmetric_ge by lia. unfold b. field. lra. }
  rewrite D by lia. destruct (Nat.ltb_spec i u); [rewrite D by lia |]; cases; ring.
Qed.

(* The paper's display: s = 0 and l = 1. *)
Lemma inverse_displayed : forall u i, (1 <= i <= u)%nat ->
  inverse 0 1 u i i = (if Nat.ltb i u then 4 * INR i / (4 * INR i ^ 2 - 1) else / (2 * INR u - 1)) /\
  inverse 0 1 u i (S i) = - / (2 * INR i + 1).
Proof.
  intros u i H. destruct (above_l 0 1 i ltac:(lra) ltac:(lia)) as [K _]. cbn [INR] in K.
  assert (w 0 1 i = 2 * INR i - 1) as W by (unfold w; cases; subst; cbn [INR]; ring).
  assert (w 0 1 (S i) = 2 * INR i + 1) as W' by (unfold w; cases; rewrite S_INR; ring).
  unfold inverse. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec i (S i)); [lia |]. rewrite Nat.eqb_refl, W, W'.
  split; [| reflexivity]. cases.
  - field. assert (0 < (2 * INR i - 1) * (2 * INR i + 1)) by (apply Rmult_lt_0_compat; lra). repeat split; lra.
  - replace u with i by lia. ring.
Qed.

(* Theorem "inverse of B_u(diagonal, last, off)": (B_u^{-1})_{ii} = \frac{4 i}{4 i^{2} - 1}\ (i<u),\ (B_u^{-1})_{uu} = \frac{1}{2 u - 1},\ (B_u^{-1})_{i,i+1} = - \frac{1}{2 i + 1}
   Reading: for every integer u ≥ 1 and s = 0 *)
Theorem inverse_of_B_u : forall u i j, (1 <= i <= u)%nat -> (1 <= j <= u)%nat ->
  Sum (fun k => inverse 0 1 u i k * B 0 k j) 1 u = (if Nat.eqb i j then 1 else 0) /\
  inverse 0 1 u i i = (if Nat.ltb i u then 4 * INR i / (4 * INR i ^ 2 - 1) else / (2 * INR u - 1)) /\
  inverse 0 1 u i (S i) = - / (2 * INR i + 1).
Proof. intros u i j I J. split; [apply inverse_times_B; (lra || lia) | now apply inverse_displayed]. Qed.

(* So B_u's inverse is tridiagonal and symmetric; its last row ends in 1/(2u - 1). *)
(* Finding "diagonal" of "b-inverse", proved at form-at-zero: $(B_u⁻¹)_ii$ for $i < u$
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form
   Given: diagonal = 4*i/(4*i**2-1); last = 1/(2*u-1); off_diagonal = -1/(2*i+1) *)
(* Finding "last" of "b-inverse", proved at form-at-zero: $(B_u⁻¹)_uu$, the last row
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form
   Given: diagonal = 4*i/(4*i**2-1); last = 1/(2*u-1); off_diagonal = -1/(2*i+1) *)
(* Finding "off-diagonal" of "b-inverse", proved at form-at-zero: $(B_u⁻¹)_{i,i+1}$
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form
   Given: diagonal = 4*i/(4*i**2-1); last = 1/(2*u-1); off_diagonal = -1/(2*i+1) *)
Theorem tridiagonal_inverse : forall u i j, (1 <= i <= u)%nat -> (1 <= j <= u)%nat ->
  Sum (fun k => inverse 0 1 u i k * B 0 k j) 1 u = (if Nat.eqb i j then 1 else 0) /\
  ((i < u)%nat -> inverse 0 1 u i i = 4 * INR i / (4 * INR i ^ 2 - 1)) /\ inverse 0 1 u u u = 1 / (2 * INR u - 1) /\
  inverse 0 1 u i (S i) = - 1 / (2 * INR i + 1) /\
  inverse 0 1 u i j = inverse 0 1 u j i /\ ((S i < j)%nat -> inverse 0 1 u i j = 0).
Proof.
  intros u i j I J. destruct (inverse_of_B_u u i j I J) as [P [Q R]]. destruct (inverse_of_B_u u u u ltac:(lia) ltac:(lia)) as [_ [T _]].
  split; [exact P | split; [| split; [| split; [| split]]]].
  - intros K. rewrite Q. destruct (Nat.ltb_spec i u); [reflexivity | lia].
  - rewrite T. destruct (Nat.ltb_spec u u); [lia |]. unfold Rdiv. ring.
  - rewrite R. unfold Rdiv. ring.
  - unfold inverse. cases; subst; try reflexivity.
  - intros K. unfold inverse. cases. reflexivity.
Qed.

(* U takes weights to their tails, and its inverse takes differences of these. *)
Definition difference (i k : nat) : R := unit i k - unit (S i) k.

Lemma Sum_difference : forall f i u l, (l <= i <= u)%nat ->
  Sum (fun k => difference i k * f k) l u = f i - (if Nat.ltb i u then f (S i) else 0).
Proof.
  intros f i u l H. destruct (Nat.ltb_spec i u).
  - rewrite (Sum_same _ (fun k => unit i k * f k + -1 * (unit (S i) k * f k)) l u) by (intros; unfold difference; ring).
    rewrite Sum_plus, Sum_times, !Sum_unit by lia. ring.
  - rewrite (Sum_same _ (fun k => unit i k * f k) l u) by (intros k K; unfold difference, unit; cases; ring).
    rewrite Sum_unit by lia. ring.
Qed.

(* Theorem "inverse of B, general": B^{-1} = U^{-1} W^{-1} U^{-\top}
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1 *)
Theorem inverse_general : forall s l u i j, 0 <= s -> (1 <= l)%nat -> (l <= i <= u)%nat -> (l <= j <= u)%nat ->
  inverse s l u i j = Sum (fun k => difference i k * (/ w s l k * difference j k)) l u /\
  Sum (fun k => difference i k * (if Nat.leb k j then 1 else 0)) l u = (if Nat.eqb i j then 1 else 0) /\
  Sum (fun k => inverse s l u i k * B s k j) l u = if Nat.eqb i j then 1 else 0.
Proof.
  intros s l u i j Z L I J. rewrite !Sum_difference by lia. split; [| split; [cases; ring | now apply inverse_times_B]].
  unfold inverse, difference, unit.
  destruct (Nat.ltb_spec i u), (Nat.eqb_spec i j), (Nat.eqb_spec j i), (Nat.eqb_spec (S j) i), (Nat.eqb_spec j (S i)),
    (Nat.eqb_spec (S j) (S i)), (Nat.eqb_spec i (S j)); subst; try lia; try rewrite Nat.eqb_refl; ring.
Qed.

(* ---- the trace -------------------------------------------------------------------------------------------------- *)

Lemma Sum_shifted : forall g h u l, (l <= u)%nat ->
  Sum (fun i => g i - (if Nat.ltb i u then h (S i) else 0)) l u = g l + Sum (fun k => g k - h k) (S l) u.
Proof.
  intros g h u l H. assert (l <= S u)%nat as H' by lia. revert H. downwards l H'; [lia |]. intros I _.
  rewrite Sum_first by lia. destruct (Nat.eq_dec l u) as [-> | N].
  - rewrite !Sum_empty by lia. cases. ring.
  - rewrite I by lia. rewrite (Sum_first (fun k => g k - h k) (S l) u) by lia. cases. ring.
Qed.

Definition trace (s : R) (l u : nat) : R := Sum (fun i => Sum (fun k => inverse s l u i k * A s k i) l u) l u.

(* Theorem "trace, general": \operatorname{tr}(B^{-1}A) = 1 + \sum_{i=l+1}^{u} \frac{1}{s+i}
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms *)
Theorem trace_value : forall s l u, 0 <= s -> (1 <= l <= u)%nat -> trace s l u = 1 + Sum (fun i => / (s + INR i)) (S l) u.
Proof.
  intros s l u S0 H. unfold trace.
  rewrite (Sum_same _ (fun i => step s l (fun k => A s k i) i
    - (if Nat.ltb i u then (fun k => step s l (fun m => A s m (pred k)) k) (S i) else 0)) l u)
    by (intros i I; apply (row s l u i (fun k => A s k i)); lia).
  rewrite (Sum_shifted (fun i => step s l (fun k => A s k i) i) (fun k => step s l (fun m => A s m (pred k)) k)) by lia.
  f_equal.
  - destruct (above_l s l l S0 ltac:(lia)) as [K _]. unfold step, w. rewrite !Nat.eqb_refl. unfold A.
    rewrite symmetric_le by lia. unfold a. field. lra.
  - apply Sum_same. intros k K. destruct (above_l s l (pred k) S0 ltac:(lia)) as [P _]. destruct k; [lia |]. cbn [pred] in *.
    unfold step, w. cases. unfold A. rewrite !symmetric_le, symmetric_ge by lia. cbn [pred].
    rewrite ?symmetric_le by lia. rewrite S_INR. unfold a. field. lra.
Qed.

(* tr(B_u^-1 A_u) = H_u at s = 0 and l = 1. *)
(* Theorem "trace(harmonic)": \operatorname{tr}(B_u^{-1}A_u) = \sum_{i=1}^{u} \frac{1}{i}
   Reading: for every integer u ≥ 1, s = 0, l = 1 *)
(* Finding "closed-form" of "trace", proved at form-at-zero: $tr(B_u⁻¹A_u)$ is this sum
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms
   Given: closed_form = sum(1/i, i, 1, u) *)
Theorem trace_is_harmonic : forall u, (1 <= u)%nat -> trace 0 1 u = Sum (fun i => / INR i) 1 u.
Proof.
  intros u H. rewrite trace_value by (lra || lia). rewrite (Sum_first (fun i => / INR i)) by lia. cbn [INR].
  rewrite Rinv_1. f_equal. apply Sum_same. intros k K. f_equal. ring.
Qed.

(* The paper's T_1 and T_2, with their closed forms. *)
Definition T1 (u : nat) : R := Sum (fun i => inverse 0 1 u i i * A 0 i i) 1 u.
Definition T2 (u : nat) : R := Sum (fun i => inverse 0 1 u i (S i) * A 0 i (S i)) 1 (u - 1).
Definition odd (u : nat) : R := Sum (fun i => / (2 * INR i + 1)) 1 (u - 1).

Lemma T1_summed : forall u, (1 <= u)%nat ->
  T1 u = INR u ^ 2 / (2 * INR u - 1) + Sum (fun i => 4 * INR i ^ 3 / (4 * INR i ^ 2 - 1)) 1 (u - 1).
Proof.
  intros u H. unfold T1. rewrite (Sum_last _ 1 (u - 1) u) by lia. rewrite Rplus_comm. f_equal.
  - destruct (inverse_displayed u u ltac:(lia)) as [-> _]. destruct (above_l 0 1 u ltac:(lra) ltac:(lia)) as [K _].
    cbn [INR] in K. unfold A. rewrite symmetric_le by lia. cases. unfold a. field. lra.
  - apply Sum_same. intros i I. destruct (inverse_displayed u i ltac:(lia)) as [-> _].
    destruct (above_l 0 1 i ltac:(lra) ltac:(lia)) as [K _]. cbn [INR] in K. unfold A. rewrite symmetric_le by lia. cases.
    assert (0 < (2 * INR i - 1) * (2 * INR i + 1)) by (apply Rmult_lt_0_compat; lra). unfold a. field. split; lra.
Qed.

Lemma T2_summed : forall u, (1 <= u)%nat ->
  T2 u = Sum (fun i => - INR i * (- INR i ^ 2 + 2 * INR i * (INR i + 1) + (INR i + 1) ^ 2)
    / ((2 * INR i + 1) * (2 * INR i + 2))) 1 (u - 1).
Proof.
  intros u H. apply Sum_same. intros i I. destruct (inverse_displayed u i ltac:(lia)) as [_ ->].
  destruct (above_l 0 1 i ltac:(lra) ltac:(lia)) as [K _]. cbn [INR] in K. unfold A. rewrite symmetric_le by lia.
    rewrite S_INR. unfold a. field. repeat split; lra.
Qed.

(* Theorem "t1 and t2 combined": T_1(u) + 2T_2(u) = \sum_{i=1}^{u} \frac{1}{i}
   Reading: for every integer u ≥ 1, s = 0, l = 1 *)
Theorem T1_and_T2 : forall u, (1 <= u)%nat -> T1 u + 2 * T2 u = Sum (fun i => / INR i) 1 u.
Proof.
  intros u H. rewrite T1_summed, T2_summed by lia.
  rewrite (Sum_same (fun i => / INR i) (fun i => 1 / INR i)) by (intros; unfold Rdiv; ring).
  rewrite <- (adaptive.trace_harmonic.step_1 u H). ring.
Qed.

(* Theorem "t1(displayed_t1)": T_1(u) = \frac{u^{2}}{2} + \frac{\sum_{i=1}^{u - 1} \frac{1}{2 i + 1}}{2} + \frac{1}{2}
   Reading: for every integer u ≥ 1, s = 0, l = 1 *)
(* Finding "closed-form" of "t1", proved at form-at-zero: $T_1(u) = Σ_i (B_u⁻¹)_ii a_ii$ has this closed form
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms
   Given: closed_form = (u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2 *)
Theorem T1_closed : forall u, (1 <= u)%nat -> T1 u = (INR u ^ 2 + 1) / 2 + odd u / 2.
Proof.
  intros u H. rewrite T1_summed by lia. rewrite adaptive.t1_displayed_t1.step_1 by lia. unfold odd.
  rewrite (Sum_same (fun i => / (2 * INR i + 1)) (fun i => 1 / (2 * INR i + 1))) by (intros; unfold Rdiv; ring). field.
Qed.

(* Theorem "t2(displayed_t2)": 2T_2(u) = - \frac{u^{2}}{2} + \sum_{i=1}^{u - 1} \frac{1}{i + 1} - \frac{\sum_{i=1}^{u - 1} \frac{1}{2 i + 1}}{2} + \frac{1}{2}
   Reading: for every integer u ≥ 1, s = 0, l = 1 *)
(* Finding "closed-form" of "t2", proved at form-at-zero: $2T_2(u) = 2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1}$ has this
   closed form
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms
   Given: closed_form = -(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2; terms = -1/(2*i+1) *
   i/(i+1) * (i**2 + 2*i + 1/2) *)
Theorem T2_closed : forall u, (1 <= u)%nat ->
  2 * T2 u = - INR u ^ 2 / 2 - odd u / 2 + Sum (fun i => / (INR i + 1)) 1 (u - 1) + / 2.
Proof.
  intros u H. rewrite T2_summed by lia. pose proof (adaptive.t2_displayed_t2.step_1 u H) as E. unfold odd.
  rewrite (Sum_same (fun i => / (2 * INR i + 1)) (fun i => 1 / (2 * INR i + 1))) by (intros; unfold Rdiv; ring).
  rewrite (Sum_same (fun i => / (INR i + 1)) (fun i => 1 / (INR i + 1))) by (intros; unfold Rdiv; ring). lra.
Qed.

(* ---- B^-1 A > 0 -------------------------------------------------------------------------------------------------- *)

Lemma same_sign : forall d x, 0 < d -> d = x -> 0 < x.
Proof. intros. now subst. Qed.

Lemma INR_pred : forall i, (1 <= i)%nat -> INR (pred i) = INR i - 1.
Proof. intros i H. destruct i; [lia |]. cbn [pred]. rewrite S_INR. ring. Qed.

Lemma INR_lt_le : forall i j, (i < j)%nat -> INR i + 1 <= INR j.
Proof. intros i j H. rewrite <- S_INR. apply le_INR. lia. Qed.

Ltac from_step lemma := eapply same_sign; [apply lemma; try assumption; try (apply INR_lt_le; lia); try (apply le_INR; lia) |
  rewrite ?S_INR, ?INR_pred by lia; unfold a; field; lra].

(* Theorem "positivity against h-sf": D^{-1}A > 0 \text{ entrywise, } D \text{ the form } \texttt{h-sf}
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1, of the form a-min *)
Theorem inverse_times_A_positive : forall s l u i j, 0 <= s -> (1 <= l)%nat -> (l <= i <= u)%nat -> (l <= j <= u)%nat ->
  0 < Sum (fun k => inverse s l u i k * A s k j) l u.
Proof.
  intros s l u i j S0 L I J. rewrite (row s l u i (fun k => A s k j)) by lia. unfold step, w, A.
  destruct (above_l s l i S0 ltac:(lia)) as [[L1 K] _]. destruct (above_l s l j S0 ltac:(lia)) as [[_ M] _].
  destruct (Nat.eqb_spec (S i) l); [lia |]. cbn [pred].
  destruct (Nat.eqb_spec i l) as [F | N]; destruct (Nat.ltb_spec i u) as [U | U];
    destruct (lt_eq_lt_dec i j) as [[G | G] | G]; try lia;
    rewrite ?(symmetric_le (a s) i j), ?(symmetric_ge (a s) i j), ?(symmetric_le (a s) (S i) j), ?(symmetric_ge (a s) (S
      i) j),
      ?(symmetric_le (a s) (pred i) j), ?(symmetric_ge (a s) (pred i) j) by lia.
  - subst l. from_step (adaptive.positivity_against_h_sf.step_8 (INR j) (INR i) s).
  - subst l j. from_step (adaptive.positivity_against_h_sf.step_9 (INR i) s).
  - subst l. replace j with i by lia. from_step (adaptive.positivity_against_h_sf.step_12 (INR i) s).
  - from_step (adaptive.positivity_against_h_sf.step_5 (INR j) (INR i) (INR l) s).
  - subst j. from_step (adaptive.positivity_against_h_sf.step_6 (INR i) (INR l) s).
  - pose proof (INR_lt_le j i G). from_step (adaptive.positivity_against_h_sf.step_7 (INR j) (INR i) (INR l) s).
  - subst j. replace u with i by lia. from_step (adaptive.positivity_against_h_sf.step_11 (INR l) s (INR i)).
  - pose proof (INR_lt_le j i G). replace u with i by lia. from_step (adaptive.positivity_against_h_sf.step_10 (INR j) (INR l) s
    (INR i)).
Qed.
