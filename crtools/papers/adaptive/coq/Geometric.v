(* The geometric law, with weights q^k: the sums of both forms at s = 0, their limits, and the ratio's supremum 10 - 12
  ln 2. *)
From Crtools Require Import Prelude Forms Logarithms LinearGeometric.

(* ---- logarithms ------------------------------------------------------------------------------------------------- *)

Lemma derivable_same : forall f g x c, (forall t, f t = g t) -> derivable_pt_lim f x c -> derivable_pt_lim g x c.
Proof. intros f g x c E H e P. destruct (H e P) as [d D]. exists d. intros h N B. rewrite <- !E. now apply D. Qed.

Lemma ln_below : forall t, 1 < t -> ln t <= (t - / t) / 2.
Proof.
  intros t H. set (f := fun v => (v + - (1 / v)) * / 2 + - ln v).
  destruct (MVT_cor2 f (fun v => (1 + - ((0 * v - 1 * 1) / Rsqr v)) * / 2 + - / v) 1 t H) as [c [D [C _]]].
  - intros v V. unfold f. apply derivable_pt_lim_plus; [| apply derivable_pt_lim_opp, derivable_pt_lim_ln; lra].
    rewrite Rmult_comm. apply (derivable_value _ _ (/ 2 * (1 + - ((0 * v - 1 * 1) / Rsqr v)))); [| reflexivity].
    apply (derivable_same (fun w => / 2 * (w + - (1 / w)))); [intros; ring |].
    apply (derivable_pt_lim_scal (fun w => w + - (1 / w))).
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_id |]. apply derivable_pt_lim_opp.
    apply (derivable_pt_lim_div (fun _ => 1) id); [apply derivable_pt_lim_const | apply derivable_pt_lim_id | unfold id;
      lra].
  - unfold f in D. rewrite ln_1 in D.
    assert (0 <= (1 + - ((0 * c - 1 * 1) / Rsqr c)) * / 2 + - / c) as P.
    { unfold Rsqr. replace (_ + - / c) with ((c - 1) ^ 2 * / (2 * c ^ 2)) by (field; lra).
      apply Rmult_le_pos; [apply pow2_ge_0 |]. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra | apply
        pow_lt; lra]. }
    pose proof (Rmult_le_pos _ (t - 1) P ltac:(lra)) as Q. rewrite <- D in Q. unfold Rdiv in *. rewrite Rinv_1 in Q. lra.
Qed.

Definition log_sum (q : R) (n : nat) : R := Sum (fun k => q ^ k / INR k) 1 n.

Lemma log_sum_derivative : forall n c, c < 1 -> derivable_pt_lim (fun t => log_sum t n) c ((1 - c ^ n) / (1 - c)).
Proof.
  induction n as [| n I]; intros c C.
  - apply (derivable_same (fun _ => 0)); [intros; unfold log_sum; now rewrite Sum_empty by lia |].
    apply (derivable_value _ _ 0); [apply derivable_pt_lim_const | cbn [pow]; field; lra].
  - apply (derivable_same (fun t => log_sum t n + / INR (S n) * t ^ S n)).
    { intros t. unfold log_sum. rewrite (Sum_last _ 1 n (S n)) by lia. unfold Rdiv. ring. }
    apply (derivable_value _ _ ((1 - c ^ n) / (1 - c) + / INR (S n) * (INR (S n) * c ^ pred (S n)))).
    + apply derivable_pt_lim_plus; [now apply I |].
      apply (derivable_pt_lim_scal (fun t => t ^ S n)). apply derivable_pt_lim_pow.
    + cbn [pred pow]. pose proof (lt_0_INR (S n) ltac:(lia)). field. lra.
Qed.

