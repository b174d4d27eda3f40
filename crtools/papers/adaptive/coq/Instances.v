(* Instances of the paper's examples, and of counterexamples, computed with the process. Each speaks of the numbers that its
   statement lists, and of nothing else; families for all sizes are in Families.v. *)
From Coq Require Import List Arith NArith Lia Bool Sorting.Permutation.
From Crtools Require Import Process Batches Passing Means.
Import ListNotations.

(* Requests by their starts and lengths. *)
Definition schedule ps os := map (fun r : nat * nat => Run (fst r) (snd r)) (combine ps os).

Ltac always := apply fits_always; vm_compute; reflexivity.
Ltac never t := let F := fresh in intros F; specialize (F t); vm_compute in F; lia.

(* By computation: two schedules in corresponding order, one that is delayed. *)
Definition orderly l l' := forallb (fun a : run * run => forallb (fun b => negb (p (fst a) <? p (fst b)) ||
  (p (snd a) <=? p (snd b))) (combine l l')) (combine l l').

Lemma orderly_corresponds l l' : orderly l l' = true <-> corresponds l l'.
Proof.
  unfold orderly, corresponds. rewrite forallb_forall. split.
  - intros H a b A B E. specialize (H a A). rewrite forallb_forall in H. specialize (H b B). apply orb_true_iff in H.
    destruct H as [H | H]; [apply negb_true_iff, Nat.ltb_ge in H; lia | now apply Nat.leb_le].
  - intros H a A. apply forallb_forall. intros b B. destruct (Nat.ltb_spec (p (fst a)) (p (fst b))); [| reflexivity].
    now apply Nat.leb_le, H.
Qed.

Definition later l l' := forallb (fun a : run * run => p (fst a) <=? p (snd a)) (combine l l').

Lemma later_delayed l l' : later l l' = true <-> delayed l l'.
Proof. unfold later, delayed. rewrite forallb_forall. split; intros H a A; apply Nat.leb_le, (H a A). Qed.

(* ---- Section 3 ------------------------------------------------------------------------------------------------------ *)

(* Finding "h-sf-total" of "ex-amax", certified at algorithm: H-SF's total is 5
   Reading: $n = 5$, $s = 1$, $M = 10$, $o = 1$, $[1, 4]$, of the discrete process (docs/model.md)
   Given: n = 5; s = 1; M = 10; o = 1; l = 1; u = 4; h_sf = 5; a_max = 9; latencies = 1,1,2,2,3; batch = 2 *)
(* Finding "a-max-total" of "ex-amax", certified at algorithm: $A_max$'s total is 9
   Reading: $n = 5$, $s = 1$, $M = 10$, $o = 1$, $[1, 4]$, of the discrete process (docs/model.md)
   Given: n = 5; s = 1; M = 10; o = 1; l = 1; u = 4; h_sf = 5; a_max = 9; latencies = 1,1,2,2,3; batch = 2 *)
(* Finding "a-max-latencies" of "ex-amax", certified at algorithm: $A_max$'s latencies are 1,1,2,2,3
   Reading: $n = 5$, $s = 1$, $M = 10$, $o = 1$, $[1, 4]$, of the discrete process (docs/model.md)
   Given: n = 5; s = 1; M = 10; o = 1; l = 1; u = 4; h_sf = 5; a_max = 9; latencies = 1,1,2,2,3; batch = 2 *)
Theorem ex_amax : let n := 5 in let s := 1 in let M := 10 in let o := 1 in let u := 4 in
  let h_sf := 5 in let a_max := 9 in let latencies := [1; 1; 2; 2; 3] in
  TEL (Process.h_sf s M (repeat o n)) = h_sf /\ TEL (Process.a_max s u M (repeat o n)) = a_max /\
  map completion (Process.a_max s u M (repeat o n)) = latencies.
Proof. repeat split; vm_compute; reflexivity. Qed.

(* ---- the appendix ---------------------------------------------------------------------------------------------------- *)

(* I_3 is optimal: among all feasible schedules of these requests. *)
(* Finding "feasible" of "ex-order", certified at algorithm: $I_1$, $I_2$, $I_3$ are feasible
   Reading: $M = 7$, $s = 1$, $o = (1, 2, 3, 4)$, of the discrete process (docs/model.md)
   Given: M = 7; s = 1; o = 1,2,3,4; i1 = 0,2,0,3; i2 = 1,1,0,3; i3 = 0,0,0,2 *)
(* Finding "corresponding-order" of "ex-order", certified at algorithm: $I_1$, $I_2$, $I_3$ preserve the
   corresponding order pairwise
   Reading: $M = 7$, $s = 1$, $o = (1, 2, 3, 4)$, of the discrete process (docs/model.md)
   Given: M = 7; s = 1; o = 1,2,3,4; i1 = 0,2,0,3; i2 = 1,1,0,3; i3 = 0,0,0,2 *)
