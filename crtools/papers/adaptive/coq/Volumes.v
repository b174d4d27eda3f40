(* No schedule is below the volume bound: a request of o tokens occupies s o + o (o + 1)/2 token-instants, and an instant
   has M of them. *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
From Crtools Require Import Process.
Import ListNotations.

(* The token-instants of one request. *)
Definition volume s b := sum (fun a => s + S a) (seq 0 b).

Lemma volume_closed s b : 2 * volume s b = b * (2 * s + b + 1).
Proof. unfold volume. induction b as [| b I]; [reflexivity |]. rewrite seq_S, sum_app. cbn [sum Nat.add]. nia. Qed.


Lemma volume_next s b : volume s (S b) = volume s b + (s + S b).
Proof. unfold volume. rewrite seq_S, sum_app. cbn [sum Nat.add]. lia. Qed.

Lemma held_until s q b n : sum (held s (Run q b)) (seq 0 n) = volume s (Nat.min b (n - 1 - q)).
Proof.
  induction n as [| n H]; [cbn; now rewrite Nat.min_0_r |]. rewrite seq_S, sum_app, H. cbn [sum Nat.add]. unfold held.
    cbn [p o].
  destruct (Nat.ltb_spec q n) as [A | A]; cbn [andb]; [destruct (Nat.leb_spec n (q + b)) as [D | D] |].
  - replace (Nat.min b (S n - 1 - q)) with (S (Nat.min b (n - 1 - q))) by lia. rewrite volume_next. lia.
  - replace (Nat.min b (S n - 1 - q)) with (Nat.min b (n - 1 - q)) by lia. lia.
  - replace (Nat.min b (S n - 1 - q)) with (Nat.min b (n - 1 - q)) by lia. lia.
Qed.

(* By T the memory has held no more than M T token-instants: those of all that have completed. *)
Lemma volumes_by s M l T : feasible s M l -> (forall r, In r l -> completion r <= T) ->
  sum (fun r => volume s (o r)) l <= M * T.
Proof.
  intros F C. apply Nat.le_trans with (sum (tokens s l) (seq 0 (S T))).
  - unfold tokens. rewrite (sum_of_sums (fun r t => held s r t)). apply sum_le. intros [q b] R. rewrite (held_until s q b).
    specialize (C _ R). unfold completion in C. cbn [p o] in *. now replace (Nat.min b (S T - 1 - q)) with b by lia.
  - cbn [seq sum]. replace (tokens s l 0) with 0.
    + cbn [Nat.add]. assert (H : forall a n, sum (tokens s l) (seq a n) <= M * n).
      { intros a n. revert a. induction n as [| n J]; intros a; [cbn; lia |]. cbn [seq sum]. specialize (F a).
        specialize (J (S a)). lia. }
      apply H.
    + symmetry. apply sum_zero. intros r _. unfold held. cases.
Qed.

Lemma last_to_complete (l : list run) : l <> [] -> exists r l', Permutation l (r :: l') /\ forall x, In x l' ->
  completion x <= completion r.
Proof.
  induction l as [| a [| b l] H]; intros N; [contradiction | exists a, []; split; [apply Permutation_refl | intros x []] |].
  destruct H as [r [l' [P C]]]; [discriminate |]. destruct (le_lt_dec (completion a) (completion r)) as [E | E].
  - exists r, (a :: l'). split; [apply perm_trans with (a :: r :: l'); [now constructor | apply perm_swap] |].
    intros x [<- | X]; [exact E | now apply C].
  - exists a, (b :: l). split; [apply Permutation_refl |]. intros x X. apply (Permutation_in _ P) in X.
    destruct X as [<- | X]; [lia | specialize (C x X); lia].
Qed.

(* The sum of min(v_i, v_j) over all pairs: n^2 times the form volume(x); with the sum of the v_i it is twice the sum over k
   of the k smallest volumes. *)
Definition pairs s l := sum (fun a => sum (fun b => Nat.min (volume s (o a)) (volume s (o b))) l) l.

Lemma pairs_one_more s r l : pairs s (r :: l) <= volume s (o r) + 2 * sum (fun a => volume s (o a)) l + pairs s l.
Proof.
  unfold pairs. cbn [sum]. rewrite sum_plus, Nat.min_id.
  assert (A : sum (fun b => Nat.min (volume s (o r)) (volume s (o b))) l <= sum (fun a => volume s (o a)) l) by (apply
    sum_le; intros; lia).
  assert (B : sum (fun a => Nat.min (volume s (o a)) (volume s (o r))) l <= sum (fun a => volume s (o a)) l) by (apply
    sum_le; intros; lia).
  lia.
Qed.

Lemma pairs_permuted s l l' : Permutation l l' -> pairs s l = pairs s l'.
Proof.
  intros P. unfold pairs. rewrite (sum_permuted _ _ _ P). apply sum_same. intros a _. apply sum_permuted, P.
Qed.

Theorem volume_bound : forall s M l, feasible s M l ->
  pairs s l + sum (fun r => volume s (o r)) l <= 2 * M * TEL l /\ sum o l <= TEL l.
Proof.
  intros s M l F. split; [| apply sum_le; intros r _; unfold completion; lia].
  remember (length l) as n eqn:N. revert l F N. induction n as [| n H]; intros l F N.
  - destruct l; [cbn; lia | discriminate].
  - destruct (last_to_complete l) as [r [l' [P C]]]; [intros ->; discriminate |].
    assert (F' : feasible s M (r :: l')) by (intros t; unfold tokens; rewrite <- (sum_permuted _ _ _ P); apply F).
    unfold TEL. rewrite (pairs_permuted _ _ _ P), !(sum_permuted _ _ _ P). cbn [sum].
      pose proof (pairs_one_more s r l') as E.
    assert (V : volume s (o r) + sum (fun a => volume s (o a)) l' <= M * completion r).
    { apply (volumes_by s M (r :: l') (completion r) F'). intros x [<- | X]; [lia | now apply C]. }
    specialize (H l'). assert (K : pairs s l' + sum (fun a => volume s (o a)) l' <= 2 * M * TEL l').
    { apply H; [| apply Permutation_length in P; cbn in P; lia]. intros t. specialize (F' t). unfold tokens in *.
      cbn [sum] in F'. lia. }
    unfold TEL in K. lia.
Qed.

(* Also with cancellation: what a process needs beside its last starts is left out. *)
(* Theorem "every schedule by volumes": \mathrm{TEL} \ge \tfrac{n^2}{2M}\,\text{volume}(x),\quad \mathrm{TEL} \ge
   \textstyle\sum_i o_i
   Reading: every s ≥ 0, n, M and lengths; every schedule, also with cancellation *)
Corollary volume_bound_process : forall s M l, process s M l ->
  pairs s (map last l) + sum (fun r => volume s (o r)) (map last l) <= 2 * M * TEL (map last l) /\
    sum o (map last l) <= TEL (map last l).
Proof. intros s M l P. now apply volume_bound, last_starts. Qed.
