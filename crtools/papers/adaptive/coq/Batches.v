(* Requests of one kind that start together: a schedule as batches, so that large schedules can be computed with. *)
From Coq Require Import List Arith NArith Lia Bool.
From Crtools Require Import Process.
Import ListNotations.

(* So many runs that are alike; all runs of a list of batches; what they hold at t. *)
Definition expand b := flat_map (fun c : nat * run => repeat (snd c) (fst c)) b.
Definition use s b t := sum (fun c : nat * run => fst c * held s (snd c) t) b.

Lemma sum_expand f b : sum f (expand b) = sum (fun c : nat * run => fst c * f (snd c)) b.
Proof. unfold expand. induction b as [| [c r] b H]; [reflexivity |]. cbn [flat_map sum fst snd].
  now rewrite sum_app, sum_repeat, H. Qed.

Lemma tokens_expand s b t : tokens s (expand b) t = use s b t.
Proof. apply sum_expand. Qed.

Lemma in_expand r b : In r (expand b) -> exists c, In (c, r) b.
Proof. intros H. apply in_flat_map in H. destruct H as [[c x] [H R]]. apply repeat_spec in R. cbn in R. subst x.
  now exists c. Qed.

Definition feasible_batches s M b := forallb (fun c : nat * run => use s b (completion (snd c)) <=? M) b.

Lemma batches_feasible s M b : feasible_batches s M b = true -> feasible s M (expand b).
Proof.
  unfold feasible_batches. rewrite forallb_forall. intros H. apply feasible_at_completions. intros r R. apply in_expand in R.
  destruct R as [c R]. rewrite tokens_expand. now apply Nat.leb_le, (H (c, r)).
Qed.

(* Moved to k, a run exceeds the memory where it completes or where another does, at one of these instants. *)
Definition packed_batches s M b :=
  forallb (fun c : nat * run => let r := snd c in
    let from := fold_right Nat.max 0 (filter (fun k => k <? p r) (map (fun x => p (snd x)) b)) in
    forallb (fun k => existsb (fun t => M + held s r t <? use s b t + held s (Run k (o r)) t) (seq k (S (o r)))) (seq
      from (p r - from))) b.

Lemma max_filter (f : nat -> bool) l m : (forall x, In x l -> In x m) ->
  fold_right Nat.max 0 (filter f l) <= fold_right Nat.max 0 (filter f m).
Proof.
  intros H. induction l as [| x l J]; [cbn; lia |]. specialize (J (fun y Y => H y (or_intror Y))).
    specialize (H x (or_introl eq_refl)).
  cbn. destruct (f x) eqn:F; [| exact J]. cbn. apply Nat.max_lub; [| exact J]. clear - F H.
    induction m as [| y m K]; [contradiction |].
  destruct H as [-> | H]; cbn; [rewrite F; cbn; lia | specialize (K H); destruct (f y); cbn; lia].
Qed.

Lemma before_expand b t : (forall c r, In (c, r) b -> 1 <= c) ->
  before (expand b) t = fold_right Nat.max 0 (filter (fun k => k <? t) (map (fun x => p (snd x)) b)).
Proof.
  intros H. unfold before. apply Nat.le_antisymm; apply max_filter; intros x X; apply in_map_iff in X; apply in_map_iff.
  - destruct X as [r [<- R]]. apply in_expand in R. destruct R as [c R]. now exists (c, r).
  - destruct X as [[c r] [<- R]]. exists r. split; [reflexivity |]. apply in_flat_map. exists (c, r). split; [exact R |].
    cbn.
    specialize (H c r R). destruct c; [lia | now left].
Qed.

Lemma batches_packed s M b : forallb (fun c : nat * run => 1 <=? fst c) b = true -> packed_batches s M b = true ->
  optimally_packed s M (expand b).
Proof.
  rewrite forallb_forall. intros P H a r z E k K F. unfold packed_batches in H. rewrite forallb_forall in H.
  assert (R : In r (expand b)) by (rewrite E; apply in_or_app; right; now left). apply in_expand in R. destruct R as [c R].
  specialize (H (c, r) R). cbn [snd] in H. rewrite before_expand in K by (intros c' r' X; apply P in X;
    now apply Nat.leb_le in X).
  rewrite forallb_forall in H. specialize (H k). assert (X : In k (seq (fold_right Nat.max 0 (filter (fun k0 => k0 <? p
    r) (map (fun x : nat * run => p (snd x)) b)))
    (p r - fold_right Nat.max 0 (filter (fun k0 => k0 <? p r) (map (fun x : nat * run => p (snd x)) b))))) by (apply
      in_seq; lia).
  specialize (H X). apply existsb_exists in H. destruct H as [t [_ H]]. apply Nat.ltb_lt in H. specialize (F t).
  rewrite <- tokens_expand, E in H. unfold tokens in *. rewrite !sum_app in *. cbn [sum] in *. lia.
Qed.

Definition total b := fold_right N.add 0%N (map (fun c : nat * run => (N.of_nat (fst c) * N.of_nat (completion (snd
  c)))%N) b).

Lemma total_expand b : N.of_nat (TEL (expand b)) = total b.
Proof. unfold TEL. rewrite sum_expand. unfold total. induction b as [| c b H]; [reflexivity |]. cbn [sum map fold_right].
  now rewrite Nat2N.inj_add, Nat2N.inj_mul, H. Qed.
