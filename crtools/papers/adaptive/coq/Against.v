(* A_random and A_max in the mean over all orders, against every schedule: the volumes in tails, and squares. *)
From Coq Require Import List Arith Bool Sorting.Permutation.
From Crtools Require Import Prelude Forms Process Volumes Starts Means.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- lengths and volumes in tails ----------------------------------------------------------------------------------- *)

(* How many lengths are at least k. *)
Definition tail os k := sum (fun b => if k <=? b then 1 else 0) os.

Lemma sum_swap {X Y} (f : X -> Y -> nat) l m : sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof. induction l as [| x l H]; cbn [sum]; [now rewrite sum_zero | now rewrite sum_plus, H]. Qed.

Lemma up_to (g : nat -> nat) l : forall d b, l <= b <= l + d ->
  sum (fun k => if k <=? b then g k else 0) (seq (S l) d) = sum g (seq (S l) (b - l)).
Proof.
  induction d as [| d H]; intros b B; [now replace (b - l) with 0 by lia |].
  destruct (Nat.eq_dec b (l + S d)) as [-> | N].
  - replace (l + S d - l) with (S d) by lia. apply sum_same. intros k K. apply in_seq in K. cases.
  - rewrite seq_S, sum_app, H by lia. cbn [sum]. cases.
Qed.

Lemma volume_from s l : forall d, volume s (l + d) = volume s l + sum (fun k => s + k) (seq (S l) d).
Proof.
  induction d as [| d H]; [cbn; now rewrite !Nat.add_0_r |]. rewrite seq_S, sum_app. cbn [sum].
  rewrite Nat.add_succ_r, volume_next, H. lia.
Qed.

Section Tails.
Variables (s l u : nat) (os : list nat).
Context (lu : l <= u) (H : forall b, In b os -> l <= b <= u).
Let n := length os.
Let ks := seq (S l) (u - l).

Lemma lengths_in_tails : sum (fun b => b) os = l * n + sum (tail os) ks.
Proof.
  unfold tail. rewrite <- (sum_swap (fun b k => if k <=? b then 1 else 0)). unfold n. rewrite <- (Nat.mul_comm (length os)), <- sum_const, <- sum_plus.
  apply sum_same. intros b B. apply H in B. unfold ks. rewrite (up_to (fun _ => 1)) by lia. rewrite sum_const, seq_length. lia.
Qed.

Lemma volumes_in_tails : sum (volume s) os = volume s l * n + sum (fun k => (s + k) * tail os k) ks.
Proof.
  unfold tail. rewrite (sum_same _ (fun k => sum (fun b => if k <=? b then s + k else 0) os) ks).
  - rewrite <- (sum_swap (fun b k => if k <=? b then s + k else 0)). unfold n.
    rewrite <- (Nat.mul_comm (length os)), <- sum_const, <- sum_plus. apply sum_same. intros b B. apply H in B. unfold ks.
    rewrite (up_to (fun k => s + k)) by lia. rewrite <- volume_from. f_equal. lia.
  - intros k _. rewrite <- sum_times. apply sum_same. intros b _. destruct (k <=? b); lia.
Qed.

Definition pairs_of os := sum (fun a => sum (fun b => Nat.min (volume s a) (volume s b)) os) os.

Lemma volume_least a b : Nat.min (volume s a) (volume s b) = volume s (Nat.min a b).
Proof.
  assert (K : forall a d, volume s a <= volume s (a + d)) by (intros c d; rewrite volume_from; lia).
  destruct (le_lt_dec a b) as [E | E].
  - rewrite (Nat.min_l a b), Nat.min_l; [reflexivity | | exact E]. replace b with (a + (b - a)) by lia. apply K.
  - rewrite (Nat.min_r a b), Nat.min_r; [reflexivity | | lia]. replace a with (b + (a - b)) by lia. apply K.
Qed.

Lemma pairs_in_tails : pairs_of os = volume s l * (n * n) + sum (fun k => (s + k) * (tail os k * tail os k)) ks.
Proof.
  unfold pairs_of. rewrite (sum_same _ (fun a => n * volume s l + sum (fun k => (if k <=? a then s + k else 0) * tail os k) ks)).
  - rewrite sum_plus, sum_const. fold n. f_equal; [lia |]. rewrite (sum_swap (fun a k => (if k <=? a then s + k else 0) * tail os k)).
    apply sum_same. intros k _. unfold tail at 2.
    rewrite (sum_same _ (fun a => ((s + k) * tail os k) * (if k <=? a then 1 else 0))) by (intros a _; destruct (k <=? a); lia).
    rewrite sum_times. lia.
  - intros a A. apply H in A. rewrite (sum_same _ (fun b => volume s l + sum (fun k => (if k <=? a then s + k else 0) * (if k <=? b then 1 else 0)) ks)).
    + rewrite sum_plus, sum_const. fold n. f_equal. rewrite (sum_swap (fun b k => (if k <=? a then s + k else 0) * (if k <=? b then 1 else 0))).
      apply sum_same. intros k _. now rewrite sum_times.
    + intros b B. apply H in B. rewrite volume_least. unfold ks.
      rewrite (sum_same _ (fun k => if k <=? Nat.min a b then s + k else 0)) by (intros k _; cases).
      rewrite (up_to (fun k => s + k)) by lia. rewrite <- volume_from. f_equal. lia.
