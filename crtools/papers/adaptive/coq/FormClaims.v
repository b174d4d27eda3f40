(* What claims say of the forms, at the numbers of a witness or for all: each statement stands for a finding of the ledger. *)
From Crtools Require Import Prelude Forms Suprema Logarithms TwoLengths LinearGeometric Geometric.

(* ---- A_max: the lower bound that is claimed ------------------------------------------------------------------------- *)

Lemma a_max_below : forall s r, (s <= 1)%nat -> max_supremum (INR s) 1 2 = (INR s + 2) / (2 * (INR s + 1)) * (1 + sqrt r) ->
  0 <= r < 2 -> let alpha := INR 1 / INR 2 in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) 1 2 x <= K * form (B (INR s)) 1 2 x.
Proof.
  intros n r N E Q alpha. exists (max_supremum (INR n) 1 2). split; [| intros x; apply a_max_supremum; [apply pos_INR | lia]].
  pose proof (pos_INR n). apply le_INR in N. cbn in N. revert E N H. generalize (INR n). intros s E N H. rewrite E.
  unfold alpha. cbn [INR]. replace (1 / (1 + 1)) with (/ 2) by field.
  rewrite sqrt_inv by lra. pose proof (sqrt_lt_1_alt r 2 ltac:(lra)) as L. pose proof (sqrt_pos r) as P.
  apply Rle_lt_trans with (1 * (1 + sqrt r)).
  - apply Rmult_le_compat_r; [lra |]. apply (Rmult_le_reg_r (2 * (s + 1))); [lra |]. field_simplify; lra.
  - replace ((1 + 1 / / sqrt 2) / (2 * / 2)) with (1 + sqrt 2); [lra |]. field. pose proof (sqrt_lt_R0 2). lra.
Qed.

(* On [1, 2] the supremum of A_max's ratio is below the bound. *)
(* Finding "bound-at-zero" of "thm-amax-lower", refuted at form-at-zero: $CR(A_max)$ is at least the bound, of the
   form at $s = 0$
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower_at_zero : (let s := 0 in let l := 1 in let u := 2 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) l u x <= K * form (B (INR s)) l u x)%R)%nat.
Proof.
  apply (a_max_below 0 (4 / 3)); [lia | | lra]. unfold max_supremum. rewrite Sum_one. cbn [INR].
  replace (1 + (0 + 1) / 1 * / (0 + 2 * (1 + 1) - 1)) with (4 / 3) by field. field.
Qed.

(* Finding "bound-of-form" of "thm-amax-lower", refuted at form: $CR(A_max)$ is at least the bound, of the form for
   every $s$
   Given: bound = (1+1/sqrt(alpha))/(2*alpha); mix = sqrt(alpha); display = (1+1/sqrt(alpha))/(2*alpha) *)
Theorem a_max_lower : (let s := 1 in let l := 1 in let u := 2 in
  (let alpha := INR l / INR u in
  exists K, K < (1 + 1 / sqrt alpha) / (2 * alpha) /\ forall x, a_max (INR s) l u x <= K * form (B (INR s)) l u x)%R)%nat.
Proof.
  apply (a_max_below 1 (3 / 2)); [lia | | lra]. unfold max_supremum. rewrite Sum_one. cbn [INR].
  replace (1 + (1 + 1) / 1 * / (1 + 2 * (1 + 1) - 1)) with (3 / 2) by field. field.
Qed.

(* ---- two lengths ---------------------------------------------------------------------------------------------------- *)

(* Finding "a-min-bound" of "thm-two-point", refuted at form: on ${ℓ, u}$: $CR(A_min) ≤ (3-alpha)/2$
   Given: bound = (3-alpha)/2; num = l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y; den =
   l**2*x**2+2*l**2*x*y+u**2*y**2; ratio = 1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1) *)
