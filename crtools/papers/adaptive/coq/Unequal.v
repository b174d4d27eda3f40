(* The queue where each request has its own prompt and its own prediction interval: A_max is safe there too. The rules are
   those of Process.v, with the request's own prompt in the place of s. *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
From Crtools Require Import Process.
Import ListNotations.

(* A request: its prompt, the upper end of its interval, which A_max assumes, and its true output length. One that was
   started stands with its start. *)
Record request := Request { prompt : nat; upper : nat; length_of : nat }.
Definition truly (x : nat * request) := Run (fst x) (length_of (snd x)).
Definition supposed (x : nat * request) := Run (fst x) (upper (snd x)).

(* The tokens that all hold at t, by what they run or by what is assumed. *)
Definition tokens_of (run_of : nat * request -> run) l t := sum (fun x => held (prompt (snd x)) (run_of x) t) l.
Definition running_of t (l : list (nat * request)) := filter (fun x => t <? completion (truly x)) l.
Definition fits_of M l := forallb (fun x => tokens_of supposed l (completion (supposed x)) <=? M) l.

Fixpoint admission_of M t waiting started :=
  match waiting with
  | [] => ([], started)
  | r :: rest =>
      if fits_of M ((t, r) :: running_of t started) then admission_of M t rest ((t, r) :: started) else (waiting, started)
  end.

Fixpoint rounds_of M n t waiting started :=
  match n with
  | 0 => started
  | S n => let (w, g) := admission_of M t waiting started in match w with [] => g | _ => rounds_of M n (S t) w g end
  end.

(* The schedule of A_max, its queue in any order: each start with its request. *)
Definition a_max_of M queue := rev (rounds_of M (S (sum upper queue)) 0 queue []).

(* ---- it suffices to look at completions ----------------------------------------------------------------------------- *)

Lemma fits_of_always M l : fits_of M l = true <-> forall t, tokens_of supposed l t <= M.
Proof.
  unfold fits_of. rewrite forallb_forall. split; [| intros H x _; apply Nat.leb_le, H].
  intros H t. destruct (all_complete (map supposed l)) as [T B]. remember (S T - t) as n eqn:N. revert t N.
  induction n as [| n J]; intros t N.
  - unfold tokens_of. rewrite sum_zero; [lia |]. intros x X. specialize (B _ (in_map supposed l x X)). unfold held, completion in *. cases.
  - destruct (existsb (fun x => completion (supposed x) =? t) l) eqn:E.
    + apply existsb_exists in E. destruct E as [x [X E]]. apply Nat.eqb_eq in E. subst t. now apply Nat.leb_le, H.
    + apply Nat.le_trans with (tokens_of supposed l (S t)); [| apply J; lia]. apply sum_le. intros x X. unfold held.
      assert (completion (supposed x) <> t) by (intros F; assert (existsb (fun x => completion (supposed x) =? t) l = true)
        by (apply existsb_exists; exists x; split; [| apply Nat.eqb_eq]; assumption); congruence).
      unfold completion in *. cases.
Qed.

(* ---- the memory is never exceeded ------------------------------------------------------------------------------------ *)

Definition within (r : request) := length_of r <= upper r.

Inductive admitted_of M : list (nat * request) -> Prop :=
| nobody_of : admitted_of M []
| one_more_of : forall t r g, admitted_of M g -> within r -> (forall t', tokens_of supposed ((t, r) :: running_of t g) t' <= M) ->
    admitted_of M ((t, r) :: g).

Lemma never_exceeded_of M g : admitted_of M g -> forall t, tokens_of truly g t <= M.
Proof.
  intros A. assert (K : forall x, In x g -> within (snd x)) by (induction A as [| t r g A J T F]; intros x X;
    [contradiction | destruct X as [<- | X]; auto]).
  induction A as [| t r g A IH T F]; intros t'; [cbn; lia |]. destruct (le_lt_dec t' t) as [E | E].
  - specialize (IH (fun x X => K x (or_intror X)) t'). unfold tokens_of in *. cbn [sum]. unfold held at 1, truly at 1 2. cbn [fst p o]. cases.
  - apply Nat.le_trans with (2 := F t'). unfold tokens_of. cbn [sum snd fst].
    apply Nat.add_le_mono; [unfold within in T; unfold held, truly, supposed; cbn [p o fst snd]; cases |].
    assert (H : forall x, In x g -> within (snd x)) by (intros; apply K; now right). clear - H E.
    induction g as [| x g J]; [cbn; lia |]. specialize (J (fun y Y => H y (or_intror Y))). specialize (H x (or_introl eq_refl)).
    unfold running_of in *. cbn [sum filter].
    assert (W : held (prompt (snd x)) (truly x) t' <= if t <? completion (truly x) then held (prompt (snd x)) (supposed x) t' else 0)
      by (unfold within in H; unfold held, completion, truly, supposed; cbn [p o]; cases).
    destruct (t <? completion (truly x)); cbn [sum]; lia.
Qed.

(* Each instant before t had one that ran. *)
Definition busy_of t (g : list (nat * request)) := forall t', t' < t -> exists x, In x g /\ p (truly x) <= t' < completion (truly x).
Definition started_by t (g : list (nat * request)) := forall x, In x g -> fst x <= t.

Lemma admit_of M t : forall w g w' g', admission_of M t w g = (w', g') -> (forall r, In r w -> within r) -> admitted_of M g ->
  started_by t g ->
  admitted_of M g' /\ started_by t g' /\ rev (map snd g') ++ w' = rev (map snd g) ++ w /\ (forall x, In x g -> In x g') /\
  (forall r, In r w' -> In r w) /\ match w' with [] => True | r :: _ => fits_of M ((t, r) :: running_of t g') = false end.
Proof.
  induction w as [| r w J]; intros g w' g' E W G O; cbn [admission_of] in E; [injection E as <- <-; repeat split; auto |].
  destruct (fits_of M _) eqn:F in E; [| injection E as <- <-; repeat split; auto].
  apply J in E; [| intros x X; apply W; now right | |].
  - destruct E as [A [B [C [D [H K]]]]]. repeat split; auto.
    + rewrite C. cbn. now rewrite <- app_assoc.
    + intros x X. apply D. now right.
    + intros x X. right. now apply H.
  - apply one_more_of; [exact G | exact (W r (or_introl eq_refl)) | now apply fits_of_always].
  - intros x [<- | X]; [cbn; lia | now apply O].
Qed.

Lemma rounds_of_invariant M : forall n t w g, (forall r, In r w -> within r) -> admitted_of M g -> started_by t g ->
  let g' := rounds_of M n t w g in
  admitted_of M g' /\ exists w', rev (map snd g') ++ w' = rev (map snd g) ++ w /\
  (busy_of t g -> (forall r, In r w -> prompt r + upper r <= M) -> w' = [] \/ busy_of (t + n) g').
Proof.
  induction n as [| n J]; intros t w g W G O; cbn [rounds_of].
  - split; [exact G |]. exists w. split; [reflexivity |]. intros B _. right. now rewrite Nat.add_0_r.
  - destruct (admission_of M t w g) as [w1 g1] eqn:E. destruct (admit_of M t w g w1 g1 E W G O) as [A [O1 [T [K [S F]]]]].
    destruct w1 as [| r w1]; [split; [exact A |]; exists []; split; [exact T | now left] |].
    destruct (J (Datatypes.S t) (r :: w1) g1) as [A2 [w2 [T2 B2]]]; auto.
    { intros x X. apply O1 in X. lia. }
    split; [exact A2 |]. exists w2. split; [now rewrite T2 |]. intros B M1.
    rewrite Nat.add_succ_comm in B2. apply B2; [| intros x X; apply M1, S, X]. intros t' X.
    destruct (Nat.eq_dec t' t) as [-> | N]; [| destruct (B t') as [x [Y Z]]; [lia |]; exists x; split; [apply K, Y | exact Z]].
    destruct (running_of t g1) as [| x l] eqn:R.
    + exfalso. apply eq_true_false_abs with (2 := F). apply fits_of_always. specialize (M1 r (S _ (or_introl eq_refl))).
      intros t2. unfold tokens_of. cbn [sum]. unfold held, supposed. cbn [p o fst snd]. cases.
    + exists x. assert (X1 : In x (running_of t g1)) by (rewrite R; now left). unfold running_of in X1. apply filter_In in X1.
      destruct X1 as [Y Z]. apply Nat.ltb_lt in Z. specialize (O1 x Y). unfold truly at 1. cbn [p]. auto.
Qed.

Lemma busy_of_for t g : busy_of t g -> t <= sum (fun x => length_of (snd x)) g.
Proof.
  intros B. assert (C : busy t (map (fun x => Job (truly x) 0) g)).
  { intros t' X. destruct (B t' X) as [x [Y Z]]. exists (Job (truly x) 0). split; [| exact Z]. now apply in_map with (f := fun x => Job (truly x) 0). }
  apply busy_for in C. now rewrite sum_map in C.
Qed.

(* A_max, each request with its own prompt and its own interval, in any order: the memory is never exceeded; and where each
   request fits with its upper end nobody is cancelled: the runs are those of the whole queue, each once and to its end. *)
(* Finding "never-exceeded" of "amax-safe", proved at algorithm: assuming $u$ for every request, the memory is never
   exceeded and nothing is cancelled
   Reading: every instance, of the discrete process (docs/model.md)
   Given: assumed = u *)
Theorem a_max_safe_unequal : forall M queue, (forall r, In r queue -> length_of r <= upper r) ->
  (forall t, tokens_of truly (a_max_of M queue) t <= M) /\
  ((forall r, In r queue -> prompt r + upper r <= M) -> map snd (a_max_of M queue) = queue).
Proof.
  intros M w W. destruct (rounds_of_invariant M (S (sum upper w)) 0 w [] W (nobody_of M) ltac:(intros x [])) as [G [w' [T B]]].
  unfold a_max_of. set (g := rounds_of _ _ _ _ _) in *. split.
  - intros t. unfold tokens_of. rewrite <- (sum_permuted _ _ _ (Permutation_rev _)). now apply never_exceeded_of.
  - intros H. rewrite map_rev. cbn [map rev app] in T. destruct (B ltac:(intros t' X; lia) H) as [-> | C]; [now rewrite <- T, app_nil_r |].
    exfalso. apply busy_of_for in C. assert (D : sum (fun x => length_of (snd x)) g <= sum length_of w).
    { rewrite <- T, sum_app, <- (sum_permuted _ _ _ (Permutation_rev _)), sum_map. lia. }
    assert (F : sum length_of w <= sum upper w) by (apply sum_le, W). lia.
Qed.

(* With one prompt and one interval for all it is the A_max of Process.v. *)
Definition as_job (x : nat * request) := Job (truly x) (upper (snd x)).

Lemma alike s M : forall w t g, (forall r, In r w -> prompt r = s) -> (forall x, In x g -> prompt (snd x) = s) ->
  let (w', g') := admission_of M t w g in
  admission s M t (map (fun r => (upper r, length_of r)) w) (map as_job g) = (map (fun r => (upper r, length_of r)) w', map as_job g') /\
  (forall r, In r w' -> prompt r = s) /\ (forall x, In x g' -> prompt (snd x) = s).
Proof.
  induction w as [| r w J]; intros t g W G; cbn [admission_of map admission]; [auto |].
  assert (E : fits s M (projected (Job (Run t (length_of r)) (upper r)) :: map projected (running t (map as_job g))) = fits_of M ((t, r) :: running_of t g)).
  { assert (R : running t (map as_job g) = map as_job (running_of t g)).
    { clear G. unfold running, running_of. induction g as [| x g K]; [reflexivity |]. cbn [map filter]. rewrite K.
      change (completion (real (as_job x))) with (completion (truly x)). destruct (t <? completion (truly x)); reflexivity. }
    rewrite R. change (projected (Job (Run t (length_of r)) (upper r)) :: map projected (map as_job (running_of t g)))
      with (map projected (map as_job ((t, r) :: running_of t g))).
    assert (H : forall x, In x ((t, r) :: running_of t g) -> prompt (snd x) = s).
    { intros x [<- | X]; [apply W; now left | apply G]. unfold running_of in X. apply filter_In in X. apply X. }
    set (l := (t, r) :: running_of t g) in *. clearbody l. rewrite map_map. change (fun x => projected (as_job x)) with supposed.
    apply eq_true_iff_eq. rewrite fits_always, fits_of_always. unfold feasible. assert (T : forall t', tokens s (map supposed l) t' = tokens_of supposed l t').
    { intros t'. unfold tokens, tokens_of. rewrite sum_map. apply sum_same. intros x X. now rewrite (H x X). }
    split; intros K t'; [rewrite <- T | rewrite T]; apply K. }
  rewrite E. destruct (fits_of M _); [| auto]. apply (J t ((t, r) :: g)); [intros x X; apply W; now right |].
  intros x [<- | X]; [apply W; now left | now apply G].
Qed.

Theorem a_max_alike : forall s u M order, map truly (a_max_of M (map (Request s u) order)) = a_max s u M order.
Proof.
  intros s u M order. unfold a_max_of, a_max, queue. rewrite map_rev, <- (map_map (Request s u) (fun r => (upper r, length_of r))).
  set (w := map (Request s u) order). assert (W : forall r, In r w -> prompt r = s)
    by (intros r R; apply in_map_iff in R; destruct R as [b [<- _]]; reflexivity). clearbody w.
  rewrite sum_map. change (sum (fun x => fst (upper x, length_of x)) w) with (sum upper w). f_equal.
  enough (H : forall n t w g, (forall r, In r w -> prompt r = s) -> (forall x, In x g -> prompt (snd x) = s) ->
    map as_job (rounds_of M n t w g) = rounds s M n t (map (fun r => (upper r, length_of r)) w) (map as_job g))
    by (pose proof (H (S (sum upper w)) 0 w [] W ltac:(intros x [])) as X; cbn [map] in X; rewrite <- X, map_map; reflexivity).
  clear w W. induction n as [| n J]; intros t w g W G; cbn [rounds_of rounds]; [reflexivity |].
  pose proof (alike s M w t g W G) as E. destruct (admission_of M t w g) as [w' g']. destruct E as [-> [W' G']].
  destruct w' as [| r w']; [reflexivity |]. now rewrite J.
Qed.