Qed.
End Tails.

Lemma pairs_are s l : pairs s l = pairs_of s (map o l).
Proof. unfold pairs, pairs_of. rewrite sum_map. apply sum_same. intros a _. now rewrite sum_map. Qed.

Lemma pairs_of_permuted s a b : Permutation a b -> pairs_of s a = pairs_of s b.
Proof.
  intros P. unfold pairs_of. rewrite (sum_permuted _ _ _ P). apply sum_same. intros x _. apply (sum_permuted _ _ _ P).
Qed.

(* Every schedule of the lengths os, also with cancellation. *)
Definition of_lengths s M os l := process s M l /\ Permutation (map o (map last l)) os.
Definition total l := TEL (map last l).

Lemma against_volumes s M os l : of_lengths s M os l -> pairs_of s os <= 2 * M * total l /\ sum (fun b => b) os <= total l.
Proof.
  intros [P E]. apply volume_bound_process in P. rewrite pairs_are, (pairs_of_permuted s _ _ E) in P.
  assert (Z : sum (fun b => b) os = sum o (map last l)) by (rewrite <- (sum_permuted _ _ _ E); exact (sum_map (fun b => b) o (map last l))).
  unfold total. rewrite Z. lia.
Qed.

(* ---- squares -------------------------------------------------------------------------------------------------------- *)

Local Open Scope R_scope.

Lemma INR_sum f a d : INR (sum f (seq (S a) d)) = Sum (fun k => INR (f k)) (S a) (a + d).
Proof.
  induction d as [| d I]; [rewrite Nat.add_0_r, Sum_empty by lia; reflexivity |].
  rewrite seq_S, sum_app, plus_INR, I, (Sum_last _ (S a) (a + d) (a + S d)) by lia. cbn [sum].
  now replace (f (S a + d) + 0)%nat with (f (a + S d))%nat by (rewrite Nat.add_0_r; f_equal; lia).
Qed.

(* With n requests and tails T: what squares leave is n^2 (K b - a - 1/(4K) sum of c^2/g). *)
Lemma by_squares K a b n c g T l u : (l <= u)%nat -> 0 < K -> (forall k, (l < k <= u)%nat -> 0 < g k) ->
  0 <= K * b - a - Sum (fun k => c k ^ 2 / g k) (S l) u / (4 * K) ->
  n * (a * n + Sum (fun k => c k * T k) (S l) u) <= K * (b * n ^ 2 + Sum (fun k => g k * T k ^ 2) (S l) u).
Proof.
  intros H K0 G C. assert (D : 0 <= Sum (fun k => K * (g k * T k ^ 2) - n * (c k * T k) + n ^ 2 / (4 * K) * (c k ^ 2 / g k)) (S l) u).
  { apply Sum_nonnegative. intros k Hk. specialize (G k ltac:(lia)).
    replace (K * (g k * T k ^ 2) - n * (c k * T k) + n ^ 2 / (4 * K) * (c k ^ 2 / g k))
      with (K * g k * (T k - n * c k / (2 * K * g k)) ^ 2) by (field; lra).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply pow2_ge_0]. }
  assert (E : Sum (fun k => K * (g k * T k ^ 2) - n * (c k * T k) + n ^ 2 / (4 * K) * (c k ^ 2 / g k)) (S l) u =
    K * Sum (fun k => g k * T k ^ 2) (S l) u - n * Sum (fun k => c k * T k) (S l) u + n ^ 2 / (4 * K) * Sum (fun k => c k ^ 2 / g k) (S l) u).
  { clear - H. revert u H. apply from_start; [rewrite !Sum_empty by lia; ring |]. intros u U I.
    rewrite !(Sum_last _ (S l) u (S u)), I by lia. ring. }
  rewrite E in D. apply (Rmult_le_compat_l (n ^ 2)) in C; [| apply pow2_ge_0]. rewrite Rmult_0_r in C.
  replace (n ^ 2 * (K * b - a - Sum (fun k => c k ^ 2 / g k) (S l) u / (4 * K)))
    with (K * (b * n ^ 2) - n * (a * n) - n ^ 2 / (4 * K) * Sum (fun k => c k ^ 2 / g k) (S l) u) in C by (field; lra). lra.
Qed.

