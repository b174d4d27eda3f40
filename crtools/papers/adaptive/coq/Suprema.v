(* Bounds on the forms over H-SF's for every u, l and s, by squares in the tails: no weight is left out.

   E s l u is l/(s+l) + the sum of 1/(s+2k-1) over l < k <= u; at s = 0 it is 1 + the sum of 1/(2k-1). *)
From Crtools Require Import Prelude Forms.
From Crtools Require adaptive.

Lemma from_difference : forall d x y, 0 <= d -> d = x - y -> y <= x.
Proof. intros. lra. Qed.

Ltac ends i j P L :=
  assert (P : 1 <= INR (Nat.min i j)) by (change 1 with (INR 1); apply le_INR; lia);
  assert (L : INR (Nat.min i j) <= INR (Nat.max i j)) by (apply le_INR; lia);
  revert P L; generalize (INR (Nat.min i j)) (INR (Nat.max i j)); intros p q P L.

(* ---- A - B >= 0 and several intervals --------------------------------------------------------------------------- *)

Theorem B_below_A : forall s i j, 0 <= s -> (1 <= i)%nat -> (1 <= j)%nat -> B s i j <= A s i j.
Proof.
  intros s i j Z I J. unfold A, B, symmetric. ends i j P L.
  eapply from_difference; [apply (adaptive.A_sign_B.step_2 p q s Z P L) |]. unfold a, b. field. lra.
Qed.

(* Theorem "A − B": a_{ij} - b_{ij} = \frac{(s+i)(j-i)(s+i+j)}{2(s+j)} \ge 0
   Reading: for all s ≥ 0 and i ≤ j, of the forms *)
Theorem A_minus_B : forall s i j, 0 <= s -> 1 <= i <= j ->
  a s i j - b s i j = (s + i) * (j - i) * (s + i + j) / (2 * (s + j)) /\ 0 <= a s i j - b s i j.
Proof.
  intros s i j Z H. assert (a s i j - b s i j = (s + i) * (j - i) * (s + i + j) / (2 * (s + j))) as D.
  { unfold a, b. field. lra. }
  split; [exact D |]. rewrite D. apply Rle_mult_inv_pos; [repeat apply Rmult_le_pos; lra | lra].
Qed.

Lemma form_le : forall m n l u x, (forall k, 0 <= x k) ->
  (forall i j, (l <= i <= u)%nat -> (l <= j <= u)%nat -> m i j <= n i j) -> form m l u x <= form n l u x.
Proof.
  intros m n l u x X H. apply Sum_le. intros i I. apply Sum_le. intros j J.
  apply Rmult_le_compat_r; [apply X |]. apply Rmult_le_compat_r; [apply X |]. now apply H.
Qed.

Definition revised (s : R) (interval : nat -> nat) (i j : nat) : R :=
  if Nat.eqb (interval i) (interval j) then A s i j else B s i j.

(* Theorem "intervals below single": B + \operatorname{blockdiag}(A-B) \le A \text{ entrywise}
   Reading: for all s ≥ 0 and intervals with u_j ≤ l_{j+1}, of the forms *)
Theorem revised_below_A : forall s interval i j, 0 <= s -> (1 <= i)%nat -> (1 <= j)%nat ->
  revised s interval i j <= A s i j.
Proof.
  intros s interval i j Z I J. unfold revised. pose proof (B_below_A s i j Z I J).
  destruct (Nat.eqb (interval i) (interval j)); lra.
Qed.

