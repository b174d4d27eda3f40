(* Families of requests of one length: H-SF in batches against as many starts at every instant as fit (hsf-lower), batches
   at two memories (prop-memory), and A_max against A_random with less memory (lem-max-random). *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
From Crtools Require Import Process Volumes.
Import ListNotations.

Lemma map_of_repeat {X Y} (f : X -> Y) x n : map f (repeat x n) = repeat (f x) n.
Proof. induction n; cbn; congruence. Qed.

Lemma in_repeat {X} (x : X) n : 1 <= n -> In x (repeat x n).
Proof. destruct n; [lia |]. now left. Qed.

Lemma repeat_last {X} (x : X) n : x :: repeat x n = repeat x n ++ [x].
Proof. induction n as [| n H]; [reflexivity |]. cbn. now rewrite H at 1. Qed.

Lemma rev_repeat {X} (x : X) n : rev (repeat x n) = repeat x n.
Proof. induction n as [| n H]; [reflexivity |]. cbn. now rewrite H, <- repeat_last. Qed.

Lemma insert_repeat x n : insert x (repeat x n) = repeat x (S n).
Proof. induction n as [| n H]; [reflexivity |]. cbn [repeat insert]. rewrite Nat.ltb_irrefl. now rewrite H. Qed.

Lemma increasing_repeat x n : increasing (repeat x n) = repeat x n.
Proof.
  unfold increasing. assert (H : forall k m, fold_left (fun l y => insert y l) (repeat x k) (repeat x m) = repeat x (k + m)).
  { induction k as [| k J]; intros m; [reflexivity |]. cbn [repeat fold_left]. rewrite insert_repeat, J. f_equal. lia. }
  specialize (H n 0). cbn in H. rewrite Nat.add_0_r in H. exact H.
Qed.

(* All of g have completed by t. *)
Definition over t (g : list job) := forall j, In j g -> completion (real j) <= t.

Lemma none_running t g : over t g -> running t g = [].
Proof.
  induction g as [| j g I]; intros H; [reflexivity |]. unfold running in *. cbn [filter].
    pose proof (H j (or_introl eq_refl)).
  destruct (Nat.ltb_spec t (completion (real j))); [lia |]. apply I. intros x X. apply H. now right.
Qed.

(* c batches of B requests of length b, one after the other from T on, in the queue's order. *)
Fixpoint batches b B c T := match c with 0 => [] | S c => repeat (Run T b) B ++ batches b B c (T + b) end.

Lemma total_of_batches b B : forall c T, 2 * TEL (batches b B c T) = B * c * (2 * T + b * (c + 1)).
Proof.
  induction c as [| c I]; intros T; [cbn; lia |]. cbn [batches]. unfold TEL in *. rewrite sum_app, sum_repeat.
  specialize (I (T + b)). unfold completion at 1. cbn [p o]. nia.
Qed.

Section Batches.
Variables (s b B M : nat).
Context (b1 : 1 <= b).
Context (B1 : 1 <= B).
Context (fit_B : B * (s + b) <= M).
Context (no_more : forall age, 1 <= age <= b -> M < B * (s + b) + (s + age)).

Let job t := Job (Run t b) b.
Lemma running_batch T t m g : over T g -> T <= t < T + b -> running t (repeat (job T) m ++ g) = repeat (job T) m.
Proof.
  intros H K. unfold running. rewrite filter_app. fold (running t g).
    rewrite none_running by (intros j X; specialize (H j X); lia).
  rewrite app_nil_r. induction m as [| m I]; [reflexivity |]. cbn [repeat filter]. unfold completion at 1.
    cbn [p o real job].
  destruct (Nat.ltb_spec t (T + b)); [now rewrite I | lia].
Qed.

Lemma fits_batch T m : fits s M (repeat (Run T b) m) = (m <=? B).
Proof.
  destruct (Nat.leb_spec m B) as [H | H].
  - apply fits_always. intros t. unfold tokens. rewrite sum_repeat. unfold held. cbn [p o]. cases; nia.
  - apply not_true_iff_false. intros F. apply fits_always in F. specialize (F (T + b)). revert F. unfold tokens.
    rewrite sum_repeat.
    unfold held. cbn [p o]. specialize (no_more b). cases; nia.
Qed.

Lemma admit_batch T g : over T g -> forall n m, m <= B ->
  admission s M T (repeat (b, b) n) (repeat (job T) m ++ g) =
  (repeat (b, b) (n - (B - m)), repeat (job T) (m + Nat.min n (B - m)) ++ g).
Proof.
  intros H. induction n as [| n I]; intros m E; [cbn; now rewrite Nat.add_0_r |]. cbn [repeat admission map].
  rewrite running_batch by (assumption || lia). rewrite map_of_repeat.
  change (projected (Job (Run T b) b) :: repeat (projected (job T)) m) with (repeat (Run T b) (S m)). rewrite fits_batch.
  destruct (Nat.leb_spec (S m) B) as [K | K].
  - change (Job (Run T b) b :: repeat (job T) m ++ g) with (repeat (job T) (S m) ++ g). rewrite I by lia.
    f_equal; f_equal; [| f_equal]; lia.
  - replace (B - m) with 0 by lia. rewrite Nat.min_0_r, Nat.add_0_r. reflexivity.
Qed.

Lemma stuck T g t w : over T g -> T < t < T + b ->
  admission s M t ((b, b) :: w) (repeat (job T) B ++ g) = ((b, b) :: w, repeat (job T) B ++ g).
Proof.
  intros H K. cbn [admission map]. rewrite running_batch by (assumption || lia). rewrite map_of_repeat.
  destruct (fits s M _) eqn:F; [| reflexivity]. exfalso. apply fits_always in F. specialize (F (T + b)).
  specialize (no_more (T + b - t)). revert F. unfold tokens. cbn [sum]. rewrite sum_repeat. unfold held, projected.
  cbn [p o L real job]. cases; nia.
Qed.

Lemma wait T g w : over T g -> forall d f, d < b ->
  rounds s M (d + f) (T + b - d) ((b, b) :: w) (repeat (job T) B ++ g) = rounds s M f (T + b) ((b, b) :: w) (repeat (job
    T) B ++ g).
Proof.
  intros H. induction d as [| d I]; intros f E; [now rewrite Nat.sub_0_r |]. cbn [Nat.add rounds].
  rewrite stuck by (assumption || lia). replace (S (T + b - S d)) with (T + b - d) by lia. apply I. lia.
Qed.

Lemma in_rounds : forall c T g f, over T g ->
  rev (map real (rounds s M (c * b + f) T (repeat (b, b) (c * B)) g)) = rev (map real g) ++ batches b B c T.
Proof.
  induction c as [| c I]; intros T g f H; [cbn; destruct f; cbn; now rewrite app_nil_r |]. cbn [batches].
  replace (S c * b + f) with (S (b - 1 + (c * b + f))) by lia.
  cbn [rounds]. pose proof (admit_batch T g H (S c * B) 0 ltac:(lia)) as A. cbn [repeat app Nat.add] in A. rewrite A.
  replace (S c * B - (B - 0)) with (c * B) by lia. replace (Nat.min (S c * B) (B - 0)) with B by lia.
  assert (over (T + b) (repeat (job T) B ++ g)) as N.
  { intros j J. apply in_app_or in J. destruct J as [J | J]; [apply repeat_spec in J; subst; cbn;
    lia | specialize (H j J); lia]. }
  assert (E : rev (map real (repeat (job T) B ++ g)) = rev (map real g) ++ repeat (Run T b) B)
    by (rewrite map_app, rev_app_distr, map_of_repeat, rev_repeat; reflexivity).
  destruct c as [| c]; [cbn [batches Nat.mul repeat]; now rewrite E, app_nil_r |].
  rewrite app_assoc, <- E, <- (I (T + b) _ f N). destruct (S c * B) as [| n] eqn:F; [nia |]. cbn [repeat].
  replace (S T) with (T + b - (b - 1)) by lia. rewrite wait; [reflexivity | assumption | lia].
Qed.

(* H-SF's schedule of c B such requests. *)
Lemma h_sf_batches c : h_sf s M (repeat b (c * B)) = batches b B c 0.
Proof.
  unfold h_sf, queue, known. rewrite increasing_repeat, map_of_repeat, sum_repeat. cbn [fst].
  replace (S (c * B * b)) with (c * b + (S (c * B * b) - c * b)) by nia.
  rewrite (in_rounds c 0 [] (S (c * B * b) - c * b)); [reflexivity | intros j []].
Qed.
End Batches.

(* ---- hsf-lower: equal lengths ----------------------------------------------------------------------------------------- *)

(* k start at each instant t < N. *)
Definition even b k N := flat_map (fun t => repeat (Run t b) k) (seq 0 N).

Lemma even_total b k N : 2 * TEL (even b k N) + k * N = k * N * (N + 2 * b).
Proof.
  unfold even. induction N as [| N I]; [cbn; lia |]. rewrite seq_S, flat_map_app. unfold TEL in *. rewrite sum_app.
    cbn [flat_map].
  rewrite app_nil_r, sum_repeat. unfold completion in *. cbn [p o]. cbn [Nat.add]. nia.
Qed.

Lemma even_lengths b k N : map o (even b k N) = repeat b (N * k).
Proof.
  unfold even. induction N as [| N I]; [reflexivity |]. rewrite seq_S, flat_map_app, map_app, I. cbn [flat_map Nat.add].
  rewrite app_nil_r, map_of_repeat, <- repeat_app. cbn [o]. f_equal. lia.
Qed.

Lemma even_use s b k N t : tokens s (even b k N) t <= k * volume s b.
Proof.
  assert (E : tokens s (even b k N) t = k * sum (fun q => held s (Run q b) t) (seq 0 N)).
  { unfold even, tokens. induction N as [| N I]; [cbn; lia |]. rewrite seq_S, flat_map_app, !sum_app, I. cbn.
    rewrite app_nil_r, sum_repeat. lia. }
  rewrite E. apply Nat.mul_le_mono_l. clear E. unfold volume.
  enough (G : sum (fun q => held s (Run q b) t) (seq 0 N) <= sum (fun a => s + S a) (seq (t - N) (b - (t - N)))).
  { destruct (le_lt_dec b (t - N)) as [D | D]; [replace (b - (t - N)) with 0 in G by lia; cbn in G; lia |].
    apply Nat.le_trans with (1 := G). replace b with (t - N + (b - (t - N))) at 2 by lia. rewrite seq_app, sum_app.
      cbn [Nat.add]. lia. }
  induction N as [| N I]; [cbn; lia |]. rewrite seq_S, sum_app. cbn [sum Nat.add]. unfold held at 2. cbn [p o].
  destruct (Nat.ltb_spec N t) as [A | A]; cbn [andb].
  - destruct (Nat.leb_spec t (N + b)) as [D | D].
    + replace (t - S N) with (t - N - 1) by lia. replace (b - (t - N - 1)) with (S (b - (t - N))) by lia. cbn [seq sum].
      replace (S (t - N - 1)) with (t - N) by lia. lia.
    + replace (b - (t - N)) with 0 in I by lia. cbn in I. lia.
  - replace (t - S N) with (t - N) by lia. lia.
Qed.

(* n = B C = k N requests of length b at the memory of B of them, which is that of k at each age: both schedules are
   feasible, their totals are n b (C + 1)/2 and n (N - 1 + 2 b)/2. *)
Theorem equal_lengths : forall s b k B N C, 1 <= b -> 1 <= B -> k * volume s b = B * (s + b) -> k * N = B * C ->
  let M := B * (s + b) in let n := B * C in
  map o (even b k N) = repeat b n /\ feasible s M (even b k N) /\
  2 * TEL (h_sf s M (repeat b n)) = n * (b * (C + 1)) /\ 2 * TEL (even b k N) + n = n * (N + 2 * b).
Proof.
  intros s b k B N C b1 B1 V E M n. split; [| split; [| split]].
  - rewrite even_lengths. f_equal. unfold n. lia.
  - intros t. unfold M. rewrite <- V. apply even_use.
  - unfold n. rewrite (Nat.mul_comm B C), (h_sf_batches s b B M b1 B1); unfold M; [| lia | intros; lia].
    rewrite total_of_batches. nia.
  - unfold n. rewrite <- E. rewrite even_total. lia.
Qed.

(* Requests of three tokens at s = 1: n = 36 k c of them, M = 36 k; the even schedule starts 4 k at each instant. *)
(* Theorem "requests of three tokens": \frac{\text{H-SF}}{\text{even}} = \frac{3(4c+1)}{9c+5} \to \frac43 \quad (c \to
   \infty)
   Reading: s = 1, n = 36kc requests of three tokens, M = 36k, every k ≥ 1 and c ≥ 1 *)
Theorem three_tokens : forall k c, 1 <= k -> 1 <= c ->
  let M := 36 * k in let n := 36 * k * c in let l := even 3 (4 * k) (9 * c) in
  map o l = repeat 3 n /\ feasible 1 M l /\ TEL l < TEL (h_sf 1 M (repeat 3 n)) /\
  TEL (h_sf 1 M (repeat 3 n)) * (9 * c + 5) = 3 * (4 * c + 1) * TEL l /\
  (forall p q, 3 * p < 4 * q -> 2 * p <= c -> p * TEL l < q * TEL (h_sf 1 M (repeat 3 n))).
Proof.
  intros k c k1 c1 M n l. destruct (equal_lengths 1 3 (4 * k) (9 * k) (9 * c) (4 * c)) as [O [F [H E]]]; try (cbn; lia).
  replace (9 * k * (1 + 3)) with M in F, H by (unfold M; lia).
    replace (9 * k * (4 * c)) with n in O, H, E by (unfold n; lia).
  fold l in O, F, E. set (X := TEL (h_sf 1 M (repeat 3 n))) in *. set (Y := TEL l) in *.
    split; [exact O | split; [exact F |]].
  clear O F. assert (n1 : 1 <= n) by (unfold n; nia). clearbody X Y n. clear M l.
  assert (HX : 2 * X = n * (12 * c + 3)) by lia. assert (HY : 2 * Y = n * (9 * c + 5)) by lia. clear H E. repeat split.
  - clear - HX HY n1 c1. nia.
  - clear - HX HY. nia.
  - intros p q Q K. assert (G : p * (9 * c + 5) < q * (12 * c + 3)) by (clear - Q K; nia).
    apply (f_equal (Nat.mul q)) in HX. apply (f_equal (Nat.mul p)) in HY. apply (Nat.mul_lt_mono_pos_l n) in G; [| exact n1].
    clear - HX HY G. lia.
Qed.

Lemma pos a b : 1 <= a -> 1 <= b -> 1 <= a * b.
Proof. nia. Qed.

(* So H-SF is no lower bound where lengths are equal and at least 2, at any s: the even schedule has the smaller total, and
   the quotient tends to 2 (s + b)/(2 s + b + 1) as c grows, never above. *)
(* Theorem "equal lengths, started evenly": \frac{\mathrm{TEL}(\text{H-SF})}{\mathrm{TEL}(\text{even})} \to
   \frac{2(s+u)}{2s+u+1}
   Reading: every s ≥ 0, u, k and c ≥ 1, v = su + u(u+1)/2: kc(s+u)v requests of length u, M = k(s+u)v; c → ∞ *)
Theorem hsf_lower_family : forall s b k c, 1 <= b -> 1 <= k -> 1 <= c ->
  let v := volume s b in let M := k * (s + b) * v in let n := k * c * (s + b) * v in let l := even b (k * (s + b)) (v * c) in
  map o l = repeat b n /\ feasible s M l /\ (3 <= b * c -> 2 <= b -> TEL l < TEL (h_sf s M (repeat b n))) /\
  TEL (h_sf s M (repeat b n)) * (2 * s + b + 1) <= 2 * (s + b) * TEL l /\
  (forall p q, p * (2 * s + b + 1) < 2 * (s + b) * q -> 4 * p <= c -> p * TEL l < q * TEL (h_sf s M (repeat b n))).
Proof.
  intros s b k c b1 k1 c1 v M n l. pose proof (volume_closed s b) as V. fold v in V. assert (v1 : 1 <= v) by nia.
  destruct (equal_lengths s b (k * (s + b)) (k * v) (v * c) ((s + b) * c)) as [O [F [H E]]];
    [exact b1 | apply pos; lia | fold v; lia | lia |].
  replace (k * v * (s + b)) with M in F, H by (unfold M; lia).
  replace (k * v * ((s + b) * c)) with n in O, H, E by (unfold n; lia).
  fold l in O, F, E. split; [exact O | split; [exact F |]]. clear O F.
  assert (n1 : 1 <= n) by (unfold n; repeat apply pos; lia). set (X := TEL (h_sf s M (repeat b n))) in *. set (Y := TEL l) in *.
  clearbody X Y n v. clear M l k1. set (D := b * ((s + b) * c + 1)). set (A := v * c + 2 * b - 1).
  assert (HX : 2 * X = n * D) by (unfold D; exact H). assert (HY : 2 * Y = n * A) by (unfold A; clear - E n1 b1; nia). clear H E.
  assert (A2 : 2 * A + 2 = b * (2 * s + b + 1) * c + 4 * b) by (unfold A; rewrite <- V; clear - b1; nia).
  assert (D2 : D = b * ((s + b) * c) + b) by (unfold D; lia). clearbody A D. repeat split.
  - intros B C. assert (A < D).
    { enough (2 * A + 2 < 2 * D + 2) by lia. rewrite A2, D2. clear - B C. assert (b * c * (b - 1) + b * (2 * s + b + 1) * c = 2 * (b * ((s + b) * c))) by nia.
      assert (3 * (b - 1) <= b * c * (b - 1)) by (apply Nat.mul_le_mono_r; lia). lia. }
    clear - HX HY H n1. nia.
  - assert (D * (2 * s + b + 1) <= 2 * (s + b) * A).
    { assert (b * (2 * s + b + 1) + 2 * (s + b) <= 4 * b * (s + b)) by (clear - b1; nia).
      assert ((s + b) * (2 * A + 2) = (s + b) * (b * (2 * s + b + 1) * c + 4 * b)) by now rewrite A2.
      rewrite D2. clear - H H0. nia. }
    clear - HX HY H n1. nia.
  - intros p q Q K. assert (p * A < q * D).
    { enough (p * (2 * A + 2) < 2 * (q * D) + 2 * p) by lia. rewrite A2, D2.
      assert (b * c * (p * (2 * s + b + 1)) + b * c <= b * c * (2 * (s + b) * q)) by (clear - Q; nia).
      assert (4 * p * b <= b * c) by (clear - K; nia). assert (1 <= q) by (clear - Q; nia). clear - H H0 H1 b1. nia. }
    clear - HX HY H n1. nia.
Qed.

(* Where all lengths are equal and known the three policies are one queue. *)
(* Theorem "equal lengths": \mathrm{TEL}(\mathcal A_{\max}) = \mathrm{TEL}(\mathcal A_{\mathrm{random}}) = \mathrm{TEL}(\text{H-SF})
   Reading: every s ≥ 0 and l = u, every n and M ≥ s + u *)
Theorem all_equal : forall s u M n order, Permutation (repeat u n) order ->
  TEL (a_max s u M order) = TEL (a_random s M order) /\ TEL (a_random s M order) = TEL (h_sf s M (repeat u n)).
Proof.
  intros s u M n order P. apply Permutation_sym, Permutation_repeat in P. subst order. unfold a_max, a_random, h_sf, known.
  rewrite increasing_repeat, !map_of_repeat. split; reflexivity.
Qed.

(* ---- prop-memory: batches at two memories ----------------------------------------------------------------------------- *)

Lemma in_batches b B r : forall c T, In r (batches b B c T) -> exists i, i < c /\ r = Run (T + i * b) b.
Proof.
  induction c as [| c H]; cbn; intros T R; [contradiction |]. apply in_app_or in R. destruct R as [R | R].
  - apply repeat_spec in R. exists 0. split; [lia |]. rewrite R. f_equal. lia.
  - apply H in R. destruct R as [i [I ->]]. exists (S i). split; [lia |]. f_equal. lia.
Qed.

Lemma batches_in b B : 1 <= B -> forall c T i, i < c -> In (Run (T + i * b) b) (batches b B c T).
Proof.
  intros B1. induction c as [| c H]; intros T i I; [lia |]. cbn. apply in_or_app. destruct i as [| i].
  - left. rewrite Nat.mul_0_l, Nat.add_0_r. now apply in_repeat.
  - right. replace (T + S i * b) with (T + b + i * b) by lia. apply H. lia.
Qed.

Lemma batches_tokens s b B : 1 <= b -> forall c T i, i < c -> B * (s + b) <= tokens s (batches b B c T) (T + S i * b).
Proof.
  intros b1. unfold tokens. induction c as [| c H]; intros T i I; [lia |]. cbn [batches]. rewrite sum_app, sum_repeat.
  destruct i as [| i]; [unfold held at 1; cbn [p o]; cases |]. specialize (H (T + b) i ltac:(lia)).
  replace (T + b + S i * b) with (T + S (S i) * b) in H by lia. lia.
Qed.

Lemma before_above l t x : In x (map p l) -> x < t -> x <= before l t.
Proof.
  intros H E. unfold before. induction (map p l) as [| y m J]; [contradiction |]. cbn [filter]. destruct H as [-> | H].
  - destruct (Nat.ltb_spec x t); [| lia]. cbn [fold_right]. lia.
  - specialize (J H). destruct (y <? t); cbn [fold_right]; lia.
Qed.

Lemma batches_optimally_packed s b B M c : 1 <= b -> 1 <= B -> (forall age, 1 <= age <= b -> M < B * (s + b) + (s + age)) ->
  optimally_packed s M (batches b B c 0).
Proof.
  intros b1 B1 H a r z E k [K1 K2] F. assert (R : In r (batches b B c 0)) by (rewrite E; apply in_or_app; right; now left).
  apply in_batches in R. destruct R as [[| i] [I R]]; [subst r; cbn in K2; lia |].
  assert (K3 : 0 + i * b <= k).
  { apply Nat.le_trans with (2 := K1). apply before_above; [| subst r; cbn [p]; nia].
    apply in_map_iff. exists (Run (0 + i * b) b). split; [reflexivity |]. apply batches_in; lia. }
  specialize (F (0 + S i * b)). pose proof (batches_tokens s b B b1 c 0 i ltac:(lia)) as T. rewrite E in T. revert T F.
  unfold tokens. rewrite !sum_app. cbn [sum]. subst r. cbn [o p] in *. specialize (H (S i * b - k)).
  unfold held at 2 5. cbn [p o]. cases; nia.
Qed.

(* n = c B (B - 1) requests of length b, in batches of B at M = B (s + b), and of B - 1 at M' = (B - 1)(s + b) + s: both
   schedules are feasible, packed and in corresponding order, and the second's total is more than M/M' times the first's,
   for all s, B - 1 and b from 1 on, once c s B > b. (M/(s + b) = B is any; the excess vanishes as B grows.) *)
Theorem prop_memory_family : forall s b B c, 1 <= s -> 1 <= b -> 2 <= B -> b < c * s * B ->
  let M := B * (s + b) in let M' := (B - 1) * (s + b) + s in let n := c * (B - 1) * B in
  let I := h_sf s M (repeat b n) in let I' := h_sf s M' (repeat b n) in
  map o I = repeat b n /\ map o I' = repeat b n /\ feasible s M I /\ feasible s M' I' /\ optimally_packed s M I /\
  optimally_packed s M' I' /\ corresponds I I' /\ M * TEL I < M' * TEL I'.
Proof.
  intros s b B c s1 b1 B2 C M M' n I I'. assert (EI : I = batches b B (c * (B - 1)) 0) by
    (unfold I, n; apply (h_sf_batches s b B M b1); [lia | unfold M; lia | unfold M; intros; lia]).
  assert (EI' : I' = batches b (B - 1) (c * B) 0).
  { unfold I', n. replace (c * (B - 1) * B) with (c * B * (B - 1)) by lia.
    apply (h_sf_batches s b (B - 1) M' b1); [lia | unfold M'; lia | unfold M'; intros; lia]. }
  assert (K : forall m, s + b <= m -> map o (h_sf s m (repeat b n)) = repeat b n).
  { intros m L. unfold h_sf. rewrite everybody_starts, increasing_repeat; [| apply known_no_longer |].
    - unfold known. rewrite map_map. apply map_id.
    - intros r R. rewrite increasing_repeat in R. unfold known in R. apply in_map_iff in R. destruct R as [x [<- X]].
      apply repeat_spec in X. subst x. exact L. }
  repeat split.
  - apply K. unfold M. nia.
  - apply K. unfold M'. nia.
  - apply queue_safe, known_no_longer.
  - apply queue_safe, known_no_longer.
  - rewrite EI. apply batches_optimally_packed; [exact b1 | lia |]. unfold M. intros. lia.
  - rewrite EI'. apply batches_optimally_packed; [exact b1 | lia |]. unfold M'. intros. lia.
  - apply both_rising; apply queue_in_order, known_no_longer.
  - pose proof (total_of_batches b B (c * (B - 1)) 0) as T. rewrite <- EI in T.
    pose proof (total_of_batches b (B - 1) (c * B) 0) as T'.
    rewrite <- EI' in T'. unfold M, M'. clear - T T' s1 b1 B2 C. destruct B as [| [| d]]; try lia.
    replace (S (S d) - 1) with (S d) in * by lia. set (x := TEL I) in *. set (y := TEL I') in *. clearbody x y.
    assert (X : 2 * x = S (S d) * (c * S d) * (b * (c * S d + 1))) by (clear - T; lia).
    assert (Y : 2 * y = S d * (c * S (S d)) * (b * (c * S (S d) + 1))) by (clear - T'; lia). clear T T'.
    assert (Z : 1 <= c) by (destruct c; lia).
    assert (E : S (S d) * (s + b) * (c * S d + 1) < (S d * (s + b) + s) * (c * S (S d) + 1)) by (clear - C; lia).
    assert (P : 1 <= S d * (c * S (S d)) * b) by (repeat apply pos; lia).
    set (G := S d * (c * S (S d)) * b) in *.
    assert (X' : 2 * x = G * (c * S d + 1)) by (unfold G; lia).
      assert (Y' : 2 * y = G * (c * S (S d) + 1)) by (unfold G; lia).
    clearbody G. clear X Y C. apply (Nat.mul_lt_mono_pos_l G) in E; [| lia]. lia.
Qed.

(* Requests of length 1, two at a time or one. *)
(* Theorem "half the memory": \mathrm{TEL}(I') > \mathrm{TEL}(I)/\beta\text{ for all }h, s \ge 1
   Reading: 2h requests with o = 1, M = 2(s+1), βM = M − 1: two at a time, or one *)
Corollary half_the_memory : forall s h, 1 <= s -> 1 <= h ->
  let M := 2 * (s + 1) in let beta_M := M - 1 in let o := repeat 1 (2 * h) in
  let I := h_sf s M o in let I' := h_sf s beta_M o in
  map Process.o I = o /\ map Process.o I' = o /\ feasible s M I /\ feasible s beta_M I' /\ optimally_packed s M I /\
  optimally_packed s beta_M I' /\ corresponds I I' /\ M * TEL I < beta_M * TEL I'.
Proof.
  intros s h s1 h1. pose proof (prop_memory_family s 1 2 h s1 (le_n 1) (le_n 2) ltac:(nia)) as P. cbv zeta in *.
  replace ((2 - 1) * (s + 1) + s) with (2 * (s + 1) - 1) in P by lia. replace (h * (2 - 1) * 2) with (2 * h) in P by lia. exact P.
Qed.

(* ---- lem-max-random: one start every d instants
   ------------------------------------------------------------------------ *)

(* Requests of length b, counted up to A: one starts as soon as the last has run for d instants, and not before. *)
Section Spaced.
Variables (s A b d M : nat).
Context (d1 : 1 <= d) (db : d <= b) (bd : b <= 2 * d) (bA : b <= A) (alone : s + A <= M).
Context (early : M + d < 2 * (s + A) + 1) (late : d = b \/ 2 * (s + A) <= M + d).

Let job t := Job (Run t b) A.
Fixpoint spaced n T := match n with 0 => [] | S n => Run T b :: spaced n (T + d) end.

Definition at_most_one T g := g = [] \/ exists g', g = job (T - d) :: g' /\ d <= T /\ over T g'.

Lemma running_at T g : at_most_one T g -> running T g = [] \/ (running T g = [job (T - d)] /\ d < b /\ d <= T).
Proof.
  intros [-> | [g' [-> [D H]]]]; [now left |]. unfold running. cbn [filter]. fold (running T g').
    rewrite (none_running T g' H).
  unfold completion. cbn [real p o job]. destruct (Nat.ltb_spec T (T - d + b)); [right; split;
    [reflexivity | lia] | now left].
Qed.

Lemma first_fits T g : at_most_one T g -> fits s M (map projected (job T :: running T g)) = true.
Proof.
  intros H. apply fits_always. intros t. destruct (running_at T g H) as [-> | [-> [D E]]]; unfold tokens; cbn [map sum];
    unfold held, projected; cbn [real p o L job]; cases.
Qed.

Lemma next_waits T t g : T <= t < T + d -> In (job T) (running t g) ->
  fits s M (map projected (job t :: running t g)) = false.
Proof.
  intros K H. apply not_true_iff_false. intros F. apply fits_always in F. specialize (F (T + A)). revert F.
  assert (X : held s (projected (job T)) (T + A) = s + A) by (unfold held, projected; cbn [real p o L job]; cases).
  assert (Y : held s (projected (job t)) (T + A) = s + (T + A - t)) by (unfold held, projected; cbn [real p o L job]; cases).
  apply in_split in H. destruct H as [x [y ->]]. unfold tokens. cbn [map sum]. rewrite map_app, sum_app. cbn [map sum].
  rewrite X, Y. lia.
Qed.

Lemma runs_on T t g : T <= t < T + d -> In (job T) (running t (job T :: g)).
Proof. intros K. unfold running. apply filter_In. split; [now left |]. apply Nat.ltb_lt. cbn. unfold completion. cbn.
  lia. Qed.

Lemma one_starts T g n : at_most_one T g -> admission s M T (repeat (A, b) (S n)) g = (repeat (A, b) n, job T :: g).
Proof.
  intros H. cbn [repeat admission]. fold (job T). rewrite (first_fits T g H). destruct n as [| n]; [reflexivity |].
  cbn [repeat admission]. fold (job T). now rewrite (next_waits T T) by (lia || (apply runs_on; lia)).
Qed.

Lemma waits T g n : forall e f, e < d ->
  rounds s M (e + f) (T + d - e) (repeat (A, b) (S n)) (job T :: g) = rounds s M f (T + d) (repeat (A, b) (S n)) (job T
    :: g).
Proof.
  induction e as [| e J]; intros f K; [now rewrite Nat.sub_0_r |]. cbn [Nat.add rounds]. cbn [repeat admission].
    fold (job (T + d - S e)).
  rewrite (next_waits T) by (lia || (apply runs_on; lia)). replace (S (T + d - S e)) with (T + d - e) by lia. apply J. lia.
Qed.

Lemma in_spaced_rounds : forall n T g f, at_most_one T g ->
  rev (map real (rounds s M (n * d + f) T (repeat (A, b) n) g)) = rev (map real g) ++ spaced n T.
Proof.
  induction n as [| n J]; intros T g f H; [cbn; destruct f; cbn; now rewrite app_nil_r |]. cbn [spaced].
  replace (S n * d + f) with (S (d - 1 + (n * d + f))) by lia. cbn [rounds]. rewrite (one_starts T g n H).
  destruct n as [| n]; [reflexivity |]. cbn [repeat]. change ((A, b) :: repeat (A, b) n) with (repeat (A, b) (S n)).
  replace (S T) with (T + d - (d - 1)) by lia. rewrite waits by lia. rewrite J.
  - cbn [map rev]. now rewrite <- app_assoc.
  - right. exists g. split; [f_equal; unfold job; f_equal; f_equal; lia |]. split; [lia |]. intros j Hj.
    destruct H as [-> | [g' [-> [D O]]]]; [contradiction |].
      destruct Hj as [<- | Hj]; [cbn; unfold completion; cbn; lia | specialize (O j Hj); lia].
Qed.

Lemma queue_spaced n : queue s M (repeat (A, b) n) = spaced n 0.
Proof.
  unfold queue. rewrite sum_repeat. cbn [fst]. replace (S (n * A)) with (n * d + (S (n * A) - n * d)) by nia.
  rewrite in_spaced_rounds; [reflexivity | now left].
Qed.
End Spaced.

Lemma total_spaced b d : forall n T, 2 * TEL (spaced b d n T) + n * d = n * (2 * (T + b) + n * d).
Proof.
  induction n as [| n J]; intros T; [cbn; lia |]. cbn [spaced]. specialize (J (T + d)). unfold TEL in *. cbn [sum].
    unfold completion at 1.
  cbn [p o]. nia.
Qed.

(* s = 1, u = 2 l, l = 2 h: at A_max's memory 6 h + 2 one request starts every l instants, at A_random's 3 h + 1 one every
   h + 1. So for every n >= 2 and every order A_max's total is larger, and the quotient tends to 2 h/(h + 1) as n grows.
   By rounding: two requests never fit into M as A_max counts them. *)
Theorem max_random_family : forall h n order, 2 <= h -> 2 <= n ->
  let l := 2 * h in let u := 4 * h in let alpha_M := 3 * h + 1 in let M := 6 * h + 2 in Permutation (repeat l n) order ->
  alpha_M * u = l * M /\
  2 * TEL (a_random 1 alpha_M order) = n * (2 * l + (n - 1) * (h + 1)) /\
    2 * TEL (a_max 1 u M order) = n * (2 * l + (n - 1) * l) /\
  TEL (a_random 1 alpha_M order) < TEL (a_max 1 u M order).
Proof.
  intros h n order h2 n2 l u m M P. apply Permutation_sym, Permutation_repeat in P. subst order.
  assert (R : a_random 1 m (repeat l n) = spaced l (h + 1) n 0).
  { unfold a_random, known. rewrite map_of_repeat. apply queue_spaced; unfold l, m; lia. }
  assert (X : a_max 1 u M (repeat l n) = spaced l l n 0).
  { unfold a_max. rewrite map_of_repeat. apply queue_spaced; unfold l, u, M; lia. }
  pose proof (total_spaced l (h + 1) n 0) as TR. pose proof (total_spaced l l n 0) as TX. rewrite <- R in TR.
    rewrite <- X in TX.
  destruct n as [| n]; [lia |]. replace (S n - 1) with n by lia. split; [unfold m, u, l, M; lia |].
  assert (ER : 2 * TEL (a_random 1 m (repeat l (S n))) = S n * (2 * l + n * (h + 1))) by (clear - TR; nia).
  assert (EX : 2 * TEL (a_max 1 u M (repeat l (S n))) = S n * (2 * l + n * l)) by (clear - TX; nia).
  split; [exact ER | split; [exact EX |]]. assert (n * (h + 1) < n * l) by (unfold l; nia). clear - ER EX H. nia.
Qed.
