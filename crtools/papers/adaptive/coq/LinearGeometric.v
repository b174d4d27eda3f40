(* The linear geometric law, with weights k q^k: the sums of both forms at s = 0, their limits, and the ratio's supremum. *)
From Crtools Require Import Prelude Forms Suprema.

Definition lg (q : R) (k : nat) : R := INR k * q ^ k.

(* ---- sums of powers --------------------------------------------------------------------------------------------- *)

Ltac power_sum n :=
  induction n as [| n I]; [rewrite Sum_empty by lia; cbn [INR pow]; field; lra |];
  rewrite (Sum_last _ 1 n) by lia; rewrite I; cbn [pow]; rewrite S_INR; generalize (INR n); intro; field; lra.

Lemma sum_0 : forall q n, q <> 1 -> Sum (fun j => INR j ^ 0 * q ^ j) 1 n = q / (1 - q) - q ^ n * (q / (1 - q)).
Proof.
  intros q n H. induction n as [| n I]; [rewrite Sum_empty by lia; cbn [pow]; field; lra |].
  rewrite (Sum_last _ 1 n) by lia. rewrite I. cbn [pow]. field. lra.
Qed.

Lemma sum_1 : forall q n, q <> 1 -> Sum (fun j => INR j ^ 1 * q ^ j) 1 n =
  q/(q - 1)^2
  - q ^ n * (-q*(INR n*q - INR n - 1)/(q - 1)^2).
Proof. intros q n H. power_sum n. Qed.

Lemma sum_2 : forall q n, q <> 1 -> Sum (fun j => INR j ^ 2 * q ^ j) 1 n =
  -q*(q + 1)/(q - 1)^3
  - q ^ n * (-q*(INR n^2*q^2 - 2*INR n^2*q + INR n^2 - 2*INR n*q + 2*INR n + q + 1)/(q - 1)^3).
Proof. intros q n H. power_sum n. Qed.

Lemma sum_3 : forall q n, q <> 1 -> Sum (fun j => INR j ^ 3 * q ^ j) 1 n =
  q*(q^2 + 4*q + 1)/(q - 1)^4
  - q ^ n * (-q*(INR n^3*q^3 - 3*INR n^3*q^2 + 3*INR n^3*q - INR n^3 - 3*INR n^2*q^2 + 6*INR n^2*q - 3*INR n^2 + 3*INR
    n*q^2 - 3*INR n - q^2 - 4*q - 1)/(q - 1)^4).
Proof. intros q n H. power_sum n. Qed.

Lemma sum_4 : forall q n, q <> 1 -> Sum (fun j => INR j ^ 4 * q ^ j) 1 n =
  -q*(q + 1)*(q^2 + 10*q + 1)/(q - 1)^5
  - q ^ n * (-q*(INR n^4*q^4 - 4*INR n^4*q^3 + 6*INR n^4*q^2 - 4*INR n^4*q + INR n^4 - 4*INR n^3*q^3 + 12*INR n^3*q^2 -
    12*INR n^3*q + 4*INR n^3 + 6*INR n^2*q^3 - 6*INR n^2*q^2 - 6*INR n^2*q + 6*INR n^2 - 4*INR n*q^3 - 12*INR n*q^2 +
    12*INR n*q + 4*INR n + q^3 + 11*q^2 + 11*q + 1)/(q - 1)^5).
Proof. intros q n H. power_sum n. Qed.

Lemma form_last : forall f l u x, (l <= S u)%nat ->
  form (symmetric f) l (S u) x =
  form (symmetric f) l u x + f (INR (S u)) (INR (S u)) * x (S u) ^ 2 + 2 * x (S u) * Sum (fun j => f (INR j) (INR (S u))
    * x j) l u.
Proof.
  intros f l u x H. unfold form. rewrite (Sum_last _ l u (S u)) by lia. rewrite (Sum_last _ l u (S u)) by lia.
  rewrite (Sum_same (fun i => Sum (fun j => symmetric f i j * x i * x j) l (S u))
    (fun i => Sum (fun j => symmetric f i j * x i * x j) l u + x (S u) * (f (INR i) (INR (S u)) * x i)) l u).
  - rewrite (Sum_same (fun j => symmetric f (S u) j * x (S u) * x j) (fun j => x (S u) * (f (INR j) (INR (S u)) * x j)) l u).
    + rewrite Sum_plus, !Sum_times, symmetric_le by lia. ring.
    + intros j J. rewrite symmetric_ge by lia. ring.
  - intros i I. rewrite (Sum_last _ l u) by lia. rewrite symmetric_le by lia. ring.
Qed.

(* What length n + 1 has with the shorter ones, from the moments of any weights x. *)
Lemma a_min_column : forall s x n, 0 <= s -> let N := INR n + 1 in let m d := Sum (fun j => INR j ^ d * x j) 1 n in
  Sum (fun j => a s (INR j) (INR (S n)) * x j) 1 n =
  (s * N * (N + s) * m 0%nat + (N ^ 2 + 3 * s * N + s ^ 2) * m 1%nat + 2 * N * m 2%nat - m 3%nat) / (2 * (s + N)).
Proof.
  intros s x n Z N m. assert (0 < N) as P by (unfold N; pose proof (pos_INR n); lra). unfold m.
  replace (_ / (2 * (s + N))) with (s * N * (N + s) / (2 * (s + N)) * m 0%nat + ((N ^ 2 + 3 * s * N + s ^ 2) / (2 * (s + N))
    * m 1%nat + (2 * N / (2 * (s + N)) * m 2%nat + - / (2 * (s + N)) * m 3%nat))) by (unfold m; field; lra).
  unfold m. rewrite <- !Sum_times, <- !Sum_plus. apply Sum_same. intros j J. rewrite S_INR. fold N. unfold a. field. lra.
Qed.

Lemma h_sf_column : forall s x n, Sum (fun j => b s (INR j) (INR (S n)) * x j) 1 n =
  s * Sum (fun j => INR j ^ 1 * x j) 1 n + Sum (fun j => INR j ^ 2 * x j) 1 n.
Proof. intros s x n. rewrite <- Sum_times, <- Sum_plus. apply Sum_same. intros j J. unfold b. ring. Qed.

Lemma lg_moment : forall q n d, Sum (fun j => INR j ^ d * lg q j) 1 n = Sum (fun j => INR j ^ S d * q ^ j) 1 n.
Proof. intros q n d. apply Sum_same. intros j J. unfold lg. simpl. ring. Qed.

Lemma square_of_power : forall q n, (q ^ 2) ^ n = q ^ n * q ^ n.
Proof. intros q n. rewrite <- pow_mult. replace (2 * n)%nat with (n + n)%nat by lia. apply pow_add. Qed.

Lemma a_min_up_to : forall q n, 0 < q < 1 -> form (A 0) 1 n (lg q) =
  q^2*(q^4 + 3*q^3 + 6*q^2 + 3*q + 1)/((q - 1)^6*(q + 1)^2)
  - q ^ n * ((-q^2*(q^3 + 8*q^2 + q - 2)/(q - 1)^6) * INR n ^ 0 + (-2*q^2*(q^2 + 5*q + 2)/(q - 1)^5) * INR n ^ 1 +
    (q^2*(q + 1)/(q - 1)^4) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((q^2*(q^5 + 11*q^4 + 21*q^3 + 14*q^2 - 1)/((q - 1)^6*(q + 1)^2)) * INR n ^ 0 + (-2*q^2*(q^3 + 2*q^2 -
    2*q - 2)/((q - 1)^5*(q + 1))) * INR n ^ 1 + (-q^2*(q + 6)/(q - 1)^4) * INR n ^ 2 + (4*q^2/(q - 1)^3) * INR n ^ 3 +
    (-q^2/(q - 1)^2) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold A in *. rewrite form_last, I, a_min_column by (lia || lra). clear I. rewrite !lg_moment. unfold lg.
    rewrite sum_2, sum_3, sum_4 by exact N. cbn [pow]. rewrite !S_INR. unfold a, b. pose proof (pos_INR n) as P. revert P.
    generalize (q ^ n) (INR n). intros Q m P. field. lra.
Qed.

Lemma h_sf_up_to : forall q n, 0 < q < 1 -> form (B 0) 1 n (lg q) =
  q^2*(q^6 + 2*q^5 + 11*q^4 + 8*q^3 + 11*q^2 + 2*q + 1)/((q - 1)^6*(q + 1)^4)
  - q ^ n * ((2*q^2*(q^2 + 4*q + 1)/(q - 1)^6) * INR n ^ 0 + (-2*q^2*(q^2 + 4*q + 1)/(q - 1)^5) * INR n ^ 1 + (0) * INR
    n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((-q^2*(q^6 + 14*q^5 + 35*q^4 + 56*q^3 + 35*q^2 + 14*q + 1)/((q - 1)^6*(q + 1)^4)) * INR n ^ 0 +
    (2*q^2*(q^5 + 8*q^4 + 25*q^3 + 26*q^2 + 16*q + 2)/((q - 1)^5*(q + 1)^3)) * INR n ^ 1 + (-6*q^2*(q^3 + 3*q^2 + 4*q +
    1)/((q - 1)^4*(q + 1)^2)) * INR n ^ 2 + (2*q^2*(3*q + 2)/((q - 1)^3*(q + 1))) * INR n ^ 3 + (-q^2/(q - 1)^2) * INR n
    ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold B in *. rewrite form_last, I, h_sf_column by lia. clear I. rewrite !lg_moment. unfold lg.
    rewrite sum_3 by exact N. cbn [pow]. rewrite !S_INR. unfold a, b. pose proof (pos_INR n) as P. revert P.
    generalize (q ^ n) (INR n). intros Q m P. field. lra.
Qed.

(* ---- limits ----------------------------------------------------------------------------------------------------- *)

Lemma power_vanishes : forall r, 0 < r < 1 -> Un_cv (fun n => r ^ n) 0.
Proof.
  intros r H e E. destruct (pow_lt_1_zero r ltac:(rewrite Rabs_right; lra) e E) as [N P]. exists N. intros n L.
  unfold R_dist. rewrite Rminus_0_r. now apply P.
Qed.

(* n r^n is bounded, by Bernoulli's inequality. *)
Lemma linear_bounded : forall r, 0 < r < 1 -> forall n, INR n * r ^ n <= r / (1 - r).
Proof.
  intros r H n. pose proof (poly n (/ r - 1)) as P. assert (1 < / r) as R1 by (rewrite <- Rinv_1 at 1; apply
    Rinv_lt_contravar; lra).
  specialize (P ltac:(lra)). replace (1 + (/ r - 1)) with (/ r) in P by ring.
  rewrite pow_inv in P. pose proof (pow_lt r n ltac:(lra)) as Q.
  apply (Rmult_le_compat_r (r ^ n)) in P; [| lra]. rewrite Rinv_l in P by lra.
  apply (Rmult_le_reg_r (/ r - 1)); [lra |]. replace (r / (1 - r) * (/ r - 1)) with 1 by (field; lra). lra.
Qed.

Lemma polynomial_vanishes : forall q p, 0 < q < 1 -> (p <= 4)%nat -> Un_cv (fun n => q ^ n * INR n ^ p) 0.
Proof.
  intros q p H P. pose proof (sqrt_lt_R0 q ltac:(lra)) as S0. pose proof (sqrt_lt_1_alt q 1 ltac:(lra)) as S1. rewrite
    sqrt_1 in S1.
  set (t := sqrt q) in *. assert (q = t * t) as QT by (symmetry; apply sqrt_sqrt; lra).
  pose proof (sqrt_lt_R0 t ltac:(lra)) as R0. pose proof (sqrt_lt_1_alt t 1 ltac:(lra)) as R1. rewrite sqrt_1 in R1.
  set (v := sqrt t) in *. assert (t = v * v) as TV by (symmetry; apply sqrt_sqrt; lra).
  pose proof (sqrt_lt_R0 v ltac:(lra)) as W0. pose proof (sqrt_lt_1_alt v 1 ltac:(lra)) as W1. rewrite sqrt_1 in W1.
  set (r := sqrt v) in *. assert (v = r * r) as VR by (symmetry; apply sqrt_sqrt; lra).
  assert (q = r ^ 4 * t) as Q4.
  { rewrite QT at 1. replace (t * t) with (v * v * t) by (now rewrite <- TV). rewrite VR. ring. }
  clearbody t v r. set (C := r / (1 - r)). assert (0 < C) as C0 by (apply Rdiv_lt_0_compat; lra).
  assert (forall n, 0 <= q ^ n * INR n ^ p <= (1 + C) ^ 4 * t ^ n) as G.
  { intros n. pose proof (linear_bounded r ltac:(lra) n) as L. fold C in L. pose proof (pos_INR n) as N0.
    assert (forall z, 0 < z -> 0 < z ^ n) as Z by (intros; now apply pow_lt).
    split; [apply Rmult_le_pos; [left; apply Z; lra | now apply pow_le] |].
    rewrite Q4, Rpow_mult_distr, <- pow_mult, Nat.mul_comm, pow_mult.
    replace ((r ^ n) ^ 4 * t ^ n * INR n ^ p) with ((r ^ n) ^ 4 * INR n ^ p * t ^ n) by ring.
    apply Rmult_le_compat_r; [left; apply Z; lra |].
    assert (0 <= INR n * r ^ n) as L0 by (apply Rmult_le_pos; [exact N0 | left; apply Z; lra]).
    assert (0 < r ^ n <= 1) as RN by (split; [apply Z; lra | rewrite <- (pow1 n); apply pow_incr; lra]).
    assert (INR n * r ^ n <= 1 + C) as L1 by lra. assert (r ^ n <= 1 + C) as L2 by lra.
    assert (forall d, (d + p = 4)%nat -> (r ^ n) ^ 4 * INR n ^ p = (INR n * r ^ n) ^ p * (r ^ n) ^ d) as F.
    { intros d D. rewrite Rpow_mult_distr, <- D, pow_add. ring. }
    rewrite (F (4 - p)%nat) by lia. replace ((1 + C) ^ 4) with ((1 + C) ^ p * (1 + C) ^ (4 - p)) by (rewrite <- pow_add;
      f_equal; lia).
    apply Rmult_le_compat; try (apply pow_le; lra); apply pow_incr; lra. }
  intros e E. assert (0 < (1 + C) ^ 4) as D by (apply pow_lt; lra).
  destruct (power_vanishes t ltac:(lra) (e / (1 + C) ^ 4) ltac:(now apply Rdiv_lt_0_compat)) as [N P1].
  exists N. intros n L. specialize (P1 n L). specialize (G n). unfold R_dist in *. rewrite Rminus_0_r in *.
  pose proof (pow_lt t n ltac:(lra)). rewrite Rabs_right in * by lra.
  apply (Rmult_lt_compat_l _ _ _ D) in P1. replace ((1 + C) ^ 4 * (e / (1 + C) ^ 4)) with e in P1 by (field; lra). lra.
Qed.

Lemma constant_tends : forall c, Un_cv (fun _ => c) c.
Proof. intros c e E. exists 0%nat. intros n _. unfold R_dist. now rewrite Rminus_diag_eq, Rabs_R0. Qed.

Lemma cv_times : forall c f v, Un_cv f v -> Un_cv (fun n => c * f n) (c * v).
Proof. intros c f v H. apply (CV_mult (fun _ => c)); [apply constant_tends | exact H]. Qed.

Lemma constant_times : forall c f, Un_cv f 0 -> Un_cv (fun n => c * f n) 0.
Proof. intros c f H. replace 0 with (c * 0) by ring. now apply cv_times. Qed.

Lemma vanishes : forall q c0 c1 c2 c3 c4, 0 < q < 1 -> Un_cv (fun n => q ^ n *
  (c0 * INR n ^ 0 + c1 * INR n ^ 1 + c2 * INR n ^ 2 + c3 * INR n ^ 3 + c4 * INR n ^ 4)) 0.
Proof.
  intros q c0 c1 c2 c3 c4 H.
  assert (forall n, c0 * (q ^ n * INR n ^ 0) + c1 * (q ^ n * INR n ^ 1) + c2 * (q ^ n * INR n ^ 2) + c3 * (q ^ n * INR n ^ 3)
    + c4 * (q ^ n * INR n ^ 4) = q ^ n * (c0 * INR n ^ 0 + c1 * INR n ^ 1 + c2 * INR n ^ 2 + c3 * INR n ^ 3 + c4 * INR n
      ^ 4)) as S
    by (intros; ring).
  assert (forall f g, Un_cv f 0 -> Un_cv g 0 -> Un_cv (fun n => f n + g n) 0) as P.
  { intros f g F G. replace 0 with (0 + 0) by ring. now apply CV_plus. }
  intros e E. destruct (P _ _ (P _ _ (P _ _ (P _ _ (constant_times c0 _ (polynomial_vanishes q 0 H ltac:(lia)))
    (constant_times c1 _ (polynomial_vanishes q 1 H ltac:(lia)))) (constant_times c2 _ (polynomial_vanishes q 2 H
      ltac:(lia))))
    (constant_times c3 _ (polynomial_vanishes q 3 H ltac:(lia)))) (constant_times c4 _ (polynomial_vanishes q 4 H
      ltac:(lia))) e E) as [N L].
  exists N. intros n G. rewrite <- S. now apply L.
Qed.

Lemma tends : forall q f K c0 c1 c2 c3 c4 d0 d1 d2 d3 d4, 0 < q < 1 ->
  (forall n, f n = K
    - q ^ n * (c0 * INR n ^ 0 + c1 * INR n ^ 1 + c2 * INR n ^ 2 + c3 * INR n ^ 3 + c4 * INR n ^ 4)
    - (q ^ 2) ^ n * (d0 * INR n ^ 0 + d1 * INR n ^ 1 + d2 * INR n ^ 2 + d3 * INR n ^ 3 + d4 * INR n ^ 4)) -> Un_cv f K.
Proof.
  intros q f K c0 c1 c2 c3 c4 d0 d1 d2 d3 d4 H F.
  assert (0 < q ^ 2 < 1) as H2 by (split; [apply pow_lt; lra | replace 1 with (1 * 1) by ring; simpl; rewrite Rmult_1_r;
    apply Rmult_le_0_lt_compat; lra]).
  intros e E. destruct (vanishes q c0 c1 c2 c3 c4 H (e / 2) ltac:(lra)) as [N P].
  destruct (vanishes (q ^ 2) d0 d1 d2 d3 d4 H2 (e / 2) ltac:(lra)) as [N2 P2].
  exists (max N N2). intros n L. specialize (P n ltac:(lia)). specialize (P2 n ltac:(lia)). rewrite F. unfold R_dist in *.
  rewrite Rminus_0_r in *. apply Rabs_def2 in P. apply Rabs_def2 in P2. apply Rabs_def1; lra.
Qed.

(* ---- the ratio -------------------------------------------------------------------------------------------------- *)

Definition lg_ratio (q : R) : R :=
  (q + 1) ^ 2 * (q ^ 4 + 3 * q ^ 3 + 6 * q ^ 2 + 3 * q + 1) / (q ^ 6 + 2 * q ^ 5 + 11 * q ^ 4 + 8 * q ^ 3 + 11 * q ^ 2 +
    2 * q + 1).

(* Theorem "the ratio under k q^k at s = 0": \frac{\left(q + 1\right)^{2} \left(q^{4} + 3 q^{3} + 6 q^{2} + 3 q +
   1\right)}{q^{6} + 2 q^{5} + 11 q^{4} + 8 q^{3} + 11 q^{2} + 2 q + 1} = \frac{\left(q + 1\right)^{2} \left(q^{4} + 3
   q^{3} + 6 q^{2} + 3 q + 1\right)}{q^{6} + 2 q^{5} + 11 q^{4} + 8 q^{3} + 11 q^{2} + 2 q + 1}
   Reading: s = 0, 0 < q < 1 *)
Theorem linear_geometric : forall q, 0 < q < 1 -> exists a_min h_sf,
  Un_cv (fun u => form (A 0) 1 u (lg q)) a_min /\ Un_cv (fun u => form (B 0) 1 u (lg q)) h_sf /\
  0 < h_sf /\ a_min / h_sf = lg_ratio q.
Proof.
  intros q H. exists (q^2*(q^4 + 3*q^3 + 6*q^2 + 3*q + 1)/((q - 1)^6*(q + 1)^2)), (q^2*(q^6 + 2*q^5 + 11*q^4 + 8*q^3 +
    11*q^2 + 2*q + 1)/((q - 1)^6*(q + 1)^4)).
  split; [eapply tends; [exact H | intros n; now apply a_min_up_to] | split; [eapply tends; [exact H | intros n; now
    apply h_sf_up_to] |]].
  assert (0 < q ^ 2) by (apply pow_lt; lra). assert (0 < q ^ 3) by (apply pow_lt; lra). assert (0 < q ^ 4) by (apply
    pow_lt; lra).
  assert (0 < q ^ 5) by (apply pow_lt; lra). assert (0 < q ^ 6) by (apply pow_lt; lra). split.
  - apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra |]. replace ((q - 1) ^ 6) with ((1 - q) ^ 6) by ring.
    apply Rmult_lt_0_compat; apply pow_lt; lra.
  - unfold lg_ratio. field. repeat split; lra.
Qed.

(* The supremum is 14/9, and no law has it. *)
Theorem linear_geometric_supremum : (forall q, 0 < q < 1 -> lg_ratio q < 14 / 9) /\
  forall e, 0 < e -> exists q, 0 < q < 1 /\ 14 / 9 - e < lg_ratio q.
Proof.
  assert (forall q, 0 < q < 1 -> 14 / 9 - lg_ratio q = (1 - q) ^ 2 * (5 - 7 * q + 18 * q ^ 2 - 7 * q ^ 3 + 5 * q ^ 4) /
    (9 * (q ^ 6 + 2 * q ^ 5 + 11 * q ^ 4 + 8 * q ^ 3 + 11 * q ^ 2 + 2 * q + 1)) /\
    1 < q ^ 6 + 2 * q ^ 5 + 11 * q ^ 4 + 8 * q ^ 3 + 11 * q ^ 2 + 2 * q + 1 /\
    0 < 5 - 7 * q + 18 * q ^ 2 - 7 * q ^ 3 + 5 * q ^ 4 <= 28) as D.
  { intros q H. assert (forall n, 0 < q ^ n <= 1) as P.
    { intros n. split; [apply pow_lt; lra | rewrite <- (pow1 n); apply pow_incr; lra]. }
    pose proof (P 2%nat). pose proof (P 3%nat). pose proof (P 4%nat). pose proof (P 5%nat). pose proof (P 6%nat).
    split; [unfold lg_ratio; field; lra | split; [lra | split; [| lra]]].
    replace (5 - 7 * q + 18 * q ^ 2 - 7 * q ^ 3 + 5 * q ^ 4)
      with (5 * (1 - 7 / 10 * q) ^ 2 + 5 * (q ^ 2 - 7 / 10 * q) ^ 2 + 131 / 10 * q ^ 2) by field.
    pose proof (pow2_ge_0 (1 - 7 / 10 * q)). pose proof (pow2_ge_0 (q ^ 2 - 7 / 10 * q)). lra. }
  split.
  - intros q H. destruct (D q H) as [E [F [G _]]]. apply Rminus_gt_0_lt. rewrite E.
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [apply pow_lt |] |]; lra.
  - intros e E. pose proof (Rmin_l (1 / 2) (e / 4)). pose proof (Rmin_r (1 / 2) (e / 4)).
    assert (0 < Rmin (1 / 2) (e / 4)) as D0 by (apply Rmin_glb_lt; lra). set (d := Rmin (1 / 2) (e / 4)) in *.
    exists (1 - d). split; [lra |]. destruct (D (1 - d) ltac:(lra)) as [Q [F [G1 G2]]].
    assert (14 / 9 - lg_ratio (1 - d) < e); [| lra]. rewrite Q. replace (1 - (1 - d)) with d by ring.
    set (N := 5 - _ + _ - _ + _) in *. set (M := _ ^ 6 + _ + _ + _ + _ + _ + _) in *.
    apply (Rmult_lt_reg_r (9 * M)); [lra |]. replace (d ^ 2 * N / (9 * M) * (9 * M)) with (d ^ 2 * N) by (field; lra).
    assert (d ^ 2 * N <= d * (1 / 2) * 28) as U.
    { replace (d ^ 2 * N) with (d * d * N) by ring. apply Rmult_le_compat; [| lra | | lra].
      - apply Rmult_le_pos; lra.
      - apply Rmult_le_compat_l; lra. }
    assert (e * 9 < e * (9 * M)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

(* The ratio increases with q. *)
Theorem linear_geometric_increasing : forall q r, 0 < q -> q < r -> r < 1 -> lg_ratio q < lg_ratio r.
Proof.
  intros q r Q H R. set (D := fun q => q ^ 6 + 2 * q ^ 5 + 11 * q ^ 4 + 8 * q ^ 3 + 11 * q ^ 2 + 2 * q + 1).
  assert (forall t n, 0 < t -> 0 < t ^ n) as P by (intros; now apply pow_lt).
  assert (forall t, 0 < t -> 0 < D t) as DP.
  { intros t T. unfold D. pose proof (P t 2%nat T). pose proof (P t 3%nat T). pose proof (P t 4%nat T).
    pose proof (P t 5%nat T). pose proof (P t 6%nat T). lra. }
  pose proof (DP q Q) as Dq. pose proof (DP r ltac:(lra)) as Dr. apply Rminus_gt_0_lt.
  replace (lg_ratio r - lg_ratio q) with ((r - q) * (1 - q * r) *
    (3 * ((q ^ 2 + 1) * (r ^ 2 + 1) - 4 / 3 * (q * r)) ^ 2 + 4 * (q * (r ^ 2 + 1) - r * (q ^ 2 + 1)) ^ 2
     + (56 / 3 * (q ^ 2 * r ^ 2) + 2 * (q ^ 4 * r ^ 3 + q ^ 4 * r + q ^ 3 * r ^ 4 + q ^ 3 + q * r ^ 4 + q + r ^ 3 + r)))
    / (D q * D r)) by (unfold lg_ratio; unfold D in *; field; lra).
  assert (q * r < 1) by (apply Rle_lt_trans with (q * 1); [apply Rmult_le_compat_l |]; lra).
  apply Rdiv_lt_0_compat; [| now apply Rmult_lt_0_compat]. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra |].
  apply Rplus_le_lt_0_compat.
  - apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply pow2_ge_0.
  - repeat apply Rplus_lt_0_compat || (apply Rmult_lt_0_compat; [lra |]);
      repeat first [apply Rplus_lt_0_compat | apply Rmult_lt_0_compat | apply P]; lra.
Qed.