Lemma log_sum_tends : forall q, 0 < q < 1 -> Un_cv (log_sum q) (- ln (1 - q)).
Proof.
  intros q H.
  assert (forall n, Rabs (log_sum q n - - ln (1 - q)) <= q / (1 - q) * q ^ n) as G.
  { intros n. set (g := fun t => log_sum t n + ln (1 - t)).
    destruct (MVT_cor2 g (fun c => (1 - c ^ n) / (1 - c) + / (1 - c) * (0 - 1)) 0 q ltac:(lra)) as [c [D C]].
    - intros c C. apply derivable_pt_lim_plus; [apply log_sum_derivative; lra |].
      apply (derivable_pt_lim_comp (fun t => 1 - t) ln); [| apply derivable_pt_lim_ln; lra].
      apply derivable_pt_lim_minus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    - assert (g 0 = 0) as Z.
      { unfold g, log_sum. rewrite Rminus_0_r, ln_1.
        rewrite (Sum_same _ (fun k => 0 * INR k)), Sum_times; [ring |]. intros k K. rewrite pow_ne_zero by lia. unfold
          Rdiv. ring. }
      rewrite Z in D. replace (log_sum q n - - ln (1 - q)) with (g q - 0) by (unfold g; ring). rewrite D.
      replace (((1 - c ^ n) / (1 - c) + / (1 - c) * (0 - 1)) * (q - 0)) with (- (c ^ n * (q / (1 - c)))) by (field; lra).
      pose proof (pow_le c n ltac:(lra)) as C0. assert (0 <= q / (1 - c)) as C1 by (apply Rle_mult_inv_pos; lra).
      rewrite Rabs_Ropp, Rabs_right by (apply Rle_ge; now apply Rmult_le_pos). rewrite Rmult_comm.
      apply Rmult_le_compat; try assumption; [| apply pow_incr; lra].
      apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra. }
  intros e E. destruct (constant_times (q / (1 - q)) _ (power_vanishes q H) e E) as [N L]. exists N. intros n M.
  specialize (L n M). specialize (G n). unfold R_dist in *. rewrite Rminus_0_r in L.
  pose proof (Rle_abs (q / (1 - q) * q ^ n)). lra.
Qed.

(* ---- the sums --------------------------------------------------------------------------------------------------- *)

Definition geometric (q : R) (k : nat) : R := q ^ k.