(* Several prediction intervals, in whatever way they part the lengths: at most A_min's form of the single interval. *)
Theorem refined_intervals : forall s l u x interval, 0 <= s -> (1 <= l)%nat -> (forall k, 0 <= x k) ->
  form (B s) l u x <= form (revised s interval) l u x <= form (A s) l u x.
Proof.
  intros s l u x interval Z L X. split; apply form_le; trivial; intros i j I J; unfold revised;
    destruct (Nat.eqb (interval i) (interval j)); try lra; apply B_below_A; trivial; lia.
Qed.

(* ---- Cauchy-Schwarz in the tails -------------------------------------------------------------------------------- *)

Definition E (s : R) (l u : nat) : R := INR l / (s + INR l) + Sum (fun k => / (s + 2 * INR k - 1)) (S l) u.

Lemma weight : forall s l k, 0 <= s -> (1 <= l)%nat -> (S l <= k)%nat -> 0 < s + 2 * INR k - 1.
Proof. intros s l k Z L K. apply le_INR in K, L. rewrite S_INR in K. simpl in L. lra. Qed.

Lemma E_positive : forall s l u, 0 <= s -> (1 <= l)%nat -> 0 < E s l u.
Proof.
  intros s l u Z L. destruct (above_0 s l Z L). unfold E.
  assert (0 < INR l / (s + INR l)) by (apply Rdiv_lt_0_compat; lra).
  assert (0 <= Sum (fun k => / (s + 2 * INR k - 1)) (S l) u); [| lra].
  apply Sum_nonnegative. intros k K. left. apply Rinv_0_lt_compat, (weight s l k Z L). lia.
Qed.

Lemma tokens_in_tails : forall l u x, (l <= u)%nat ->
  Sum (fun i => INR i * x i) l u = INR l * Sum x l u + Sum (fun k => Sum x k u) (S l) u.
Proof.
  intros l u x H. rewrite in_tails by lia. f_equal. apply Sum_same. intros k K. destruct k; [lia |].
  cbn [pred]. rewrite S_INR. ring.
Qed.

(* sum of w_k (T_k - c/w_k)^2 *)
Lemma squares : forall (w T : nat -> R) c l u, (forall k, (l <= k <= u)%nat -> 0 < w k) ->
  Sum (fun k => w k * (T k - c / w k) ^ 2) l u =
  Sum (fun k => w k * T k ^ 2) l u + (- 2 * c) * Sum T l u + c ^ 2 * Sum (fun k => / w k) l u.
Proof.
  intros w T c l u W. rewrite <- !Sum_times, <- !Sum_plus. apply Sum_same. intros k K. specialize (W k K). field. lra.
Qed.

Lemma weighted_squares_nonnegative : forall (w T : nat -> R) c l u, (forall k, (l <= k <= u)%nat -> 0 < w k) ->
  0 <= Sum (fun k => w k * (T k - c / w k) ^ 2) l u.
Proof.
  intros w T c l u W. apply Sum_nonnegative. intros k K. specialize (W k K). apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

(* Theorem "Cauchy–Schwarz in the tails": (\textstyle\sum_i i x_i)^2 \le E \cdot x^\top B x
   Reading: for all integers u ≥ l ≥ 1 at s = 0, of the forms *)
Theorem cauchy_schwarz : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  Sum (fun i => INR i * x i) l u ^ 2 <= E s l u * form (B s) l u x.
Proof.
  intros s l u x Z [L H]. rewrite B_in_tails, tokens_in_tails by lia. destruct (above_0 s l Z L) as [L1 _].
  pose proof (E_positive s l u Z L) as P.
  set (w := fun k : nat => s + 2 * INR k - 1). set (T := fun k => Sum x k u).
  set (total := INR l * T l + Sum T (S l) u).
  assert (forall k, (S l <= k <= u)%nat -> 0 < w k) as W by (intros k K; apply (weight s l k Z L); lia).
  pose proof (weighted_squares_nonnegative w T (total / E s l u) (S l) u W) as Q. rewrite squares in Q by exact W.
  assert (0 <= INR l * (s + INR l) * (T l - total / E s l u / (s + INR l)) ^ 2) as F.
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply pow2_ge_0]. }
  fold (T l). change (Sum (fun k => Sum x k u) (S l) u) with (Sum T (S l) u). fold total.
  change (fun k => (s + 2 * INR k - 1) * Sum x k u ^ 2) with (fun k => w k * T k ^ 2).
  set (Q2 := Sum (fun k => w k * T k ^ 2) (S l) u) in *.
  assert (Sum (fun k => / w k) (S l) u = E s l u - INR l / (s + INR l)) as V by (unfold E, w; ring).
  rewrite V in Q. assert (Sum T (S l) u = total - INR l * T l) as U by (unfold total; ring). rewrite U in Q.
  apply (from_difference (E s l u * (INR l * (s + INR l) * (T l - total / E s l u / (s + INR l)) ^ 2
    + (Q2 + -2 * (total / E s l u) * (total - INR l * T l) + (total / E s l u) ^ 2 * (E s l u - INR l / (s + INR l)))))).
  - apply Rmult_le_pos; lra.
  - field. lra.
Qed.

Lemma B_nonnegative : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  INR l * (s + INR l) * Sum x l u ^ 2 <= form (B s) l u x.
Proof.
  intros s l u x Z [L H]. rewrite B_in_tails by lia.
  assert (0 <= Sum (fun k => (s + 2 * INR k - 1) * Sum x k u ^ 2) (S l) u); [| lra].
  apply Sum_nonnegative. intros k K. pose proof (weight s l k Z L ltac:(lia)). apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

Lemma B_semidefinite : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> 0 <= form (B s) l u x.
Proof.
  intros s l u x Z H. pose proof (B_nonnegative s l u x Z H) as N. destruct (above_0 s l Z ltac:(lia)).
  assert (0 <= INR l * (s + INR l) * Sum x l u ^ 2); [| lra].
  apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply pow2_ge_0].
Qed.

(* ---- products and sums of forms --------------------------------------------------------------------------------- *)

Lemma form_product : forall c d l u x,
  form (fun i j => c i * d j) l u x = Sum (fun i => c i * x i) l u * Sum (fun j => d j * x j) l u.
Proof.
  intros c d l u x. unfold form. rewrite Rmult_comm, <- Sum_times. apply Sum_same. intros i I.
  rewrite (Sum_same _ (fun j => c i * x i * (d j * x j)) l u) by (intros; ring). rewrite Sum_times. ring.
Qed.

Lemma form_sum : forall p q m n l u x,
  form (fun i j => p * m i j + q * n i j) l u x = p * form m l u x + q * form n l u x.
Proof.
  intros p q m n l u x. unfold form. rewrite <- !Sum_times, <- Sum_plus. apply Sum_same. intros i I.
  rewrite <- !Sum_times, <- Sum_plus. apply Sum_same. intros j J. ring.
Qed.

Lemma form_same : forall m n l u x, (forall i j, (l <= i <= u)%nat -> (l <= j <= u)%nat -> m i j = n i j) ->
  form m l u x = form n l u x.
Proof. intros m n l u x H. apply Sum_same. intros i I. apply Sum_same. intros j J. now rewrite H. Qed.

(* ---- A_min at s = 0: 5/4 + 1/2 sum 1/(2k-1), and H_u ------------------------------------------------------------- *)

Definition gram (c d i j : R) : R := c * (i ^ 3 / j) + d * i ^ 2.

(* With c = 1 and d = -1/2, three times the integral of v (T - 2 v V)^2 from p to k. *)
Definition piece (c d p k T V : R) : R :=
  (4 * c + 5 * d) * (k ^ 2 - p ^ 2) * T ^ 2 - 8 * (c + d) * (k ^ 3 - p ^ 3) * T * V + (5 * c + 4 * d) * (k ^ 4 - p ^ 4)
    * V ^ 2.

