(* Sums over lengths, and the latency forms of the paper for every s, l and u: double sums, matrices, tails.

   Lengths are natural numbers l, ..., u and weights a function x of them; T k is the tail x_k + ... + x_u. *)
From Crtools Require Import Prelude.

(* ---- sums ------------------------------------------------------------------------------------------------------- *)

Lemma Sum_first : forall f a b, (a <= b)%nat -> Sum f a b = f a + Sum f (S a) b.
Proof.
  intros f a b H. revert b H. apply from_start.
  - rewrite Sum_one, Sum_empty by lia. ring.
  - intros b H I. rewrite (Sum_last f a b (S b)), (Sum_last f (S a) b (S b)), I by lia. ring.
Qed.

Lemma from_end : forall (P : nat -> Prop) u, P (S u) -> (forall l, (l <= u)%nat -> P (S l) -> P l) ->
  forall l, (l <= S u)%nat -> P l.
Proof.
  intros P u E I l. remember (S u - l)%nat as n. revert l Heqn. induction n as [| n J]; intros l N H.
  - now replace l with (S u) by lia.
  - apply I; [lia |]. apply J; lia.
Qed.

(* What holds of the empty sum and is handed on from l+1 to l holds of every sum. *)
Ltac downwards l H :=
  revert l H; match goal with |- forall l, (l <= S ?u)%nat -> @?P l => apply (from_end P u) end; cbn beta; [| intros l H].

Lemma Sum_all : forall (P : R -> R -> Prop), P 0 0 ->
  (forall a b c d, P a b -> P c d -> P (a + c) (b + d)) ->
  forall f g l u, (forall k, (l <= k <= u)%nat -> P (f k) (g k)) -> P (Sum f l u) (Sum g l u).
Proof.
  intros P Z A f g l u. destruct (le_lt_dec l u) as [H |]; [| now rewrite !Sum_empty by lia].
  revert u H. apply (from_start (fun u => (forall k, (l <= k <= u)%nat -> P (f k) (g k)) -> P (Sum f l u) (Sum g l u))).
  - intros E. rewrite !Sum_one. apply E. lia.
  - intros u H I E. rewrite (Sum_last f l u), (Sum_last g l u) by lia. apply A; [apply I; intros |]; apply E; lia.
Qed.

Lemma Sum_same : forall f g l u, (forall k, (l <= k <= u)%nat -> f k = g k) -> Sum f l u = Sum g l u.
Proof. apply Sum_all; intros; lra. Qed.

Lemma Sum_le : forall f g l u, (forall k, (l <= k <= u)%nat -> f k <= g k) -> Sum f l u <= Sum g l u.
Proof. apply Sum_all; intros; lra. Qed.

Lemma Sum_nonnegative : forall f l u, (forall k, (l <= k <= u)%nat -> 0 <= f k) -> 0 <= Sum f l u.
Proof. intros f l u. apply (Sum_all (fun a _ => 0 <= a) ltac:(lra) ltac:(intros; lra) f f). Qed.

Lemma Sum_positive : forall f l u, (forall k, (l <= k <= u)%nat -> 0 <= f k) ->
  (exists k, (l <= k <= u)%nat /\ 0 < f k) -> 0 < Sum f l u.
Proof.
  intros f l u P [k [K Q]]. assert (k <= u)%nat as H by lia. revert P. clear - H K Q. destruct K as [K _]. revert u H.
  apply (from_start (fun u => (forall i, (l <= i <= u)%nat -> 0 <= f i) -> 0 < Sum f l u)).
  - intros P. destruct (Nat.eq_dec l k) as [-> | N]; [now rewrite Sum_one |].
    destruct k; [lia |]. rewrite (Sum_last f l k) by lia.
    assert (0 <= Sum f l k) by (apply Sum_nonnegative; intros; apply P; lia). lra.
  - intros u U I P. rewrite (Sum_last f l u) by lia. assert (0 < Sum f l u) by (apply I; intros; apply P; lia).
    specialize (P (S u) ltac:(lia)). lra.
Qed.

Lemma Sum_times : forall c f l u, Sum (fun k => c * f k) l u = c * Sum f l u.
Proof. intros c f l u. apply (Sum_all (fun a b => a = c * b)); intros; subst; ring. Qed.

Lemma Sum_plus : forall f g l u, Sum (fun k => f k + g k) l u = Sum f l u + Sum g l u.
Proof.
  intros f g l u. destruct (le_lt_dec l u) as [H |]; [| rewrite !Sum_empty by lia; ring].
  revert u H. apply from_start; [rewrite !Sum_one; ring |]. intros u H I.
  rewrite (Sum_last (fun k => f k + g k) l u), (Sum_last f l u), (Sum_last g l u), I by lia. ring.