(* ---- the means ------------------------------------------------------------------------------------------------------ *)

(* The mean over all orders of the requests. *)
Definition mean (f : list nat -> nat) os := INR (sum f (orders os)) / INR (length (orders os)).

Lemma some_order {X} (l : list X) : 0 < INR (length (orders l)).
Proof.
  apply lt_0_INR. induction l as [| x l H]; [cbn; lia |]. rewrite orders_number. nia.
Qed.

(* 2 (M - s - u) times a mean over all orders of which the lengths before a request weigh w. *)
Lemma mean_from s u M os f W K l : (s + u < M)%nat -> of_lengths s M os l ->
  (2 * (M - s - u) * sum f (orders os) <= length (orders os) * ((length os - 1) * W + 2 * (M - s - u) * sum (fun b => b) os))%nat ->
  0 <= K -> INR (length os) * INR W <= K * INR (pairs_of s os) ->
  mean f os <= INR M / (INR M - INR s - INR u) * K * INR (total l) + INR (sum (fun b => b) os).
Proof.
  intros H P F K0 B. apply against_volumes in P. destruct P as [P _]. apply le_INR in F, P.
  assert (F' : ((length os - 1) * W <= length os * W)%nat) by nia. apply le_INR in F'.
  rewrite !mult_INR, plus_INR, !mult_INR in F. rewrite !mult_INR in F', P. rewrite (minus_INR (M - s) u), (minus_INR M s) in F by lia.
  change (INR 2) with 2 in F. change (INR 2) with 2 in P. pose proof (some_order os) as D. apply lt_INR in H. rewrite plus_INR in H.
  unfold mean. set (d := INR (length (orders os))) in *. set (m := INR M - INR s - INR u) in *. assert (0 < m) by (unfold m; lra).
  set (X := INR (sum f (orders os))) in *. set (Y := INR (sum _ os)) in *. set (n := INR (length os)) in *.
  set (V := INR (pairs_of s os)) in *. set (T := INR (total l)) in *.
  apply (Rmult_le_reg_l (2 * m * d)); [apply Rmult_lt_0_compat; lra |].
  replace (2 * m * d * (X / d)) with (2 * m * X) by (field; lra).
  replace (2 * m * d * (INR M / m * K * T + Y)) with (d * (K * (2 * INR M * T)) + d * (2 * m * Y)) by (field; lra).
  eapply Rle_trans; [exact F |]. rewrite Rmult_plus_distr_l. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra |].
  eapply Rle_trans; [exact F' |]. eapply Rle_trans; [exact B |]. now apply Rmult_le_compat_l.
Qed.

Section Within.
Variables (s l u M : nat) (os : list nat) (sched : list attempts).
Context (lu : (1 <= l <= u)%nat) (H : forall b, In b os -> (l <= b <= u)%nat) (MU : (s + u < M)%nat) (P : of_lengths s M os sched).
Let v := INR (volume s l).
Let n := INR (length os).
Let T k := INR (tail os k).

Let s0 : 0 <= INR s := pos_INR s.
Let l1 : 1 <= INR l := le_INR 1 l (proj1 lu).
Let ul : INR l <= INR u := le_INR l u (proj2 lu).

Lemma volume_real b : INR (volume s b) = INR b * (2 * INR s + INR b + 1) / 2.
Proof.
  pose proof (f_equal INR (volume_closed s b)) as E. rewrite !mult_INR, !plus_INR, mult_INR in E. change (INR 2) with 2 in E.
  change (INR 1) with 1 in E. lra.
Qed.

Lemma to_u : (l + (u - l) = u)%nat. Proof. lia. Qed.

Lemma pairs_real : INR (pairs_of s os) = v * n ^ 2 + Sum (fun k => (INR s + INR k) * T k ^ 2) (S l) u.
Proof.
  rewrite (pairs_in_tails s l u os (proj2 lu) H), plus_INR, !mult_INR, INR_sum, to_u. unfold v, n. f_equal; [ring |].
  apply Sum_same. intros k _. rewrite !mult_INR, plus_INR. unfold T. ring.
Qed.

Lemma above_l k : (S l <= k <= u)%nat -> INR l + 1 <= INR k <= INR u.
Proof. intros K. rewrite <- S_INR. split; apply le_INR; lia. Qed.

Lemma a_max_within K : 0 < K ->
  0 <= K * v - (INR s + INR u) * INR l - (INR s + INR u) ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u / (4 * K) ->
  mean (fun order => TEL (a_max s u M order)) os <= INR M / (INR M - INR s - INR u) * K * INR (total sched) + INR (sum (fun b => b) os).
Proof.
  intros K0 C. apply (mean_from s u M os _ (sum (fun b => b * (s + u))%nat os)); auto; [| lra |].
  - apply a_max_mean; [intros b B; apply H, B | lia].
  - rewrite (sum_same _ (fun b => (s + u) * b)%nat) by (intros; lia). rewrite sum_times, mult_INR, plus_INR.
    rewrite (lengths_in_tails l u os (proj2 lu) H), plus_INR, mult_INR, INR_sum, to_u, pairs_real. fold n. fold T.
    replace ((INR s + INR u) * (INR l * n + Sum T (S l) u))
      with ((INR s + INR u) * INR l * n + Sum (fun k => (INR s + INR u) * T k) (S l) u) by (rewrite Sum_times; ring).
    apply by_squares; [apply lu | exact K0 | intros k Hk; pose proof (above_l k ltac:(lia)); lra |].
    replace (Sum (fun k => (INR s + INR u) ^ 2 / (INR s + INR k)) (S l) u)
      with ((INR s + INR u) ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u); [exact C |].
    rewrite <- Sum_times. apply Sum_same. intros; reflexivity.
Qed.

Lemma a_random_within K : 0 < K -> 0 <= K * v - v - (INR (volume s u) - v) / (4 * K) ->
  mean (fun order => TEL (a_random s M order)) os <=
  INR M / (INR M - INR s - INR u) * (2 * (INR s + INR u) / (2 * INR s + INR u + 1) * K) * INR (total sched) + INR (sum (fun b => b) os).
Proof.
  intros K0 C. apply (mean_from s u M os _ (sum (fun b => b * (s + b))%nat os)); auto.
  - apply a_random_mean; [intros b B; apply H, B | lia].
  - apply Rmult_le_pos; [| lra]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - assert (N : ((2 * s + u + 1) * sum (fun b => b * (s + b)) os <= 2 * (s + u) * sum (volume s) os)%nat).
    { rewrite <- !sum_times. apply sum_le. intros b B. specialize (H b B). pose proof (volume_closed s b) as E.
      replace (2 * (s + u) * volume s b)%nat with ((s + u) * (2 * volume s b))%nat by lia. rewrite E.
      assert (G : ((2 * s + u + 1) * (s + b) <= (s + u) * (2 * s + b + 1))%nat) by (clear - H; nia).
      apply (Nat.mul_le_mono_l _ _ b) in G. clear - G. lia. }
    apply le_INR in N. rewrite !mult_INR, !plus_INR, mult_INR in N. change (INR 2) with 2 in N. change (INR 1) with 1 in N.
    assert (Q : n * INR (sum (volume s) os) <= K * INR (pairs_of s os)).
    { rewrite (volumes_in_tails s l u os (proj2 lu) H), plus_INR, mult_INR, INR_sum, to_u, pairs_real. fold n v.
      rewrite (Sum_same _ (fun k => (INR s + INR k) * T k)) by (intros; now rewrite mult_INR, plus_INR).
      apply by_squares; [apply lu | exact K0 | intros k Hk; pose proof (above_l k ltac:(lia)); lra |].
      replace (Sum (fun k => (INR s + INR k) ^ 2 / (INR s + INR k)) (S l) u) with (INR (volume s u) - v); [exact C |].
      pose proof (volume_from s l (u - l)) as F. rewrite to_u in F. rewrite F, plus_INR, INR_sum, to_u. unfold v.
      replace (Sum (fun k => INR (s + k)) (S l) u) with (Sum (fun k => (INR s + INR k) ^ 2 / (INR s + INR k)) (S l) u); [ring |].
      apply Sum_same. intros k Hk. rewrite plus_INR. pose proof (above_l k Hk). field. lra. }
    fold n. set (W := INR (sum _ os)) in *. set (V := INR (sum (volume s) os)) in *. set (R := INR (pairs_of s os)) in *.
    assert (n0 : 0 <= n) by apply pos_INR. apply (Rmult_le_reg_l (2 * INR s + INR u + 1)); [lra |].
    replace ((2 * INR s + INR u + 1) * (2 * (INR s + INR u) / (2 * INR s + INR u + 1) * K * R)) with (2 * (INR s + INR u) * (K * R)) by (field; lra).
    apply Rle_trans with (2 * (INR s + INR u) * (n * V)).
    + replace (2 * (INR s + INR u) * (n * V)) with (n * (2 * (INR s + INR u) * V)) by ring.
      replace ((2 * INR s + INR u + 1) * (n * W)) with (n * ((2 * INR s + INR u + 1) * W)) by ring. now apply Rmult_le_compat_l.
    + apply Rmult_le_compat_l; [lra | exact Q].
Qed.

(* The factors. *)
Definition max_factor := (INR s + INR u) * INR l / (2 * v) *
  (1 + sqrt (1 + v / INR l ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u)).

Let v_at_l : v = INR l * (2 * INR s + INR l + 1) / 2 := volume_real l.

Lemma v_positive : 0 < v.
Proof. rewrite v_at_l. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra. Qed.

Lemma harmonic_nonnegative : 0 <= Sum (fun k => / (INR s + INR k)) (S l) u.
Proof. apply Sum_nonnegative. intros k Hk. pose proof (above_l k Hk). apply Rlt_le, Rinv_0_lt_compat. lra. Qed.

Lemma max_factor_positive : 0 < max_factor.
Proof.
  unfold max_factor. apply Rmult_lt_0_compat; [| pose proof (sqrt_pos (1 + v / INR l ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u)); lra].
  pose proof v_positive. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
Qed.

Lemma max_factor_enough : 0 <= max_factor * v - (INR s + INR u) * INR l -
  (INR s + INR u) ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u / (4 * max_factor).
Proof.
  pose proof v_positive as V. pose proof harmonic_nonnegative as N. unfold max_factor. set (S_ := Sum _ _ _) in *.
  set (r := sqrt (1 + v / INR l ^ 2 * S_)). assert (R0 : 0 <= r) by apply sqrt_pos.
  assert (R2 : r ^ 2 = 1 + v / INR l ^ 2 * S_).
  { unfold r. rewrite pow2_sqrt; [reflexivity |]. assert (0 <= v / INR l ^ 2 * S_); [| lra].
    apply Rmult_le_pos; [| exact N]. apply Rlt_le, Rdiv_lt_0_compat; [exact V | apply pow_lt; lra]. }
  assert (E : S_ = (r ^ 2 - 1) * INR l ^ 2 / v) by (rewrite R2; field; lra).
  rewrite E. apply Req_le. field. lra.
Qed.

Lemma harmonic_most : Sum (fun k => / (INR s + INR k)) (S l) u <= (INR u - INR l) / (INR s + INR l + 1).
Proof.
  apply Rle_trans with (Sum (fun _ => / (INR s + INR l + 1)) (S l) u).
  - apply Sum_le. intros k Hk. pose proof (above_l k Hk). apply Rinv_le_contravar; lra.
  - apply Req_le. pose proof (proj2 lu) as U0. clear - U0. revert u U0. apply from_start; [rewrite Sum_empty by lia; unfold Rdiv; ring |].
    intros u U I. rewrite (Sum_last _ (S l) u (S u)), I, S_INR by lia. unfold Rdiv. ring.
Qed.

Lemma max_factor_most : max_factor <= INR u / INR l * (1 + sqrt (INR u / INR l)).
Proof.
  pose proof v_positive as V. unfold max_factor.
  assert (Q : 1 <= INR u / INR l) by (apply (Rmult_le_reg_r (INR l)); [lra |]; field_simplify; lra).
  apply Rmult_le_compat.
  - apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
  - pose proof (sqrt_pos (1 + v / INR l ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u)). lra.
  - rewrite v_at_l. apply (Rmult_le_reg_r (INR l * (2 * INR s + INR l + 1))); [apply Rmult_lt_0_compat; lra |].
    replace ((INR s + INR u) * INR l / (2 * (INR l * (2 * INR s + INR l + 1) / 2)) * (INR l * (2 * INR s + INR l + 1)))
      with ((INR s + INR u) * INR l) by (field; lra).
    replace (INR u / INR l * (INR l * (2 * INR s + INR l + 1))) with (INR u * (2 * INR s + INR l + 1)) by (field; lra).
    assert (INR s * INR l <= INR s * INR u) by (apply Rmult_le_compat_l; lra). 
    assert (0 <= INR s * INR u) by (apply Rmult_le_pos; lra). lra.
  - apply Rplus_le_compat_l, sqrt_le_1_alt. apply Rle_trans with (1 + v / INR l ^ 2 * ((INR u - INR l) / (INR s + INR l + 1))).
    + apply Rplus_le_compat_l, Rmult_le_compat_l, harmonic_most. apply Rlt_le, Rdiv_lt_0_compat; [exact V | apply pow_lt; lra].
    + rewrite v_at_l. apply (Rmult_le_reg_r (2 * INR l * (INR s + INR l + 1))); [apply Rmult_lt_0_compat; lra |].
      replace ((1 + INR l * (2 * INR s + INR l + 1) / 2 / INR l ^ 2 * ((INR u - INR l) / (INR s + INR l + 1))) * (2 * INR l * (INR s + INR l + 1)))
        with (2 * INR l * (INR s + INR l + 1) + (2 * INR s + INR l + 1) * (INR u - INR l)) by (field; lra).
      replace (INR u / INR l * (2 * INR l * (INR s + INR l + 1))) with (2 * INR u * (INR s + INR l + 1)) by (field; lra).
      assert (0 <= (INR l + 1) * (INR u - INR l)) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition random_factor := (INR s + INR u) / (2 * INR s + INR u + 1) * (1 + sqrt (INR (volume s u) / v)).

Lemma random_mean : mean (fun order => TEL (a_random s M order)) os <=
  INR M / (INR M - INR s - INR u) * random_factor * INR (total sched) + INR (sum (fun b => b) os).
Proof.
  pose proof v_positive as V. unfold random_factor. set (r := sqrt (INR (volume s u) / v)).
  assert (R0 : 0 <= r) by apply sqrt_pos.
  assert (R2 : r ^ 2 = INR (volume s u) / v) by (unfold r; rewrite pow2_sqrt; [reflexivity |]; apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, Rinv_0_lt_compat, V]).
  replace ((INR s + INR u) / (2 * INR s + INR u + 1) * (1 + r)) with (2 * (INR s + INR u) / (2 * INR s + INR u + 1) * ((1 + r) / 2)) by (field; lra).
  apply a_random_within; [lra |]. assert (E : INR (volume s u) = r ^ 2 * v) by (rewrite R2; field; lra). rewrite E.
  apply Req_le. field. lra.
