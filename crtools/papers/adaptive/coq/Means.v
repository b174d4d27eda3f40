(* Means over all orders of the requests, as sums over permutations: of A_random and A_max against every schedule, and of A_max
   in slots. *)
From Coq Require Import List Arith Lia Bool Sorting.Permutation.
From Crtools Require Import Process Volumes Starts.
Import ListNotations.

(* ---- sums over all orders ------------------------------------------------------------------------------------------- *)

(* All orders of a list, as often as positions can be exchanged: a mean over permutations is a sum over these. *)
Fixpoint everywhere {X} (x : X) l := match l with [] => [[x]] | y :: r => (x :: l) :: map (cons y) (everywhere x r) end.
Fixpoint orders {X} (l : list X) := match l with [] => [[]] | x :: r => flat_map (everywhere x) (orders r) end.

Lemma everywhere_permuted {X} (x : X) l : forall k, In k (everywhere x l) -> Permutation (x :: l) k.
Proof.
  induction l as [| y l H]; cbn; intros k K; [destruct K as [<- | []]; apply Permutation_refl |].
  destruct K as [<- | K]; [apply Permutation_refl |]. apply in_map_iff in K. destruct K as [m [<- M]]. apply H in M.
  apply perm_trans with (1 := perm_swap y x l). now constructor.
Qed.

Lemma orders_permuted {X} (l : list X) : forall k, In k (orders l) -> Permutation l k.
Proof.
  induction l as [| x l H]; cbn; intros k K; [destruct K as [<- | []]; constructor |]. apply in_flat_map in K.
  destruct K as [m [M K]]. apply perm_trans with (x :: m); [now constructor; apply H | now apply everywhere_permuted].
Qed.

(* The sum of what the first m have. *)
Definition first {X} (g : X -> nat) m l := sum g (firstn m l).

Lemma first_all {X} (g : X -> nat) m l : length l <= m -> first g m l = sum g l.
Proof. intros H. unfold first. now rewrite firstn_all2. Qed.

Lemma everywhere_lengths {X} (x : X) l : length (everywhere x l) = S (length l) /\
  forall k, In k (everywhere x l) -> length k = S (length l).
Proof.
  split; [induction l as [| y l H]; cbn; [reflexivity | now rewrite map_length, H] |].
  intros k K. apply everywhere_permuted, Permutation_length in K. now rewrite <- K.
Qed.

Lemma orders_lengths {X} (l : list X) k : In k (orders l) -> length k = length l.
Proof. intros K. now rewrite (Permutation_length (orders_permuted l k K)). Qed.

Lemma orders_number {X} (x : X) l : length (orders (x :: l)) = S (length l) * length (orders l).
Proof.
  cbn [orders]. assert (H : forall k, In k (orders l) -> length k = length l) by apply orders_lengths. revert H.
  generalize (orders l). intros ks H. induction ks as [| k ks J]; [cbn; lia |]. cbn [flat_map length].
  rewrite app_length, (proj1 (everywhere_lengths x k)), J, (H k (or_introl eq_refl)) by (intros i I; apply H; now right). lia.
Qed.

Lemma sum_flat_map {X Y} (f : Y -> nat) (g : X -> list Y) l : sum f (flat_map g l) = sum (fun x => sum f (g x)) l.
Proof. induction l; cbn; rewrite ?sum_app; lia. Qed.

(* x put everywhere into l: among the first m + 1 it stands m + 1 times, else the first m + 1 are those of l. *)
Lemma first_everywhere {X} (g : X -> nat) x : forall l m, m <= length l ->
  sum (first g (S m)) (everywhere x l) = S m * (g x + first g m l) + (length l - m) * first g (S m) l.