Lemma piece_nonnegative : forall p k T V, 0 <= p < k -> 0 <= piece 1 (- / 2) p k T V.
Proof.
  intros p k T V H. assert (0 < 3 / 2 * (k ^ 2 - p ^ 2)) as P by (replace (k ^ 2 - p ^ 2) with ((k - p) * (k + p)) by ring;
    apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]).
  apply (Rmult_le_reg_l _ _ _ P). rewrite Rmult_0_r.
  replace (_ * piece _ _ p k T V) with ((3 / 2 * (k ^ 2 - p ^ 2) * T - 2 * (k ^ 3 - p ^ 3) * V) ^ 2
    + / 2 * ((k - p) ^ 2 * V) ^ 2 * (k ^ 2 + 4 * k * p + p ^ 2)) by (unfold piece; field).
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 |].
  apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply pow2_ge_0] |].
  pose proof (Rmult_le_pos k p ltac:(lra) ltac:(lra)). pose proof (pow2_ge_0 k). pose proof (pow2_ge_0 p). lra.
Qed.

Lemma gram_in_tails : forall c d u x l, (1 <= l <= u)%nat ->
  form (symmetric (gram c d)) l u x =
  piece c d 0 (INR l) (Sum x l u) (Sum (fun i => / INR i * x i) l u)
  + Sum (fun k => piece c d (INR k - 1) (INR k) (Sum x k u) (Sum (fun i => / INR i * x i) k u)) (S l) u.
Proof.
  intros c d u x l [L H]. assert (l <= S u)%nat as H' by lia. revert L H. downwards l H'; [lia |]. intros I L _.
  rewrite form_first by lia. destruct (above_0 0 l ltac:(lra) L) as [L1 _].
  assert (Sum (fun j => gram c d (INR l) (INR j) * x j) (S l) u =
    c * INR l ^ 3 * Sum (fun i => / INR i * x i) (S l) u + d * INR l ^ 2 * Sum x (S l) u) as ->.
  { rewrite <- !Sum_times, <- Sum_plus. apply Sum_same. intros j J. destruct (above_0 0 j ltac:(lra) ltac:(lia)).
    unfold gram. field. lra. }
  rewrite (Sum_first x l u), (Sum_first (fun i => / INR i * x i) l u) by lia.
  destruct (Nat.eq_dec l u) as [-> | N].
  - rewrite form_empty, !Sum_empty by lia. unfold gram, piece. field. lra.
  - rewrite I by lia.
    rewrite (Sum_first (fun k => piece c d (INR k - 1) (INR k) (Sum x k u) (Sum (fun i => / INR i * x i) k u)) (S l) u)
      by lia.
    generalize (Sum x (S l) u) (Sum (fun i => / INR i * x i) (S l) u). intros t r.
    rewrite S_INR. unfold gram, piece. field. lra.
Qed.

Lemma gram_nonnegative : forall l u x, (1 <= l <= u)%nat -> 0 <= form (symmetric (gram 1 (- / 2))) l u x.
Proof.
  intros l u x H. rewrite gram_in_tails by lia. destruct (above_0 0 l ltac:(lra) ltac:(lia)).
  apply Rplus_le_le_0_compat; [apply piece_nonnegative; lra |].
  apply Sum_nonnegative. intros k K. destruct (above_0 0 k ltac:(lra) ltac:(lia)). apply piece_nonnegative. lra.
Qed.

(* A_min's form is at most (5/4 + 1/2 sum_{l<k<=u} 1/(2k-1)) times H-SF's, whatever the weights. *)
Theorem sharp_upper_bound : forall l u x, (1 <= l <= u)%nat ->
  form (A 0) l u x <= (5 / 4 + / 2 * Sum (fun k => / (2 * INR k - 1)) (S l) u) * form (B 0) l u x.
Proof.
  intros l u x H. pose proof (gram_nonnegative l u x H) as G. pose proof (cauchy_schwarz 0 l u x ltac:(lra) H) as C.
  destruct (above_0 0 l ltac:(lra) ltac:(lia)) as [L _].
  assert (E 0 l u = 1 + Sum (fun k => / (2 * INR k - 1)) (S l) u) as V.
  { unfold E. f_equal; [field; lra |]. apply Sum_same. intros k K. f_equal. ring. }
  rewrite V in C.
  assert (form (A 0) l u x =
    / 2 * (Sum (fun i => INR i * x i) l u) ^ 2 + 3 / 4 * form (B 0) l u x + - / 2 * form (symmetric (gram 1 (- / 2))) l
      u x) as ->;
    [| lra].
  replace ((Sum _ _ _) ^ 2) with (Sum (fun i => INR i * x i) l u * Sum (fun i => INR i * x i) l u) by ring.
  rewrite <- form_product.
  replace (/ 2 * form (fun i j => INR i * INR j) l u x + 3 / 4 * form (B 0) l u x + - / 2 * form (symmetric (gram 1 (- /
    2))) l u x)
    with (1 * (/ 2 * form (fun i j => INR i * INR j) l u x + 3 / 4 * form (B 0) l u x) + - / 2 * form (symmetric (gram 1
      (- / 2))) l u x)
    by ring.
  rewrite <- !form_sum. apply form_same. intros i j I J. unfold A, B, symmetric.
  assert (INR i * INR j = INR (Nat.min i j) * INR (Nat.max i j)) as ->.
  { destruct (Nat.le_gt_cases i j); [rewrite Nat.min_l, Nat.max_r by lia | rewrite Nat.min_r, Nat.max_l by lia]; ring. }
  assert (1 <= i)%nat by lia. assert (1 <= j)%nat by lia. ends i j P Q. unfold a, b, gram. field. lra.