Qed.

Lemma random_factor_most : random_factor <= 1 + INR u / INR l.
Proof.
  pose proof v_positive as V. unfold random_factor. rewrite <- (Rmult_1_l (1 + INR u / INR l)).
  apply Rmult_le_compat.
  - apply Rlt_le, Rdiv_lt_0_compat; lra.
  - pose proof (sqrt_pos (INR (volume s u) / v)). lra.
  - apply (Rmult_le_reg_r (2 * INR s + INR u + 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rplus_le_compat_l. rewrite <- (sqrt_pow2 (INR u / INR l)) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
    apply sqrt_le_1_alt. rewrite v_at_l, volume_real.
    apply (Rmult_le_reg_r (INR l ^ 2 * (2 * INR s + INR l + 1))); [apply Rmult_lt_0_compat; [apply pow_lt |]; lra |].
    replace (INR u * (2 * INR s + INR u + 1) / 2 / (INR l * (2 * INR s + INR l + 1) / 2) * (INR l ^ 2 * (2 * INR s + INR l + 1)))
      with (INR u * INR l * (2 * INR s + INR u + 1)) by (field; lra).
    replace ((INR u / INR l) ^ 2 * (INR l ^ 2 * (2 * INR s + INR l + 1))) with (INR u * INR u * (2 * INR s + INR l + 1)) by (field; lra).
    rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra |].
    assert (INR s * INR l <= INR s * INR u) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Within.

(* Of requests with lengths in [l, u] A_max's mean over all orders against the total of any schedule of them. *)
(* Theorem "A_max in the process, against every schedule": \mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \tfrac{M}{M-s-u}\,\alpha^{-1}(1+\alpha^{-1/2})\,\mathrm{TEL} +
   \textstyle\sum_i o_i
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M > s + u; against every schedule, also with
   cancellation *)
Theorem a_max_against : forall s l u M os sched, (1 <= l <= u)%nat -> (forall b, In b os -> (l <= b <= u)%nat) -> (s + u < M)%nat ->
  of_lengths s M os sched ->
  let at_factor K := INR M / (INR M - INR s - INR u) * K * INR (total sched) + INR (sum (fun b => b) os) in
  let S_ := Sum (fun k => / (INR s + INR k)) (S l) u in
  let factor := (INR s + INR u) * INR l / (2 * INR (volume s l)) * (1 + sqrt (1 + INR (volume s l) / INR l ^ 2 * S_)) in
  mean (fun order => TEL (a_max s u M order)) os <= at_factor factor /\
  at_factor factor <= at_factor (/ (INR l / INR u) * (1 + sqrt (/ (INR l / INR u)))).
Proof.
  intros s l u M os sched lu H MU P at_factor S_ factor. split.
  - apply (a_max_within s l u M os sched lu H MU P (max_factor s l u)); [now apply max_factor_positive | now apply (max_factor_enough s l u M)].
  - replace (/ (INR l / INR u)) with (INR u / INR l) by (field; split; apply not_0_INR; lia).
    unfold at_factor. apply Rplus_le_compat_r, Rmult_le_compat_r; [apply pos_INR |].
    apply Rmult_le_compat_l; [| now apply (max_factor_most s l u M)]. apply lt_INR in MU. rewrite plus_INR in MU. pose proof (pos_INR M).
    apply Rmult_le_pos; [lra |]. apply Rlt_le, Rinv_0_lt_compat. lra.
Qed.

(* Theorem "A_random in the process": \mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}}) \le
   \tfrac{M}{M-s-u}\,\tfrac{s+u}{2s+u+1}\bigl(1+\sqrt{v_u/v_\ell}\bigr)\,\mathrm{TEL} + \textstyle\sum_i o_i \le
   \bigl(\tfrac{M}{M-s-u}(1+\alpha^{-1}) + 1\bigr)\mathrm{TEL}
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M > s + u; against every schedule, also with
   cancellation *)