Qed.

(* ---- the forms -------------------------------------------------------------------------------------------------- *)

Definition form (m : nat -> nat -> R) (l u : nat) (x : nat -> R) : R :=
  Sum (fun i => Sum (fun j => m i j * x i * x j) l u) l u.

Definition symmetric (f : R -> R -> R) (i j : nat) : R := f (INR (Nat.min i j)) (INR (Nat.max i j)).

(* a_ij and b_ij for i <= j. *)
Definition a (s i j : R) : R := (s + i) * (j ^ 2 + 2 * i * j - i ^ 2 + s * (i + j)) / (2 * (s + j)).
Definition b (s i j : R) : R := i * (s + i).

Definition A (s : R) : nat -> nat -> R := symmetric (a s).
Definition B (s : R) : nat -> nat -> R := symmetric (b s).

Lemma symmetric_le : forall f i j, (i <= j)%nat -> symmetric f i j = f (INR i) (INR j).
Proof. intros f i j H. unfold symmetric. now rewrite Nat.min_l, Nat.max_r by lia. Qed.

Lemma symmetric_ge : forall f i j, (j <= i)%nat -> symmetric f i j = f (INR j) (INR i).
Proof. intros f i j H. unfold symmetric. now rewrite Nat.min_r, Nat.max_l by lia. Qed.

Lemma form_first : forall f l u x, (l <= u)%nat ->
  form (symmetric f) l u x =
  f (INR l) (INR l) * x l ^ 2 + 2 * x l * Sum (fun j => f (INR l) (INR j) * x j) (S l) u + form (symmetric f) (S l) u x.
Proof.
  intros f l u x H. unfold form. rewrite Sum_first by lia. rewrite (Sum_first _ l u) by lia.
  rewrite symmetric_le by lia.
  rewrite (Sum_same (fun j => symmetric f l j * x l * x j) (fun j => x l * (f (INR l) (INR j) * x j)) (S l) u)
    by (intros k K; rewrite symmetric_le by lia; ring).
  rewrite (Sum_same (fun i => Sum (fun j => symmetric f i j * x i * x j) l u)
             (fun i => x l * (f (INR l) (INR i) * x i) + Sum (fun j => symmetric f i j * x i * x j) (S l) u) (S l) u)
    by (intros k K; rewrite (Sum_first _ l u), symmetric_ge by lia; ring).
  rewrite Sum_plus, Sum_times. ring.
Qed.

Lemma form_empty : forall m u x, form m (S u) u x = 0.
Proof. intros. apply Sum_empty. lia. Qed.

Lemma above_0 : forall s i, 0 <= s -> (1 <= i)%nat -> 1 <= INR i /\ s + INR i <> 0.
Proof. intros s i H I. apply le_INR in I. simpl in I. lra. Qed.

(* ---- Lemma "Amin": both double sums have these matrices ---------------------------------------------------------- *)

Section Entries.
Variables (s : R) (u : nat) (x : nat -> R).

Definition h_sf (l : nat) : R := Sum (fun k => INR k * (s + INR k) * x k * (x k + 2 * Sum x (S k) u)) l u.

Definition period (delta : R) (k : nat) : R :=
  delta * Sum (fun i => INR i * x i) k u *
  (Sum (fun i => delta / (s + INR i) * x i) k u + 2 * Sum (fun i => (INR i - INR k) / (s + INR i) * x i) (S k) u).

Definition a_min (l : nat) : R := period (s + INR l) l + Sum (period 1) (S l) u.

Lemma entries_of_B : forall l, (l <= S u)%nat -> h_sf l = form (B s) l u x.
Proof.
  intros l H. downwards l H; [rewrite form_empty; apply Sum_empty; lia |]. intros I.
  unfold h_sf in *. rewrite Sum_first, I by lia. unfold B. rewrite (form_first (b s) l u) by lia. unfold b.
  rewrite Sum_times. ring.
Qed.

Let rate k := Sum (fun i => / (s + INR i) * x i) k u.
Let work k := Sum (fun i => INR i * x i) k u.
Let T k := Sum x k u.

Lemma period_value : forall d k, 0 <= s -> (1 <= k <= S u)%nat ->
  period d k = d * work k * (d * rate k + 2 * (T k - (s + INR k) * rate k)).