Qed.

(* The paper's bound: H_u. *)
Theorem trace_bound : forall u x, (1 <= u)%nat ->
  form (A 0) 1 u x <= Sum (fun k => / INR k) 1 u * form (B 0) 1 u x.
Proof.
  intros u x H. destruct (Nat.eq_dec u 1) as [-> | N].
  - unfold form, A, B, symmetric, a, b. rewrite !Sum_one. simpl. lra.
  - eapply Rle_trans; [apply sharp_upper_bound; lia |].
    apply Rmult_le_compat_r; [apply B_semidefinite; [lra | lia] |].
    assert (2 <= u)%nat as U by lia. clear H N. revert u U. apply from_start.
    + rewrite (Sum_first _ 1 2), !Sum_one by lia. simpl. lra.
    + intros u U I. rewrite (Sum_last (fun k => / (2 * INR k - 1)) 2 u), (Sum_last (fun k => / INR k) 1 u) by lia.
      apply le_INR in U. simpl in U. rewrite S_INR.
      assert (/ (2 * (INR u + 1) - 1) <= / (INR u + 1)) by (apply Rinv_le_contravar; lra).
      assert (0 < / (INR u + 1)) by (apply Rinv_0_lt_compat; lra). lra.
Qed.

(* ---- A_min for every s ------------------------------------------------------------------------------------------ *)

(* For weights >= 0, A_min's form over H-SF's lies between 1 and 1 + E/2 + s sqrt(E/(l(s+l))). *)
Theorem two_sided_bound : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> (forall k, 0 <= x k) ->
  form (B s) l u x <= form (A s) l u x <=
  (1 + E s l u / 2 + s * sqrt (E s l u / (INR l * (s + INR l)))) * form (B s) l u x.
Proof.
  intros s l u x Z H X. split; [apply form_le; trivial; intros; apply B_below_A; trivial; lia |].
  pose proof (cauchy_schwarz s l u x Z H) as C. pose proof (B_nonnegative s l u x Z H) as N.
  pose proof (B_semidefinite s l u x Z H) as Q. pose proof (E_positive s l u Z ltac:(lia)) as P.
  destruct (above_0 s l Z ltac:(lia)) as [L _].
  assert (0 < INR l * (s + INR l)) as D by (apply Rmult_lt_0_compat; lra).
  set (W := Sum (fun i => INR i * x i) l u) in *. set (T := Sum x l u) in *.
  assert (form (A s) l u x <= form (B s) l u x + (s * (T * W) + W ^ 2 / 2)) as G.
  { apply Rle_trans with (form (fun i j =>
      1 * B s i j + 1 * (1 * (s / 2 * (1 * INR j) + s / 2 * (INR i * 1)) + / 2 * (INR i * INR j))) l u x).
    - apply form_le; trivial. intros i j I J. unfold A, B, symmetric.
      assert (INR i + INR j = INR (Nat.min i j) + INR (Nat.max i j) /\ INR i * INR j = INR (Nat.min i j) * INR (Nat.max i j))
        as [Y1 Y2].
      { destruct (Nat.le_gt_cases i j); [rewrite Nat.min_l, Nat.max_r by lia | rewrite Nat.min_r, Nat.max_l by lia]; lra. }
      replace (s / 2 * (1 * INR j) + s / 2 * (INR i * 1)) with (s / 2 * (INR i + INR j)) by field. rewrite Y1, Y2.
      clear Y1 Y2. assert (1 <= i)%nat by lia. assert (1 <= j)%nat by lia. ends i j P' L'.
      pose proof (adaptive.upper_bound_by_sums.step_2 p q s Z P' L') as Y.
      eapply from_difference; [| reflexivity].
      assert (0 <= s * p) by (apply Rmult_le_pos; lra).
      match type of Y with _ < ?y => apply Rle_trans with (y + s * p / 2); [lra | right] end.
      unfold a, b. field. lra.
    - right.
      rewrite (form_sum 1 1 (B s) (fun i j => 1 * (s / 2 * (1 * INR j) + s / 2 * (INR i * 1)) + / 2 * (INR i * INR j))),
        (form_sum 1 (/ 2) (fun i j => s / 2 * (1 * INR j) + s / 2 * (INR i * 1)) (fun i j => INR i * INR j)),
        (form_sum (s / 2) (s / 2) (fun i j => 1 * INR j) (fun i j => INR i * 1)),
        (form_product (fun _ => 1) INR), (form_product INR (fun _ => 1)), (form_product INR INR).
      rewrite (Sum_same (fun i => 1 * x i) x l u) by (intros; ring). fold T W. field. }
  set (V := form (B s) l u x) in *. set (D' := INR l * (s + INR l)) in *.
  assert (T * W <= sqrt (E s l u / D') * V) as M; [| apply (Rmult_le_compat_l s) in M; lra].
  apply Rsqr_incr_0_var; [| apply Rmult_le_pos; [apply sqrt_pos | exact Q]].
  rewrite !Rsqr_mult, Rsqr_sqrt by (apply Rle_mult_inv_pos; lra). unfold Rsqr.
  apply (Rmult_le_reg_l _ _ _ D). replace (D' * (T * T * (W * W))) with ((D' * T ^ 2) * W ^ 2) by ring.
  replace (D' * (E s l u / D' * (V * V))) with (V * (E s l u * V)) by (field; lra).
  apply Rmult_le_compat; [apply Rmult_le_pos; [lra | apply pow2_ge_0] | apply pow2_ge_0 | exact N | exact C].
Qed.

(* ---- A_random and A_max ------------------------------------------------------------------------------------------ *)

(* What a request of length k occupies: its peak for its whole run. *)
Definition occupied (s : R) (k : nat) : R := INR k * (s + INR k).

Definition a_random (s : R) (l u : nat) (x : nat -> R) : R := Sum x l u * Sum (fun i => occupied s i * x i) l u.
Definition a_max (s : R) (l u : nat) (x : nat -> R) : R := (s + INR u) * Sum x l u * Sum (fun i => INR i * x i) l u.

Lemma weights_sum : forall s l u, (l <= u)%nat -> Sum (fun k => s + 2 * INR k - 1) (S l) u = occupied s u - occupied s l.
Proof.
  intros s l u H. unfold occupied.
  rewrite (Sum_same _ (fun k => 2 * INR k + s - 1)) by (intros; ring).
  rewrite adaptive.H_SF_s_form_in_the_tails.step_4 by (lia || lra). rewrite S_INR. ring.
Qed.

(* Theorem "H-SF's form in the tails": a + \sum_{k=l+1}^{u} w_k T_k^2,\quad a = l(s+l),\ w_k = s+2k-1,\quad a + \sum_k
   w_k = u(s+u)
   Reading: every s ≥ 0, 1 ≤ l ≤ u *)
Theorem h_sf_in_tails : forall s l u x, (l <= u)%nat ->
  form (B s) l u x = occupied s l * Sum x l u ^ 2 + Sum (fun k => (s + 2 * INR k - 1) * Sum x k u ^ 2) (S l) u /\
  occupied s l + Sum (fun k => s + 2 * INR k - 1) (S l) u = occupied s u.
Proof. intros s l u x H. split; [now apply B_in_tails |]. rewrite weights_sum by lia. ring. Qed.

(* Theorem "A_max's form and A_random's(stretch)": \tfrac1M\,\mathcal A_{\max} \le \frac{u}{l}\,\tfrac1M\,\mathcal A_{\mathrm{random}} \text{ for all } x \ge 0
   Reading: every s ≥ 0 and l ≤ u, all weights on [l, u], α = l/u; of the forms *)
Theorem a_max_below_a_random : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> (forall k, 0 <= x k) ->
  a_max s l u x <= / (INR l / INR u) * a_random s l u x.
Proof.
  intros s l u x Z H X. destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  unfold a_max, a_random. replace (/ (INR l / INR u)) with (INR u / INR l) by (field; lra).
  assert (0 <= Sum x l u) as T by (apply Sum_nonnegative; intros; apply X).
  replace ((s + INR u) * Sum x l u * Sum (fun i => INR i * x i) l u)
    with (Sum x l u * ((s + INR u) * Sum (fun i => INR i * x i) l u)) by ring.
  replace (INR u / INR l * (Sum x l u * Sum (fun i => occupied s i * x i) l u))
    with (Sum x l u * (INR u / INR l * Sum (fun i => occupied s i * x i) l u)) by ring.
  apply Rmult_le_compat_l; [exact T |]. rewrite <- !Sum_times. apply Sum_le. intros k K.
  assert (INR l <= INR k) as LK by (apply le_INR; lia). assert (INR k <= INR u) as KU by (apply le_INR; lia).
  rewrite <- !Rmult_assoc. apply Rmult_le_compat_r; [apply X |].
  apply (Rmult_le_reg_l (INR l)); [lra |]. unfold occupied.
  replace (INR l * (INR u / INR l * (INR k * (s + INR k)))) with (INR k * (INR u * (s + INR k))) by (field; lra).
  replace (INR l * ((s + INR u) * INR k)) with (INR k * (INR l * (s + INR u))) by ring.
  apply Rmult_le_compat_l; [lra |]. rewrite !Rmult_plus_distr_l.
  apply Rplus_le_compat; [apply Rmult_le_compat_r; lra |]. rewrite Rmult_comm. apply Rmult_le_compat_l; lra.
Qed.

(* K H-SF - A_random is a sum of squares, K = (1 + sqrt(u(s+u)/(l(s+l))))/2. *)
Definition random_supremum (s : R) (l u : nat) : R := (1 + sqrt (occupied s u / occupied s l)) / 2.

Lemma random_gap : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> let K := random_supremum s l u in
  K * form (B s) l u x - a_random s l u x =
  K * Sum (fun k => (s + 2 * INR k - 1) * (Sum x k u - Sum x l u / (2 * K)) ^ 2) (S l) u.
Proof.
  intros s l u x Z H K. rewrite B_in_tails by lia. unfold a_random.
  rewrite (in_tails u x (occupied s) l) by lia.
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  assert (0 < occupied s l) as P by (apply Rmult_lt_0_compat; lra).
  assert (0 <= occupied s u / occupied s l) as Q by (apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra | exact P]).
  pose proof (sqrt_pos (occupied s u / occupied s l)) as R0. pose proof (sqrt_sqrt _ Q) as R2.
  set (r := sqrt (occupied s u / occupied s l)) in *. assert (K = (1 + r) / 2) as EK by reflexivity.
  assert (occupied s u = r * r * occupied s l) as V by (rewrite R2; field; lra).
  pose proof (weights_sum s l u ltac:(lia)) as W. rewrite V in W.
  rewrite (Sum_same (fun k => (occupied s k - occupied s (pred k)) * Sum x k u) (fun k => (s + 2 * INR k - 1) * Sum x k u)).
  2: { intros k J. destruct k; [lia |]. cbn [pred]. unfold occupied. rewrite S_INR. ring. }
  rewrite (Sum_same (fun k => (s + 2 * INR k - 1) * (Sum x k u - Sum x l u / (2 * K)) ^ 2)
    (fun k => (s + 2 * INR k - 1) * Sum x k u ^ 2 + ((- Sum x l u / K) * ((s + 2 * INR k - 1) * Sum x k u)
      + (Sum x l u / (2 * K)) ^ 2 * (s + 2 * INR k - 1)))) by (intros; field; lra).
  rewrite !Sum_plus, !Sum_times, W. fold (occupied s l). rewrite EK. field. lra.
Qed.

Lemma random_supremum_above : forall s l u, 1 / 2 <= random_supremum s l u.
Proof. intros. unfold random_supremum. pose proof (sqrt_pos (occupied s u / occupied s l)). lra. Qed.

Lemma a_random_bound : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  a_random s l u x <= (1 + sqrt (occupied s u / occupied s l)) / 2 * form (B s) l u x.
Proof.
  intros s l u x Z H. eapply from_difference; [| symmetry; apply (random_gap s l u x Z H)].
  apply Rmult_le_pos; [pose proof (random_supremum_above s l u); lra |].
  apply Sum_nonnegative. intros k J. pose proof (weight s l k Z ltac:(lia) ltac:(lia)).
  apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

(* Attained on {l, u}, where the tails above l are 1/(2K) of the whole. *)
Definition on_ends (l u : nat) (r : R) (k : nat) : R := if Nat.eqb k l then r else if Nat.eqb k u then 1 else 0.

Lemma tails_on_ends : forall l u r k, (l < k <= u)%nat -> Sum (on_ends l u r) k u = 1.
Proof.
  intros l u r k H. destruct u; [lia |]. rewrite (Sum_last _ k u) by lia.
  rewrite (Sum_same (on_ends l (S u) r) (fun m => 0 * INR m) k u).
  - rewrite Sum_times. unfold on_ends. destruct (Nat.eqb_spec (S u) l); [lia |]. rewrite Nat.eqb_refl. ring.
  - intros m M. unfold on_ends. destruct (Nat.eqb_spec m l), (Nat.eqb_spec m (S u)); try lia. ring.
Qed.

(* Theorem "A_random's supremum": \sup_x \frac{\mathcal A_{\mathrm{random}}}{\text{H-SF}} = \tfrac12\Bigl(1 +
   \sqrt{\tfrac{u(s+u)}{l(s+l)}}\Bigr)
   Reading: every s ≥ 0, 1 ≤ l ≤ u, all weights on [l, u]; attained at T_k = 1/(1+r), r = √(d/a): on {l, u} only *)
Theorem a_random_supremum : forall s l u, 0 <= s -> (1 <= l <= u)%nat ->
  let K := (1 + sqrt (occupied s u / occupied s l)) / 2 in
  (forall x, a_random s l u x <= K * form (B s) l u x) /\
  (exists x, (forall k, 0 <= x k) /\ 0 < form (B s) l u x /\ a_random s l u x = K * form (B s) l u x) /\
  (forall x, a_random s l u x = K * form (B s) l u x <-> forall k, (l < k <= u)%nat -> Sum x k u = Sum x l u / (2 * K)) /\
  (forall x k, a_random s l u x = K * form (B s) l u x -> (l < k < u)%nat -> x k = 0).
Proof.
  intros s l u Z H K. assert (0 < K) as KP by (unfold K; pose proof (random_supremum_above s l u) as Y; unfold
    random_supremum in Y; lra).
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  assert (0 < occupied s l) as P by (apply Rmult_lt_0_compat; lra).
  split; [intros x; now apply a_random_bound | split].
  - set (r := sqrt (occupied s u / occupied s l)) in *. exists (on_ends l u r).
    assert (0 <= r) as R0 by apply sqrt_pos.
    split; [intros k; unfold on_ends; destruct (Nat.eqb k l), (Nat.eqb k u); lra |].
    assert (Sum (on_ends l u r) l u = if Nat.eqb l u then r else r + 1) as T.
    { destruct (Nat.eqb_spec l u) as [<- | N]; [rewrite Sum_one; unfold on_ends; now rewrite Nat.eqb_refl |].
      rewrite Sum_first, tails_on_ends by lia. unfold on_ends. now rewrite Nat.eqb_refl. }
    assert (0 < Sum (on_ends l u r) l u) as TP.
    { rewrite T. destruct (Nat.eqb_spec l u) as [E | N]; [| lra]. subst u. apply sqrt_lt_R0. now apply Rdiv_lt_0_compat. }
    split.
    + apply Rlt_le_trans with (INR l * (s + INR l) * Sum (on_ends l u r) l u ^ 2); [| apply B_nonnegative; [exact Z | lia]].
      apply Rmult_lt_0_compat; [exact P | apply pow_lt; exact TP].
    + pose proof (random_gap s l u (on_ends l u r) Z ltac:(lia)) as G. unfold random_supremum in G. fold r in G. cbv
      zeta in G.
      rewrite (Sum_same _ (fun k => 0 * INR k) (S l) u), Sum_times in G; [unfold K; lra |].
      intros k J. rewrite T. destruct (Nat.eqb_spec l u); [lia |]. rewrite tails_on_ends by lia. field. lra.
  - enough (forall x, a_random s l u x = K * form (B s) l u x <-> forall k, (l < k <= u)%nat -> Sum x k u = Sum x l u / (2 * K)) as F.
    { split; [exact F |]. intros x k E J. pose proof (proj1 (F x) E) as T. pose proof (T k ltac:(lia)) as T1.
      rewrite <- (T (S k)) in T1 by lia. rewrite (Sum_first x k u) in T1 by lia. lra. }
    intros x. pose proof (random_gap s l u x Z H) as G. cbv zeta in G. unfold random_supremum in G. fold K in G. split.
    + intros E k J. rewrite E, Rminus_diag_eq in G by reflexivity.
      destruct (Req_dec (Sum x k u) (Sum x l u / (2 * K))) as [Y | N]; [exact Y | exfalso].
      assert (0 < Sum (fun k => (s + 2 * INR k - 1) * (Sum x k u - Sum x l u / (2 * K)) ^ 2) (S l) u) as F.
      { apply Sum_positive.
        - intros m M. pose proof (weight s l m Z ltac:(lia) ltac:(lia)). apply Rmult_le_pos; [lra | apply pow2_ge_0].
        - exists k. split; [lia |]. apply Rmult_lt_0_compat; [apply (weight s l k Z); lia |].
          rewrite <- Rsqr_pow2. apply Rsqr_pos_lt. lra. }
      pose proof (Rmult_lt_0_compat _ _ KP F). lra.
    + intros T. rewrite (Sum_same _ (fun k => 0 * INR k) (S l) u), Sum_times in G; [lra |].
      intros k J. rewrite (T k) by lia. ring.
Qed.

Definition max_supremum (s : R) (l u : nat) : R :=
  (s + INR u) / (2 * (s + INR l)) * (1 + sqrt (1 + (s + INR l) / INR l * Sum (fun k => / (s + 2 * INR k - 1)) (S l) u)).

Lemma max_supremum_above : forall s l u, 0 <= s -> (1 <= l <= u)%nat ->
  let V := Sum (fun k => / (s + 2 * INR k - 1)) (S l) u in
  0 <= V /\ 1 <= sqrt (1 + (s + INR l) / INR l * V) /\ (s + INR u) / (s + INR l) <= max_supremum s l u.
Proof.
  intros s l u Z H V. destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  assert (0 <= V) as V0.
  { apply Sum_nonnegative. intros k J. left. apply Rinv_0_lt_compat, (weight s l k Z); lia. }
  assert (0 <= (s + INR l) / INR l * V) as Q by (apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra | exact V0]).
  assert (1 <= sqrt (1 + (s + INR l) / INR l * V)) as R1 by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra).
  split; [exact V0 | split; [exact R1 |]]. unfold max_supremum. fold V.
  assert (0 <= (s + INR u) / (2 * (s + INR l))) as C by (apply Rle_mult_inv_pos; lra).
  apply (Rmult_le_compat_l _ _ _ C) in R1.
  replace ((s + INR u) / (s + INR l)) with ((s + INR u) / (2 * (s + INR l)) * (1 + 1)) by (field; lra). lra.