Theorem a_random_against : forall s l u M os sched, (1 <= l <= u)%nat -> (forall b, In b os -> (l <= b <= u)%nat) -> (s + u < M)%nat ->
  of_lengths s M os sched ->
  let bound := INR M / (INR M - INR s - INR u) * ((INR s + INR u) / (2 * INR s + INR u + 1) *
    (1 + sqrt (INR (volume s u) / INR (volume s l)))) * INR (total sched) + INR (sum (fun b => b) os) in
  mean (fun order => TEL (a_random s M order)) os <= bound /\
  bound <= (INR M / (INR M - INR s - INR u) * (1 + / (INR l / INR u)) + 1) * INR (total sched).
Proof.
  intros s l u M os sched lu H MU P bound. split; [now apply (random_mean s l u M os sched lu H MU P) |].
  replace (/ (INR l / INR u)) with (INR u / INR l) by (field; split; apply not_0_INR; lia).
  destruct (against_volumes s M os sched P) as [_ Q]. apply le_INR in Q. pose proof (random_factor_most s l u lu) as F.
  unfold random_factor in F. unfold bound. set (T := INR (total sched)) in *. assert (0 <= T) by apply pos_INR.
  apply lt_INR in MU. rewrite plus_INR in MU. assert (0 <= INR M / (INR M - INR s - INR u)).
  { pose proof (pos_INR M). apply Rmult_le_pos; [lra |]. apply Rlt_le, Rinv_0_lt_compat. lra. }
  apply (Rmult_le_compat_l (INR M / (INR M - INR s - INR u))) in F; [| assumption].
  apply (Rmult_le_compat_r T) in F; [| assumption]. lra.
