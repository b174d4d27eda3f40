(* When a queue starts its requests: while one waits, those before it that run reserve nearly all of the memory. *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
From Crtools Require Import Process Volumes.
Import ListNotations.

(* ---- while the head waits ------------------------------------------------------------------------------------------- *)

(* Whether r runs from t to t + 1; and what those that do reserve, each its peak of s + L. *)
Definition runs r t := (p r <=? t) && (t <? completion r).
Definition reserved s t g := sum (fun j => if runs (real j) t then s + L j else 0) g.

(* The newest first: at each instant before a start those that had started before reserved too much for one more of U. *)
Definition blocked s M U t g := forall t', t' < t -> M < reserved s t' g + (s + U).
Fixpoint each_blocked s M U g := match g with [] => True | j :: g => blocked s M U (p (real j)) g /\ each_blocked s M U g end.

Lemma held_most s r t : held s r t <= s + o r.
Proof. unfold held. cases. Qed.

Lemma refused_reserved s M U t a b g : a <= U -> (forall j, In j g -> p (real j) <= t) ->
  fits s M (map projected (Job (Run t b) a :: running t g)) = false -> M < reserved s t g + (s + U).
Proof.
  intros A P F. destruct (le_lt_dec (reserved s t g + (s + U)) M) as [H | H]; [exfalso | exact H].
  apply eq_true_false_abs with (2 := F). apply fits_always. intros t'. unfold tokens. cbn [map sum].
  pose proof (held_most s (projected (Job (Run t b) a)) t') as K. cbn [projected real L o] in K.
  enough (sum (fun r => held s r t') (map projected (running t g)) <= reserved s t g) by (unfold projected in *; cbn [real L] in *; lia).
  clear - P. unfold reserved, running. induction g as [| j g H]; [cbn; lia |]. specialize (H (fun x X => P x (or_intror X))).
  specialize (P j (or_introl eq_refl)). pose proof (held_most s (projected j) t') as K. cbn [projected o] in K.
  cbn [filter sum]. unfold runs at 1. destruct (t <? completion (real j)); cbn [map sum]; cases.
Qed.

Lemma admission_blocked s M U t : forall w g w' g', admission s M t w g = (w', g') -> (forall r, In r w -> fst r <= U) ->
  (forall j, In j g -> p (real j) <= t) -> blocked s M U t g -> each_blocked s M U g ->
  (forall r, In r w' -> fst r <= U) /\ (forall j, In j g' -> p (real j) <= t) /\ blocked s M U t g' /\ each_blocked s M U g' /\
  (w' = [] \/ M < reserved s t g' + (s + U)).
Proof.
  induction w as [| [a b] w J]; intros g w' g' E W P B A; cbn [admission] in E; [injection E as <- <-; repeat split; auto |].
  destruct (fits s M _) eqn:F in E.
  - apply (J _ _ _ E); [intros r R; apply W; now right | | | now split].
    + intros j [<- | X]; [cbn; lia | now apply P].
    + intros t' T. specialize (B t' T). unfold reserved in *. cbn [sum real]. unfold runs at 1. cbn [p]. cases.
  - injection E as <- <-. repeat split; auto. right. apply (refused_reserved s M U t a b); auto.
    apply (W (a, b)). now left.
Qed.

Lemma rounds_blocked s M U : forall n t w g, (forall r, In r w -> fst r <= U) -> (forall j, In j g -> p (real j) <= t) ->
  blocked s M U t g -> each_blocked s M U g -> each_blocked s M U (rounds s M n t w g).
Proof.
  induction n as [| n J]; intros t w g W P B A; cbn [rounds]; [exact A |].
  destruct (admission s M t w g) as [w1 g1] eqn:E. apply (admission_blocked s M U) in E; auto.
  destruct E as [W1 [P1 [B1 [A1 F]]]]. destruct w1 as [| r w1]; [exact A1 |]. destruct F as [F | F]; [discriminate |].
  apply J; [exact W1 | intros j X; apply P1 in X; lia | | exact A1]. intros t' T.
  destruct (Nat.eq_dec t' t) as [-> | N]; [exact F | apply B1; lia].
Qed.

(* What was started was told so in the queue. *)
Lemma started_from s M w : no_longer w -> forall j, In j (rounds s M (S (sum fst w)) 0 w []) -> In (told j) w.
Proof.
  intros W j J. destruct (at_start s M) as [A O]. destruct (rounds_invariant s M (S (sum fst w)) 0 w [] W A O) as [_ [_ [w' [T _]]]].
  cbn [map rev app] in T. rewrite <- T. apply in_or_app. left. apply in_rev. rewrite rev_involutive. now apply in_map.
Qed.

Lemma lengths_from s M w : no_longer w -> forall r, In r (queue s M w) -> In (o r) (map snd w).
Proof.
  intros W r R. unfold queue in R. apply in_rev in R. apply in_map_iff in R. destruct R as [j [<- J]].
  apply started_from in J; [| exact W]. apply in_map_iff. now exists (told j).
Qed.

(* At each instant before r's start those that stand before r and run need more than M with one more request of s + U; f is
   what the queue assumes for a length. *)
Lemma queue_full s M U f w : no_longer w -> (forall r, In r w -> fst r <= U /\ f (snd r) = fst r) ->
  forall l1 r l2, queue s M w = l1 ++ r :: l2 -> forall t, t < p r ->
  M < sum (fun x => if runs x t then s + f (o x) else 0) l1 + (s + U).
Proof.
  intros W F l1 r l2 E t T. assert (A : each_blocked s M U (rounds s M (S (sum fst w)) 0 w [])).
  { apply rounds_blocked; [intros x X; apply F, X | intros j [] | intros t' X; lia | exact I]. }
  pose proof (started_from s M w W) as K. unfold queue in E. revert A K E. generalize (rounds s M (S (sum fst w)) 0 w []).
  intros g A K E. apply (f_equal (@rev run)) in E. rewrite rev_involutive, rev_app_distr in E. cbn [rev] in E.
  rewrite <- app_assoc in E. cbn [app] in E. revert E. generalize (rev l2). intros l3 E.
  apply map_eq_app in E. destruct E as [g3 [g1 [-> [_ E]]]]. apply map_eq_cons in E. destruct E as [j [g0 [-> [<- E]]]].
  assert (B : blocked s M U (p (real j)) g0).
  { clear - A. induction g3 as [| x g3 H]; [apply A | apply H, A]. }
  specialize (B t T). unfold reserved in B. rewrite (sum_permuted _ _ _ (Permutation_rev l1)), <- E, sum_map.
  rewrite (sum_same _ (fun j => if runs (real j) t then s + L j else 0)); [exact B |]. intros x X.
  assert (Y : In (told x) w) by (apply K, in_or_app; right; now right). apply F in Y. cbn [told fst snd] in Y.
  now destruct Y as [_ ->].
Qed.

(* Summed over the instants before r's start. *)
Lemma starts_by s M U f w : no_longer w -> (forall r, In r w -> fst r <= U /\ f (snd r) = fst r) ->
  forall l1 r l2, queue s M w = l1 ++ r :: l2 -> (M - s - U) * p r <= sum (fun x => o x * (s + f (o x))) l1.
Proof.
  intros W F l1 r l2 E. pose proof (queue_full s M U f w W F l1 r l2 E) as H.
  apply Nat.le_trans with (sum (fun t => sum (fun x => if runs x t then s + f (o x) else 0) l1) (seq 0 (p r))).
  - rewrite <- (seq_length (p r) 0) at 1. rewrite Nat.mul_comm. assert (K : forall t, In t (seq 0 (p r)) -> t < p r).
    { intros t T. apply in_seq in T. lia. }
    revert K. generalize (seq 0 (p r)). induction l as [| t l J]; intros K; [cbn; lia |]. cbn [sum length].
    specialize (J (fun x X => K x (or_intror X))). specialize (H t (K t (or_introl eq_refl))). lia.
  - rewrite (sum_of_sums (fun x t => if runs x t then s + f (o x) else 0)). apply sum_le. intros x _.
    rewrite (sum_same _ (fun t => (s + f (o x)) * (if runs x t then 1 else 0))) by (intros t _; destruct (runs x t); lia).
    rewrite sum_times, Nat.mul_comm. apply Nat.mul_le_mono_r. apply (run_for (p x) (o x)).
Qed.

Lemma known_assumed u order : (forall b, In b order -> b <= u) ->
  forall r, In r (known order) -> fst r <= u /\ snd r = fst r.
Proof. intros H r R. apply in_map_iff in R. destruct R as [b [<- B]]. split; [now apply H | reflexivity]. Qed.

Lemma longest_no_longer u order : (forall b, In b order -> b <= u) -> no_longer (map (fun b => (u, b)) order).
Proof. intros H r R. apply in_map_iff in R. destruct R as [b [<- B]]. now apply H. Qed.

(* r stands somewhere in the order, l1 before it. *)
(* Theorem "the starts of a-random": (M-s-u)\,p_{\sigma(k)} \le \textstyle\sum_{j<k} o_{\sigma(j)}\,(s + o_{\sigma(j)})
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, order and M > s + u *)
Theorem starts_of_a_random : forall s u M order, (forall b, In b order -> b <= u) ->
  forall l1 r l2, a_random s M order = l1 ++ r :: l2 -> (M - s - u) * p r <= sum (fun x => o x * (s + o x)) l1.
Proof. intros s u M order H. apply (starts_by s M u (fun b => b)); [apply known_no_longer | now apply known_assumed]. Qed.

(* Theorem "the starts of a-max": (M-s-u)\,p_{\sigma(k)} \le \textstyle\sum_{j<k} o_{\sigma(j)}\,(s + u)
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, order and M > s + u *)
Theorem starts_of_a_max : forall s u M order, (forall b, In b order -> b <= u) ->
  forall l1 r l2, a_max s u M order = l1 ++ r :: l2 -> (M - s - u) * p r <= sum (fun x => o x * (s + u)) l1.
Proof.
  intros s u M order H. apply (starts_by s M u (fun _ => u)); [now apply longest_no_longer |].
  intros r R. apply in_map_iff in R. destruct R as [b [<- _]]. split; reflexivity.
Qed.

(* ---- the same order at two memories --------------------------------------------------------------------------------- *)

Lemma rising_before l1 x l2 : rising (l1 ++ x :: l2) -> forall y, In y l1 -> y <= x.
Proof.
  induction l1 as [| a l1 H]; intros R y Y; [contradiction |]. destruct l1 as [| b l1].
  - destruct Y as [<- | []]. apply R.
  - destruct R as [R1 R]. specialize (H R). destruct Y as [<- | Y]; [| now apply H].
    apply Nat.le_trans with b; [exact R1 | apply H; now left].
Qed.

(* Theorem "volumes before a start": \textstyle\sum_{j\le k} v_{\sigma(j)} \le M\,(p_{\sigma(k)} + u)
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, order and M ≥ s + u *)
Theorem volumes_before_a_start : forall s u M order, (forall b, In b order -> b <= u) ->
  forall l1 r l2, a_random s M order = l1 ++ r :: l2 -> sum (fun x => volume s (o x)) (l1 ++ [r]) <= M * (p r + u).
Proof.
  intros s u M order H l1 r l2 E. apply volumes_by.
  - intros t. pose proof (queue_safe s M (known order) (known_no_longer order) t) as F. fold (a_random s M order) in F.
    rewrite E in F. revert F. unfold tokens. rewrite !sum_app. cbn [sum]. lia.
  - intros x X. assert (Y : In x (a_random s M order)).
    { rewrite E. apply in_or_app. apply in_app_or in X. destruct X as [X | [X | []]]; [now left | right; now left]. }
    apply lengths_from in Y; [| apply known_no_longer]. unfold known in Y. rewrite map_map, map_id in Y. apply H in Y.
    enough (p x <= p r) by (unfold completion; lia). apply in_app_or in X. destruct X as [X | [<- | []]]; [| lia].
    pose proof (queue_in_order s M (known order) (known_no_longer order)) as R. fold (a_random s M order) in R.
    rewrite E, map_app in R. apply (rising_before _ _ _ R). now apply in_map.
Qed.

(* Request by request of two schedules of one order. *)
Lemma request_by_request (f g : run -> nat) l l' : map o l = map o l' ->
  (forall l1 r l2 l1' r' l2', l = l1 ++ r :: l2 -> l' = l1' ++ r' :: l2' -> map o l1 = map o l1' -> o r = o r' -> f r <= g r') ->
  sum f l <= sum g l'.
Proof.
  revert l'. induction l as [| r l H]; intros [| r' l'] E K; try discriminate; [cbn; lia |]. injection E as Er E. cbn [sum].
  pose proof (K [] r l [] r' l' eq_refl eq_refl eq_refl Er). specialize (H l' E).
  enough (sum f l <= sum g l') by lia. apply H. intros l1 x l2 l1' x' l2' -> -> E1 Ex.
  apply (K (r :: l1) x l2 (r' :: l1') x' l2'); auto. cbn. now rewrite Er, E1.
Qed.

Lemma a_random_all s u M order : (forall b, In b order -> b <= u) -> s + u <= M -> map o (a_random s M order) = order.
Proof.
  intros H K. unfold a_random. rewrite everybody_starts; [unfold known; rewrite map_map; apply map_id | apply known_no_longer |].
  intros r R. apply in_map_iff in R. destruct R as [b [<- B]]. specialize (H b B). cbn. lia.
Qed.

Lemma sum_lengths (f : nat -> nat) l : sum (fun x => f (o x)) l = sum f (map o l).
Proof. now rewrite sum_map. Qed.

Lemma waiting_volumes s u M order l1 r l2 c (w : nat -> nat) d : (forall b, In b order -> b <= u) ->
  a_random s M order = l1 ++ r :: l2 -> (forall b, In b (map o l1) -> c * w b <= d * volume s b) ->
  c * sum w (map o l1) <= d * (M * (p r + u)).
Proof.
  intros H E K. pose proof (volumes_before_a_start s u M order H l1 r l2 E) as V. rewrite sum_app in V.
  rewrite <- sum_times. apply Nat.le_trans with (sum (fun b => d * volume s b) (map o l1)); [now apply sum_le |].
  rewrite sum_times. rewrite <- (sum_lengths (volume s)). apply Nat.mul_le_mono_l. lia.
Qed.

Lemma sum_const {X} c (l : list X) : sum (fun _ => c) l = length l * c.
Proof. induction l; cbn in *; lia. Qed.

Lemma each_later u l : sum (fun r => completion r + u) l = TEL l + length l * u.
Proof. unfold TEL. now rewrite sum_plus, sum_const. Qed.

(* M' is βM. *)
(* Theorem "A_random with less memory": \mathrm{TEL}(\mathcal A_{\mathrm{random}}, \beta M) \le \tfrac{\rho M}{\beta
   M-s-u}\,\bigl(\mathrm{TEL}(\mathcal A_{\mathrm{random}}, M) + nu\bigr),\quad \rho = \frac{2(s+u)}{2s+u+1}
   Reading: every s ≥ 0 and u ≥ 1, all lengths at most u, every n, order σ and 0 < β ≤ 1 with βM > s + u; p are the starts
   at M, p' those at βM, v_o = so + o(o+1)/2, ρ = 2(s+u)/(2s+u+1) *)
Theorem less_memory : forall s u M M' order, 1 <= u -> (forall b, In b order -> b <= u) -> s + u < M' <= M ->
  (2 * s + u + 1) * (M' - s - u) * TEL (a_random s M' order) <=
  2 * (s + u) * M * (TEL (a_random s M order) + length order * u).
Proof.
  intros s u M M' order u1 H K. assert (E : map o (a_random s M' order) = map o (a_random s M order))
    by (rewrite !(a_random_all s u); auto; lia).
  assert (N : length (a_random s M order) = length order)
    by (rewrite <- (map_length o), (a_random_all s u M order H); [reflexivity | lia]).
  rewrite <- N. replace (TEL (a_random s M order) + length (a_random s M order) * u)
    with (sum (fun r => completion r + u) (a_random s M order)).
  2: apply each_later.
  unfold TEL. rewrite <- !sum_times. apply request_by_request; [exact E |].
  intros l1 r l2 l1' r' l2' E1 E2 El Eo. pose proof (starts_of_a_random s u M' order H l1 r l2 E1) as P.
  rewrite (sum_lengths (fun b => b * (s + b))), El in P.
  pose proof (waiting_volumes s u M order l1' r' l2' (2 * s + u + 1) (fun b => b * (s + b)) (2 * (s + u)) H E2) as V.
  assert (B : forall b, In b (map o l1') -> (2 * s + u + 1) * (b * (s + b)) <= 2 * (s + u) * volume s b).
  { intros b Hb. assert (b <= u).
    { apply H. rewrite <- (a_random_all s u M order H) by lia. rewrite E2, map_app. apply in_or_app. now left. }
    pose proof (volume_closed s b) as C. replace (2 * (s + u) * volume s b) with ((s + u) * (2 * volume s b)) by lia. rewrite C.
    assert (G : (2 * s + u + 1) * (s + b) <= (s + u) * (2 * s + b + 1)) by (clear - H0; nia).
    apply (Nat.mul_le_mono_l _ _ b) in G. clear - G. lia. }
  specialize (V B). clear B. unfold completion. rewrite <- Eo. set (X := sum _ (map o l1')) in *. clearbody X.
  assert (M' - s - u <= M) by lia. assert (2 * s + u + 1 <= 2 * (s + u)) by lia.
  set (q := M' - s - u) in *. set (c := 2 * s + u + 1) in *. clearbody q c. assert (c * (q * p r) <= c * X) by (apply Nat.mul_le_mono_l; exact P).
  assert (c * q <= 2 * (s + u) * M) by (apply Nat.mul_le_mono; lia).
  assert (c * q * o r <= 2 * (s + u) * M * o r) by (apply Nat.mul_le_mono_r; assumption).
  rewrite Nat.mul_add_distr_l. rewrite <- Nat.mul_assoc. lia.
Qed.

(* Theorem "A_max at M below twice A_random at αM": \mathrm{TEL}(\mathcal A_{\max}, M) \le \tfrac{2M}{M-s-u}\,\bigl(\mathrm{TEL}(\mathcal A_{\mathrm{random}},
   \alpha M) + nu\bigr)
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, every M > s + u with αM ≥ s + u, the same permutation
   for both *)
Theorem twice_a_random : forall s l u M alpha_M order, 1 <= l <= u -> (forall b, In b order -> l <= b <= u) ->
  alpha_M * u = l * M -> s + u < M -> s + u <= alpha_M ->
  (M - s - u) * TEL (a_max s u M order) <= 2 * M * (TEL (a_random s alpha_M order) + length order * u).
Proof.
  intros s l u M m order lu H A K K'. assert (H' : forall b, In b order -> b <= u) by (intros b Hb; apply H, Hb).
  pose proof (proj2 (a_max_safe s u u M order H' (le_n u)) ltac:(lia)) as E.
  assert (E' : map o (a_random s m order) = order) by (apply (a_random_all s u); auto).
  assert (N : length (a_random s m order) = length order) by (rewrite <- (map_length o), E'; reflexivity).
  rewrite <- N. replace (TEL (a_random s m order) + length (a_random s m order) * u)
    with (sum (fun r => completion r + u) (a_random s m order)).
  2: apply each_later.
  unfold TEL. rewrite <- !sum_times. apply request_by_request; [congruence |].
  intros l1 r l2 l1' r' l2' E1 E2 El Eo. pose proof (starts_of_a_max s u M order H' l1 r l2 E1) as P.
  rewrite (sum_lengths (fun b => b * (s + u))), El in P.
  pose proof (waiting_volumes s u m order l1' r' l2' l (fun b => b * (s + u)) (2 * u) H' E2) as V.
  assert (B : forall b, In b (map o l1') -> l * (b * (s + u)) <= 2 * u * volume s b).
  { intros b Hb. assert (l <= b <= u).
    { apply H. rewrite <- E', E2, map_app. apply in_or_app. now left. }
    pose proof (volume_closed s b) as C. replace (2 * u * volume s b) with (u * (2 * volume s b)) by lia. rewrite C.
    assert (l * (s + u) <= u * (2 * s + b + 1)) by (clear - H0; nia). clear - H1. nia. }
  specialize (V B). clear B. unfold completion. rewrite <- Eo. set (X := sum _ (map o l1')) in *. clearbody X.
  assert (V' : l * X <= l * (2 * M * (p r' + u))).
  { apply Nat.le_trans with (1 := V). replace (2 * u * (m * (p r' + u))) with (2 * (m * u) * (p r' + u)) by lia. rewrite A. lia. }
  apply Nat.mul_le_mono_pos_l in V'; [| lia]. assert ((M - s - u) * o r <= 2 * M * o r) by (apply Nat.mul_le_mono_r; lia). lia.
Qed.