Lemma a_min_up_to : forall q n, 0 < q < 1 -> form (A 0) 1 n (geometric q) =
  q^2*(3*q + 2)/(q - 1)^4
  - q ^ n * ((q^2*(2*q + 3)/(q - 1)^4) * INR n ^ 0 + (-q^2/(q - 1)^3) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 +
    (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((q^2/(q - 1)^3) * INR n ^ 0 + (2*q^2/(q - 1)^3) * INR n ^ 1 + (-q^2/(q - 1)^2) * INR n ^ 2 + (0) *
    INR n ^ 3 + (0) * INR n ^ 4)
  - q*(q^2 + 4*q + 1)/(q - 1)^4 * (log_sum q n - log_sum (q ^ 2) n).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. unfold log_sum. rewrite !Sum_empty by lia. cbn [INR pow]. field. lra.
  - unfold A in *. rewrite form_last, I, a_min_column by (lia || lra). clear I. unfold geometric at 1 2 3 4.
    rewrite sum_1, sum_2, sum_3 by exact N. unfold log_sum. rewrite !(Sum_last _ 1 n (S n)) by lia.
    rewrite square_of_power. unfold geometric. cbn [pow]. rewrite !S_INR. unfold a. pose proof (pos_INR n) as P. revert P.
    generalize (Sum (fun k => q ^ k / INR k) 1 n) (Sum (fun k => (q * (q * 1)) ^ k / INR k) 1 n).
    generalize (q ^ n) (INR n). intros Q m L1 L2 P. field. lra.
Qed.

Lemma h_sf_up_to : forall q n, 0 < q < 1 -> form (B 0) 1 n (geometric q) =
  q^2*(q^2 + 1)/((q - 1)^4*(q + 1)^2)
  - q ^ n * ((2*q^2*(q + 1)/(q - 1)^4) * INR n ^ 0 + (0) * INR n ^ 1 + (0) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4)
  - (q ^ 2) ^ n * ((-q^2*(2*q^3 + 5*q^2 + 6*q + 1)/((q - 1)^4*(q + 1)^2)) * INR n ^ 0 + (2*q^2*(2*q + 1)/((q - 1)^3*(q +
    1))) * INR n ^ 1 + (-q^2/(q - 1)^2) * INR n ^ 2 + (0) * INR n ^ 3 + (0) * INR n ^ 4).
Proof.
  intros q n H. assert (q <> 1) as N by lra. rewrite square_of_power. induction n as [| n I].
  - rewrite form_empty. cbn [INR pow]. field. lra.
  - unfold B in *. rewrite form_last, I, h_sf_column by lia. clear I. unfold geometric.
    rewrite sum_2 by exact N. cbn [pow]. rewrite !S_INR. unfold b. pose proof (pos_INR n) as P. revert P.
    generalize (q ^ n) (INR n). intros Q m P. field. lra.
Qed.

(* ---- the ratio -------------------------------------------------------------------------------------------------- *)

Definition geometric_ratio (q : R) : R :=
  (q + 1) ^ 2 * (q * (3 * q + 2) - (q ^ 2 + 4 * q + 1) * ln (1 + q)) / (q * (q ^ 2 + 1)).

Lemma add_back : forall x y : R, x - y + y = x.
Proof. intros. ring. Qed.

Theorem geometric_closed_form : forall q, 0 < q < 1 -> exists a_min h_sf,
  Un_cv (fun u => form (A 0) 1 u (geometric q)) a_min /\ Un_cv (fun u => form (B 0) 1 u (geometric q)) h_sf /\
  0 < h_sf /\ a_min / h_sf = geometric_ratio q.
Proof.
  intros q H. assert (0 < q ^ 2 < 1) as H2.
  { split; [apply pow_lt; lra | replace 1 with (1 * 1) by ring; simpl; rewrite Rmult_1_r; apply Rmult_le_0_lt_compat; lra]. }
  exists (q^2*(3*q + 2)/(q - 1)^4 - q*(q^2 + 4*q + 1)/(q - 1)^4 * ln (1 + q)), (q^2*(q^2 + 1)/((q - 1)^4*(q + 1)^2)).
  split; [| split; [eapply tends; [exact H | intros n; now apply h_sf_up_to] |]].
  - assert (Un_cv (fun n => q*(q^2 + 4*q + 1)/(q - 1)^4 * (log_sum q n - log_sum (q ^ 2) n)) (q*(q^2 + 4*q + 1)/(q -
    1)^4 * ln (1 + q))) as L.
    { replace (ln (1 + q)) with (- ln (1 - q) - - ln (1 - q ^ 2)).
      - apply cv_times, CV_minus; now apply log_sum_tends.
      - replace (1 - q ^ 2) with ((1 - q) * (1 + q)) by ring. rewrite ln_mult by lra. ring. }
    assert (Un_cv (fun n => form (A 0) 1 n (geometric q) + q*(q^2 + 4*q + 1)/(q - 1)^4 * (log_sum q n - log_sum (q ^ 2)
      n)) (q^2*(3*q + 2)/(q - 1)^4)) as F.
    { eapply tends; [exact H |]. intros n. rewrite a_min_up_to by exact H. apply add_back. }
    intros e E. destruct (CV_minus _ _ _ _ F L e E) as [N G]. exists N. intros n M. specialize (G n M).
    revert G. unfold R_dist. match goal with |- Rabs ?x < _ -> Rabs ?y < _ => replace x with y by ring end. trivial.
  - assert (0 < q ^ 4) by (apply pow_lt; lra). split.
    + apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra |]. replace ((q - 1) ^ 4) with ((1 - q) ^ 4) by ring.
      apply Rmult_lt_0_compat; apply pow_lt; lra.
    + unfold geometric_ratio. field. repeat split; lra.
Qed.

Lemma ln_2 : 2 / 3 <= ln 2 <= 17 / 24.
Proof.
  split; [pose proof (ln_above 2 ltac:(lra)); lra |]. replace 2 with (4 / 3 * (3 / 2)) by field. rewrite ln_mult by lra.
  pose proof (ln_below (4 / 3) ltac:(lra)). pose proof (ln_below (3 / 2) ltac:(lra)). lra.
Qed.

(* The supremum is 10 - 12 ln 2, and no law has it. *)
Theorem geometric_supremum : (forall q, 0 < q < 1 -> geometric_ratio q < 10 - 12 * ln 2) /\
  forall e, 0 < e -> exists q, 0 < q < 1 /\ 10 - 12 * ln 2 - e < geometric_ratio q.
Proof.
  pose proof ln_2 as L2.
  assert (forall q, 0 < q < 1 -> 0 < q ^ 2 < q /\ 0 < q ^ 3 < q) as P.
  { intros q H. assert (0 < q ^ 2) as Q by (apply pow_lt; lra). assert (q * q < q * 1) by (apply Rmult_lt_compat_l; lra).
    assert (q * q ^ 2 < q * 1) by (apply Rmult_lt_compat_l; lra). pose proof (pow_lt q 3 ltac:(lra)). lra. }
  split.
  - intros q H. destruct (P q H) as [Q2 Q3]. destruct (Rle_lt_dec q (1 / 4)) as [S | S].
    + pose proof (ln_above (1 + q) ltac:(lra)) as Y. apply Rlt_le_trans with (3 / 2); [| lra].
      apply Rle_lt_trans with ((q + 1) ^ 2 * (q * (3 * q + 2) - (q ^ 2 + 4 * q + 1) * (2 * (1 + q - 1) / (1 + q + 1))) /
        (q * (q ^ 2 + 1))).
      * unfold geometric_ratio. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra |].
        apply Rmult_le_compat_l; [apply pow2_ge_0 |]. apply Rplus_le_compat_l, Ropp_le_contravar, Rmult_le_compat_l; lra.
      * apply Rminus_lt. match goal with |- ?x < 0 => replace x with (- ((1 - 5 / 2 * q - q ^ 3 / 2 - q ^ 4) / ((2 + q)
        * (q ^ 2 + 1)))) by (field; repeat split; lra) end.
        assert (q ^ 4 <= q ^ 3) by (replace (q ^ 4) with (q * q ^ 3) by ring; replace (q ^ 3) with (1 * q ^ 3) at 2 by
          ring; apply Rmult_le_compat_r; lra).
        assert (q ^ 3 <= 1 / 4 * q ^ 2) by (replace (q ^ 3) with (q * q ^ 2) by ring; apply Rmult_le_compat_r; lra).
        assert (0 < (1 - 5 / 2 * q - q ^ 3 / 2 - q ^ 4) / ((2 + q) * (q ^ 2 + 1))); [| lra].
        apply Rdiv_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; lra.
    + assert (1 < 2 / (1 + q)) as T by (apply (Rmult_lt_reg_r (1 + q)); [lra | field_simplify; lra]).
      pose proof (ln_below _ T) as Y. rewrite ln_quotient in Y by lra.
      replace (/ (2 / (1 + q))) with ((1 + q) / 2) in Y by (field; lra).
      apply Rle_lt_trans with ((q + 1) ^ 2 * (q * (3 * q + 2) - (q ^ 2 + 4 * q + 1) * (ln 2 - (2 / (1 + q) - (1 + q) /
        2) / 2)) / (q * (q ^ 2 + 1))).
      * unfold geometric_ratio. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra |].
        apply Rmult_le_compat_l; [apply pow2_ge_0 |]. apply Rplus_le_compat_l, Ropp_le_contravar, Rmult_le_compat_l; lra.
      * apply Rminus_gt_0_lt. set (v := ln 2) in *. clearbody v.
        match goal with |- 0 < ?x => replace x with ((1 - q) ^ 2 * (4 * v * q ^ 2 - 16 * v * q + 4 * v + q ^ 3 - 3 * q ^
          2 + 13 * q - 3)
          / (4 * q * (q ^ 2 + 1))) by (field; repeat split; lra) end.
        apply Rdiv_lt_0_compat; [| apply Rmult_lt_0_compat; lra]. apply Rmult_lt_0_compat; [apply pow_lt; lra |].
        replace (4 * v * q ^ 2 - 16 * v * q + 4 * v + q ^ 3 - 3 * q ^ 2 + 13 * q - 3)
          with ((3 / 4 - v) * 12 * (q ^ 3 - q ^ 2 / 3 + 7 / 3 * q - 1 / 3) + (v - 2 / 3) * 12 * (q ^ 3 + q)) by field.
        apply Rplus_lt_le_0_compat; apply Rmult_lt_0_compat || apply Rmult_le_pos; lra.
  - intros e E. pose proof (Rmin_l (1 / 2) (e / 40)). pose proof (Rmin_r (1 / 2) (e / 40)).
    assert (0 < Rmin (1 / 2) (e / 40)) as D0 by (apply Rmin_glb_lt; lra). set (d := Rmin (1 / 2) (e / 40)) in *. clearbody d.
    exists (1 - d). split; [lra |]. set (q := 1 - d). assert (q = 1 - d) as QD by reflexivity. clearbody q.
    assert (0 < q < 1) as H1 by lra. destruct (P q H1) as [Q2 Q3].
    apply Rlt_le_trans with ((q + 1) ^ 2 * (q * (3 * q + 2) - (q ^ 2 + 4 * q + 1) * ln 2) / (q * (q ^ 2 + 1))).
    + set (v := ln 2) in *. clearbody v. set (N := - q ^ 3 * v + 3 * q ^ 3 + 5 * q ^ 2 * v + q ^ 2 - 5 * q * v + 8 * q + v).
      assert (10 - 12 * v - (q + 1) ^ 2 * (q * (3 * q + 2) - (q ^ 2 + 4 * q + 1) * v) / (q * (q ^ 2 + 1))
        = d * N / (q * (q ^ 2 + 1))) as G by (unfold N; replace d with (1 - q) by lra; field; repeat split; lra).
      assert (d * N / (q * (q ^ 2 + 1)) < e); [| lra].
      assert (q ^ 2 * v <= 1 * v) by (apply Rmult_le_compat_r; lra). assert (0 <= q ^ 3 * v) by (apply Rmult_le_pos; lra).
      assert (0 <= q * v) by (apply Rmult_le_pos; lra). assert (d * N <= d * 17) by (apply Rmult_le_compat_l; [lra |
        unfold N; lra]).
      assert (1 / 2 * 1 <= q * (q ^ 2 + 1)) by (apply Rmult_le_compat; lra).
      assert (e * (1 / 2) <= e * (q * (q ^ 2 + 1))) by (apply Rmult_le_compat_l; lra).
      apply (Rmult_lt_reg_r (q * (q ^ 2 + 1))); [lra |].
      replace (d * N / (q * (q ^ 2 + 1)) * (q * (q ^ 2 + 1))) with (d * N) by (field; repeat split; lra). lra.
    + unfold geometric_ratio. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra |].
      apply Rmult_le_compat_l; [apply pow2_ge_0 |]. apply Rplus_le_compat_l, Ropp_le_contravar, Rmult_le_compat_l; [lra |].
      left. apply ln_increasing; lra.
