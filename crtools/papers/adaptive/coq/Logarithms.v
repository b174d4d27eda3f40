(* Logarithms: E is at most 1 + ln(u/l)/2, so that A_min's worst case is logarithmic at s = 0, and what it is for every s. *)
From Crtools Require Import Prelude Forms Inverse Suprema TwoLengths.
From Crtools Require adaptive.

(* ---- E ---------------------------------------------------------------------------------------------------------- *)

Lemma ln_above : forall t, 1 < t -> 2 * (t - 1) / (t + 1) <= ln t.
Proof.
  intros t H. set (f := fun v => ln v + 4 / (v + 1)).
  destruct (MVT_cor2 f (fun v => / v + (0 * (v + 1) - (1 + 0) * 4) / Rsqr (v + 1)) 1 t H) as [c [D [C _]]].
  - intros v V. unfold f. apply derivable_pt_lim_plus; [apply derivable_pt_lim_ln; lra |].
    apply (derivable_pt_lim_div (fun _ => 4) (fun w => w + 1)); [apply derivable_pt_lim_const | | lra].
    apply (derivable_pt_lim_plus id (fun _ => 1)); [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
  - unfold f in D. rewrite ln_1 in D.
    assert (0 <= / c + (0 * (c + 1) - (1 + 0) * 4) / Rsqr (c + 1)) as P.
    { unfold Rsqr. replace (/ c + _ / _) with ((c - 1) ^ 2 * / (c * (c + 1) ^ 2)) by (field; lra).
      apply Rmult_le_pos; [apply pow2_ge_0 |]. left. apply Rinv_0_lt_compat.
      apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]. }
    assert (0 <= ln t + 4 / (t + 1) - (0 + 4 / (1 + 1))) as Q by (rewrite D; apply Rmult_le_pos; lra).
    replace (2 * (t - 1) / (t + 1)) with (2 - 4 / (t + 1)) by (field; lra). lra.
Qed.

Lemma ln_quotient : forall p q, 0 < p -> 0 < q -> ln (p / q) = ln p - ln q.
Proof. intros p q P Q. unfold Rdiv. rewrite ln_mult, ln_Rinv; try apply Rinv_0_lt_compat; lra. Qed.

Lemma ln_step : forall k, (2 <= k)%nat -> / (2 * INR k - 1) <= (ln (INR k) - ln (INR k - 1)) / 2.
Proof.
  intros k K. apply le_INR in K. simpl in K. rewrite <- ln_quotient by lra.
  assert (1 < INR k / (INR k - 1)) as T by (apply (Rmult_lt_reg_r (INR k - 1)); [lra | field_simplify; lra]).
  pose proof (ln_above _ T) as L.
  replace (2 * (INR k / (INR k - 1) - 1) / (INR k / (INR k - 1) + 1)) with (2 * / (2 * INR k - 1)) in L by (field; lra). lra.
Qed.

(* Theorem "E from above": E \le 1 + \tfrac12 \ln(1/\alpha)
   Reading: for all integers u ≥ l ≥ 1 *)
Theorem E_logarithmic : forall s l u, 0 <= s -> (1 <= l <= u)%nat -> E s l u <= 1 + / 2 * ln (INR u / INR l).
Proof.
  intros s l u Z [L H]. destruct (above_0 s l Z L) as [L1 _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  unfold E. apply Rplus_le_compat; [apply (Rmult_le_reg_r (s + INR l)); [lra | field_simplify; lra] |].
  rewrite ln_quotient by lra.
  apply Rle_trans with (Sum (fun k => (ln (INR k) - ln (INR k - 1)) / 2) (S l) u).
  - apply Sum_le. intros k K. eapply Rle_trans; [| apply ln_step; lia].
    assert (2 <= k)%nat as K2 by lia. apply le_INR in K2. simpl in K2. apply Rinv_le_contravar; lra.
  - rewrite (Sum_telescopes _ (fun k => ln k / 2) (S l) u) by (lia || (intros; field)).
    rewrite S_INR. replace (INR l + 1 - 1) with (INR l) by ring. lra.
Qed.

(* ---- A_min ------------------------------------------------------------------------------------------------------ *)

(* Theorem "upper bound": \sup_{x\ge0} \frac{x^\top A x}{x^\top B x} \le 1 + \tfrac12 E \le \tfrac32 +
   \tfrac14\ln(1/\alpha)
   Reading: for all integers u ≥ l ≥ 1 at s = 0, of the forms *)
Theorem log_bound : forall l u x, (1 <= l <= u)%nat -> (forall k, 0 <= x k) ->
  form (A 0) l u x <= (1 + E 0 l u / 2) * form (B 0) l u x /\ 1 + E 0 l u / 2 <= 3 / 2 + / 4 * ln (INR u / INR l).
Proof.
  intros l u x H X. pose proof (E_logarithmic 0 l u ltac:(lra) H). split; [| lra].
  destruct (two_sided_bound 0 l u x ltac:(lra) H X) as [_ T]. lra.
Qed.

(* Theorem "upper bound for every s": \sup_{x\ge0}\frac{x^\top A x}{x^\top B x} \le \tfrac32 + \tfrac14\ln(1/\alpha) +
   \sqrt{1/\alpha}
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms *)
Theorem log_bound_every_s : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> (forall k, 0 <= x k) ->
  form (A s) l u x <= (3 / 2 + / 4 * ln (INR u / INR l) + sqrt (INR u / INR l)) * form (B s) l u x.
Proof.
  intros s l u x Z H X. pose proof (E_logarithmic s l u Z H) as G. pose proof (E_positive s l u Z ltac:(lia)) as P.
  destruct (two_sided_bound s l u x Z H X) as [_ T]. eapply Rle_trans; [exact T |].
  apply Rmult_le_compat_r; [apply B_semidefinite; [exact Z | lia] |].
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply le_INR; lia).
  assert (0 < INR l * (s + INR l)) as D by (apply Rmult_lt_0_compat; lra).
  assert (E s l u <= INR u / (s + INR l)) as F.
  { unfold E. replace (INR u / (s + INR l)) with (INR l / (s + INR l) + (INR u - INR l) / (s + INR l)) by (field; lra).
    apply Rplus_le_compat_l. apply Rle_trans with (Sum (fun k => INR k / (s + INR l) - (INR k - 1) / (s + INR l)) (S l) u).
    - apply Sum_le. intros k K. replace (INR k / (s + INR l) - (INR k - 1) / (s + INR l)) with (/ (s + INR l)) by
      (field; lra).
      assert (S l <= k)%nat as K2 by lia. apply le_INR in K2. rewrite S_INR in K2. apply Rinv_le_contravar; lra.
    - rewrite (Sum_telescopes _ (fun k => k / (s + INR l)) (S l) u) by (lia || (intros; reflexivity)).
      rewrite S_INR. right. field. lra. }
  assert (s * sqrt (E s l u / (INR l * (s + INR l))) <= sqrt (INR u / INR l)) as M; [| lra].
  rewrite <- (sqrt_pow2 s) at 1 by exact Z. rewrite <- sqrt_mult_alt by apply pow2_ge_0.
  apply sqrt_le_1_alt. apply Rle_trans with (s ^ 2 * (INR u / (s + INR l) / (INR l * (s + INR l)))).
  - apply Rmult_le_compat_l; [apply pow2_ge_0 |].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact F].
  - eapply from_difference with (d := INR u / INR l * ((2 * s + INR l) * INR l / (s + INR l) ^ 2)).
    + apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra |].
      apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra | apply pow_lt; lra].
    + field. lra.