Qed.

(* ---- thm-amax-lower and rate-amax of A_max itself ------------------------------------------------------------------- *)

Lemma increasing_permuted os : Permutation os (increasing os).
Proof.
  unfold increasing. enough (H : forall acc, Permutation (os ++ acc) (fold_left (fun l x => insert x l) os acc))
    by (specialize (H []); now rewrite app_nil_r in H).
  induction os as [| x os H]; intros acc; [apply Permutation_refl |]. cbn [fold_left app].
  apply perm_trans with (2 := H (insert x acc)). apply perm_trans with (1 := Permutation_middle os acc x).
  apply Permutation_app_head, insert_permuted.
Qed.

Lemma alone l : map last (map (Attempts []) l) = l /\ everything (map (Attempts []) l) = l.
Proof. split; [rewrite map_map; apply map_id |]. induction l as [| r l H]; [reflexivity |]. cbn. f_equal. exact H. Qed.

(* H-SF's schedule is one of them. *)
Lemma h_sf_is_one s u M os : (forall b, In b os -> (b <= u)%nat) -> (s + u <= M)%nat ->
  of_lengths s M os (map (Attempts []) (h_sf s M os)).
Proof.
  intros H MU. destruct (alone (h_sf s M os)) as [A1 A2]. split; [split |].
  - intros a A. apply in_map_iff in A. destruct A as [r [<- _]]. exact I.
  - rewrite A2. apply queue_safe, known_no_longer.
  - rewrite A1. unfold h_sf. change (queue s M (known (increasing os))) with (a_random s M (increasing os)).
    rewrite (a_random_all s u); [apply Permutation_sym, increasing_permuted | | exact MU].
    intros b B. apply H. apply (Permutation_in _ (Permutation_sym (increasing_permuted os)) B).
Qed.

Lemma a_max_against_h_sf s l u M os K : (1 <= l <= u)%nat -> (forall b, In b os -> (l <= b <= u)%nat) -> (s + u < M)%nat -> 0 < K ->
  0 <= K * INR (volume s l) - (INR s + INR u) * INR l - (INR s + INR u) ^ 2 * Sum (fun k => / (INR s + INR k)) (S l) u / (4 * K) ->
  mean (fun order => TEL (a_max s u M order)) os <= (INR M / (INR M - INR s - INR u) * K + 1) * INR (TEL (h_sf s M os)).
Proof.
  intros lu H MU K0 C. assert (P : of_lengths s M os (map (Attempts []) (h_sf s M os)))
    by (apply (h_sf_is_one s u); [intros b B; apply H, B | lia]).
  pose proof (a_max_within s l u M os _ lu H MU P K K0 C) as Q. destruct (against_volumes s M os _ P) as [_ V]. apply le_INR in V.
  unfold total in *. rewrite (proj1 (alone _)) in *. lra.
Qed.

(* On [1, 4], from M = least on, with a factor K that is enough. *)
Lemma a_max_below s least K : (s + 4 < least)%nat -> 0 < K ->
  0 <= K * (INR s + 1) - (INR s + 4) - (INR s + 4) ^ 2 * (/ (INR s + 2) + / (INR s + 3) + / (INR s + 4)) / (4 * K) ->
  INR least / (INR least - INR s - 4) * K + 1 < 6 ->
  let alpha := INR 1 / INR 4 in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall M os, (least <= M)%nat -> (forall b, In b os -> (1 <= b <= 4)%nat) ->
  mean (fun order => TEL (a_max s 4 M order)) os <= K * INR (TEL (h_sf s M os)).
Proof.
  intros L K0 C B alpha. exists (INR least / (INR least - INR s - 4) * K + 1). split.
  - apply Rlt_le_trans with (1 := B), Req_le. unfold alpha. cbn [INR]. replace (1 / (1 + 1 + 1 + 1)) with (/ 2 ^ 2) by field.
    rewrite sqrt_inv, sqrt_pow2 by lra. field.
  - intros M os LM H. eapply Rle_trans; [apply (a_max_against_h_sf s 1 4 M os K); [lia | exact H | lia | exact K0 |] |].
    + rewrite volume_real, !(Sum_last _ 2 _ _ eq_refl), Sum_empty by lia. cbn [INR].
      replace (INR s + (1 + 1 + 1 + 1)) with (INR s + 4) by ring. replace (INR s + (1 + 1 + 1)) with (INR s + 3) by ring.
      replace (INR s + (1 + 1)) with (INR s + 2) by ring. rewrite Rplus_0_l.
      replace (K * (1 * (2 * INR s + 1 + 1) / 2) - (INR s + 4) * 1) with (K * (INR s + 1) - (INR s + 4)) by field. exact C.
    + apply Rmult_le_compat_r; [apply pos_INR |]. apply Rplus_le_compat_r, Rmult_le_compat_r; [lra |].
      apply le_INR in LM. apply lt_INR in L. rewrite plus_INR in L. cbn [INR] in *. replace (1 + 1 + 1 + 1) with 4 in * by ring.
      pose proof (pos_INR s). set (c := INR s) in *. set (m := INR M) in *. set (d := INR least) in *.
      apply (Rmult_le_reg_r ((m - c - 4) * (d - c - 4))); [apply Rmult_lt_0_compat; lra |].
      replace (m / (m - c - 4) * ((m - c - 4) * (d - c - 4))) with (m * (d - c - 4)) by (field; lra).
      replace (d / (d - c - 4) * ((m - c - 4) * (d - c - 4))) with (d * (m - c - 4)) by (field; lra).
      assert ((c + 4) * d <= (c + 4) * m) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Finding "bound-of-algorithm-at-zero" of "thm-amax-lower", refuted at algorithm: $CR(A_max)$ is at least the
   bound, of A_max itself at $s = 0$
   Reading: every $s ≥ 0$ and $l < u$ with $l/u = α$, $E$ over the permutation, against H-SF, the supremum over all
   lengths in $[l, u]$ and $n$, $M → ∞$: the theorem names no limit, Section 4 does (“asymptotically between” the
   two bounds)
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower_itself_at_zero : (let s := 0 in let l := 1 in let u := 4 in let least_M := 177 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall M os, (least_M <= M)%nat -> (forall b, In b os -> (l <= b <= u)%nat) ->
  mean (fun order => TEL (a_max s u M order)) os <= K * INR (TEL (h_sf s M os)))%R)%nat.