Theorem two_point_bound_fails : let s := 1 in let l := 1 in let u := 3 in let x_l := 2 in let x_u := 1 in
  let alpha := l / u in
  0 < on_two (b s) l u x_l x_u /\ (3 - alpha) / 2 * on_two (b s) l u x_l x_u < on_two (a s) l u x_l x_u.
Proof. cbv zeta. unfold on_two, a, b. lra. Qed.

(* Finding "two-point" of "uniform-bounds", refuted at form: under two-point laws $CR(A_min)$ is at most $1.5$,
   uniformly
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem two_point_uniform_fails : let s := 1 in let l := 1 in let u := 6 in let x_l := 5 in let x_u := 1 in
  0 < on_two (b s) l u x_l x_u /\ 15 / 10 * on_two (b s) l u x_l x_u < on_two (a s) l u x_l x_u.
Proof. cbv zeta. unfold on_two, a, b. lra. Qed.

(* Finding "bound" of "thm-aell", refuted at form: on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+alpha/(2*(1-alpha))$ for $α ≤ ½$,
   $1+2*alpha**2$ above
   Given: bound_low = 1+alpha/(2*(1-alpha)); bound_high = 1+2*alpha**2; display_1_left =
   l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y; display_1_right = u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2);
   display_2 = u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2); display_3 =
   1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2); premise = 2*alpha*(1+alpha)*t *)
Theorem a_ell_bound_fails : let s := 1 in let l := 1 in let u := 2 in let x_l := 1 in let x_u := 2 in
  let alpha := l / u in let bound_low := 1 + alpha / (2 * (1 - alpha)) in let bound_high := 1 + 2 * alpha ^ 2 in
  alpha = 1 / 2 /\ 0 < on_two (b s) l u x_l x_u /\
  bound_low * on_two (b s) l u x_l x_u < a_ell s l u x_l x_u /\ bound_high * on_two (b s) l u x_l x_u < a_ell s l u x_l x_u.
Proof. cbv zeta. unfold on_two, a_ell, b. lra. Qed.