Proof.
  unfold first. induction l as [| y l H]; intros m M; cbn [length] in M.
  - replace m with 0 by lia. cbn. lia.
  - cbn [everywhere sum]. rewrite sum_map. cbn [firstn sum].
    rewrite sum_plus.
    replace (sum (fun _ => g y) (everywhere x l)) with (S (length l) * g y).
    2: now rewrite sum_const, (proj1 (everywhere_lengths x l)).
    destruct m as [| m].
    + cbn [firstn sum]. rewrite (sum_zero (fun k => 0)) by reflexivity. cbn [length]. lia.
    + rewrite H by lia. cbn [firstn sum length]. replace (S (length l) - S m) with (length l - m) by lia.
      replace (length l) with (m + (length l - m)) at 1 by lia. nia.
Qed.

(* Over all orders the first m have m of n parts. *)
Lemma first_mean {X} (g : X -> nat) x : forall l m, m <= S (length l) ->
  sum (first g m) (orders (x :: l)) = length (orders l) * m * sum g (x :: l).
Proof.
  intros l. revert x. induction l as [| y l H]; intros x m M.
  - cbn. unfold first. destruct m as [| [| m]]; cbn in *; lia.
  - destruct m as [| m].
    { rewrite sum_zero; [lia | reflexivity]. }
    change (orders (x :: y :: l)) with (flat_map (everywhere x) (orders (y :: l))). rewrite sum_flat_map.
    rewrite (sum_same _ (fun k => S m * (g x + first g m k) + (S (length l) - m) * first g (S m) k)).
    2: { intros k K. apply orders_lengths in K. cbn [length] in *. rewrite first_everywhere by lia. now rewrite K. }
    rewrite sum_plus, !sum_times, sum_plus.
    change (sum (fun k => first g m k)) with (sum (first g m)). rewrite H by (cbn in M; lia).
    rewrite sum_const, orders_number.
    destruct (le_lt_dec (S m) (S (length l))) as [Le | Gt].
    + rewrite H by exact Le. cbn [sum length]. generalize (g y + sum g l), (length (orders l)), (g x). intros Y D gx.
      replace (length l) with (m + (length l - m)) by lia. replace (S (m + (length l - m)) - m) with (S (length l - m)) by lia.
      ring.
    + replace (S (length l) - m) with 0 by lia. cbn [sum]. assert (m = S (length l)) as -> by (cbn in M; lia). lia.
Qed.

(* Each stands before each other in half of all orders. *)
Lemma before_mean {X} (g : X -> nat) os :
  2 * sum (fun k => sum (fun m => first g m k) (seq 0 (length os))) (orders os) =
  length (orders os) * ((length os - 1) * sum g os).
Proof.
  destruct os as [| x l]; [reflexivity |]. rewrite orders_number. cbn [length]. replace (S (length l) - 1) with (length l) by lia.
  assert (H : forall n, n <= S (length l) -> 2 * sum (fun k => sum (fun m => first g m k) (seq 0 n)) (orders (x :: l)) =
    length (orders l) * sum g (x :: l) * (n * (n - 1))).
  { induction n as [| n H]; intros N; [rewrite sum_zero; [lia | reflexivity] |].
    rewrite (sum_same _ (fun k => sum (fun m => first g m k) (seq 0 n) + first g n k)).
    - rewrite sum_plus, Nat.mul_add_distr_l, H by lia. change (sum (fun x0 => first g n x0)) with (sum (first g n)).
      rewrite first_mean by lia. destruct n; cbn [Nat.sub]; lia.
    - intros k _. rewrite seq_S, sum_app. cbn [sum Nat.add]. lia. }
  rewrite H by lia. replace (S (length l) - 1) with (length l) by lia. lia.
Qed.