Qed.

Lemma max_gap : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> let K := max_supremum s l u in
  K * form (B s) l u x - a_max s l u x = K * Sum (fun k => (s + 2 * INR k - 1) *
    (Sum x k u - (s + INR u) * Sum x l u / (2 * K) / (s + 2 * INR k - 1)) ^ 2) (S l) u.
Proof.
  intros s l u x Z H K. rewrite B_in_tails by lia. unfold a_max. rewrite tokens_in_tails by lia.
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  destruct (max_supremum_above s l u Z H) as [V0 [R1 KB]].
  rewrite (squares (fun k : nat => s + 2 * INR k - 1) (fun k => Sum x k u) _ (S l) u)
    by (intros k J; apply (weight s l k Z ltac:(lia)); lia).
  set (V := Sum (fun k => / (s + 2 * INR k - 1)) (S l) u) in *.
  assert (0 <= (s + INR l) / INR l * V) as Q by (apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra | exact V0]).
  pose proof (sqrt_sqrt (1 + (s + INR l) / INR l * V) ltac:(lra)) as R2.
  assert (K = (s + INR u) / (2 * (s + INR l)) * (1 + sqrt (1 + (s + INR l) / INR l * V))) as EK by reflexivity.
  set (r := sqrt (1 + (s + INR l) / INR l * V)) in *.
  assert (V = (r * r - 1) * INR l / (s + INR l)) as EV by (rewrite R2; field; lra).
  rewrite EV, EK. field. lra.
