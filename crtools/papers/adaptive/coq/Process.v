(* The discrete process of docs/model.md: requests, starts, memory at an instant, total latency, cancellation and restart,
   the queue; and what holds of every list of requests and every memory. Time, tokens and lengths are natural numbers. *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
Import ListNotations.

(* ---- requests, starts, memory ------------------------------------------------------------------------------------- *)

Fixpoint sum {X} (f : X -> nat) (l : list X) : nat := match l with [] => 0 | x :: r => f x + sum f r end.

(* A run of a request: it starts at p, and its true output length is o. A schedule is a list of runs. *)
Record run := Run { p : nat; o : nat }.

(* It holds s + (t - p) tokens at the instants t = p + 1, ..., p + o, and completes at p + o. *)
Definition held s r t := if (p r <? t) && (t <=? p r + o r) then s + (t - p r) else 0.
Definition completion r := p r + o r.

(* The tokens that all hold at t; a schedule is feasible where they are at most M at every instant. *)
Definition tokens s l t := sum (fun r => held s r t) l.
Definition feasible s M l := forall t, tokens s l t <= M.

(* TEL is the sum of all completion times; I_ l t are those that start at t. *)
Definition TEL l := sum completion l.
Definition I_ l t := filter (fun r => p r =? t) l.

(* ---- cancellation and restart ------------------------------------------------------------------------------------- *)

(* The attempts of a request that were killed, each with the tokens that it had generated; and its last start. A killed
   attempt has generated fewer tokens than the request has, and ended before the next start. *)
Record attempts := Attempts { killed : list run; last : run }.
Fixpoint one_by_one (k : list run) (next : run) :=
  match k with [] => True | r :: k => o r < o next /\ completion r <= p (hd next k) /\ one_by_one k next end.

(* All requests with all attempts; everything that was started needs memory. *)
Definition everything l := flat_map (fun a => killed a ++ [last a]) l.
Definition process s M l := (forall a, In a l -> one_by_one (killed a) (last a)) /\ feasible s M (everything l).

(* ---- the queue ------------------------------------------------------------------------------------------------------ *)

(* A request that was admitted: its run, and the length L that the policy assumes for it. *)
Record job := Job { real : run; L : nat }.
Definition projected j := Run (p (real j)) (L j).
Definition running t l := filter (fun j => t <? completion (real j)) l.

(* The admission test: the projected use is at most M whenever one of them would complete (by fits_always: always). *)
Definition fits s M l := forallb (fun r => tokens s l (completion r) <=? M) l.

(* At t, requests (assumed length, true length) are started in the queue's order, up to the first that does not fit. *)
Fixpoint admission s M t waiting started :=
  match waiting with
  | [] => ([], started)
  | (a, b) :: rest =>
      let j := Job (Run t b) a in
      if fits s M (map projected (j :: running t started)) then admission s M t rest (j :: started) else (waiting, started)
  end.

(* So at t, t + 1, ..., for at most n instants or until nobody waits. The one that started last stands first. *)
Fixpoint rounds s M n t waiting started :=
  match n with
  | 0 => started
  | S n => let (w, g) := admission s M t waiting started in match w with [] => g | _ => rounds s M n (S t) w g end
  end.

(* The schedule of a queue, in its order. At the sum of the assumed lengths everybody has started (everybody_starts). *)
Definition queue s M w := rev (map real (rounds s M (S (sum fst w)) 0 w [])).

(* H-SF and A_random know the lengths, A_max assumes u. H-SF's queue is in increasing length, the others' in any order. *)
Definition known os := map (fun b : nat => (b, b)) os.
Fixpoint insert x l := match l with [] => [x] | y :: r => if x <? y then x :: l else y :: insert x r end.
Definition increasing os := fold_left (fun l x => insert x l) os [].
Definition h_sf s M os := queue s M (known (increasing os)).
Definition a_random s M order := queue s M (known order).
Definition a_max s u M order := queue s M (map (fun b => (u, b)) order).

(* ---- two schedules of the same requests, listed in one order ---------------------------------------------------------- *)

(* They preserve the corresponding order: p_i < p_j in one implies p_i <= p_j in the other.
   The second is delayed: no earlier. *)
Definition corresponds l l' := forall a b, In a (combine l l') -> In b (combine l l') -> p (fst a) < p (fst b) ->
  p (snd a) <= p (snd b).
Definition delayed l l' := forall a, In a (combine l l') -> p (fst a) <= p (snd a).

(* Optimally packed: no request can start earlier, back to the batch before its own (to 0 where that is the first). *)
Definition before l t := fold_right Nat.max 0 (filter (fun k => k <? t) (map p l)).
Definition optimally_packed s M l :=
  forall a r b, l = a ++ r :: b -> forall k, before l (p r) <= k < p r -> ~ feasible s M (a ++ Run k (o r) :: b).

(* ---- sums ----------------------------------------------------------------------------------------------------------- *)

Ltac cases := repeat match goal with
  | |- context [?a <? ?b] => destruct (Nat.ltb_spec a b) | |- context [?a <=? ?b] => destruct (Nat.leb_spec a b)
  | |- context [?a =? ?b] => destruct (Nat.eqb_spec a b) end; cbn [andb] in *; try lia.

Lemma sum_le {X} (f g : X -> nat) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof. induction l as [| x l H]; cbn; intros E; [lia |]. pose proof (E x (or_introl eq_refl)).
  assert (sum f l <= sum g l) by auto. lia. Qed.

Lemma sum_same {X} (f g : X -> nat) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof. intros H. apply Nat.le_antisymm; apply sum_le; intros x E; rewrite (H x E); lia. Qed.

Lemma sum_zero {X} (f : X -> nat) l : (forall x, In x l -> f x = 0) -> sum f l = 0.
Proof. intros H. rewrite (sum_same f (fun _ => 0) l H). clear H. induction l; cbn; lia. Qed.

Lemma sum_plus {X} (f g : X -> nat) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l; cbn in *; lia. Qed.

Lemma sum_times {X} (f : X -> nat) c l : sum (fun x => c * f x) l = c * sum f l.
Proof. induction l; cbn in *; lia. Qed.

Lemma sum_app {X} (f : X -> nat) a b : sum f (a ++ b) = sum f a + sum f b.
Proof. induction a; cbn; lia. Qed.

Lemma sum_map {X Y} (f : Y -> nat) (g : X -> Y) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; cbn; lia. Qed.

Lemma sum_repeat {X} (f : X -> nat) x n : sum f (repeat x n) = n * f x.
Proof. induction n; cbn; lia. Qed.

Lemma sum_permuted {X} (f : X -> nat) a b : Permutation a b -> sum f a = sum f b.
Proof. induction 1; cbn; lia. Qed.

Lemma sum_of_sums {X} (f : X -> nat -> nat) l n : sum (fun t => sum (fun x => f x t) l) (seq 0 n) = sum (fun x => sum (f
  x) (seq 0 n)) l.
Proof. induction l as [| x l H]; cbn [sum]; [now rewrite sum_zero | now rewrite sum_plus, H]. Qed.

(* ---- tel-identity --------------------------------------------------------------------------------------------------- *)

Lemma at_one f v T : sum (fun t => if v =? t then f t else 0) (seq 0 T) = if v <? T then f v else 0.
Proof.
  induction T as [| T H]; [reflexivity |]. rewrite seq_S, sum_app, H. cbn [sum Nat.add].
    cases; subst; try lia; rewrite ?Nat.add_0_r; reflexivity.
Qed.

(* TEL = sum of t |I_t| over t + sum of o: of every schedule, summed over any T instants by which all have started. *)
(* Theorem "total latency": \sum_i L_i = 1 \sum_t t\,|I_t| + 1 \sum_i o_i
   Reading: every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t *)
(* Finding "sum-over-starts" of "tel-identity", proved at algorithm: $TEL = Σ_t t·|I_t| + Σ_i o_i$
   Reading: every schedule, of the discrete process (docs/model.md); $I_t$ holds the requests whose last start is
   $t$
   Given: waiting = 1; processing = 1; relation = = *)
Theorem total_latency : forall l T, (forall r, In r l -> p r < T) ->
  TEL l = sum (fun t => t * length (I_ l t)) (seq 0 T) + sum o l.
Proof.
  intros l T. unfold TEL, completion. rewrite sum_plus. intros H. f_equal. induction l as [| r l J].
  - cbn. symmetry. apply sum_zero. intros. cbn. lia.
  - rewrite (sum_same _ (fun t => (if p r =? t then t else 0) + t * length (I_ l t)))
      by (intros t _; unfold I_; cbn [filter]; cases; cbn [length]; nia).
    rewrite sum_plus, (at_one (fun t => t)), <- J by (intros; apply H; now right).
    specialize (H r (or_introl eq_refl)). cbn [sum]. cases.
Qed.

(* ---- it suffices to look at completions ----------------------------------------------------------------------------- *)

Lemma all_complete l : exists T, forall r, In r l -> completion r <= T.
Proof. induction l as [| r l [T H]]; [exists 0; now intros |]. exists (completion r + T).
  intros x [<- | E]; [| apply H in E]; lia. Qed.

Theorem feasible_at_completions : forall s M l, (forall r, In r l -> tokens s l (completion r) <= M) -> feasible s M l.
Proof.
  intros s M l H. destruct (all_complete l) as [T B]. intros t. remember (S T - t) as n eqn:N. revert t N.
    induction n as [| n J]; intros t N.
  - unfold tokens. rewrite sum_zero; [lia |]. intros r R. specialize (B r R). unfold held, completion in *. cases.
  - destruct (existsb (fun r => completion r =? t) l) eqn:E.
    + apply existsb_exists in E. destruct E as [r [R E]]. apply Nat.eqb_eq in E. subst t. now apply H.
    + specialize (J (S t) ltac:(lia)). apply Nat.le_trans with (tokens s l (S t)); [| exact J]. apply sum_le. intros r R.
      unfold held.
      assert (completion r <> t) by (intros F; assert (existsb (fun r => completion r =? t) l = true)
        by (apply existsb_exists; exists r; split; [| apply Nat.eqb_eq]; assumption); congruence).
      unfold completion in *. cases.
Qed.

Theorem fits_always : forall s M l, fits s M l = true <-> feasible s M l.
Proof.
  intros s M l. unfold fits. rewrite forallb_forall. split.
  - intros H. apply feasible_at_completions. intros r R. now apply Nat.leb_le, H.
  - intros H r _. apply Nat.leb_le, H.
Qed.

(* ---- a process with attempts that were killed ----------------------------------------------------------------------- *)

(* What remains when the killed attempts are left out is a feasible schedule with the same completions, so what holds of
   every schedule holds of every process: its requests complete where their last runs do. *)
Theorem last_starts : forall s M l, process s M l -> feasible s M (map last l).
Proof.
  intros s M l [_ H] t. apply Nat.le_trans with (2 := H t). clear H. unfold tokens, everything.
    induction l as [| a l J]; [cbn; lia |].
  cbn [map sum flat_map]. rewrite !sum_app. cbn [sum]. lia.
Qed.

(* ---- infeasible-pair ------------------------------------------------------------------------------------------------ *)

(* What a job holds from t on, where it may be delayed but not cancelled: it never gives up tokens before it completes,
   at e. *)
Definition keeps (a : nat -> nat) t e := t <= e /\ forall t1 t2, t <= t1 -> t1 <= t2 -> t2 <= e -> a t1 <= a t2.

(* At t two jobs hold M - 1 tokens or more, each with at least two to come: before both are complete the memory is
   exceeded. *)
(* Theorem "two jobs": \text{use} + r > M \text{ for } r \ge 2
   Reading: no cancellation, no other job, a delayed job keeps its memory; r: tokens that the first to end has left *)
(* Finding "not-both" of "infeasible-pair", proved at algorithm: at use $M-1$ with at least 2 tokens left each, the
   two jobs cannot both complete
   Reading: two active jobs hold all the use; jobs may be delayed but not cancelled (with cancellation, which the
   paper introduces next, both can end one after the other); every $M$ and $s > 0$
   Given: use = M-1; remaining = 2 *)
Theorem infeasible_pair : forall M t a b ea eb, keeps a t ea -> keeps b t eb ->
  M - 1 <= a t + b t -> a t + 2 <= a ea -> b t + 2 <= b eb -> exists t', t <= t' /\ t' <= Nat.max ea eb /\ M < a t' + b t'.
Proof.
  intros M t a b ea eb [A KA] [B KB] U RA RB. destruct (le_lt_dec ea eb) as [E | E].
  - exists ea. specialize (KB t ea). lia.
  - exists eb. specialize (KA t eb). lia.
Qed.

(* ---- the queue never exceeds the memory ----------------------------------------------------------------------------- *)

(* The newest first: at its admission the running ones, counted up to their assumed lengths, and it fit at all instants. *)
Inductive admitted s M : list job -> Prop :=
| nobody : admitted s M []
| one_more : forall j l, admitted s M l -> o (real j) <= L j ->
    feasible s M (map projected (j :: running (p (real j)) l)) -> admitted s M (j :: l).

Lemma never_exceeded s M l : admitted s M l -> feasible s M (map real l).
Proof.
  intros A. assert (K : forall j, In j l -> o (real j) <= L j) by (induction A as [| j l A J T F]; intros x X;
    [contradiction | destruct X as [<- | X]; auto]).
  induction A as [| j l A IH T F]; intros t; [cbn; lia |]. destruct (le_lt_dec t (p (real j))) as [E | E].
  - specialize (IH (fun x X => K x (or_intror X)) t). unfold tokens in *. cbn. unfold held at 1. cases.
  - apply Nat.le_trans with (2 := F t). unfold tokens. cbn [map sum].
    apply Nat.add_le_mono; [unfold held, projected; cbn [p o]; cases |].
    assert (H : forall x, In x l -> o (real x) <= L x) by (intros; apply K; now right). clear - H E.
    induction l as [| x l J]; [cbn; lia |]. specialize (J (fun y Y => H y (or_intror Y))).
      specialize (H x (or_introl eq_refl)).
    unfold running in *. cbn [map sum filter].
    assert (W : held s (real x) t <= if p (real j) <? completion (real x) then held s (projected x) t else 0)
      by (unfold held, completion, projected; cbn [p o]; cases).
    destruct (p (real j) <? completion (real x)); cbn [map sum]; lia.
Qed.

(* What a request shows of itself: assumed and true length. *)
Definition told j := (L j, o (real j)).
Definition no_longer (w : list (nat * nat)) := forall r, In r w -> snd r <= fst r.

(* In what was started the later ones stand first, none starts after t, and each t' < t had one that ran. *)
Fixpoint falling (l : list nat) := match l with a :: (b :: _) as r => b <= a /\ falling r | _ => True end.
Definition busy t g := forall t', t' < t -> exists j, In j g /\ p (real j) <= t' < completion (real j).
Definition in_order t g := falling (map (fun j => p (real j)) g) /\ forall j, In j g -> p (real j) <= t.

Lemma admit_invariant s M t : forall w g w' g', admission s M t w g = (w', g') -> no_longer w -> admitted s M g ->
  in_order t g ->
  admitted s M g' /\ in_order t g' /\ rev (map told g') ++ w' = rev (map told g) ++ w /\
  (forall j, In j g -> In j g') /\ (forall r, In r w' -> In r w) /\
  match w' with [] => True | (a, b) :: _ => fits s M (map projected (Job (Run t b) a :: running t g')) = false end.
Proof.
  induction w as [| [a b] w J]; intros g w' g' E W G O; cbn [admission] in E; [injection E as <- <-; repeat split; auto;
    apply O |].
  destruct (fits s M _) eqn:F in E; [| injection E as <- <-; repeat split; auto; apply O].
  apply J in E; [| intros r R; apply W; now right | | ].
  - destruct E as [A [B [C [D [H K]]]]]. repeat split; auto; try apply B.
    + rewrite C. cbn. now rewrite <- app_assoc.
    + intros j X. apply D. now right.
    + intros r R. right. now apply H.
  - apply one_more; [exact G | exact (W (a, b) (or_introl eq_refl)) | now apply fits_always].
  - destruct O as [O T]. split.
    + destruct g as [| j g]; cbn in *; [exact I | split; [apply T; now left | exact O]].
    + intros j [<- | X]; [cbn; lia | now apply T].
Qed.

Lemma rounds_invariant s M : forall n t w g, no_longer w -> admitted s M g -> in_order t g ->
  let g' := rounds s M n t w g in
  admitted s M g' /\ falling (map (fun j => p (real j)) g') /\ exists w', rev (map told g') ++ w' = rev (map told g) ++ w /\
  (busy t g -> (forall r, In r w -> s + fst r <= M) -> w' = [] \/ busy (t + n) g').