(* ---- the queues' mean totals ---------------------------------------------------------------------------------------- *)

Lemma starts_summed c (f : run -> nat) : forall l, (forall l1 r l2, l = l1 ++ r :: l2 -> c * p r <= sum f l1) ->
  c * sum p l <= sum (fun m => first f m l) (seq 0 (length l)).
Proof.
  intros l. rewrite <- (rev_involutive l). induction (rev l) as [| r k J]; intros H; [cbn; lia |]. cbn [rev] in *.
  rewrite sum_app, app_length. cbn [sum length]. rewrite Nat.add_1_r, seq_S, sum_app. cbn [sum Nat.add].
  specialize (J (fun l1 x l2 E => H l1 x (l2 ++ [r]) ltac:(now rewrite E, <- app_assoc))).
  specialize (H (rev k) r [] eq_refl). unfold first in *. rewrite firstn_app, Nat.sub_diag, firstn_all, sum_app. cbn [firstn sum].
  rewrite (sum_same _ (fun m => sum f (firstn m (rev k)))); [lia |].
  intros m M. apply in_seq in M. rewrite firstn_app. replace (m - length (rev k)) with 0 by lia. now rewrite app_nil_r.
Qed.

Lemma first_lengths (w : nat -> nat) m l : first (fun x => w (o x)) m l = first w m (map o l).
Proof. unfold first. now rewrite firstn_map, sum_map. Qed.

Lemma total_in_two l : TEL l = sum p l + sum (fun b => b) (map o l).
Proof. unfold TEL, completion. now rewrite sum_plus, sum_map. Qed.

(* A queue whose starts obey (M - s - u) p_k <= the sum of w over the lengths before. *)
Lemma mean_by_starts c (w : nat -> nat) (q : list nat -> list run) os :
  (forall order, In order (orders os) -> map o (q order) = order /\
    forall l1 r l2, q order = l1 ++ r :: l2 -> c * p r <= sum (fun x => w (o x)) l1) ->
  2 * c * sum (fun order => TEL (q order)) (orders os) <=
  length (orders os) * ((length os - 1) * sum w os + 2 * c * sum (fun b => b) os).
Proof.
  intros H. rewrite <- sum_times.
  apply Nat.le_trans with (sum (fun order => 2 * sum (fun m => first w m order) (seq 0 (length os)) + 2 * c * sum (fun b => b) os) (orders os)).
  - apply sum_le. intros order K. destruct (H order K) as [E S].
    rewrite total_in_two, E, (sum_permuted _ _ _ (Permutation_sym (orders_permuted os order K))).
    apply starts_summed in S. rewrite <- (map_length o), E, (orders_lengths os order K) in S.
    rewrite (sum_same _ (fun m => first w m order)) in S by (intros m _; now rewrite first_lengths, E). lia.
  - rewrite sum_plus, sum_const, sum_times, before_mean. lia.
Qed.

Lemma of_order {X} (os order : list X) (P : X -> Prop) : In order (orders os) -> (forall b, In b os -> P b) -> forall b, In b order -> P b.
Proof. intros K H b B. apply H. apply (Permutation_in _ (Permutation_sym (orders_permuted os order K)) B). Qed.

Theorem a_random_mean : forall s u M os, (forall b, In b os -> b <= u) -> s + u <= M ->
  2 * (M - s - u) * sum (fun order => TEL (a_random s M order)) (orders os) <=
  length (orders os) * ((length os - 1) * sum (fun b => b * (s + b)) os + 2 * (M - s - u) * sum (fun b => b) os).
Proof.
  intros s u M os H K. apply mean_by_starts. intros order J. pose proof (of_order os order _ J H) as H'. split.
  - now apply (a_random_all s u).
  - now apply starts_of_a_random.
Qed.

Theorem a_max_mean : forall s u M os, (forall b, In b os -> b <= u) -> s + u <= M ->
  2 * (M - s - u) * sum (fun order => TEL (a_max s u M order)) (orders os) <=
  length (orders os) * ((length os - 1) * sum (fun b => b * (s + u)) os + 2 * (M - s - u) * sum (fun b => b) os).
Proof.
  intros s u M os H K. apply (mean_by_starts (M - s - u) (fun b => b * (s + u))). intros order J.
  pose proof (of_order os order _ J H) as H'. split.
  - now apply (a_max_safe s u u M order H' (le_n u)).
  - now apply starts_of_a_max.
Qed.

(* ---- slots ---------------------------------------------------------------------------------------------------------- *)

Definition count t l := sum (fun x => if runs x t then 1 else 0) l.

(* While a request waits, M/(s + u) of those before it run. *)
Lemma slots_full s u M order : (forall b, In b order -> b <= u) -> forall l1 r l2, a_max s u M order = l1 ++ r :: l2 ->
  forall t, t < p r -> M / (s + u) <= count t l1.
Proof.
  intros H l1 r l2 E t T. destruct (Nat.eq_dec (s + u) 0) as [Z | Z]; [rewrite Z; cbn; lia |].
  assert (W : forall x, In x (map (fun b => (u, b)) order) -> fst x <= u /\ (fun _ : nat => u) (snd x) = fst x).
  { intros x X. apply in_map_iff in X. destruct X as [b [<- _]]. split; reflexivity. }
  pose proof (queue_full s M u (fun _ => u) _ (longest_no_longer u order H) W l1 r l2 E t T) as F.
  rewrite (sum_same _ (fun x => (s + u) * (if runs x t then 1 else 0))) in F by (intros x _; destruct (runs x t); lia).
  rewrite sum_times in F. fold (count t l1) in F. apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia.
Qed.

Lemma count_by T l : sum (fun t => count t l) (seq 0 T) <= sum o l.
Proof.
  unfold count. rewrite (sum_of_sums (fun x t => if runs x t then 1 else 0)). apply sum_le. intros x _. apply (run_for (p x) (o x)).
Qed.

Lemma count_most t l : count t l <= length l.
Proof. unfold count. induction l as [| x l H]; cbn; [lia |]. destruct (runs x t); lia. Qed.

(* Those of l that start after t. *)
Definition wait_at t l := sum (fun x => if t <? p x then 1 else 0) l.

Lemma first_waiting t l : wait_at t l = 0 \/ exists a r b, l = a ++ r :: b /\ t < p r /\ wait_at t l <= S (length b).
Proof.
  unfold wait_at. induction l as [| x l H]; [now left |]. cbn [sum]. destruct (Nat.ltb_spec t (p x)) as [X | X].
  - right. exists [], x, l. split; [reflexivity | split; [exact X |]]. clear. enough (sum (fun x => if t <? p x then 1 else 0) l <= length l) by lia.
    induction l as [| y l H]; cbn [sum length]; [lia |]. destruct (t <? p y); lia.
  - destruct H as [H | [a [r [b [-> [R W]]]]]]; [left; lia | right]. exists (x :: a), r, b. repeat split; [exact R | lia].
Qed.

Lemma wait_sum T l : (forall x, In x l -> p x <= T) -> sum (fun t => wait_at t l) (seq 0 T) = sum p l.
Proof.
  intros H. unfold wait_at. rewrite (sum_of_sums (fun x t => if t <? p x then 1 else 0)). apply sum_same. intros x X. apply H in X.
  enough (G : forall n, sum (fun t => if t <? p x then 1 else 0) (seq 0 n) = Nat.min n (p x)) by (rewrite G; lia).
  induction n as [| n J]; [reflexivity |]. rewrite seq_S, sum_app, J. cbn [sum Nat.add]. cases.
Qed.

(* At most N requests that stand together start, on average, no later than the sum of the lengths before them, over N. *)
Lemma slots_block N l1 l2 l3 : (forall a r b, l1 ++ l2 ++ l3 = a ++ r :: b -> forall t, t < p r -> N <= count t a) ->
  length l2 <= N -> N * sum p l2 <= length l2 * sum o l1.
Proof.
  intros F H. assert (B : exists T, forall x, In x l2 -> p x <= T).
  { clear. induction l2 as [| y l [T H]]; [exists 0; now intros |]. exists (p y + T). intros x [<- | X]; [lia | apply H in X; lia]. }
  destruct B as [T B]. rewrite <- (wait_sum T l2 B), <- sum_times.
  apply Nat.le_trans with (sum (fun t => length l2 * count t l1) (seq 0 T)).
  - apply sum_le. intros t _. destruct (first_waiting t l2) as [-> | [a [r [b [-> [R W]]]]]]; [lia |].
    specialize (F (l1 ++ a) r (b ++ l3) ltac:(rewrite <- !app_assoc; reflexivity) t R).
    unfold count in F. rewrite sum_app in F. fold (count t l1) in F. fold (count t a) in F. pose proof (count_most t a).
    rewrite app_length in *. cbn [length] in *. set (w := wait_at _ _) in *. clearbody w. set (c := count t l1) in *. clearbody c.
    set (i := length a) in *. set (j := length b) in *. clearbody i j. assert (G : N <= c + i) by lia. clear - G W H.
    apply Nat.le_trans with (N * S j); [now apply Nat.mul_le_mono_l |].
    apply Nat.le_trans with ((i + S j) * (N - i)); [| apply Nat.mul_le_mono_l; lia].
    replace N with (i + S j + (N - (i + S j))) by lia. generalize (N - (i + S j)). intros d.
    replace (i + S j + d - i) with (S j + d) by lia. nia.
  - rewrite sum_times. apply Nat.mul_le_mono_l, count_by.
Qed.

Lemma firstn_more {X} a c : forall l : list X, firstn (a + c) l = firstn a l ++ firstn c (skipn a l).
Proof. induction a as [| a H]; intros l; [reflexivity |]. destruct l as [| x l]; [now destruct c | cbn; now rewrite H]. Qed.

(* ⌈(k + 1)/N⌉ = k/N + 1 for k = 0, ..., n - 1, and the mean length is the sum of all lengths over n. *)
(* Theorem "A_max in slots": \mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \bar m \sum_{k=1}^{n} \lceil k/N \rceil,\quad N = \lfloor
   M/(s+u) \rfloor
   Reading: every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M ≥ s + u; E over the permutation *)
Theorem a_max_in_slots : forall s u M os, 1 <= u -> (forall b, In b os -> b <= u) -> s + u <= M ->
  let N := M / (s + u) in let n := length os in
  n * sum (fun order => TEL (a_max s u M order)) (orders os) <=
  length (orders os) * (sum (fun b => b) os * sum (fun k => k / N + 1) (seq 0 n)).
Proof.
  intros s u M os u1 H K N n. assert (N1 : 1 <= N) by (apply Nat.div_le_lower_bound; lia).
  destruct os as [| x l]; [cbn; lia |]. set (q := a_max s u M). set (D := length (orders l)). set (S_ := sum (fun b => b) (x :: l)).
  assert (Q : forall order, In order (orders (x :: l)) -> map o (q order) = order /\ length (q order) = n /\
    forall a r b, q order = a ++ r :: b -> forall t, t < p r -> N <= count t a).
  { intros order J. pose proof (of_order _ order _ J H) as H'. assert (E : map o (q order) = order) by (now apply (a_max_safe s u u M order H' (le_n u))).
    split; [exact E | split; [rewrite <- (map_length o), E; apply (orders_lengths _ _ J) | now apply slots_full]]. }
  assert (G : forall b, sum (fun order => sum p (firstn (b * N) (q order))) (orders (x :: l)) <=
    D * (S_ * sum (fun k => k / N) (seq 0 (Nat.min (b * N) n)))).
  { induction b as [| b G]; [rewrite sum_zero; [lia | reflexivity] |].
    replace (S b * N) with (b * N + N) by lia.
    rewrite (sum_same _ (fun order => sum p (firstn (b * N) (q order)) + sum p (firstn N (skipn (b * N) (q order)))))
      by (intros order _; now rewrite firstn_more, sum_app).
    rewrite sum_plus. set (f := Nat.min N (n - b * N)).
    assert (E : Nat.min (b * N + N) n = Nat.min (b * N) n + f) by (unfold f; lia). rewrite E, seq_app, sum_app. cbn [Nat.add].
    replace (sum (fun k => k / N) (seq (Nat.min (b * N) n) f)) with (f * b).
    2: { rewrite (sum_same _ (fun _ => b)); [now rewrite sum_const, seq_length |]. intros k J. apply in_seq in J.
      symmetry. apply (Nat.div_unique k N b (k - b * N)); unfold f in J; nia. }
    enough (sum (fun order => sum p (firstn N (skipn (b * N) (q order)))) (orders (x :: l)) <= D * (S_ * (f * b))) by lia.
    apply (Nat.mul_le_mono_pos_l _ _ N); [lia |]. rewrite <- sum_times.
    apply Nat.le_trans with (sum (fun order => f * first (fun b => b) (b * N) order) (orders (x :: l))).
    - apply sum_le. intros order J. destruct (Q order J) as [E1 [E2 F]]. rewrite <- E1 at 2. rewrite <- (first_lengths (fun b => b)).
      pose proof (slots_block N (firstn (b * N) (q order)) (firstn N (skipn (b * N) (q order))) (skipn N (skipn (b * N) (q order)))) as B.
      rewrite !firstn_skipn in B. specialize (B F). rewrite firstn_length, skipn_length, E2 in B. apply B. lia.
    - rewrite sum_times. destruct (le_lt_dec (b * N) n) as [Le | Gt].
      + unfold n in Le. cbn [length] in Le. change (sum (fun x0 => first (fun b0 => b0) (b * N) x0)) with (sum (first (fun b0 : nat => b0) (b * N))).
        rewrite first_mean by exact Le. fold D S_. clear. lia.
      + replace f with 0 by (unfold f; lia). lia. }
  specialize (G n). rewrite Nat.min_r in G by nia.
  rewrite (sum_same (fun order => TEL (a_max s u M order)) (fun order => sum p (firstn (n * N) (q order)) + S_)).
  2: { intros order J. destruct (Q order J) as [E1 [E2 _]]. fold (q order).
    rewrite total_in_two, E1, firstn_all2 by (rewrite E2; nia). f_equal. apply (sum_permuted _ _ _ (Permutation_sym (orders_permuted _ _ J))). }
  rewrite !sum_plus, !sum_const, seq_length, orders_number. fold D. change (S (length l)) with n.
  apply (Nat.mul_le_mono_l _ _ n) in G. lia.