Qed.

(* Theorem "upper bound for each s": \sup_{x\ge0}\frac{x^\top A x}{x^\top B x} \le 1 + \tfrac12E + \sqrt{sE} \le 1 +
   (\tfrac12 + \sqrt s)\,E \le 1 + (\tfrac12 + \sqrt s)(1 + \tfrac12\ln(1/\alpha))
   Reading: for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms *)
Theorem log_bound_each_s : forall s l u x, 0 <= s -> (1 <= l <= u)%nat -> (forall k, 0 <= x k) ->
  form (A s) l u x <= (1 + / 2 * E 0 l u + sqrt (s * E 0 l u)) * form (B s) l u x /\
  1 + / 2 * E 0 l u + sqrt (s * E 0 l u) <= 1 + (/ 2 + sqrt s) * E 0 l u /\
  1 + (/ 2 + sqrt s) * E 0 l u <= 1 + (/ 2 + sqrt s) * (1 + / 2 * ln (INR u / INR l)).
Proof.
  intros s l u x Z H X. pose proof (E_logarithmic 0 l u ltac:(lra) H) as G.
  destruct (above_0 s l Z ltac:(lia)) as [L _]. assert (0 < INR l * (s + INR l)) as D by (apply Rmult_lt_0_compat; lra).
  pose proof (E_positive s l u Z ltac:(lia)) as P. pose proof (sqrt_pos s) as S0.
  assert (E s l u <= E 0 l u) as F.
  { unfold E. apply Rplus_le_compat; [apply Rmult_le_compat_l; [lra |]; apply Rinv_le_contravar; lra |].
    apply Sum_le. intros k K. pose proof (weight 0 l k ltac:(lra) ltac:(lia) ltac:(lia)). apply Rinv_le_contravar; lra. }
  assert (1 <= E 0 l u) as O.
  { unfold E. replace (INR l / (0 + INR l)) with 1 by (field; lra).
    assert (0 <= Sum (fun k => / (0 + 2 * INR k - 1)) (S l) u); [| lra]. apply Sum_nonnegative. intros k K.
    left. apply Rinv_0_lt_compat, (weight 0 l k); lra || lia. }
  split; [| split].
  - destruct (two_sided_bound s l u x Z H X) as [_ T]. eapply Rle_trans; [exact T |].
    apply Rmult_le_compat_r; [apply B_semidefinite; [exact Z | lia] |].
    assert (s * sqrt (E s l u / (INR l * (s + INR l))) <= sqrt (s * E 0 l u)) as M; [| lra].
    rewrite <- (sqrt_pow2 s) at 1 by exact Z. rewrite <- sqrt_mult_alt by apply pow2_ge_0. apply sqrt_le_1_alt.
    apply Rle_trans with (s * E s l u); [| apply Rmult_le_compat_l; lra].
    apply (Rmult_le_reg_r (INR l * (s + INR l))); [exact D |].
    replace (s ^ 2 * (E s l u / (INR l * (s + INR l))) * (INR l * (s + INR l))) with (s * E s l u * s) by (field; lra).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra |]. apply Rle_trans with (1 * (s + INR l)); [lra |].
    apply Rmult_le_compat_r; lra.
  - rewrite sqrt_mult_alt by exact Z. assert (sqrt s * sqrt (E 0 l u) <= sqrt s * E 0 l u); [| lra].
    apply Rmult_le_compat_l; [exact S0 |]. pose proof (sqrt_sqrt (E 0 l u) ltac:(lra)) as Q. rewrite <- Q at 2.
    rewrite <- (Rmult_1_r (sqrt (E 0 l u))) at 1. apply Rmult_le_compat_l; [apply sqrt_pos |].
    rewrite <- sqrt_1. apply sqrt_le_1_alt; lra.
  - apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.