Proof.
  induction n as [| n J]; intros t w g W G O; cbn [rounds].
  - split; [exact G | split; [apply O |]]. exists w. split; [reflexivity |]. intros B _. right. now rewrite Nat.add_0_r.
  - destruct (admission s M t w g) as [w1 g1] eqn:E. destruct (admit_invariant s M t w g w1 g1 E W G O) as [A [O1 [T [K
    [S F]]]]].
    destruct w1 as [| [a b] w1]; [split; [exact A | split; [apply O1 |]]; exists []; split; [exact T | now left] |].
    destruct (J (Datatypes.S t) ((a, b) :: w1) g1) as [A2 [O2 [w2 [T2 B2]]]]; auto.
    { intros r R. apply W, S, R. }
    { destruct O1 as [O1 O3]. split; [exact O1 |]. intros j X. apply O3 in X. lia. }
    split; [exact A2 | split; [exact O2 |]]. exists w2. split; [now rewrite T2 |]. intros B M1.
    rewrite Nat.add_succ_comm in B2. apply B2; [| intros r R; apply M1, S, R]. intros t' X.
    destruct (Nat.eq_dec t' t) as [-> | N]; [| destruct (B t') as [j [Y Z]]; [lia |]; exists j; split;
      [apply K, Y | exact Z]].
    destruct (running t g1) as [| j l] eqn:R.
    + exfalso. apply eq_true_false_abs with (2 := F). apply fits_always. specialize (M1 (a, b) (S _ (or_introl eq_refl))).
      cbn [fst] in M1. intros t2. unfold tokens. cbn [map sum]. unfold held, projected. cbn [p o L real]. cases.
    + exists j. assert (X1 : In j (running t g1)) by (rewrite R; now left). unfold running in X1. apply filter_In in X1.
      destruct X1 as [Y Z]. apply Nat.ltb_lt in Z. destruct O1 as [_ O3]. specialize (O3 j Y). auto.
