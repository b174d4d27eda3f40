(* The laws on all lengths at prompts s >= 1: both forms' sums converge, H-SF's has a closed form, A_min's is above each partial
   sum, which is computed in fractions, and below H-SF's and what s adds; so the claims fail at the witnesses. *)
From Coq Require Import List ZArith.
From Crtools Require Import Prelude Forms Suprema Logarithms TwoLengths LinearGeometric Geometric FormClaims.
Import ListNotations.
Open Scope R_scope.

(* ---- forms that grow with the longest length ------------------------------------------------------------------------ *)

Lemma form_growing : forall m x, (forall i j, (1 <= i)%nat -> (1 <= j)%nat -> 0 <= m i j) -> (forall k, 0 <= x k) -> Un_growing (fun u => form m 1 u x).
Proof.
  intros m x M X u. unfold form. rewrite (Sum_last _ 1 u (S u)) by lia.
  assert (forall i v, (1 <= i)%nat -> 0 <= Sum (fun j => m i j * x i * x j) 1 v) as P.
  { intros i v I. apply Sum_nonnegative. intros j J. repeat apply Rmult_le_pos; auto. apply M; lia. }
  assert (Sum (fun i => Sum (fun j => m i j * x i * x j) 1 u) 1 u <= Sum (fun i => Sum (fun j => m i j * x i * x j) 1 (S u)) 1 u).
  { apply Sum_le. intros i I. rewrite (Sum_last _ 1 u (S u)) by lia.
    assert (0 <= m i (S u) * x i * x (S u)) by (repeat apply Rmult_le_pos; auto; apply M; lia). lra. }
  specialize (P (S u) (S u) ltac:(lia)). lra.
Qed.

(* The entries i and j - i, for i <= j. *)
Definition Least := symmetric (fun i _ => i).
Definition Gap := symmetric (fun i j => j - i).

Lemma gap_nonnegative : forall i j, 0 <= Gap i j.
Proof.
  intros i j. unfold Gap, symmetric. assert (Nat.min i j <= Nat.max i j)%nat as H by lia. apply le_INR in H. lra.
Qed.

Lemma least_nonnegative : forall i j, 0 <= Least i j.
Proof. intros i j. unfold Least, symmetric. apply pos_INR. Qed.

Lemma B_with_s : forall s i j, B s i j = 1 * B 0 i j + s * Least i j.
Proof. intros s i j. unfold B, Least, symmetric, b. ring. Qed.

(* What s adds to A_min beside what it adds to H-SF. *)
Lemma A_with_s : forall s i j, 0 <= s -> (1 <= i)%nat -> (1 <= j)%nat ->
  A s i j <= 1 * B s i j + 1 * (1 * (1 * A 0 i j + - (1) * B 0 i j) + 5 / 8 * s * Gap i j).
Proof.
  intros s i j Z I J. unfold A, B, Gap, symmetric.
  assert (1 <= Nat.min i j)%nat as P by lia. assert (Nat.min i j <= Nat.max i j)%nat as H by lia. apply le_INR in P, H. simpl in P.
  generalize dependent (INR (Nat.min i j)). generalize dependent (INR (Nat.max i j)). clear I J i j. intros q p P H.
  apply (from_difference (s * (q - p) * ((2 * p - q) ^ 2 + q * s) / (8 * q * (s + q)))).
  - assert (0 <= q * s) by (apply Rmult_le_pos; lra). pose proof (pow2_ge_0 (2 * p - q)).
    apply Rle_mult_inv_pos; [repeat apply Rmult_le_pos; lra | repeat apply Rmult_lt_0_compat; lra].
  - unfold a, b. field. lra.
Qed.

Lemma cv_same : forall f g v, (forall n, f n = g n) -> Un_cv g v -> Un_cv f v.
Proof. intros f g v E H e P. destruct (H e P) as [N L]. exists N. intros n M. rewrite E. now apply L. Qed.

(* From the limits at s = 0, of the forms of min(i, j) and of |i - j|: the ratio r at s is at least a partial sum of A_min's form
   over H-SF's, and at most what is added to both. *)
Theorem ratio_at_prompts : forall x a0 b0 least gap, (forall k, 0 <= x k) -> 0 < b0 -> 0 <= least ->
  Un_cv (fun u => form (A 0) 1 u x) a0 -> Un_cv (fun u => form (B 0) 1 u x) b0 ->
  Un_cv (fun u => form Least 1 u x) least -> Un_cv (fun u => form Gap 1 u x) gap ->
  forall s, 0 <= s -> exists r, CR s x r /\ (forall n, form (A s) 1 n x <= r * (b0 + s * least)) /\
  r * (b0 + s * least) <= b0 + s * least + (a0 - b0) + 5 / 8 * s * gap.
Proof.
  intros x a0 b0 least gap X b1 l0 HA HB HL HG s Z.
  assert (0 <= s * least) as SL by (now apply Rmult_le_pos).
  assert (Un_cv (fun u => form (B s) 1 u x) (b0 + s * least)) as HBs.
  { apply (cv_same _ (fun u => 1 * form (B 0) 1 u x + s * form Least 1 u x)).
    - intros n. rewrite <- form_sum. apply Rle_antisym; apply form_le; trivial; intros; rewrite (B_with_s s); lra.
    - replace (b0 + s * least) with (1 * b0 + s * least) by ring. apply CV_plus; now apply cv_times. }
  set (m := fun i j => 1 * B s i j + 1 * (1 * (1 * A 0 i j + - (1) * B 0 i j) + 5 / 8 * s * Gap i j)).
  assert (Un_cv (fun u => form m 1 u x) (b0 + s * least + (a0 - b0) + 5 / 8 * s * gap)) as HM.
  { apply (cv_same _ (fun u => 1 * form (B s) 1 u x + 1 * (1 * (1 * form (A 0) 1 u x + - (1) * form (B 0) 1 u x)
      + 5 / 8 * s * form Gap 1 u x))).
    - intros n. unfold m. now rewrite !form_sum.
    - replace (b0 + s * least + (a0 - b0) + 5 / 8 * s * gap)
        with (1 * (b0 + s * least) + 1 * (1 * (1 * a0 + - (1) * b0) + 5 / 8 * s * gap)) by ring.
      apply CV_plus; [now apply cv_times |]. apply cv_times. apply CV_plus; [| now apply cv_times]. apply cv_times.
      apply CV_plus; now apply cv_times. }
  assert (forall i j, (1 <= i)%nat -> (1 <= j)%nat -> 0 <= B s i j /\ B s i j <= A s i j /\ 0 <= m i j) as P.
  { intros i j I J. assert (0 <= B s i j) as B0.
    { unfold B, symmetric, b. pose proof (pos_INR (Nat.min i j)). apply Rmult_le_pos; lra. }
    pose proof (B_below_A s i j Z I J). pose proof (A_with_s s i j Z I J). unfold m. repeat split; lra. }
  assert (forall n, form (A s) 1 n x <= b0 + s * least + (a0 - b0) + 5 / 8 * s * gap) as U.
  { intros n. apply Rle_trans with (form m 1 n x).
    - apply form_le; trivial. intros i j I J. apply A_with_s; lia || trivial.
    - apply (growing_ineq (fun u => form m 1 u x)); [| exact HM]. apply form_growing; [| exact X].
      intros i j I J. now apply P. }
  assert (Un_growing (fun u => form (A s) 1 u x)) as GA.
  { apply form_growing; [| exact X]. intros i j I J. destruct (P i j I J) as [? [? _]]. lra. }
  destruct (growing_cv (fun u => form (A s) 1 u x) GA) as [v HV].
  { exists (b0 + s * least + (a0 - b0) + 5 / 8 * s * gap). intros y [n ->]. apply U. }
  exists (v / (b0 + s * least)). split; [| replace (v / (b0 + s * least) * (b0 + s * least)) with v by (field; lra); split].
  - exists v, (b0 + s * least). repeat split; trivial. lra.
  - intros n. now apply (growing_ineq (fun u => form (A s) 1 u x)).
  - refine (Rle_cv_lim (Vn := fun _ => b0 + s * least + (a0 - b0) + 5 / 8 * s * gap) U HV _). apply constant_tends.
Qed.

(* ---- the limits ------------------------------------------------------------------------------------------------------ *)

Lemma least_column : forall (x : nat -> R) n, Sum (fun j => (fun i _ : R => i) (INR j) (INR (S n)) * x j) 1 n =
  Sum (fun j => INR j ^ 1 * x j) 1 n.
Proof. intros x n. apply Sum_same. intros j J. ring. Qed.

Lemma gap_column : forall (x : nat -> R) n, Sum (fun j => (fun i k : R => k - i) (INR j) (INR (S n)) * x j) 1 n =
  (INR n + 1) * Sum (fun j => INR j ^ 0 * x j) 1 n - Sum (fun j => INR j ^ 1 * x j) 1 n.
Proof.
  intros x n. replace (_ - _) with ((INR n + 1) * Sum (fun j => INR j ^ 0 * x j) 1 n + - (1) * Sum (fun j => INR j ^ 1 * x j) 1 n)
    by ring.
  rewrite <- !Sum_times, <- Sum_plus. apply Sum_same. intros j J. rewrite S_INR. ring.
Qed.

Lemma geometric_least_up_to : forall q n, 0 < q < 1 -> form Least 1 n (geometric q) =
  -q^2/((q - 1)^3*(q + 1))
  - q ^ n * ((-2*q^2/(q - 1)^3) * INR n ^ 0 + (0) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((q^2*(2*q + 1)/((q - 1)^3*(q + 1))) * INR n ^ 0 + (-q^2/(q - 1)^2) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold Least in *. rewrite form_last, I, least_column by lia. clear I. unfold geometric.
    rewrite sum_1 by exact N. cbn [pow]. rewrite !S_INR. generalize (q ^ n) (INR n). intros Q m. field. lra.
Qed.

Lemma lg_least_up_to : forall q n, 0 < q < 1 -> form Least 1 n (lg q) =
  -q^2*(q^4 + 2*q^3 + 4*q^2 + 2*q + 1)/((q - 1)^5*(q + 1)^3)
  - q ^ n * ((-2*q^2*(q + 1)/(q - 1)^5) * INR n ^ 0 + (2*q^2*(q + 1)/(q - 1)^4) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((q^2*(q^4 + 6*q^3 + 8*q^2 + 6*q + 1)/((q - 1)^5*(q + 1)^3)) * INR n ^ 0 + (-q^2*(2*q^3 + 7*q^2 + 10*q + 3)/((q - 1)^4*(q + 1)^2)) * INR n ^ 1 + (q^2*(4*q + 3)/((q - 1)^3*(q + 1))) * INR n ^ 2 + (-q^2/(q - 1)^2) * INR n ^ 3 + (0) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold Least in *. rewrite form_last, I, least_column by lia. clear I. rewrite lg_moment. unfold lg.
    rewrite sum_2 by exact N. cbn [pow]. rewrite !S_INR. generalize (q ^ n) (INR n). intros Q m. field. lra.
Qed.

Lemma geometric_gap_up_to : forall q n, 0 < q < 1 -> form Gap 1 n (geometric q) =
  -2*q^3/((q - 1)^3*(q + 1))
  - q ^ n * ((0) * INR n ^ 0 + (2*q^2/(q - 1)^2) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((-2*q^3/((q - 1)^3*(q + 1))) * INR n ^ 0 + (0) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold Gap in *. rewrite form_last, I, gap_column by lia. clear I. unfold geometric.
    rewrite sum_0, sum_1 by exact N. cbn [pow]. rewrite !S_INR. generalize (q ^ n) (INR n). intros Q m. field. lra.
Qed.

Lemma lg_gap_up_to : forall q n, 0 < q < 1 -> form Gap 1 n (lg q) =
  -4*q^3*(q^2 + q + 1)/((q - 1)^5*(q + 1)^3)
  - q ^ n * ((0) * INR n ^ 0 + (-2*q^2/(q - 1)^3) * INR n ^ 1 + (-2*q^2/(q - 1)^3) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((-4*q^3*(q^2 + q + 1)/((q - 1)^5*(q + 1)^3)) * INR n ^ 0 + (2*q^3*(q^2 + 2*q + 3)/((q - 1)^4*(q + 1)^2)) * INR n ^ 1 + (-2*q^3/((q - 1)^3*(q + 1))) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold Gap in *. rewrite form_last, I, gap_column by lia. clear I. rewrite !lg_moment. unfold lg.
    rewrite sum_1, sum_2 by exact N. cbn [pow]. rewrite !S_INR. generalize (q ^ n) (INR n). intros Q m. field. lra.
Qed.

Lemma powers_nonnegative : forall q k, 0 < q -> 0 <= geometric q k /\ 0 <= lg q k.
Proof.
  intros q k H. unfold geometric, lg. pose proof (pow_lt q k H). split; [lra |]. apply Rmult_le_pos; [apply pos_INR | lra].
Qed.

(* A law whose ratio at s = 0 is at most 1 + c, where H-SF's form tends to b, and those of min(i,j) and |i - j| to l and g. *)
Lemma at_prompts : forall x r0 c b l g s, (forall k, 0 <= x k) -> CR 0 x r0 -> r0 <= 1 + c ->
  Un_cv (fun u => form (B 0) 1 u x) b -> Un_cv (fun u => form Least 1 u x) l -> Un_cv (fun u => form Gap 1 u x) g ->
  0 <= l -> 0 <= s -> let h_sf := b + s * l in
  0 < h_sf /\ exists r, CR s x r /\ (forall n, form (A s) 1 n x <= r * h_sf) /\ r * h_sf <= h_sf + c * b + 5 / 8 * s * g.
Proof.
  intros x r0 c b l g s X [a0 [b0 [HA [HB [b1 E]]]]] R HB' HL HG L0 Z h. pose proof (UL_sequence _ _ _ HB HB') as E0. subst b0.
  assert (0 <= s * l) as SL by (now apply Rmult_le_pos).
  destruct (ratio_at_prompts x a0 b l g X b1 L0 HA HB HL HG s Z) as [r [C [P U]]]. unfold h. split; [lra |].
  exists r. split; [exact C | split; [exact P |]]. eapply Rle_trans; [exact U |]. apply Rplus_le_compat_r, Rplus_le_compat_l.
  rewrite <- E in R. apply (Rmult_le_compat_r b) in R; [| lra]. replace (a0 / b * b) with a0 in R by (field; lra). lra.
Qed.

(* Under q^k, and under k q^k, with the limits as numbers. *)
Theorem geometric_at_prompts : forall q s, 0 < q < 1 -> 0 <= s ->
  let h_sf := q^2*(q^2 + 1)/((q - 1)^4*(q + 1)^2) + s * (-q^2/((q - 1)^3*(q + 1))) in
  0 < h_sf /\ exists r, CR s (geometric q) r /\ (forall n, form (A s) 1 n (geometric q) <= r * h_sf) /\
  r * h_sf <= h_sf + (9 - 12 * ln 2) * (q^2*(q^2 + 1)/((q - 1)^4*(q + 1)^2)) + 5 / 8 * s * (-2*q^3/((q - 1)^3*(q + 1))).
Proof.
  intros q s H. apply (at_prompts _ (geometric_ratio q)).
  - intros k. now apply powers_nonnegative.
  - now apply geometric_closed_form.
  - pose proof (proj1 geometric_supremum q H). lra.
  - eapply tends; [exact H | intros n; now apply Geometric.h_sf_up_to].
  - eapply tends; [exact H | intros n; now apply geometric_least_up_to].
  - eapply tends; [exact H | intros n; now apply geometric_gap_up_to].
  - replace (-q^2/((q - 1)^3*(q + 1))) with (q^2/((1 - q)^3*(q + 1))) by (field; lra).
    apply Rle_mult_inv_pos; [apply pow2_ge_0 |]. apply Rmult_lt_0_compat; [apply pow_lt |]; lra.
Qed.

Theorem lg_at_prompts : forall q s, 0 < q < 1 -> 0 <= s ->
  let b0 := q^2*(q^6 + 2*q^5 + 11*q^4 + 8*q^3 + 11*q^2 + 2*q + 1)/((q - 1)^6*(q + 1)^4) in
  let h_sf := b0 + s * (-q^2*(q^4 + 2*q^3 + 4*q^2 + 2*q + 1)/((q - 1)^5*(q + 1)^3)) in
  0 < h_sf /\ exists r, CR s (lg q) r /\ (forall n, form (A s) 1 n (lg q) <= r * h_sf) /\
  r * h_sf <= h_sf + 5 / 9 * b0 + 5 / 8 * s * (-4*q^3*(q^2 + q + 1)/((q - 1)^5*(q + 1)^3)).
Proof.
  intros q s H. apply (at_prompts _ (lg_ratio q)).
  - intros k. now apply powers_nonnegative.
  - now apply linear_geometric.
  - pose proof (proj1 linear_geometric_supremum q H). lra.
  - eapply tends; [exact H | intros n; now apply LinearGeometric.h_sf_up_to].
  - eapply tends; [exact H | intros n; now apply lg_least_up_to].
  - eapply tends; [exact H | intros n; now apply lg_gap_up_to].
  - replace (-q^2*(q^4 + 2*q^3 + 4*q^2 + 2*q + 1)/((q - 1)^5*(q + 1)^3))
      with (q^2*(q^4 + 2*q^3 + 4*q^2 + 2*q + 1)/((1 - q)^5*(q + 1)^3)) by (field; lra).
    pose proof (pow_lt q 2 ltac:(lra)). pose proof (pow_lt q 3 ltac:(lra)). pose proof (pow_lt q 4 ltac:(lra)).
    apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra |]. apply Rmult_lt_0_compat; apply pow_lt; lra.
Qed.

(* ---- partial sums in whole numbers -------------------------------------------------------------------------------------- *)

(* Under q = a/r, after length n: a^n, r^n times the moments of the weights, and what is at most r^(2n) times A_min's form.
   The weights are q^k, or k q^k where c is true. *)
Fixpoint partial (s a r : Z) (c : bool) (n : nat) : Z * (Z * Z * Z * Z) * Z :=
  match n with
  | O => (1, (0, 0, 0, 0), 0)
  | S k => match partial s a r c k with (pw, (m0, m1, m2, m3), F) =>
      let N := Z.of_nat n in let pw := pw * a in let x := if c then N * pw else pw in
      let col := s * N * (N + s) * m0 + (N * N + 3 * s * N + s * s) * m1 + 2 * N * m2 - m3 in
      (pw, (r * m0 + x, r * m1 + N * x, r * m2 + N * N * x, r * m3 + N * N * N * x),
       r * r * F + N * (N + s) * (x * x) + x * (r * col) / (s + N)) end
  end%Z.

Definition law (q : R) (c : bool) : nat -> R := if c then lg q else geometric q.

Lemma floor_below : forall a b, (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros a b B. assert (0 < IZR b) as P by (now apply IZR_lt). apply (Rmult_le_reg_r (IZR b)); [exact P |].
  replace (IZR a / IZR b * IZR b) with (IZR a) by (field; lra). rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm.
  now apply Z.mul_div_le.
Qed.

Lemma partial_sums : forall s a r c, (0 <= s)%Z -> (0 < r)%Z -> let q := IZR a / IZR r in forall n,
  match partial s a r c n with (pw, (m0, m1, m2, m3), F) => let m d := IZR r ^ n * Sum (fun j => INR j ^ d * law q c j) 1 n in
    IZR pw = IZR r ^ n * q ^ n /\ IZR m0 = m 0%nat /\ IZR m1 = m 1%nat /\ IZR m2 = m 2%nat /\ IZR m3 = m 3%nat /\
    IZR F <= (IZR r ^ n) ^ 2 * form (A (IZR s)) 1 n (law q c) end.
Proof.
  intros s a r c Z R0 q. apply IZR_le in Z. apply IZR_lt in R0. cbv zeta.
  induction n as [| n I]; [cbn [partial]; rewrite form_empty, !Sum_empty by lia; cbn [pow]; repeat split; lra |].
  cbn [partial]. destruct (partial s a r c n) as [[pw [[[m0 m1] m2] m3]] F]. destruct I as [P [E0 [E1 [E2 [E3 EF]]]]].
  cbv zeta. pose proof (pos_INR n) as N0. set (N := Z.of_nat (S n)).
  assert (IZR N = INR n + 1) as EN by (unfold N; rewrite <- INR_IZR_INZ, S_INR; reflexivity).
  set (x := (if c then N * (pw * a) else pw * a)%Z).
  assert (IZR x = IZR r ^ S n * law q c (S n)) as X.
  { unfold x, law. destruct c; unfold lg, geometric; rewrite ?mult_IZR, P, ?EN, ?S_INR; cbn [pow]; unfold q; field; lra. }
  set (col := (s * N * (N + s) * m0 + (N * N + 3 * s * N + s * s) * m1 + 2 * N * m2 - m3)%Z).
  assert (0 < s + N)%Z as D by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (IZR col = IZR r ^ n * (2 * (IZR s + IZR N) * Sum (fun j => Forms.a (IZR s) (INR j) (INR (S n)) * law q c j) 1 n)) as EC.
  { rewrite a_min_column by exact Z. unfold col.
    rewrite minus_IZR, !plus_IZR, !mult_IZR, !plus_IZR, !mult_IZR, E0, E1, E2, E3, EN. field. lra. }
  unfold A. rewrite (form_last _ 1 n) by lia. fold (A (IZR s)). rewrite !(Sum_last _ 1 n (S n)) by lia.
  repeat split.
  - rewrite mult_IZR, P. cbn [pow]. unfold q. field. lra.
  - rewrite plus_IZR, mult_IZR, E0, X. cbn [pow]. ring.
  - rewrite plus_IZR, !mult_IZR, E1, X, EN, S_INR. cbn [pow]. ring.
  - rewrite plus_IZR, !mult_IZR, E2, X, EN, S_INR. cbn [pow]. ring.
  - rewrite plus_IZR, !mult_IZR, E3, X, EN, S_INR. cbn [pow]. ring.
  - rewrite !plus_IZR. pose proof (floor_below (x * (r * col)) (s + N) D) as L.
    rewrite !mult_IZR, plus_IZR in L. rewrite EC, X in L.
    apply (Rmult_le_compat_l (IZR r * IZR r)) in EF; [| apply Rmult_le_pos; lra].
    rewrite !mult_IZR, plus_IZR, X. eapply Rle_trans; [apply Rplus_le_compat; [apply Rplus_le_compat_r; exact EF | exact L] |].
    right. set (C := Sum (fun j => Forms.a (IZR s) (INR j) (INR (S n)) * law q c j) 1 n). clearbody C.
    unfold Forms.a. rewrite EN, S_INR in *. cbn [pow]. field. lra.
Qed.

Lemma above : forall s a r c n v y h, (0 <= s)%Z -> (0 < r)%Z -> (v * (r ^ Z.of_nat n) ^ 2 <=? snd (partial s a r c n))%Z = true ->
  (forall u, form (A (IZR s)) 1 u (law (IZR a / IZR r) c) <= y * h) -> IZR v <= y * h.
Proof.
  intros s a r c n v y h Z R0 V U. apply Z.leb_le, IZR_le in V. pose proof (partial_sums s a r c Z R0 n) as P. cbv zeta in P.
  destruct (partial s a r c n) as [[pw [[[m0 m1] m2] m3]] F]. destruct P as [_ [_ [_ [_ [_ P]]]]]. cbn [snd] in V.
  apply IZR_lt in R0. eapply Rle_trans; [| apply (U n)]. rewrite mult_IZR in V.
  replace (IZR ((r ^ Z.of_nat n) ^ 2)) with ((IZR r ^ n) ^ 2) in V by (change 2%Z with (Z.of_nat 2); now rewrite <- !pow_IZR).
  assert (0 < (IZR r ^ n) ^ 2) as W by (apply pow_lt, pow_lt; lra). apply (Rmult_le_reg_r _ _ _ W). lra.
Qed.

(* From P : every partial sum is at most y h, with h = H: v <= y H, where the sum up to n is at least v. *)
Ltac from_partial_sum P c s a r n v H :=
  match type of P with forall u, _ <= ?y * ?h =>
    let E := fresh in assert (h = H) as E by (cbv zeta; field); rewrite E in P; clear E;
    let L := fresh "L" in pose proof (above s a r c n v y H ltac:(lia) ltac:(lia) ltac:(vm_compute; reflexivity) P) as L end.

(* ---- at the witnesses -------------------------------------------------------------------------------------------------- *)

(* Finding "bound" of "geometric", refuted at form: $CR(A_min)$ under $G(p)$ is at most $1.7$
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: bound = 1.7; direction = increases *)
(* Finding "geometric" of "uniform-bounds", refuted at form: under geometric laws $CR(A_min)$ is at most $1.7$,
   uniformly
   Reading: each family over its own range: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in
   the limit $M → ∞$, of the forms; every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem geometric_bound_fails : let s := 1 in let q := 6 / 7 in exists r, CR s (geometric q) r /\ 17 / 10 < r.
Proof.
  intros s q. destruct (geometric_at_prompts q s ltac:(unfold q; lra) ltac:(unfold s; lra)) as [_ [r [C [P _]]]].
  exists r. split; [exact C |]. unfold s, q in P. from_partial_sum P false 1%Z 6%Z 7%Z 60%nat 1745%Z (172872 / 169). lra.
Qed.

(* Finding "closed-form" of "thm-lg", refuted at form: $CR(A_min)$ under $LG(p)$ is the closed form
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
Theorem lg_closed_form_fails : let s := 1 in let q := 1 / 2 in exists r, CR s (lg q) r /\ r <> (1 + q) ^ 2 * (1 + 3 * q + 6 * q ^ 2 + 3 * q ^ 3 + q ^ 4) /
    (1 + 2 * q + 11 * q ^ 2 + 8 * q ^ 3 + 11 * q ^ 4 + 2 * q ^ 5 + q ^ 6).
Proof.
  intros s q. destruct (lg_at_prompts q s ltac:(unfold q; lra) ltac:(unfold s; lra)) as [_ [r [C [P _]]]].
  exists r. split; [exact C |]. unfold s, q in P. from_partial_sum P true 1%Z 1%Z 2%Z 20%nat 44%Z (256 / 9). unfold q. lra.
Qed.

(* Finding "bound" of "thm-lg", refuted at form: it is at most $14/9$
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "linear-geometric" of "uniform-bounds", refuted at form: under $LG$ laws $CR(A_min)$ is at most $1.56$,
   uniformly
   Reading: each family over its own range: every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in
   the limit $M → ∞$, of the forms; every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem lg_bound_fails : let s := 1 in let q := 7 / 10 in exists r, CR s (lg q) r /\ 14 / 9 < r /\ 156 / 100 < r.
Proof.
  intros s q. destruct (lg_at_prompts q s ltac:(unfold q; lra) ltac:(unfold s; lra)) as [_ [r [C [P _]]]].
  exists r. split; [exact C |]. unfold s, q in P. from_partial_sum P true 1%Z 7%Z 10%Z 30%nat 2055%Z (26663840000 / 20295603). lra.
Qed.

(* Finding "weaker-bound" of "thm-lg", refuted at form: it is at most $1.6$
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
Theorem lg_weaker_bound_fails : let s := 5 in let q := 3 / 4 in exists r, CR s (lg q) r /\ 16 / 10 < r.
Proof.
  intros s q. destruct (lg_at_prompts q s ltac:(unfold q; lra) ltac:(unfold s; lra)) as [_ [r [C [P _]]]].
  exists r. split; [exact C |]. unfold s, q in P. from_partial_sum P true 5%Z 3%Z 4%Z 60%nat 11449%Z (17178048 / 2401). lra.
Qed.

(* Finding "monotone" of "geometric", refuted at form: it increases with $q$
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: bound = 1.7; direction = increases *)
Theorem geometric_monotone_fails : let s := 1 in let q := [6 / 7; 99 / 100] in
  nth 0 q 0 < nth 1 q 0 /\ exists r r', CR s (geometric (nth 0 q 0)) r /\ CR s (geometric (nth 1 q 0)) r' /\ r' < r.
Proof.
  cbv zeta. cbn [nth]. split; [lra |].
  destruct (geometric_at_prompts (6 / 7) 1 ltac:(lra) ltac:(lra)) as [_ [r [C [P _]]]].
  destruct (geometric_at_prompts (99 / 100) 1 ltac:(lra) ltac:(lra)) as [_ [r' [C' [_ U]]]].
  exists r, r'. split; [exact C | split; [exact C' |]].
  from_partial_sum P false 1%Z 6%Z 7%Z 60%nat 1750%Z (172872 / 169).
  apply Rlt_trans with (171 / 100); [| lra]. clear - U.
  assert (r' * (1960200000000 / 39601) <= 1960200000000 / 39601 + (9 - 12 * ln 2) * (1940696010000 / 39601) + 5 / 8 * (194059800 / 199)) as V.
  { eapply Rle_trans; [right | eapply Rle_trans; [exact U | right]]; field. }
  pose proof logarithm_of_2. lra.
Qed.

(* Finding "monotone" of "thm-lg", refuted at form: it increases with $q$
   Reading: every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound =
   14/9; weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
Theorem lg_monotone_fails : let s := 1 in let q := [7 / 10; 99 / 100] in
  nth 0 q 0 < nth 1 q 0 /\ exists r r', CR s (lg (nth 0 q 0)) r /\ CR s (lg (nth 1 q 0)) r' /\ r' < r.
Proof.
  cbv zeta. cbn [nth]. split; [lra |].
  destruct (lg_at_prompts (7 / 10) 1 ltac:(lra) ltac:(lra)) as [_ [r [C [P _]]]].
  destruct (lg_at_prompts (99 / 100) 1 ltac:(lra) ltac:(lra)) as [_ [r' [C' [_ U]]]].
  exists r, r'. split; [exact C | split; [exact C' |]].
  from_partial_sum P true 1%Z 7%Z 10%Z 30%nat 2055%Z (26663840000 / 20295603).
  apply Rlt_trans with (156 / 100); [| lra]. clear - U.
  assert (r' * (3442950173440800000000 / 1568239201) <= 3442950173440800000000 / 1568239201 + 5 / 9 * (3423833154285290010000 / 1568239201) + 5 / 8 * (115275402396000000 / 7880599)) as V.
  { eapply Rle_trans; [right | eapply Rle_trans; [exact U | right]]; field. }
  lra.
Qed.