(* Finding "neither-delayed" of "ex-order", certified at algorithm: neither of $I_1$, $I_2$ is delayed relative to
   the other
   Reading: $M = 7$, $s = 1$, $o = (1, 2, 3, 4)$, of the discrete process (docs/model.md)
   Given: M = 7; s = 1; o = 1,2,3,4; i1 = 0,2,0,3; i2 = 1,1,0,3; i3 = 0,0,0,2 *)
(* Finding "both-delayed" of "ex-order", certified at algorithm: $I_3 ≤ I_1, I_2$
   Reading: $M = 7$, $s = 1$, $o = (1, 2, 3, 4)$, of the discrete process (docs/model.md)
   Given: M = 7; s = 1; o = 1,2,3,4; i1 = 0,2,0,3; i2 = 1,1,0,3; i3 = 0,0,0,2 *)
(* Finding "optimal" of "ex-order", certified at algorithm: $I_3$ is optimal
   Reading: $M = 7$, $s = 1$, $o = (1, 2, 3, 4)$, of the discrete process (docs/model.md)
   Given: M = 7; s = 1; o = 1,2,3,4; i1 = 0,2,0,3; i2 = 1,1,0,3; i3 = 0,0,0,2 *)
Theorem ex_order : let M := 7 in let s := 1 in let o := [1; 2; 3; 4] in
  let i1 := [0; 2; 0; 3] in let i2 := [1; 1; 0; 3] in let i3 := [0; 0; 0; 2] in
  (feasible s M (schedule i1 o) /\ feasible s M (schedule i2 o) /\ feasible s M (schedule i3 o)) /\
  (corresponds (schedule i1 o) (schedule i2 o) /\ corresponds (schedule i1 o) (schedule i3 o) /\
    corresponds (schedule i2 o) (schedule i3 o)) /\
  (~ delayed (schedule i1 o) (schedule i2 o) /\ ~ delayed (schedule i2 o) (schedule i1 o)) /\
  (delayed (schedule i3 o) (schedule i1 o) /\ delayed (schedule i3 o) (schedule i2 o)) /\
  (forall l, map Process.o l = o -> feasible s M l -> TEL (schedule i3 o) <= TEL l).
Proof.
  intros M s o i1 i2 i3. split; [| split; [| split; [| split]]].
  - repeat split; always.
  - repeat split; apply orderly_corresponds; vm_compute; reflexivity.
  - split; intros H; apply later_delayed in H; discriminate.
  - split; apply later_delayed; vm_compute; reflexivity.
  - intros [| [a ?] [| [b ?] [| [c ?] [| [d ?] [| ? ?]]]]] E; try discriminate. injection E as -> -> -> ->.
    intros F. change (TEL (schedule i3 o)) with 12. unfold TEL, completion. cbn [sum p Process.o].
    enough (2 <= a + b + c + d) by lia. destruct (le_lt_dec 2 (a + b + c + d)) as [| H]; [assumption | exfalso].
    assert (K : [a; b; c; d] = [0; 0; 0; 0] \/ [a; b; c; d] = [1; 0; 0; 0] \/ [a; b; c; d] = [0; 1; 0; 0] \/
      [a; b; c; d] = [0; 0; 1; 0] \/ [a; b; c; d] = [0; 0; 0; 1]).
    { destruct a as [| [|]], b as [| [|]], c as [| [|]], d as [| [|]]; auto; lia. }
    destruct K as [K | [K | [K | [K | K]]]]; injection K as -> -> -> ->;
      pose proof (F 1); pose proof (F 2); pose proof (F 3); pose proof (F 4); vm_compute in *; lia.
Qed.

(* A_random's mean over all orders, against H-SF's total: at most once that on {l, u}, and 17/14 times between. *)
(* Finding "process" of "thm-endpoints", refuted at algorithm: without an error term: A_random's ratio over $[1,
   4]^n$ is attained on ${1, 4}^n$ at $s = 1$, $n = 2$, $M = 5$
   Reading: every policy, $s ≥ 0$ and $[l, u]$; lengths fixed before; an error may vanish as $n → ∞$ and then $M → ∞$
   Given: policy = a-min; u = 20; n = 2; M = 5; high = 4; sum_factor = 2 *)
Theorem endpoints : let s := 1 in let l := 1 in let u := 4 in let M := 5 in let o := [2; 4] in
  let total os := sum (fun order => TEL (a_random s M order)) (orders os) in
  let best os := length (orders os) * TEL (h_sf s M os) in
  (forall b, In b o -> l <= b <= u) /\
  (forall a b, (a = l \/ a = u) -> (b = l \/ b = u) -> total [a; b] <= best [a; b]) /\
  0 < best o /\ 14 * total o = 17 * best o.