Qed.

Lemma a_max_bound : forall s l u x, 0 <= s -> (1 <= l <= u)%nat ->
  a_max s l u x <= max_supremum s l u * form (B s) l u x.
Proof.
  intros s l u x Z H. eapply from_difference; [| symmetry; apply (max_gap s l u x Z H)].
  destruct (max_supremum_above s l u Z H) as [_ [_ KB]].
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  assert (0 <= (s + INR u) / (s + INR l)) by (apply Rle_mult_inv_pos; lra).
  apply Rmult_le_pos; [lra |]. apply Sum_nonnegative. intros k J. pose proof (weight s l k Z ltac:(lia) ltac:(lia)).
  apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

(* Weights by their tails, which are T from l to u and 0 above. *)
Lemma from_tails : forall (T : nat -> R) u l, (l <= S u)%nat -> T (S u) = 0 -> Sum (fun k => T k - T (S k)) l u = T l.
Proof.
  intros T u l H E. downwards l H; [rewrite Sum_empty, E by lia; reflexivity |]. intros I.
  rewrite Sum_first, I by lia. ring.
Qed.

(* Theorem "A_max's supremum": \sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} = \tfrac12\,\tfrac{s+u}{s+l}\Bigl(1 +
   \sqrt{1 + \tfrac{s+l}{l} S}\Bigr),\ S = \sum_{k=l+1}^{u}\tfrac1{s+2k-1}
   Reading: every s ≥ 0, 1 ≤ l ≤ u; attained at T_k = (s+u)/(2 K w_k), which decrease and are ≤ (s+l)/(2 w_k) < 1 *)