(* ---- two lengths as weights ------------------------------------------------------------------------------------- *)

Lemma form_on_ends : forall m l u r, (l < u)%nat ->
  form m l u (on_ends l u r) = m l l * r ^ 2 + (m l u + m u l) * r + m u u.
Proof.
  intros m l u r H. set (x := on_ends l u r).
  assert (forall f, Sum (fun k => f k * x k) l u = r * f l + f u) as W.
  { intros f. rewrite (Sum_same _ (fun k => r * (unit l k * f k) + unit u k * f k) l u).
    - rewrite Sum_plus, Sum_times, !Sum_unit by lia. reflexivity.
    - intros k K. unfold x, on_ends, unit.
      destruct (Nat.eqb_spec k l), (Nat.eqb_spec k u), (Nat.eqb_spec l k), (Nat.eqb_spec u k); try lia; ring. }
  unfold form. rewrite (Sum_same _ (fun i => (r * m i l + m i u) * x i) l u).
  - rewrite W. ring.
  - intros i I. rewrite W. ring.
Qed.

Lemma form_symmetric_on_ends : forall f l u r, (l < u)%nat ->
  form (symmetric f) l u (on_ends l u r) = on_two f (INR l) (INR u) r 1.
Proof.
  intros f l u r H. rewrite form_on_ends by lia. unfold on_two.
  rewrite (symmetric_le f l l), (symmetric_le f l u), (symmetric_le f u u), (symmetric_ge f u l) by lia. ring.
Qed.

(* Theorem "not logarithmic in s": \sup_{s}\,\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} > \tfrac13\sqrt{1/\alpha}
   Reading: for l = 1 and every u = s = m², m ≥ 1, of the forms *)
Theorem not_logarithmic : forall m, (1 <= m)%nat -> let u := (m * m)%nat in
  exists x, (forall k, 0 <= x k) /\ 0 < form (B (INR u)) 1 u x /\
  / 3 * sqrt (INR u / INR 1) * form (B (INR u)) 1 u x < form (A (INR u)) 1 u x.