Qed.

(* The ratio increases with q: the derivative is positive. *)
Lemma slope_positive : forall c, 0 < c < 1 ->
  0 < c ^ 4 * ln (1 + c) - 2 * c ^ 4 + 5 * c ^ 3 - 6 * c ^ 2 * ln (1 + c) + 2 * c ^ 2 - c + ln (1 + c).
Proof.
  intros c C. pose proof (ln_above (1 + c) ltac:(lra)) as A. pose proof (ln_below (1 + c) ltac:(lra)) as B.
  set (v := ln (1 + c)) in *. clearbody v. assert (0 < c ^ 3) by (apply pow_lt; lra). assert (0 < c ^ 4) by (apply pow_lt; lra).
  replace (c ^ 4 * v - 2 * c ^ 4 + 5 * c ^ 3 - 6 * c ^ 2 * v + 2 * c ^ 2 - c + v)
    with ((c ^ 4 - 6 * c ^ 2 + 1) * v + (- 2 * c ^ 4 + 5 * c ^ 3 + 2 * c ^ 2 - c)) by ring.
  destruct (Rle_lt_dec 0 (c ^ 4 - 6 * c ^ 2 + 1)) as [K | K].
  - apply (Rmult_le_compat_l _ _ _ K) in A. eapply Rlt_le_trans; [| apply Rplus_le_compat_r; exact A].
    replace (_ + _) with (c ^ 2 * (c ^ 2 + 3) / (2 + c)) by (field; lra). pose proof (pow_lt c 2 ltac:(lra)).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
  - apply (Rmult_le_compat_neg_l (c ^ 4 - 6 * c ^ 2 + 1)) in B; [| lra].
    eapply Rlt_le_trans; [| apply Rplus_le_compat_r; exact B].
    replace (_ + _) with (c ^ 2 * (c ^ 4 + 2 * c * (1 - c ^ 2) + 3) / (2 * (1 + c))) by (field; lra).
    pose proof (pow_lt c 2 ltac:(lra)). assert (c ^ 2 < 1) by (replace (c ^ 2) with (c * c) by ring; apply Rle_lt_trans with (c * 1);
      [apply Rmult_le_compat_l |]; lra).
    assert (0 < 2 * c * (1 - c ^ 2)) by (apply Rmult_lt_0_compat; lra).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