Theorem a_max_supremum : forall s l u, 0 <= s -> (1 <= l <= u)%nat ->
  (forall x, a_max s l u x <= max_supremum s l u * form (B s) l u x) /\
  exists x, (forall k, (l <= k <= u)%nat -> 0 <= x k) /\ 0 < form (B s) l u x /\
    a_max s l u x = max_supremum s l u * form (B s) l u x /\ Sum x l u = 1 /\
    forall k, (l < k <= u)%nat -> let w := s + 2 * INR k - 1 in
      Sum x k u = (s + INR u) / (2 * max_supremum s l u * w) /\ Sum x k u <= (s + INR l) / (2 * w) < 1.
Proof.
  intros s l u Z H. split; [intros x; now apply a_max_bound |].
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  destruct (max_supremum_above s l u Z H) as [_ [R1 KB]]. pose proof (max_gap s l u) as G. cbv zeta in G.
  set (K := max_supremum s l u) in *.
  assert (1 <= (s + INR u) / (s + INR l)) as O.
  { apply (Rmult_le_reg_r (s + INR l)); [lra |]. replace ((s + INR u) / (s + INR l) * (s + INR l)) with (s + INR u) by
    (field; lra). lra. }
  set (c := (s + INR u) / (2 * K)).
  assert (0 <= c) as C0 by (apply Rle_mult_inv_pos; lra).
  assert (c <= (s + INR l) / 2) as C1.
  { apply (Rmult_le_reg_r (2 * K)); [lra |]. unfold c. replace ((s + INR u) / (2 * K) * (2 * K)) with (s + INR u) by
    (field; lra). apply (Rmult_le_compat_r (s + INR l)) in KB; [| lra].
    replace ((s + INR u) / (s + INR l) * (s + INR l)) with (s + INR u) in KB by (field; lra). lra. }
  set (T := fun k => if Nat.leb k l then 1 else if Nat.leb k u then c / (s + 2 * INR k - 1) else 0).
  assert (forall k, (S l <= k)%nat -> 0 < s + 2 * INR k - 1) as W by (intros k J; apply (weight s l k Z); lia).
  assert (forall k, (l <= k <= u)%nat -> Sum (fun k => T k - T (S k)) k u = T k) as TT.
  { intros k J. apply from_tails; [lia |]. unfold T. destruct (Nat.leb_spec (S u) l), (Nat.leb_spec (S u) u); try lia;
    reflexivity. }
  exists (fun k => T k - T (S k)).
  assert (Sum (fun k => T k - T (S k)) l u = 1) as T1.
  { rewrite TT by lia. unfold T. destruct (Nat.leb_spec l l); [reflexivity | lia]. }
  split; [| split; [| split; [| split; [exact T1 |]]]].
  - intros k J. unfold T. destruct (Nat.leb_spec k l), (Nat.leb_spec (S k) l), (Nat.leb_spec k u), (Nat.leb_spec (S k) u);
      try lia; try lra.
    + pose proof (W (S k) ltac:(lia)) as W1. assert (INR l <= INR k) by (apply le_INR; lia). rewrite S_INR in *.
      assert (c / (s + 2 * (INR k + 1) - 1) <= 1); [| lra].
      apply (Rmult_le_reg_r (s + 2 * (INR k + 1) - 1)); [lra |].
      replace (c / (s + 2 * (INR k + 1) - 1) * (s + 2 * (INR k + 1) - 1)) with c by (field; lra). lra.
    + pose proof (W k ltac:(lia)). pose proof (W (S k) ltac:(lia)) as W1. rewrite S_INR in *.
      assert (/ (s + 2 * (INR k + 1) - 1) <= / (s + 2 * INR k - 1)) as I by (apply Rinv_le_contravar; lra).
      apply (Rmult_le_compat_l c) in I; [| exact C0]. unfold Rdiv. lra.
    + pose proof (W k ltac:(lia)). assert (0 <= c / (s + 2 * INR k - 1)) by (apply Rle_mult_inv_pos; lra). lra.
  - apply Rlt_le_trans with (INR l * (s + INR l) * Sum (fun k => T k - T (S k)) l u ^ 2);
      [| apply B_nonnegative; [exact Z | lia]].
    rewrite T1. rewrite pow1, Rmult_1_r. apply Rmult_lt_0_compat; lra.
  - specialize (G (fun k => T k - T (S k)) Z H). rewrite T1 in G.
    rewrite (Sum_same _ (fun k => 0 * INR k) (S l) u), Sum_times in G; [lra |].
    intros k J. rewrite TT by lia. unfold T. destruct (Nat.leb_spec k l), (Nat.leb_spec k u); try lia.
    unfold c. pose proof (W k ltac:(lia)). field. lra.
  - intros k J w. rewrite TT by lia. unfold T. destruct (Nat.leb_spec k l), (Nat.leb_spec k u); try lia. fold w.
    assert (S l <= k)%nat as J2 by lia. apply le_INR in J2. rewrite S_INR in J2.
    assert (0 < w) as W0 by (unfold w; lra). split; [unfold c; field; lra | split].
    + replace ((s + INR l) / (2 * w)) with ((s + INR l) / 2 * / w) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact C1].
    + apply (Rmult_lt_reg_r (2 * w)); [lra |]. replace ((s + INR l) / (2 * w) * (2 * w)) with (s + INR l) by (field; lra).
      unfold w. lra.
Qed.