Qed.

Lemma at_start s M : admitted s M [] /\ in_order 0 [].
Proof. split; [apply nobody | split; [exact I | intros j []]]. Qed.

(* A queue that assumes no less than the true lengths never exceeds the memory. *)
Theorem queue_safe : forall s M w, no_longer w -> feasible s M (queue s M w).
Proof.
  intros s M w W. destruct (at_start s M) as [A O]. destruct (rounds_invariant s M (S (sum fst w)) 0 w [] W A O) as [G _].
  intros t. unfold queue, tokens. rewrite <- (sum_permuted _ _ _ (Permutation_rev _)). now apply never_exceeded.
Qed.

(* It starts its requests in its order: p_1 <= p_2 <= ... *)
Fixpoint rising (l : list nat) := match l with a :: (b :: _) as r => a <= b /\ rising r | _ => True end.

Lemma rising_last x : forall l, rising l -> (forall y, In y l -> y <= x) -> rising (l ++ [x]).
Proof.
  induction l as [| a [| b l] J]; intros R B; [exact I | split; [apply B; now left | exact I] | split; [apply R |]].
  apply J; [apply R |]. intros y Y. apply B. now right.
Qed.

Lemma falling_first : forall l x, falling (x :: l) -> forall y, In y l -> y <= x.
Proof.
  induction l as [| a l J]; intros x F y Y; [contradiction |]. destruct F as [F G]. destruct Y as [<- | Y]; [exact F |].
  specialize (J a G y Y). lia.