Qed.

Lemma geometric_ratio_derivative : forall c, 0 < c < 1 -> derivable_pt_lim geometric_ratio c
  ((1 - c) * (1 + c) * (c ^ 4 * ln (1 + c) - 2 * c ^ 4 + 5 * c ^ 3 - 6 * c ^ 2 * ln (1 + c) + 2 * c ^ 2 - c + ln (1 + c))
    / (c ^ 2 * (c ^ 2 + 1) ^ 2)).
Proof.
  intros c C. assert (0 < c * (c ^ 2 + 1)) as D by (apply Rmult_lt_0_compat; [lra | pose proof (pow2_ge_0 c); lra]).
  set (p := fun t : R => 3 * t ^ 4 + 8 * t ^ 3 + 7 * t ^ 2 + 2 * t ^ 1).
  set (w := fun t : R => 1 * t ^ 4 + 6 * t ^ 3 + 10 * t ^ 2 + 6 * t ^ 1 + 1 * t ^ 0).
  set (d := fun t : R => 1 * t ^ 3 + 1 * t ^ 1).
  assert (derivable_pt_lim p c (12 * c ^ 3 + 24 * c ^ 2 + 14 * c + 2)) as P.
  { unfold p. eapply derivable_value; [repeat first [apply derivable_monomial | apply derivable_sum] | cbn [INR pred]; ring]. }
  assert (derivable_pt_lim w c (4 * c ^ 3 + 18 * c ^ 2 + 20 * c + 6)) as W.
  { unfold w. eapply derivable_value; [repeat first [apply derivable_monomial | apply derivable_sum] | cbn [INR pred]; ring]. }
  assert (derivable_pt_lim d c (3 * c ^ 2 + 1)) as E.
  { unfold d. eapply derivable_value; [repeat first [apply derivable_monomial | apply derivable_sum] | cbn [INR pred]; ring]. }
  assert (derivable_pt_lim (fun t => ln (1 + t)) c (/ (1 + c) * (0 + 1))) as G.
  { apply (derivable_pt_lim_comp (fun t => 1 + t) ln); [| apply derivable_pt_lim_ln; lra].
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id]. }
  pose proof (derivable_pt_lim_minus _ _ _ _ _ P (derivable_pt_lim_mult _ _ _ _ _ W G)) as N.
  assert (d c <> 0) as D0 by (unfold d; lra).
  eapply (derivable_same ((p - w * (fun t => ln (1 + t))) / d)%F).
  { intros t. unfold geometric_ratio, p, w, d, div_fct, minus_fct, mult_fct, Rdiv. cbv beta. f_equal; [ring | f_equal; ring]. }
  eapply derivable_value; [exact (derivable_pt_lim_div _ _ _ _ _ N E D0) |].
  unfold p, w, d, minus_fct, mult_fct, Rsqr in *. pose proof (pow2_ge_0 c). field. repeat split; lra.
Qed.

Theorem geometric_increasing : forall q r, 0 < q -> q < r -> r < 1 -> geometric_ratio q < geometric_ratio r.
Proof.
  intros q r Q H R. destruct (MVT_cor2 geometric_ratio _ q r H (fun c C => geometric_ratio_derivative c ltac:(lra))) as [c [D C]].
  pose proof (slope_positive c ltac:(lra)) as S. pose proof (pow_lt c 2 ltac:(lra)) as P.
  apply Rminus_gt_0_lt. rewrite D. apply Rmult_lt_0_compat; [| lra]. apply Rdiv_lt_0_compat.
  - apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
  - apply Rmult_lt_0_compat; [exact P | apply pow_lt; lra].
Qed.
