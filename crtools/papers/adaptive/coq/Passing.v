(* A_random's queue that passes over a request that does not fit, and goes on with the next one: its schedules are packed. *)
From Coq Require Import List Arith Lia Bool.
From Crtools Require Import Process.
Import ListNotations.

(* At t it tries each that waits, in its order, and passes over one that does not fit. A request is
   (assumed length, true length, its start if it has started); g runs at t. A_random's assumes the true lengths. *)
Fixpoint pass s M t g l := match l with
  | [] => []
  | (a, b, None) :: rest =>
      let j := Job (Run t b) a in
      if fits s M (map projected (j :: g)) then (a, b, Some t) :: pass s M t (j :: g) rest else (a, b, None) :: pass s M
        t g rest
  | x :: rest => x :: pass s M t g rest
  end.
Definition going t (l : list (nat * nat * option nat)) :=
  running t (flat_map (fun x => match x with (a, b, Some q) => [Job (Run q b) a] | _ => [] end) l).
Fixpoint passing s M n t l := match n with 0 => l | S n => passing s M n (S t) (pass s M t (going t l) l) end.
Definition random_passing s M order := passing s M (S (sum (fun b => b) order)) 0 (map (fun b => (b, b, None)) order).
Definition of_passing (l : list (nat * nat * option nat)) := map (fun x => match x with (_, b, Some q) => Run q b |
  (_, b, None) => Run 0 0 end) l.

(* What those that have started hold at t', counted up to the lengths that are assumed. *)
Notation item := (nat * nat * option nat)%type.
Definition hold1 s (x : item) t' := match x with (a, _, Some q) => held s (Run q a) t' | _ => 0 end.
Definition hold s l t' := sum (fun x => hold1 s x t') l.

(* Of these, those that started before t, and those that started at t. *)
Definition old s t (l : list item) t' :=
  sum (fun x => match x with (_, _, Some q) => if q <? t then hold1 s x t' else 0 | _ => 0 end) l.
Definition new s t (l : list item) t' :=
  sum (fun x => match x with (_, _, Some q) => if q =? t then hold1 s x t' else 0 | _ => 0 end) l.

Definition started_before t (l : list item) := forall a b q, In (a, b, Some q) l -> q < t.
Definition is_known (l : list item) := forall a b q, In (a, b, q) l -> a = b.

Lemma old_and_new s t l t' : old s t l t' + new s t l t' <= hold s l t'.
Proof.
  unfold old, new, hold. rewrite <- sum_plus. apply sum_le. intros [[a b] [q |]] _; cbn beta iota; [| lia]. cases.
Qed.

Lemma going_holds s t l t' : tokens s (map projected (going t l)) t' <= hold s l t'.
Proof.
  unfold going, hold. induction l as [| [[a b] [q |]] l H]; [cbn; lia | | exact H]. cbn [flat_map app running sum].
  unfold running in *. cbn [filter]. unfold tokens in *.
  destruct (t <? completion _); cbn [map sum hold1] in *; change (projected (Job (Run q b) a)) with (Run q a); lia.
Qed.

(* One pass: what waited waits or has started at t. *)
Definition after t (x y : item) := fst x = fst y /\ (snd x = snd y \/ snd x = None /\ snd y = Some t).

Lemma pass_after s M t : forall l g, Forall2 (after t) l (pass s M t g l).
Proof.
  induction l as [| [[a b] [q |]] l H]; intros g; cbn [pass]; [constructor | |].
  - constructor; [split; [| left]; reflexivity | apply H].
  - destruct (fits s M _); constructor; try apply H; (split; [reflexivity |]); [now right | now left].
Qed.

Lemma pass_keeps s M t t' : forall l g, started_before t l -> old s t (pass s M t g l) t' = hold s l t'.
Proof.
  induction l as [| [[a b] [q |]] l H]; intros g B; [reflexivity | |]; cbn [pass].
  - unfold old, hold in *. cbn [sum]. rewrite H by (intros a' b' q' X; apply (B a' b'); now right).
    specialize (B a b q (or_introl eq_refl)). cases.
  - assert (B' : started_before t l) by (intros a' b' q' X; apply (B a' b'); now right).
    destruct (fits s M _); unfold old, hold in *; cbn [sum]; rewrite H by exact B'; cbn [hold1]; cases.
Qed.

(* Who is refused would exceed the memory, with those that were running and those that were started in this pass before. *)
Lemma pass_refuses s M t : forall l g l1 a b l2, pass s M t g l = l1 ++ (a, b, None) :: l2 ->
  exists t', M < held s (Run t a) t' + tokens s (map projected g) t' + new s t l1 t'.
Proof.
  induction l as [| [[a0 b0] [q |]] l H]; intros g l1 a b l2 E; cbn [pass] in E.
  - destruct l1; discriminate.
  - destruct l1 as [| x l1]; [discriminate |]. injection E as <- E. destruct (H _ _ _ _ _ E) as [t' M1]. exists t'.
    unfold new in *. cbn [sum]. lia.
  - destruct (fits s M _) eqn:F.
    + destruct l1 as [| x l1]; [discriminate |]. injection E as <- E. destruct (H _ _ _ _ _ E) as [t' M1]. exists t'.
      unfold new, tokens in *. cbn [map sum hold1] in *. unfold projected at 1 in M1. cbn [p o real L] in M1.
      rewrite Nat.eqb_refl. lia.
    + destruct l1 as [| x l1].
      * injection E as <- <- _. destruct (existsb (fun r => M <? tokens s (map projected (Job (Run t b0) a0 :: g)) (completion r))
          (map projected (Job (Run t b0) a0 :: g))) eqn:X.
        -- apply existsb_exists in X. destruct X as [r [_ X]]. apply Nat.ltb_lt in X. exists (completion r).
           unfold tokens in *. cbn [map sum] in X. unfold projected at 1 in X. cbn [p o real L] in X. lia.
        -- exfalso. apply eq_true_false_abs with (2 := F). apply forallb_forall. intros r R. apply Nat.leb_le, Nat.nlt_ge.
           intros Y. apply eq_true_false_abs with (2 := X). apply existsb_exists. exists r. split; [exact R | now apply Nat.ltb_lt].
      * injection E as <- E. destruct (H _ _ _ _ _ E) as [t' M1]. exists t'. unfold new in *. cbn [sum]. lia.
Qed.

Lemma hold_after s t l l' t' : Forall2 (after t) l l' -> hold s l t' <= hold s l' t'.
Proof.
  unfold hold. induction 1 as [| [[a b] q] [[a' b'] q'] l l' [E F] _ H]; [cbn; lia |]. cbn [sum fst snd] in *.
  injection E as <- <-. destruct F as [<- | [-> ->]]; cbn [hold1]; lia.
Qed.

(* Until t, at each instant at which a request waited it would have exceeded the memory. *)
Definition refused s M t (l : list item) := forall l1 a b q l2, l = l1 ++ (a, b, q) :: l2 ->
  forall k, k < match q with Some q => q | None => t end -> exists t', M < held s (Run k a) t' + hold s (l1 ++ l2) t'.

Lemma one_pass s M t l : started_before t l -> refused s M t l -> let l' := pass s M t (going t l) l in
  started_before (S t) l' /\ refused s M (S t) l'.
Proof.
  intros B R l'. pose proof (pass_after s M t l (going t l)) as A. fold l' in A. split.
  - intros a b q X. apply in_split in X. destruct X as [o1 [o2 E]]. rewrite E in A.
    apply Forall2_app_inv_r in A. destruct A as [l1 [m [_ [A2 El]]]].
    inversion A2 as [| [[a0 b0] q0] ? l2 ? [_ F] _ Em Ey]. subst m. cbn [snd] in F. destruct F as [-> | [_ F]].
    + assert (q < t); [| lia]. apply (B a0 b0). rewrite El. apply in_or_app. right. now left.
    + injection F as ->. lia.
  - intros o1 a b q o2 E k K. pose proof A as A0. rewrite E in A.
    apply Forall2_app_inv_r in A. destruct A as [l1 [m [A1 [A2 El]]]].
    inversion A2 as [| [[a0 b0] q0] ? l2 ? [G F] A3 Em Ey]. subst m. cbn [fst snd] in *. injection G as -> ->.
    assert (Mono : forall t', hold s (l1 ++ l2) t' <= hold s (o1 ++ o2) t').
    { intros t'. unfold hold. rewrite !sum_app. pose proof (hold_after s t l1 o1 t' A1). pose proof (hold_after s t l2 o2 t' A3).
      unfold hold in *. lia. }
    destruct (le_lt_dec (match q0 with Some q => q | None => t end) k) as [Late | Early].
    + destruct F as [-> | [-> ->]]; [| lia]. destruct q as [q |]; [lia |]. assert (k = t) by lia. subst k.
      destruct (pass_refuses s M t l (going t l) o1 a b o2 E) as [t' X]. exists t'.
      pose proof (going_holds s t l t') as Y. rewrite <- (pass_keeps s M t t' l (going t l) B) in Y. fold l' in Y.
      pose proof (old_and_new s t l' t') as Z. rewrite E in Y, Z. unfold old, new, hold in *. rewrite !sum_app in *.
      cbn [sum hold1] in *. lia.
    + destruct (R l1 a b q0 l2 El k Early) as [t' X]. exists t'. specialize (Mono t'). lia.
Qed.

Lemma passing_refused s M : forall n t l, started_before t l -> refused s M t l ->
  refused s M (t + n) (passing s M n t l).
Proof.
  induction n as [| n H]; intros t l B R; cbn [passing]; [now rewrite Nat.add_0_r |].
  destruct (one_pass s M t l B R) as [B' R']. rewrite <- Nat.add_succ_comm. now apply H.
Qed.

Lemma passing_known s M : forall n t l, is_known l -> is_known (passing s M n t l).
Proof.
  induction n as [| n H]; intros t l K; [exact K |]. apply H. intros a b q X.
  pose proof (pass_after s M t l (going t l)) as A. apply in_split in X. destruct X as [o1 [o2 E]]. rewrite E in A.
  apply Forall2_app_inv_r in A. destruct A as [l1 [m [_ [A2 El]]]].
  inversion A2 as [| [[a0 b0] q0] ? l2 ? [G _] _ Em Ey]. subst m. cbn [fst] in G. injection G as -> ->.
  apply (K a b q0). rewrite El. apply in_or_app. right. now left.
Qed.

Lemma tokens_of_passing s l t' : is_known l -> tokens s (of_passing l) t' = hold s l t'.
Proof.
  unfold tokens, of_passing, hold. rewrite sum_map. intros K. apply sum_same. intros [[a b] [q |]] X.
  - now rewrite (K a b _ X).
  - cbn. unfold held. cbn [p o]. cases.
Qed.

(* ---- everybody starts ------------------------------------------------------------------------------------------------ *)

(* What had started stays, and what waits has waited. *)
Lemma after_in t l l' : Forall2 (after t) l l' -> (forall a b q, In (a, b, Some q) l -> In (a, b, Some q) l') /\
  (forall a b q, In (a, b, q) l' -> exists q0, In (a, b, q0) l /\ (q = None -> q0 = None)).
Proof.
  induction 1 as [| [[a0 b0] q0] [[a1 b1] q1] l l' [E F] _ [H K]]; [split; [intros a b q [] | intros a b q []] |].
  cbn [fst snd] in *. injection E as <- <-. split.
  - intros a b q [X | X]; [injection X as <- <- ->; left; destruct F as [<- | [F _]]; congruence | right; now apply H].
  - intros a b q [X | X].
    + injection X as <- <- <-. exists q0. split; [now left |]. intros ->. destruct F as [F | [F _]]; congruence.
    + destruct (K a b q X) as [q2 [Y Z]]. exists q2. split; [now right | exact Z].
Qed.

(* Some request waits; each instant before t had one that ran. *)
Definition waits (l : list item) := exists a b, In (a, b, None) l.
Definition busy_until t (l : list item) := forall k, k < t -> exists a b q, In (a, b, Some q) l /\ q <= k < q + b.

Lemma one_pass_busy s M t l : is_known l -> started_before t l -> (forall a b, In (a, b, None) l -> s + a <= M) ->
  (waits l -> busy_until t l) -> let l' := pass s M t (going t l) l in waits l' -> busy_until (S t) l'.
Proof.
  intros K B W H l' [a [b X]] k Lk. pose proof (pass_after s M t l (going t l)) as A. fold l' in A.
  destruct (after_in t l l' A) as [Up Down]. destruct (Down a b None X) as [q0 [Y Z]]. rewrite (Z eq_refl) in Y. clear q0 Z.
  destruct (Nat.eq_dec k t) as [-> | N].
  - apply in_split in X. destruct X as [l1 [l2 E]]. destruct (pass_refuses s M t l (going t l) l1 a b l2 E) as [t' R].
    assert (C : held s (Run t a) t' <= M) by (specialize (W a b Y); unfold held; cbn [p o]; cases).
    destruct (le_lt_dec (tokens s (map projected (going t l)) t') 0) as [T | T].
    + assert (V : 0 < new s t l1 t') by lia. clear - V E K A Down. assert (I : forall x, In x l1 -> In x l').
      { intros x D. rewrite E. apply in_or_app. now left. }
      clear E. unfold new in V. induction l1 as [| [[c d] [q |]] l1 J]; [cbn in V; lia | |].
      * cbn [sum] in V. destruct (Nat.eqb_spec q t) as [-> | N]; [| apply J; [exact V | intros x D; apply I; now right]].
        destruct (le_lt_dec (hold1 s (c, d, Some t) t') 0) as [P | P]; [apply J; [lia | intros x D; apply I; now right] |].
        exists c, d, t. pose proof (I _ (or_introl eq_refl)) as I1. split; [exact I1 |].
        destruct (Down c d (Some t) I1) as [q0 [D _]]. pose proof (K c d q0 D). subst d. cbn [hold1] in P. revert P.
        unfold held. cbn [p o]. cases.
      * apply J; [exact V | intros x D; apply I; now right].
    + destruct (going t l) as [| j g] eqn:G; [cbn in T; lia |]. assert (D : In j (going t l)) by (rewrite G; now left).
      unfold going, running in D. apply filter_In in D. destruct D as [D F]. apply Nat.ltb_lt in F. apply in_flat_map in D.
      destruct D as [[[c d] [q |]] [D P]]; [| contradiction]. destruct P as [<- | []]. exists c, d, q.
      split; [now apply Up |]. specialize (B c d q D). unfold completion in F. cbn [real p o] in F. lia.
  - destruct (H (ex_intro _ a (ex_intro _ b Y)) k ltac:(lia)) as [c [d [q [D F]]]]. exists c, d, q. split; [now apply Up | exact F].
Qed.

Lemma passing_busy s M : forall n t l, is_known l -> started_before t l -> refused s M t l ->
  (forall a b, In (a, b, None) l -> s + a <= M) -> (waits l -> busy_until t l) ->
  waits (passing s M n t l) -> busy_until (t + n) (passing s M n t l).
Proof.
  induction n as [| n J]; intros t l K B R W H; cbn [passing]; [rewrite Nat.add_0_r; exact H |].
  destruct (one_pass s M t l B R) as [B' R']. rewrite <- Nat.add_succ_comm.
  pose proof (after_in t _ _ (pass_after s M t l (going t l))) as [_ Down].
  apply J; [| exact B' | exact R' | | now apply one_pass_busy].
  - intros a b q X. destruct (Down a b q X) as [q0 [Y _]]. exact (K a b q0 Y).
  - intros a b X. destruct (Down a b None X) as [q0 [Y Z]]. rewrite (Z eq_refl) in Y. exact (W a b Y).
Qed.

Lemma passing_same s M : forall n t l, map fst (passing s M n t l) = map fst l.
Proof.
  induction n as [| n J]; intros t l; [reflexivity |]. cbn [passing]. rewrite J. pose proof (pass_after s M t l (going t l)) as A.
  induction A as [| x y l1 l2 [E _] _ H]; [reflexivity |]. cbn [map]. now rewrite H, E.
Qed.

(* Where each request fits alone, each is started, once, and runs to its end. *)
Lemma passing_starts_everybody : forall s M order, (forall b, In b order -> s + b <= M) ->
  map o (of_passing (random_passing s M order)) = order.
Proof.
  intros s M order H. unfold random_passing. set (l0 := map (fun b => (b, b, None)) order).
  assert (N : forall a b q, In (a, b, q) l0 -> a = b /\ q = None /\ In b order).
  { intros a b q X. apply in_map_iff in X. destruct X as [c [E X]]. injection E as <- <- <-. auto. }
  set (T := S (sum (fun b => b) order)). pose proof (passing_same s M T 0 l0) as F.
  assert (D : waits (passing s M T 0 l0) -> busy_until (0 + T) (passing s M T 0 l0)).
  { apply passing_busy.
    - intros a b q X. apply (N a b q X).
    - intros a b q X. destruct (N a b _ X) as [_ [Y _]]. discriminate.
    - intros l1 a b q l2 E k K. destruct (N a b q) as [_ [-> _]]; [| lia]. rewrite E. apply in_or_app. right. now left.
    - intros a b X. destruct (N a b _ X) as [-> [_ Y]]. now apply H.
    - intros _ k K. lia. }
  set (l := passing s M T 0 l0) in *. clearbody l.
  assert (L : map (fun x : item => snd (fst x)) l = order).
  { rewrite <- (map_map fst snd), F, map_map. unfold l0. rewrite map_map. apply map_id. }
  assert (S1 : sum (fun x : item => snd (fst x)) l = sum (fun b => b) order) by now rewrite <- L, sum_map.
  assert (C : ~ waits l).
  { intros X. specialize (D X).
    set (g := flat_map (fun x : item => match x with (a, b, Some q) => [Job (Run q b) a] | _ => [] end) l).
    assert (G : busy T g).
    { intros k K. destruct (D k K) as [a [b [q [Y Z]]]]. exists (Job (Run q b) a). split; [| exact Z].
      apply in_flat_map. exists (a, b, Some q). split; [exact Y | now left]. }
    apply busy_for in G. assert (sum (fun j => o (real j)) g <= sum (fun x : item => snd (fst x)) l); [| unfold T in G; lia].
    unfold g. clear. induction l as [| [[a b] [q |]] l J]; [cbn; lia | |]; cbn [flat_map app sum fst snd real o] in *; lia. }
  rewrite <- L. unfold of_passing. rewrite map_map. apply map_ext_in. intros [[a b] [q |]] X; [reflexivity |].
  exfalso. apply C. now exists a, b.
Qed.

(* With a request moved to any earlier instant the memory is exceeded; so no schedule of this queue leaves room, whatever
   the lengths, the order and the memory; and where each request fits alone all have started. *)
(* Theorem "a queue that passes over is packed": \text{with }i\text{ moved to any }k < p_i\text{ the memory is exceeded}
   Reading: every s, all lengths, which the queue knows, every order and M that holds each request alone; at each
   instant every request that waits is tried in the order, and starts if it fits *)
(* Finding "packed-passing" of "packed-random", proved at algorithm: a-random's schedules are optimally packed
   Reading: every instance with lengths in $[l, u]$ and $αM = lM/u$ an integer, every permutation; at each instant a
   request that does not fit is passed over: “successively add requests from $R_t$ into the memory until no further
   addition is possible” ($A_random$'s pseudo-code); beside it: the queue stops there (docs/model.md); of the
   discrete process (docs/model.md)
   Given: policy = a-random; requests = any *)
Theorem passing_is_packed : forall s M order,
  (forall a r b, of_passing (random_passing s M order) = a ++ r :: b -> forall k, k < p r -> ~ feasible s M (a ++ Run k (o r) :: b)) /\
  optimally_packed s M (of_passing (random_passing s M order)) /\
  ((forall b, In b order -> s + b <= M) -> map o (of_passing (random_passing s M order)) = order).
Proof.
  intros s M order. enough (H : forall a r b, of_passing (random_passing s M order) = a ++ r :: b ->
    forall k, k < p r -> ~ feasible s M (a ++ Run k (o r) :: b)).
  { split; [exact H | split; [| apply passing_starts_everybody]]. intros a r b E k K. apply (H a r b E). lia. }
  assert (K : is_known (random_passing s M order)).
  { apply passing_known. intros a b q X. apply in_map_iff in X. destruct X as [c [E _]]. congruence. }
  assert (R : refused s M (0 + S (sum (fun b => b) order)) (random_passing s M order)).
  { apply passing_refused.
    - intros a b q X. apply in_map_iff in X. destruct X as [c [E _]]. discriminate.
    - intros l1 a b q l2 E k X. destruct q as [q |]; [| lia]. exfalso.
      assert (In (a, b, Some q) (map (fun b : nat => (b, b, None)) order)) as Y by (rewrite E; apply in_or_app; right; now left).
      apply in_map_iff in Y. destruct Y as [c [G _]]. discriminate. }
  set (l := random_passing s M order) in *. intros a r b E k X F. unfold of_passing in E.
  apply map_eq_app in E. destruct E as [l1 [m [El [Ea Em]]]]. apply map_eq_cons in Em. destruct Em as [[[c d] q] [l2 [-> [Er Eb]]]].
  destruct q as [q |]; [| subst r; cbn in X; lia]. subst r. cbn [p o] in *.
  destruct (R l1 c d (Some q) l2 El k X) as [t' Y]. specialize (F t').
  assert (c = d) by (apply (K c d (Some q)); rewrite El; apply in_or_app; right; now left). subst d.
  assert (K1 : is_known l1) by (intros u v w Z; apply (K u v w); rewrite El; apply in_or_app; now left).
  assert (K2 : is_known l2) by (intros u v w Z; apply (K u v w); rewrite El; apply in_or_app; right; now right).
  pose proof (tokens_of_passing s l1 t' K1) as T1. pose proof (tokens_of_passing s l2 t' K2) as T2.
  unfold of_passing in T1, T2. rewrite Ea in T1. rewrite Eb in T2.
  unfold tokens, hold in *. rewrite !sum_app in *. cbn [sum] in F. lia.
Qed.