Proof.
  intros m M u. exists (on_ends 1 u (INR m)). assert (1 <= INR m) as M1 by (apply (le_INR 1); lia).
  split; [intros k; unfold on_ends; destruct (Nat.eqb k 1), (Nat.eqb k u); lra |].
  assert (INR u = INR m ^ 2) as U by (unfold u; rewrite mult_INR; ring). assert (1 <= INR m ^ 2) by (rewrite <- U; apply
    (le_INR 1); unfold u; lia).
  replace (sqrt (INR u / INR 1)) with (INR m) by (rewrite U; cbn [INR]; unfold Rdiv; rewrite Rinv_1, Rmult_1_r,
    sqrt_pow2; lra).
  destruct (Nat.eq_dec m 1) as [E1 | N].
  - subst m. cbv [u Nat.mul Nat.add]. unfold form, A, B. rewrite !Sum_one. rewrite !symmetric_le by lia.
    unfold on_ends. simpl. unfold a, b. split; [lra | field_simplify; lra].
  - unfold A, B. rewrite !form_symmetric_on_ends by (unfold u; nia). rewrite U. cbn [INR]. set (n := INR m) in *.
    assert (0 < on_two (b (n ^ 2)) 1 (n ^ 2) n 1) as P.
    { unfold on_two, b. assert (0 < 1 * (n ^ 2 + 1) * n ^ 2) by (repeat apply Rmult_lt_0_compat; lra).
      assert (0 < 1 * (n ^ 2 + 1) * n) by (repeat apply Rmult_lt_0_compat; lra).
      assert (0 < n ^ 2 * (n ^ 2 + n ^ 2)) by (apply Rmult_lt_0_compat; lra). lra. }
    split; [exact P |]. pose proof (adaptive.not_logarithmic_in_s.step_1 n M1) as Q.
    apply (Rmult_lt_compat_r _ _ _ P) in Q. rewrite Rmult_0_l in Q. apply Rminus_gt_0_lt.
    eapply Rlt_le_trans; [exact Q | right]. revert P. unfold on_two, a, b. intro P. field. lra.
Qed.

(* ---- A_max at s = 0 --------------------------------------------------------------------------------------------- *)

(* Theorem "A_max's supremum at s = 0": \tfrac1\alpha \le \sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} \le
   \tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)
   Reading: s = 0, all integers 1 ≤ l ≤ u, of the form; with equality on both sides at l = u *)
Theorem a_max_at_zero : forall l u, (1 <= l <= u)%nat ->
  let above := / (2 * (INR l / INR u)) * (1 + sqrt (1 + / 2 * ln (INR u / INR l))) in
  (exists x, (forall k, (l <= k <= u)%nat -> 0 <= x k) /\ 0 < form (B 0) l u x /\
    / (INR l / INR u) * form (B 0) l u x <= a_max 0 l u x) /\
  (forall x, a_max 0 l u x <= above * form (B 0) l u x) /\ (l = u -> / (INR l / INR u) = above).
Proof.
  intros l u H above. destruct (above_0 0 l ltac:(lra) ltac:(lia)) as [L _]. assert (INR l <= INR u) as U by (apply
    le_INR; lia).
  destruct (a_max_supremum 0 l u ltac:(lra) H) as [P [x [X [X0 [Q _]]]]].
  destruct (max_supremum_above 0 l u ltac:(lra) H) as [V0 [_ G]].
  split; [| split].
  - exists x. split; [exact X | split; [exact X0 |]]. rewrite Q. apply Rmult_le_compat_r; [lra |].
    replace (/ (INR l / INR u)) with ((0 + INR u) / (0 + INR l)) by (field; lra). exact G.
  - intros y. eapply Rle_trans; [apply P |]. apply Rmult_le_compat_r; [apply B_semidefinite; [lra | exact H] |].
    unfold max_supremum, above. replace (/ (2 * (INR l / INR u))) with ((0 + INR u) / (2 * (0 + INR l))) by (field; lra).
    apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra |]. apply Rplus_le_compat_l, sqrt_le_1_alt.
    pose proof (E_logarithmic 0 l u ltac:(lra) H) as E1. unfold E in E1.
    replace ((0 + INR l) / INR l) with 1 by (field; lra). replace (INR l / (0 + INR l)) with 1 in E1 by (field; lra). lra.
  - intros <-. unfold above. replace (INR l / INR l) with 1 by (field; lra). rewrite ln_1, Rmult_0_r, Rplus_0_r, sqrt_1.
    field.
Qed.