Proof. apply (a_max_below 0 177 (48868 / 10000)); [lia | lra | cbn [INR]; lra | rewrite (INR_IZR_INZ 177); cbn [INR Z.of_nat Pos.of_succ_nat Pos.succ]; lra]. Qed.

(* Finding "bound-of-algorithm" of "thm-amax-lower", refuted at algorithm: $CR(A_max)$ is at least the bound, of
   A_max itself at $s ≥ 1$
   Reading: every $s ≥ 0$ and $l < u$ with $l/u = α$, $E$ over the permutation, against H-SF, the supremum over all
   lengths in $[l, u]$ and $n$, $M → ∞$: the theorem names no limit, Section 4 does (“asymptotically between” the
   two bounds)
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower_itself : (let s := 1 in let l := 1 in let u := 4 in let least_M := 15 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall M os, (least_M <= M)%nat -> (forall b, In b os -> (l <= b <= u)%nat) ->
  mean (fun order => TEL (a_max s u M order)) os <= K * INR (TEL (h_sf s M os)))%R)%nat.
Proof. apply (a_max_below 1 15 (3253 / 1000)); [lia | lra | cbn [INR]; lra | rewrite (INR_IZR_INZ 15); cbn [INR Z.of_nat Pos.of_succ_nat Pos.succ]; lra]. Qed.
