(* Positive definite: the forms are > 0 at all weights that are not 0, of whatever sign. *)
From Crtools Require Import Prelude Forms Suprema.

Definition not_zero (l u : nat) (x : nat -> R) : Prop := exists k, (l <= k <= u)%nat /\ x k <> 0.

Lemma square_positive : forall v, v <> 0 -> 0 < v ^ 2.
Proof. intros v H. pose proof (Rsqr_pos_lt v H) as P. unfold Rsqr in P. lra. Qed.

Lemma some_tail : forall l u x, not_zero l u x -> not_zero l u (fun k => Sum x k u).
Proof.
  intros l u x [k [K X]]. destruct (Req_dec (Sum x k u) 0) as [Z | N]; [| now exists k].
  rewrite (Sum_first x k u) in Z by lia. destruct (Nat.eq_dec k u) as [-> | N].
  - rewrite Sum_empty in Z by lia. lra.
  - exists (S k). split; [lia | lra].
Qed.

(* Theorem "B positive definite": B \succ 0
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1 *)
(* Finding "b-definite" of "lem-pd", proved at form-at-zero: $B_u$ is positive definite
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$
   Given: s = 0; hadamard_power = 2; g = 2*r - r**2; fourier = 12/((1+xi**2)*(4+xi**2)); strictness = g(0) > 0 *)
Theorem B_positive_definite : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> not_zero l u x -> 0 < form (B s) l u x.
Proof.
  intros s l u x Z H N. rewrite B_in_tails by lia. destruct (above_0 s l Z ltac:(lia)) as [L _].
  assert (0 < INR l * (s + INR l)) as P by (apply Rmult_lt_0_compat; lra).
  destruct (some_tail l u x N) as [k [K T]].
  assert (forall i, (S l <= i <= u)%nat -> 0 < s + 2 * INR i - 1) as W by (intros i I; apply (weight s l i Z); lia).
  assert (forall i, (S l <= i <= u)%nat -> 0 <= (s + 2 * INR i - 1) * Sum x i u ^ 2) as R.
  { intros i I. specialize (W i I). apply Rmult_le_pos; [lra | apply pow2_ge_0]. }
  destruct (Nat.eq_dec k l) as [-> | M].
  - pose proof (Sum_nonnegative _ _ _ R). pose proof (square_positive _ T). assert (0 < INR l * (s + INR l) * Sum x l u
    ^ 2); [| lra].
    now apply Rmult_lt_0_compat.
  - assert (0 < Sum (fun i => (s + 2 * INR i - 1) * Sum x i u ^ 2) (S l) u) as G.
    { apply Sum_positive; [exact R |]. exists k. split; [lia |]. apply Rmult_lt_0_compat; [apply W; lia | now apply
      square_positive]. }
    assert (0 <= INR l * (s + INR l) * Sum x l u ^ 2); [| lra]. apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

(* Six times the integral of v (T - v V)^2 from p to k. *)
Lemma piece_positive : forall p k T V, 0 <= p < k -> 0 <= piece (- / 2) 1 p k T V /\ (T <> 0 -> 0 < piece (- / 2) 1 p k T V).
Proof.
  intros p k T V H. assert (0 < k ^ 2 - p ^ 2) as P by (replace (k ^ 2 - p ^ 2) with ((k - p) * (k + p)) by ring;
    apply Rmult_lt_0_compat; lra).
  assert (0 < k ^ 2 + 4 * k * p + p ^ 2) as Q by nra.
  assert (3 * (k ^ 2 - p ^ 2) * piece (- / 2) 1 p k T V = (3 * (k ^ 2 - p ^ 2) * T - 2 * (k ^ 3 - p ^ 3) * V) ^ 2
    + / 2 * (k ^ 2 + 4 * k * p + p ^ 2) * ((k - p) ^ 2 * V) ^ 2) as G by (unfold piece; field).
  pose proof (pow2_ge_0 (3 * (k ^ 2 - p ^ 2) * T - 2 * (k ^ 3 - p ^ 3) * V)) as S1.
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ Q) (pow2_ge_0 ((k - p) ^ 2 * V))) as S2. split.
  - apply (Rmult_le_reg_l (3 * (k ^ 2 - p ^ 2))); lra.
  - intros N. apply (Rmult_lt_reg_l (3 * (k ^ 2 - p ^ 2))); [lra |]. rewrite Rmult_0_r, G.
    destruct (Req_dec V 0) as [-> | M].
    + assert (0 < (3 * (k ^ 2 - p ^ 2) * T) ^ 2) by (apply square_positive; apply
      Rmult_integral_contrapositive_currified; lra).
      rewrite !Rmult_0_r, Rminus_0_r. lra.
    + assert (0 < ((k - p) ^ 2 * V) ^ 2) as S3.
      { apply square_positive. apply Rmult_integral_contrapositive_currified; [apply pow_nonzero; lra | exact M]. }
      pose proof (Rmult_lt_0_compat _ _ Q S3). lra.