Qed.

Lemma rising_rev l : falling l -> rising (rev l).
Proof.
  induction l as [| x l J]; intros F; [exact I |]. cbn [rev]. apply rising_last.
  - apply J. destruct l; [exact I | apply F].
  - intros y Y. apply (falling_first l x F). now apply in_rev.
Qed.

Theorem queue_in_order : forall s M w, no_longer w -> rising (map p (queue s M w)).
Proof.
  intros s M w W. destruct (at_start s M) as [A O]. destruct (rounds_invariant s M (S (sum fst w)) 0 w [] W A O) as [_ [F
    _]].
  unfold queue. rewrite map_rev, map_map. now apply rising_rev.
Qed.

Lemma run_for a b T : sum (fun t => if (a <=? t) && (t <? a + b) then 1 else 0) (seq 0 T) <= b.
Proof.
  enough (sum (fun t => if (a <=? t) && (t <? a + b) then 1 else 0) (seq 0 T) <= Nat.min T (a + b) - a) by lia.
  induction T as [| T H]; [cbn; lia |]. rewrite seq_S, sum_app. cbn [sum Nat.add]. revert H. cases.
Qed.

Lemma busy_for t g : busy t g -> t <= sum (fun j => o (real j)) g.
Proof.
  intros B. apply Nat.le_trans with (sum (fun t' => sum (fun j => if (p (real j) <=? t') && (t' <? completion (real j))
    then 1 else 0) g) (seq 0 t)).
  - apply Nat.le_trans with (sum (fun _ => 1) (seq 0 t)); [clear B; rewrite <- (seq_length t 0) at 1;
    induction (seq 0 t); cbn; lia |].
    apply sum_le. intros t' X. apply in_seq in X. destruct (B t') as [j [Y Z]]; [lia |]. clear - Y Z.
    induction g as [| i g J]; [contradiction |]. destruct Y as [-> | Y]; cbn [sum]; [cases | specialize (J Y); lia].
  - rewrite sum_of_sums. apply sum_le. intros j _. apply run_for.