Proof.
  intros d k P H. unfold period, rate, work, T. f_equal.
  rewrite (Sum_same (fun i => d / (s + INR i) * x i) (fun i => d * (/ (s + INR i) * x i)) k u) by (intros; unfold Rdiv;
    ring). rewrite Sum_times.
  do 2 f_equal.
  assert (Sum (fun i => (INR i - INR k) / (s + INR i) * x i) k u = Sum x k u + - (s + INR k) * Sum (fun i => / (s + INR
    i) * x i) k u) as E.
  { rewrite <- Sum_times, <- Sum_plus. apply Sum_same. intros i I. destruct (above_0 s i P ltac:(lia)). field. assumption. }
  replace (Sum x k u - (s + INR k) * Sum (fun i => / (s + INR i) * x i) k u)
    with (Sum x k u + - (s + INR k) * Sum (fun i => / (s + INR i) * x i) k u) by ring.
  rewrite <- E. destruct (Nat.eq_dec k (S u)) as [-> | N]; [now rewrite !Sum_empty by lia |].
  rewrite (Sum_first _ k u) by lia. unfold Rdiv. ring.
Qed.

Lemma row_of_A : forall l, 0 <= s -> (1 <= l)%nat ->
  Sum (fun j => a s (INR l) (INR j) * x j) (S l) u =
  (s + INR l) / 2 * (work (S l) + 2 * INR l * T (S l) - INR l * (s + INR l) * rate (S l)).
Proof.
  intros l P H. unfold work, T, rate.
  replace (_ / 2 * _) with ((s + INR l) / 2 * Sum (fun i => INR i * x i) (S l) u + ((s + INR l) * INR l * Sum x (S l) u
    + - ((s + INR l) / 2 * INR l * (s + INR l)) * Sum (fun i => / (s + INR i) * x i) (S l) u)) by field.
  rewrite <- !Sum_times, <- !Sum_plus. apply Sum_same. intros j J. destruct (above_0 s j P ltac:(lia)).
  unfold a. field. assumption.
Qed.

Lemma entries_of_A : forall l, 0 <= s -> (1 <= l <= S u)%nat -> a_min l = form (A s) l u x.
Proof.
  intros l P [H1 H]. revert H1. downwards l H.
  - intros _. rewrite form_empty. unfold a_min. rewrite Sum_empty by lia. unfold period. rewrite Sum_empty by lia. ring.
  - intros I H1. specialize (I ltac:(lia)). unfold A in *. rewrite form_first, <- I, row_of_A by (assumption || lia).
    clear I.
    unfold a_min.
    assert (Sum (period 1) (S l) u = period 1 (S l) + Sum (period 1) (S (S l)) u) as ->.
    { destruct (Nat.eq_dec l u) as [-> | N]; [| apply Sum_first; lia].
      rewrite !Sum_empty by lia. unfold period. rewrite !Sum_empty by lia. ring. }
    rewrite !period_value by (assumption || lia). unfold work, rate, T.
    rewrite (Sum_first (fun i => INR i * x i) l u), (Sum_first (fun i => / (s + INR i) * x i) l u), (Sum_first x l u) by lia.
    rewrite S_INR. destruct (above_0 s l P H1). unfold a. field. lra.
Qed.

(* ---- tails ------------------------------------------------------------------------------------------------------ *)

Lemma B_in_tails : forall l, (l <= u)%nat ->
  form (B s) l u x = INR l * (s + INR l) * T l ^ 2 + Sum (fun k => (s + 2 * INR k - 1) * T k ^ 2) (S l) u.
Proof.
  intros l H. assert (l <= S u)%nat as H' by lia. revert H. downwards l H'; [lia |]. intros I _.
  unfold B in *. rewrite form_first by lia. unfold b at 1 2. rewrite Sum_times. unfold T. rewrite (Sum_first x l u) by lia.
  destruct (Nat.eq_dec l u) as [-> | N].
  - rewrite form_empty, !Sum_empty by lia. ring.
  - rewrite I by lia. unfold T. rewrite (Sum_first (fun k => (s + 2 * INR k - 1) * Sum x k u ^ 2) (S l) u) by lia.
    rewrite S_INR. ring.
Qed.

(* Abel summation: the sum of d(i) x_i, with d(i) the sum of its differences. *)
Lemma in_tails : forall d l, (l <= u)%nat ->
  Sum (fun i => d i * x i) l u = d l * T l + Sum (fun k => (d k - d (pred k)) * T k) (S l) u.