Qed.

(* Theorem "A positive definite": A_u \succ 0
   Reading: for every integer u ≥ 1 at s = 0, l = 1 (hence every l) *)
(* Finding "a-definite" of "lem-pd", proved at form-at-zero: $A_u$ is positive definite
   Reading: for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$
   Given: s = 0; hadamard_power = 2; g = 2*r - r**2; fourier = 12/((1+xi**2)*(4+xi**2)); strictness = g(0) > 0 *)
Theorem A_positive_definite : forall l u x, (1 <= l <= u)%nat -> not_zero l u x -> 0 < form (A 0) l u x.
Proof.
  intros l u x H N. destruct (above_0 0 l ltac:(lra) ltac:(lia)) as [L _].
  assert (form (A 0) l u x = / 2 * form (fun i j => INR i * INR j) l u x + 1 * form (symmetric (gram (- / 2) 1)) l u x)
    as ->.
  { rewrite <- form_sum. apply form_same. intros i j I J. unfold A, symmetric.
    assert (INR i * INR j = INR (Nat.min i j) * INR (Nat.max i j)) as ->.
    { destruct (Nat.le_gt_cases i j); [rewrite Nat.min_l, Nat.max_r by lia | rewrite Nat.min_r, Nat.max_l by lia]; ring. }
    assert (1 <= i)%nat by lia. assert (1 <= j)%nat by lia. ends i j P Q. unfold a, gram. field. lra. }
  rewrite form_product. set (W := Sum (fun i => INR i * x i) l u).
  assert (0 <= W * W) by apply Rle_0_sqr. assert (0 < form (symmetric (gram (- / 2) 1)) l u x); [| lra].
  rewrite gram_in_tails by lia. destruct (some_tail l u x N) as [k [K T]].
  set (V := fun k => Sum (fun i => / INR i * x i) k u). change (Sum (fun i => / INR i * x i) l u) with (V l).
  destruct (piece_positive 0 (INR l) (Sum x l u) (V l) ltac:(lra)) as [P Q].
  assert (forall i, (S l <= i <= u)%nat -> 0 <= INR i - 1 < INR i) as B1.
  { intros i I. destruct (above_0 0 i ltac:(lra) ltac:(lia)). lra. }
  assert (forall i, (S l <= i <= u)%nat -> 0 <= piece (- / 2) 1 (INR i - 1) (INR i) (Sum x i u) (V i)) as R.
  { intros i I. now apply piece_positive, B1. }
  destruct (Nat.eq_dec k l) as [-> | M].
  - pose proof (Sum_nonnegative _ _ _ R). specialize (Q T). unfold V in *. lra.
  - assert (0 < Sum (fun i => piece (- / 2) 1 (INR i - 1) (INR i) (Sum x i u) (V i)) (S l) u); [| unfold V in *; lra].
    apply Sum_positive; [exact R |]. exists k. split; [lia |]. apply piece_positive; [apply B1; lia | exact T].
Qed.

(* Theorem "Hadamard power": (\min(i,j)^p) \succ 0
   Reading: for every u, p = 2 *)
Theorem squares_of_minima : forall u x, (1 <= u)%nat -> not_zero 1 u x -> 0 < form (fun i j => INR (Nat.min i j) ^ 2) 1 u x.
Proof.
  intros u x H N. rewrite (form_same _ (B 0) 1 u x); [apply B_positive_definite; [lra | lia | exact N] |].
  intros i j I J. unfold B, symmetric, b. ring.
Qed.