(* A_l's bound is the smaller one exactly below (3 - sqrt 5)/2. *)
(* Finding "smaller-exactly-below" of "switch", proved at form-at-zero: $A_ℓ$'s bound is the smaller one exactly for
   $α < (3-sqrt(5))/2$
   Given: threshold = (3-sqrt(5))/2; a_min_bound = (3-alpha)/2; bound_low = 1+alpha/(2*(1-alpha)); bound_high =
   1+2*alpha**2 *)
Theorem smaller_exactly_below : forall alpha, 0 < alpha < 1 ->
  let a_min_bound := (3 - alpha) / 2 in
  let bound_low := 1 + alpha / (2 * (1 - alpha)) in let bound_high := 1 + 2 * alpha ^ 2 in
  (alpha <= 1 / 2 -> (bound_low < a_min_bound <-> alpha < (3 - sqrt 5) / 2)) /\
  (1 / 2 <= alpha -> (bound_high < a_min_bound <-> alpha < (3 - sqrt 5) / 2)).
Proof.
  intros t H m bl bh. unfold m, bl, bh. pose proof (sqrt_sqrt 5 ltac:(lra)) as Q. pose proof (sqrt_pos 5) as P.
  set (r := sqrt 5) in *. clearbody r. assert (2 < r < 3) as R by (split; apply Rnot_le_lt; intros L; nra).
  split; intros C.
  - assert (1 + t / (2 * (1 - t)) < (3 - t) / 2 <-> 0 < t ^ 2 - 3 * t + 1) as ->.
    { replace ((3 - t) / 2) with (1 + t / (2 * (1 - t)) + (t ^ 2 - 3 * t + 1) / (2 * (1 - t))) by (field; lra). split; intros G.
      - apply (Rmult_lt_reg_r (/ (2 * (1 - t)))); [apply Rinv_0_lt_compat; lra | unfold Rdiv in G; lra].
      - assert (0 < (t ^ 2 - 3 * t + 1) / (2 * (1 - t))) by (apply Rdiv_lt_0_compat; lra). lra. }
    replace (t ^ 2 - 3 * t + 1) with (((3 - r) / 2 - t) * ((3 + r) / 2 - t)) by nra. split; intros G.
    + apply Rnot_le_lt. intros L. assert (0 <= (t - (3 - r) / 2) * ((3 + r) / 2 - t)) by (apply Rmult_le_pos; lra). lra.
    + apply Rmult_lt_0_compat; lra.
  - split; intros G; [exfalso | lra]. assert (1 / 2 * (1 / 2) <= t * t) by (apply Rmult_le_compat; lra). lra.
Qed.

(* ---- the geometric laws at s = 0 ------------------------------------------------------------------------------------ *)

(* CR(A_min) is r under the law whose weights on the lengths k = 1, 2, ... are in proportion to x k: both forms' sums
   converge, and r is the quotient of what they tend to. *)
Definition CR (s : R) (x : nat -> R) (r : R) : Prop := exists a_min h_sf, Un_cv (fun u => form (A s) 1 u x) a_min /\
  Un_cv (fun u => form (B s) 1 u x) h_sf /\ 0 < h_sf /\ a_min / h_sf = r.

Lemma logarithm_of_2 : 83 / 120 <= ln 2.
Proof.
  replace 2 with (8 / 7 * (8 / 7 * (8 / 7 * (8 / 7 * (8 / 7 * (16807 / 16384)))))) by field.
  rewrite !ln_mult by lra. pose proof (ln_above (8 / 7) ltac:(lra)). pose proof (ln_above (16807 / 16384) ltac:(lra)). lra.
Qed.

(* Under G(p) the weights are q^k. *)
(* Finding "bound" of "geometric", proved at form-at-zero: $CR(A_min)$ under $G(p)$ is at most $1.7$
   Given: bound = 1.7; direction = increases *)
(* Finding "monotone" of "geometric", proved at form-at-zero: it increases with $q$
   Given: bound = 1.7; direction = increases *)
Theorem geometric_at_zero :
  (forall q, 0 < q < 1 -> exists r, CR 0 (geometric q) r /\ r <= 17 / 10) /\
  (forall q q', 0 < q -> q < q' -> q' < 1 -> exists r r', CR 0 (geometric q) r /\ CR 0 (geometric q') r' /\ r < r').
Proof.
  split.
  - intros q H. exists (geometric_ratio q). split; [now apply geometric_closed_form |].
    pose proof (proj1 geometric_supremum q H). pose proof logarithm_of_2. lra.
  - intros q r Q H R. exists (geometric_ratio q), (geometric_ratio r).
    split; [apply geometric_closed_form; lra | split; [apply geometric_closed_form; lra | now apply geometric_increasing]].
Qed.

(* Under LG(p) they are k q^k. *)
(* Finding "closed-form" of "thm-lg", proved at form-at-zero: $CR(A_min)$ under $LG(p)$ is the closed form
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound = 14/9;
   weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "bound" of "thm-lg", proved at form-at-zero: it is at most $14/9$
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound = 14/9;
   weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "weaker-bound" of "thm-lg", proved at form-at-zero: it is at most $1.6$
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound = 14/9;
   weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
(* Finding "monotone" of "thm-lg", proved at form-at-zero: it increases with $q$
   Given: closed_form = (1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6); bound = 14/9;
   weaker_bound = 1.6; direction = increases; display_own = 2; display_tail = 1; display_denominator =
   (1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4); display_numerator =
   (1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2) *)
Theorem lg_at_zero :
  let closed_form q := (1 + q) ^ 2 * (1 + 3 * q + 6 * q ^ 2 + 3 * q ^ 3 + q ^ 4) /
    (1 + 2 * q + 11 * q ^ 2 + 8 * q ^ 3 + 11 * q ^ 4 + 2 * q ^ 5 + q ^ 6) in
  (forall q, 0 < q < 1 -> CR 0 (lg q) (closed_form q)) /\
  (forall q, 0 < q < 1 -> closed_form q <= 14 / 9) /\ (forall q, 0 < q < 1 -> closed_form q <= 16 / 10) /\
  (forall q q', 0 < q -> q < q' -> q' < 1 -> closed_form q < closed_form q').
Proof.
  intros c. assert (forall q, c q = lg_ratio q) as E by (intros q; unfold c, lg_ratio, Rdiv; f_equal; [ring | f_equal; ring]).
  clearbody c. split; [| split; [| split]].
  - intros q H. rewrite E. now apply linear_geometric.
  - intros q H. rewrite E. left. now apply linear_geometric_supremum.
  - intros q H. rewrite E. pose proof (proj1 linear_geometric_supremum q H). lra.
  - intros q r Q H R. rewrite !E. now apply linear_geometric_increasing.
Qed.

(* The mode of LG(1/20) is 1, and ln 20 is further away than 1. *)
(* Finding "near-the-mode" of "lg-mode", refuted at form-at-zero: the mode is within $1$ of $log(1/q)$
   Given: mode = log(1/q); within = 1 *)
Theorem lg_mode : let q := 1 / 20 in (forall k, (2 <= k)%nat -> lg q k < lg q 1) /\ 1 < Rabs (INR 1 - ln (1 / q)).
Proof.
  intros q. split.
  - intros k H. unfold lg, q. induction H as [| k H I]; [cbn; lra |]. cbn [pow]. rewrite S_INR.
    apply le_INR in H. cbn [INR] in *. pose proof (pow_lt (1 / 20) k ltac:(lra)) as P.
    assert ((INR k + 1) * (1 / 20 * (1 / 20) ^ k) <= INR k * (1 / 20) ^ k); [| lra].
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - replace (1 / q) with (2 * (2 * (2 * (5 / 2)))) by (unfold q; field). rewrite !ln_mult by lra. pose proof ln_2.
    pose proof (ln_above (5 / 2) ltac:(lra)). rewrite Rabs_left; cbn [INR]; lra.
Qed.

(* Finding "two-point" of "uniform-bounds", proved at form-at-zero: under two-point laws $CR(A_min)$ is at most
   $1.5$, uniformly
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
(* Finding "geometric" of "uniform-bounds", proved at form-at-zero: under geometric laws $CR(A_min)$ is at most
   $1.7$, uniformly
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
(* Finding "linear-geometric" of "uniform-bounds", proved at form-at-zero: under $LG$ laws $CR(A_min)$ is at most
   $1.56$, uniformly
   Given: two_point = 1.5; geometric = 1.7; linear_geometric = 1.56 *)
Theorem uniform_bounds_at_zero :
  (forall l u x y, 0 < l < u -> on_two (a 0) l u x y <= 15 / 10 * on_two (b 0) l u x y) /\
  (forall q, 0 < q < 1 -> exists r, CR 0 (geometric q) r /\ r <= 17 / 10) /\
  (forall q, 0 < q < 1 -> exists r, CR 0 (lg q) r /\ r <= 156 / 100).
Proof.
  split; [| split; [apply geometric_at_zero |]].
  - intros l u x y H. destruct (two_point_bound l u x y H) as [P _]. eapply Rle_trans; [exact P |].
    apply Rmult_le_compat_r.
    + replace (on_two (b 0) l u x y) with (l ^ 2 * (x + y) ^ 2 + (u - l) * (u + l) * y ^ 2) by (unfold on_two, b; ring).
      pose proof (pow2_ge_0 (x + y)). pose proof (pow2_ge_0 y). pose proof (pow2_ge_0 l).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption. apply Rmult_le_pos; lra.
    + assert (0 < l / u) by (apply Rdiv_lt_0_compat; lra). lra.
  - intros q H. exists (lg_ratio q). split; [now apply linear_geometric |].
    pose proof (proj1 linear_geometric_supremum q H). lra.
Qed.