Proof.
  intros d l H. assert (l <= S u)%nat as H' by lia. revert H. downwards l H'; [lia |]. intros I _.
  rewrite Sum_first by lia. unfold T at 1. rewrite (Sum_first x l u) by lia.
  destruct (Nat.eq_dec l u) as [-> | N]; [rewrite !Sum_empty by lia; ring |].
  rewrite I by lia. unfold T. rewrite (Sum_first (fun k => (d k - d (pred k)) * Sum x k u) (S l) u) by lia.
  cbn [pred]. ring.
Qed.
End Entries.

(* Theorem "entries": a_{ij} = \frac{\left(i + s\right) \left(- i^{2} + 2 i j + j^{2} + s \left(i + j\right)\right)}{2 j
   + 2 s}, \quad b_{ij} = i \left(i + s\right) \quad (l \le i \le j \le u)
   Reading: for all integers s ≥ 0 and 1 ≤ l ≤ i ≤ j ≤ u, of the forms; a_ij does not depend on l *)
Theorem entries : forall s l u x, 0 <= s -> (1 <= l <= S u)%nat ->
  a_min s u x l = form (A s) l u x /\ h_sf s u x l = form (B s) l u x.
Proof. intros s l u x Z H. split; [now apply entries_of_A | apply entries_of_B; lia]. Qed.

Lemma form_alike : forall f g l u x, (1 <= l)%nat -> (forall i j, 1 <= i <= j -> f i j = g i j) ->
  form (symmetric f) l u x = form (symmetric g) l u x.
Proof.
  intros f g l u x L H. apply Sum_same. intros i I. apply Sum_same. intros j J. unfold symmetric. rewrite H; [reflexivity |].
  split; [apply (le_INR 1) | apply le_INR]; lia.
Qed.

(* The paper's displays, at s = 0 and l = 1. *)
(* Theorem "entries of A_u(displayed_a)": a_{ij} = \frac{\left(\frac{\left(i + j\right)^{2}}{2} - \min\left(i, j\right)^{2}\right) \min\left(i, j\right)^{2}}{i j}, \quad b_{ij} = \min(i, j)^2
   Reading: for all integers 1 ≤ i ≤ j ≤ u at s = 0, l = 1, of the forms *)
(* Finding "entries-of-a" of "cor-ab", proved at form-at-zero: $a_ij$ are the coefficients of the Lemma's numerator
   Reading: for all integers $1 ≤ i, j ≤ u$ and every $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms of the Lemma
   Given: a = min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2); b = min(i,j)**2; cross_sum = min(i,j)**2/(i*j) *
   ((i+j)**2 - 2*min(i,j)**2) *)
Theorem entries_of_A_u : forall u x,
  a_min 0 u x 1 = form (symmetric (fun i j => i * (- i ^ 2 + (i + j) ^ 2 / 2) / j)) 1 u x /\
  h_sf 0 u x 1 = form (symmetric (fun i j => i ^ 2)) 1 u x.
Proof.
  intros u x. destruct (entries 0 1 u x ltac:(lra) ltac:(lia)) as [-> ->]. unfold A, B.
  split; apply form_alike; try lia; intros i j H; unfold a, b; [field; lra | ring].
Qed.

(* Theorem "entries of B_u(displayed_b)": a_{ij} = \tfrac{i}{j}\bigl(\tfrac{(i+j)^2}{2} - i^2\bigr), \quad b_{ij} = \min\left(i, j\right)^{2}
   Reading: for all integers 1 ≤ i ≤ j ≤ u at s = 0, l = 1, of the forms *)
(* Finding "entries-of-b" of "cor-ab", proved at form-at-zero: $b_ij$ are those of its denominator
   Reading: for all integers $1 ≤ i, j ≤ u$ and every $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms of the Lemma
   Given: a = min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2); b = min(i,j)**2; cross_sum = min(i,j)**2/(i*j) *
   ((i+j)**2 - 2*min(i,j)**2) *)
Theorem entries_of_B_u : forall u x,
  a_min 0 u x 1 = form (symmetric (fun i j => i * (- i ^ 2 + 2 * i * j + j ^ 2) / (2 * j))) 1 u x /\
  h_sf 0 u x 1 = form (symmetric (fun i j => i ^ 2)) 1 u x.
Proof.
  intros u x. destruct (entries 0 1 u x ltac:(lra) ltac:(lia)) as [-> ->]. unfold A, B.
  split; apply form_alike; try lia; intros i j H; unfold a, b; [field; lra | ring].
Qed.