Proof.
  intros s l u M o total best. split; [| split; [| split]].
  - intros b [<- | [<- | []]]; unfold l, u; lia.
  - intros a b [-> | ->] [-> | ->]; vm_compute; lia.
  - vm_compute. lia.
  - vm_compute. reflexivity.
Qed.

(* The queue that stops at the first that does not fit: A_random's schedule for some order is not optimally packed, one
   request could start earlier. *)
(* Finding "packed" of "packed-random", refuted at algorithm: the second where the queue stops at the first that
   does not fit: packed
   Reading: every instance with lengths in $[l, u]$ and $αM = lM/u$ an integer, every permutation; at each instant a
   request that does not fit is passed over: “successively add requests from $R_t$ into the memory until no further
   addition is possible” ($A_random$'s pseudo-code); beside it: the queue stops there (docs/model.md); of the
   discrete process (docs/model.md)
   Given: policy = a-random; requests = any *)
Theorem not_packed : let lengths := [1; 2; 2] in let s := 1 in let M := 4 in
  exists order, Permutation lengths order /\ ~ optimally_packed s M (a_random s M order).
Proof.
  intros lengths s M. exists [2; 2; 1]. split; [apply (orders_permuted lengths); vm_compute; tauto |]. intros H.
  refine (H [Run 0 2; Run 2 2] (Run 2 1) [] _ 0 _ _); [vm_compute; reflexivity | vm_compute; lia | always].
Qed.

(* The queue that passes over: its schedules of one order, at M and at alpha M, exchange two requests: at M the last one passes the second, at alpha M
   it does not. All have started in both; alpha = l/u. *)
(* Finding "order-passing" of "packed-random", refuted at algorithm: the coupled schedules at $M$ and $αM$ preserve
   the corresponding order
   Reading: every instance with lengths in $[l, u]$ and $αM = lM/u$ an integer, every permutation; at each instant a
   request that does not fit is passed over: “successively add requests from $R_t$ into the memory until no further
   addition is possible” ($A_random$'s pseudo-code); beside it: the queue stops there (docs/model.md); of the
   discrete process (docs/model.md)
   Given: policy = a-random; requests = any *)
Theorem exchanged : let lengths := [2; 3; 3] in let s := 1 in let M := 6 in let l := 2 in let u := 3 in
  let alpha_M := 4 in
  alpha_M * u = l * M /\ (forall b, In b lengths -> l <= b <= u) /\
  exists order, Permutation lengths order /\
  map o (of_passing (random_passing s M order)) = order /\
  map o (of_passing (random_passing s alpha_M order)) = order /\
  feasible s M (of_passing (random_passing s M order)) /\
  feasible s alpha_M (of_passing (random_passing s alpha_M order)) /\
  ~ corresponds (of_passing (random_passing s M order)) (of_passing (random_passing s alpha_M order)).
Proof.
  intros lengths s M l u alpha_M. split; [reflexivity | split].
  - intros b [<- | [<- | [<- | []]]]; unfold l, u; lia.
  - exists [3; 3; 2]. split; [apply (orders_permuted lengths); vm_compute; tauto |].
    repeat split; try (vm_compute; reflexivity); try always. intros H. apply orderly_corresponds in H. discriminate.
Qed.

(* Threes and then fours: I at M and I' at less, both feasible, packed and in corresponding order. *)
Definition I_M := expand [(25, Run 0 3); (60, Run 0 4); (20, Run 3 4); (60, Run 4 4); (20, Run 7 4); (60, Run 8 4);
  (20, Run 11 4);
  (60, Run 12 4); (20, Run 15 4); (60, Run 16 4); (20, Run 19 4); (60, Run 20 4); (20, Run 23 4); (60, Run 24 4);
    (20, Run 27 4);
  (60, Run 28 4); (20, Run 31 4); (60, Run 32 4); (20, Run 35 4); (60, Run 36 4); (20, Run 39 4); (60, Run 40 4);
    (20, Run 43 4);
  (60, Run 44 4); (20, Run 47 4); (40, Run 48 4)].
Definition I_less := expand [(25, Run 0 3); (59, Run 0 4); (21, Run 3 4); (58, Run 4 4); (23, Run 7 4); (55, Run 8 4);
  (1, Run 10 4);
  (29, Run 11 4); (48, Run 12 4); (48, Run 15 4); (24, Run 16 4); (67, Run 19 4); (1, Run 22 4); (67, Run 23 4);
    (1, Run 26 4);
  (67, Run 27 4); (1, Run 30 4); (67, Run 31 4); (1, Run 34 4); (67, Run 35 4); (1, Run 38 4); (67, Run 39 4); (1, Run 42 4);
  (67, Run 43 4); (1, Run 46 4); (67, Run 47 4); (1, Run 50 4); (67, Run 51 4); (1, Run 54 4); (22, Run 55 4)].

(* Finding "total" of "prop-memory", refuted at algorithm: $TEL(I') ≤ β⁻¹ TEL(I)$
   Reading: all pairs of feasible, optimally packed schedules in corresponding order at $M$ and $βM$, $s ≥ 1$; a
   request of the first batch could move to any earlier instant; of the discrete process (docs/model.md)
   Given: factor = 1 *)
(* Finding "each" of "prop-memory", refuted at algorithm: $L_i' ≤ β⁻¹ L_i$ for every $i$
   Reading: all pairs of feasible, optimally packed schedules in corresponding order at $M$ and $βM$, $s ≥ 1$; a
   request of the first batch could move to any earlier instant; of the discrete process (docs/model.md)
   Given: factor = 1 *)
Theorem threes_and_fours : let threes := 25 in let fours := 1000 in let s := 1 in let M := 340 in let beta_M := 337 in
  let less := 3 in
  let lengths := repeat 3 threes ++ repeat 4 fours in
  M = beta_M + less /\ map o I_M = lengths /\ map o I_less = lengths /\ feasible s M I_M /\ feasible s beta_M I_less /\
  optimally_packed s M I_M /\ optimally_packed s beta_M I_less /\ corresponds I_M I_less /\
  M * TEL I_M < beta_M * TEL I_less /\
  exists i, M * completion (nth i I_M (Run 0 0)) < beta_M * completion (nth i I_less (Run 0 0)).
Proof.
  intros threes fours s M beta_M less lengths. split; [| split; [| split; [| split; [| split; [| split; [| split;
    [| split; [| split]]]]]]]].
  - reflexivity.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - apply batches_feasible. vm_compute. reflexivity.
  - apply batches_feasible. vm_compute. reflexivity.
  - apply batches_packed; vm_compute; reflexivity.
  - apply batches_packed; vm_compute; reflexivity.
  - apply orderly_corresponds. vm_compute. reflexivity.
  - enough (H : (N.of_nat (M * TEL I_M) < N.of_nat (beta_M * TEL I_less))%N) by lia.
    rewrite !Nat2N.inj_mul. unfold I_M, I_less. rewrite !total_expand. vm_compute. reflexivity.
  - exists 799. vm_compute. lia.
Qed.

(* All lengths are l: A_max at M is slower than A_random at alpha M, in every order. *)
(* Finding "in-expectation" of "lem-max-random", refuted at algorithm: $E TEL(A_max, M) ≤ E TEL(A_random, αM)$, without
   an error term
   Reading: every instance with $s ≥ 1$ and $αM$ an integer at which both can run; $E$ over the permutation, of the
   discrete process (docs/model.md); up to errors that vanish as $n/M → ∞$ and $M/(s+u) → ∞$
   Given: factor = 1; requests = any *)
Theorem max_random : let lengths := [4; 4] in let s := 1 in let l := 4 in let u := 8 in let M := 14 in let alpha_M := 7 in
  alpha_M * u = l * M /\ (forall b, In b lengths -> l <= b <= u) /\
  sum (fun order => TEL (a_random s alpha_M order)) (orders lengths) < sum (fun order => TEL (a_max s u M order)) (orders
    lengths).
Proof.
  intros lengths s l u M alpha_M. repeat split; try (vm_compute; lia).
  all: destruct H as [<- | [<- | []]]; unfold l, u; lia.
Qed.

(* ---- Section 6 ------------------------------------------------------------------------------------------------------- *)

(* Equal lengths: another schedule is feasible and has a smaller total than H-SF's. *)
(* Finding "no-better-schedule" of "hsf-lower", refuted at algorithm: no schedule is better than H-SF's total
   Reading: every instance, $s ≥ 1$, every schedule without cancellation, of the discrete process (docs/model.md)
   Given: factor = 1; requests = any *)
Theorem hsf_lower : let n := 36 in let every_length := 3 in let s := 1 in let M := 36 in
  exists l, map o l = repeat every_length n /\ feasible s M l /\ TEL l < TEL (h_sf s M (repeat every_length n)).
Proof.
  intros n every_length s M. exists (flat_map (fun t => repeat (Run t 3) 4) (seq 0 9)). repeat split; [always |].
  apply Nat.ltb_lt. vm_compute. reflexivity.
Qed.