Qed.

(* Where each request fits alone, each is started, once, and none is ever cancelled: the runs are those of the whole
   queue. *)
Theorem everybody_starts : forall s M w, no_longer w -> (forall r, In r w -> s + fst r <= M) ->
  map o (queue s M w) = map snd w.
Proof.
  intros s M w W H. destruct (at_start s M) as [A O].
    destruct (rounds_invariant s M (S (sum fst w)) 0 w [] W A O) as [_ [_ [w' [T B]]]].
  unfold queue. set (g := rounds _ _ _ _ _ _) in *. assert (E : forall l, map o (rev (map real l)) = map snd (rev (map
    told l)))
    by (intros l; rewrite map_rev, map_map, map_rev, map_map; reflexivity).
  rewrite E. cbn [map rev app] in T. destruct (B ltac:(intros t' X; lia) H) as [-> | C]; [now rewrite <- T, app_nil_r |].
  exfalso. apply busy_for in C. assert (D : sum (fun j => o (real j)) g <= sum snd w).
  { rewrite <- T, sum_app, <- (sum_permuted _ _ _ (Permutation_rev _)), sum_map. cbn [told snd]. lia. }
  assert (F : sum snd w <= sum fst w) by (apply sum_le, W). lia.
Qed.

(* A queue that knows the lengths. *)
Lemma known_no_longer l : no_longer (known l).
Proof. intros r R. apply in_map_iff in R. destruct R as [b [<- _]]. cbn. lia. Qed.

(* ---- amax-safe ------------------------------------------------------------------------------------------------------ *)

(* A_max, with u or anything above assumed for every request, never exceeds the memory; and where s and that fit into M
   nobody is cancelled: the runs are those of the whole queue, each request once. *)
(* Theorem "A_max is safe(longest)": \sum_{i} (s + t - p_i) \le M\text{ at every }t
   Reading: every instance with o_i ≤ u, every order, every s ≥ 0 *)
Theorem a_max_safe : forall s u assumed M order, (forall b, In b order -> b <= u) -> u <= assumed ->
  feasible s M (a_max s assumed M order) /\ (s + assumed <= M -> map o (a_max s assumed M order) = order).
Proof.
  intros s u v M order H V. assert (W : no_longer (map (fun b => (v, b)) order)).
  { intros r R. apply in_map_iff in R. destruct R as [b [<- B]]. cbn. specialize (H b B). lia. }
  split; [now apply queue_safe |]. intros E. unfold a_max. rewrite everybody_starts; [| exact W |].
  - rewrite map_map. apply map_id.
  - intros r R. apply in_map_iff in R. destruct R as [b [<- B]]. exact E.
Qed.

(* ---- packed-random: the order of a queue ----------------------------------------------------------------------------- *)

Lemma rising_at l : rising l -> forall i j, i <= j -> j < length l -> nth i l 0 <= nth j l 0.
Proof.
  induction l as [| a l H]; intros R i j E F; [cbn in F; lia |].
  assert (R' : rising l) by (destruct l; [exact I | apply R]).
  destruct i as [| i], j as [| j]; try lia; cbn in *; [| apply H; auto; lia].
  destruct l as [| b l]; [cbn in F; lia |]. apply Nat.le_trans with b; [apply R |]. apply (H R' 0 j); cbn in *; lia.
Qed.

Lemma both_rising l l' : rising (map p l) -> rising (map p l') -> corresponds l l'.
Proof.
  intros R R' a b A B H. apply (In_nth _ _ (Run 0 0, Run 0 0)) in A, B. destruct A as [i [Li A]], B as [j [Lj B]].
  assert (N : forall k, k < length (combine l l') -> nth k (combine l l') (Run 0 0, Run 0 0) = (nth k l (Run 0 0), nth k
    l' (Run 0 0)) /\ k < length l /\ k < length l').
  { clear. revert l'. induction l as [| x l J]; intros [| y l'] k K; cbn in *; try lia.
    destruct k as [| k]; cbn; [repeat split; lia |].
    destruct (J l' k) as [E [F G]]; [lia |]. repeat split; auto; lia. }
  destruct (N i Li) as [Ea [Ia Ib]], (N j Lj) as [Eb [Ja Jb]]. rewrite Ea in A. rewrite Eb in B. subst a b.
    cbn [fst snd] in *.
  assert (P : forall (m : list run) k, p (nth k m (Run 0 0)) = nth k (map p m) 0) by (intros; symmetry;
    apply (map_nth p m (Run 0 0))).
  rewrite !P in *. destruct (le_lt_dec i j) as [E | E].
  - apply rising_at; auto. now rewrite map_length.
  - exfalso. pose proof (rising_at _ R j i ltac:(lia) ltac:(now rewrite map_length)). lia.
Qed.

(* A_random starts its requests in its order at every memory; so its schedules at two memories are in corresponding order. *)
(* Theorem "the order of a queue": p_{\sigma(1)} \le p_{\sigma(2)} \le \dots \le p_{\sigma(n)} \text{ at } M \text{ and
   at } \beta M
   Reading: every s, all lengths, every permutation σ and all M and βM that hold each request alone *)
(* Finding "order" of "packed-random", proved at algorithm: the first where the queue stops at the first that does
   not fit: in order
   Reading: every instance with lengths in $[l, u]$ and $αM = lM/u$ an integer, every permutation; at each instant a
   request that does not fit is passed over: “successively add requests from $R_t$ into the memory until no further
   addition is possible” ($A_random$'s pseudo-code); beside it: the queue stops there (docs/model.md); of the
   discrete process (docs/model.md)
   Given: policy = a-random; requests = any *)
Theorem a_random_in_order : forall s M M' order,
  rising (map p (a_random s M order)) /\ corresponds (a_random s M order) (a_random s M' order) /\
  ((forall b, In b order -> s + b <= M) -> map o (a_random s M order) = order).
Proof.
  intros s M M' order. assert (H : forall m, rising (map p (a_random s m order))) by (intros m;
    apply queue_in_order, known_no_longer).
  split; [apply H | split; [apply both_rising; apply H |]]. intros E. unfold a_random.
  rewrite everybody_starts; [unfold known; rewrite map_map; apply map_id | apply known_no_longer |].
  intros r R. apply in_map_iff in R. destruct R as [b [<- B]]. now apply E.
Qed.

(* ---- hsf-cardinality ------------------------------------------------------------------------------------------------- *)

Inductive sub {X} : list X -> list X -> Prop :=
| sub_nil : forall l, sub [] l
| sub_skip : forall u x l, sub u l -> sub u (x :: l)
| sub_take : forall u x l, sub u l -> sub (x :: u) (x :: l).

Inductive sorted : list nat -> Prop :=
| sorted_nil : sorted []
| sorted_cons : forall x l, (forall y, In y l -> x <= y) -> sorted l -> sorted (x :: l).

Lemma sub_length {X} (u l : list X) : sub u l -> length u <= length l.
Proof. induction 1; cbn; lia. Qed.

Lemma prefix_below f u l : (forall a b, a <= b -> f a <= f b) -> sorted l -> sub u l ->
  sum f (firstn (length u) l) <= sum f u.
Proof.
  intros m S H. induction H as [l | u x l H J | u x l H J]; [cbn; lia | |]; inversion S as [| ? ? X Y]; subst.
  - specialize (J Y). apply Nat.le_trans with (2 := J). clear - m X Y H. pose proof (sub_length _ _ H) as N. clear H.
    revert x X.
    generalize dependent (length u). intros k. revert k.
      induction l as [| y l J]; intros k N x X; [destruct k; cbn in *; lia |].
    destruct k; [cbn; lia |]. inversion Y; subst. assert (x <= y) by (apply X; now left). cbn in *.
    specialize (J ltac:(assumption) k ltac:(lia) y ltac:(assumption)). destruct k; cbn in *; [specialize (m x y); lia |].
      specialize (m x y). lia.
  - specialize (J Y). cbn. lia.
Qed.

(* At t the lengths wait, sorted, and g is running, with whatever lengths are assumed: a set of waiting ones that fit when
   started together is no larger than the longest prefix that fits. *)
(* Theorem "largest prefix": |U| \le m \text{ for every fitting } U
   Reading: one round: running requests fixed, the waiting ones all start now; every s ≥ 0, M and lengths *)
(* Finding "largest-prefix" of "hsf-cardinality", proved at algorithm: the longest prefix in increasing $o$ that
   fits: no fitting set is larger, equal prompts
   Reading: one scheduling round, of the discrete process (docs/model.md)
   Given: order = increasing; prompts = equal; margin = 0 *)
Theorem largest_prefix : forall s M t g waiting u m, sorted waiting -> sub u waiting ->
  feasible s M (map (Run t) u ++ g) -> (forall k, m < k <= length waiting ->
    ~ feasible s M (map (Run t) (firstn k waiting) ++ g)) ->
  length u <= m.
Proof.
  intros s M t g l u m S H F N. destruct (le_lt_dec (length u) m) as [| E]; [assumption |]. exfalso.
  apply (N (length u)); [pose proof (sub_length _ _ H); lia |]. intros t'. apply Nat.le_trans with (2 := F t').
    unfold tokens.
  rewrite !sum_app, !sum_map. apply Nat.add_le_mono_r, (prefix_below (fun b => held s (Run t b) t')); try assumption.
  intros a b AB. unfold held. cbn [p o]. cases.
Qed.