Qed.

(* ---- list scheduling ------------------------------------------------------------------------------------------------ *)

(* In the order of the queue each job goes to the machine that is free first; loads: when each machine is, sorted. *)
Fixpoint list_schedule loads jobs :=
  match jobs, loads with
  | b :: jobs, t :: rest => Run t b :: list_schedule (insert (t + b) rest) jobs
  | _, _ => []
  end.

Lemma insert_permuted x l : Permutation (x :: l) (insert x l).
Proof.
  induction l as [| y l H]; [apply Permutation_refl |]. cbn [insert]. destruct (x <? y)%nat; [apply Permutation_refl |].
  apply perm_trans with (1 := perm_swap y x l). now constructor.
Qed.

Lemma insert_sorted x l : sorted l -> sorted (insert x l).
Proof.
  induction 1 as [| y l A H J]; [constructor; [intros y [] | constructor] |]. cbn [insert]. destruct (Nat.ltb_spec x y) as [X | X].
  - constructor; [| now constructor]. intros z [<- | Z]; [lia |]. specialize (A z Z). lia.
  - constructor; [| exact J]. intros z Z. apply (Permutation_in _ (Permutation_sym (insert_permuted x l))) in Z.
    destruct Z as [<- | Z]; [exact X | now apply A].
Qed.

Lemma earlier_count t l q : Forall2 (fun a b => o a = o b /\ p a <= p b) l q -> (forall b, In b q -> p b <= t) -> count t l <= count t q.
Proof.
  unfold count. induction 1 as [| a b l q [E P] _ H]; intros B; [cbn; lia |]. cbn [sum]. specialize (H (fun x X => B x (or_intror X))).
  specialize (B b (or_introl eq_refl)). unfold runs at 1 3, completion. rewrite E. cases.
Qed.

Definition busy_machines t loads := sum (fun x => if t <? x then 1 else 0) loads.

Lemma list_scheduling_from N : 1 <= N -> forall jobs l1 l2 q loads,
  (forall a r b, l1 ++ l2 = a ++ r :: b -> forall t, t < p r -> N <= count t a) -> map o l2 = jobs ->
  length loads = N -> sorted loads -> Forall2 (fun a b => o a = o b /\ p a <= p b) l1 q ->
  (forall x t, In x q -> In t loads -> p x <= t) -> (forall t, count t q = busy_machines t loads) ->
  Forall2 (fun a b => o a = o b /\ p a <= p b) l2 (list_schedule loads jobs).
Proof.
  intros N1. induction jobs as [| b jobs J]; intros l1 l2 q loads F E Len S Q B C.
  { apply map_eq_nil in E. subst l2. destruct loads; constructor. }
  destruct l2 as [| r l2]; [discriminate |]. injection E as Eb E. destruct loads as [| t rest]; [cbn in Len; lia |].
  inversion S as [| ? ? A S']; subst. cbn [list_schedule length] in *.
  assert (P : p r <= t).
  { apply Nat.nlt_ge. intros X. specialize (F l1 r l2 eq_refl t X).
    pose proof (earlier_count t l1 q Q (fun x I => B x t I (or_introl eq_refl))) as K. rewrite C in K. unfold busy_machines in K.
    cbn [sum] in K. rewrite Nat.ltb_irrefl in K. enough (sum (fun x => if t <? x then 1 else 0) rest <= length rest) by lia.
    clear. induction rest as [| y rest H]; cbn [sum length]; [lia |]. destruct (t <? y); lia. }
  constructor; [split; [reflexivity | exact P] |]. apply (J (l1 ++ [r]) l2 (q ++ [Run t (o r)])).
  - intros a x c X. rewrite <- app_assoc in X. now apply (F a x c).
  - reflexivity.
  - rewrite <- (Permutation_length (insert_permuted (t + o r) rest)). reflexivity.
  - now apply insert_sorted.
  - apply Forall2_app; [exact Q | constructor; [split; [reflexivity | exact P] | constructor]].
  - intros x t' X T. apply (Permutation_in _ (Permutation_sym (insert_permuted (t + o r) rest))) in T.
    assert (p x <= t) by (apply in_app_or in X; destruct X as [X | [<- | []]]; [apply (B x t X); now left | cbn; lia]).
    destruct T as [<- | T]; [lia | specialize (A t' T); lia].
  - intros t'. specialize (C t'). unfold count, busy_machines in *. rewrite sum_app, C.
    rewrite <- (sum_permuted _ _ _ (insert_permuted (t + o r) rest)). cbn [sum]. unfold runs, completion. cbn [p o]. cases.
Qed.

(* A_max starts no request later than list scheduling in the order of the queue on M/(s + u) machines. *)
Theorem list_scheduling : forall s u M order, 1 <= u -> (forall b, In b order -> b <= u) -> s + u <= M ->
  Forall2 (fun a b => o a = o b /\ p a <= p b) (a_max s u M order) (list_schedule (repeat 0 (M / (s + u))) order).
Proof.
  intros s u M order u1 H K. assert (N1 : 1 <= M / (s + u)) by (apply Nat.div_le_lower_bound; lia).
  apply (list_scheduling_from _ N1 order [] (a_max s u M order) []).
  - intros a r b E. now apply (slots_full s u M order H a r b).
  - now apply (a_max_safe s u u M order H (le_n u)).
  - apply repeat_length.
  - clear. induction (M / (s + u)) as [| n H]; constructor; [intros y Y; lia | exact H].
  - constructor.
  - intros x t [].
  - intros t. unfold count, busy_machines. cbn [sum]. symmetry. apply sum_zero. intros x X. apply repeat_spec in X. subst x. reflexivity.
Qed.
