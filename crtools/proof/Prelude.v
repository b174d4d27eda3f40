(* What the generated files rest on: sums over consecutive integers, signs of polynomials, integrals of polynomials. *)
From Coq Require Export Reals Lra Lia.
Open Scope R_scope.

(* ---- sums ------------------------------------------------------------------------------------------------------- *)

(* f(a) + f(a+1) + ... + f(b); 0 where b < a. *)
Fixpoint count (f : nat -> R) (a n : nat) : R :=
  match n with O => 0 | S m => count f a m + f (a + m)%nat end.

Definition Sum (f : nat -> R) (a b : nat) : R := count f a (S b - a).

Lemma Sum_empty : forall f a b, (b < a)%nat -> Sum f a b = 0.
Proof. intros f a b H. unfold Sum. now replace (S b - a)%nat with 0%nat by lia.  Qed.

Lemma Sum_last : forall f a b c, c = S b -> (a <= c)%nat -> Sum f a c = Sum f a b + f c.
Proof.
  intros f a b c E H. subst c. unfold Sum. replace (S (S b) - a)%nat with (S (S b - a)) by lia. cbn [count].
  now replace (a + (S b - a))%nat with (S b) by lia.
Qed.

Lemma Sum_one : forall f a, Sum f a a = f a.
Proof. intros f a. unfold Sum. replace (S a - a)%nat with 1%nat by lia. simpl. rewrite Nat.add_0_r. ring. Qed.

Lemma Sum_telescopes : forall f F a b, (a <= S b)%nat ->
  (forall k, (a <= k <= b)%nat -> f k = F (INR k) - F (INR k - 1)) ->
  Sum f a b = F (INR b) - F (INR a - 1).
Proof.
  intros f F a b H. destruct (Nat.eq_dec a (S b)) as [-> | N].
  - intros _. rewrite Sum_empty by lia. rewrite S_INR. replace (INR b + 1 - 1) with (INR b) by ring. ring.
  - assert (a <= b)%nat as A by lia. clear H N. induction A as [| b A I]; intros E.
    + rewrite Sum_one. apply E. lia.
    + rewrite (Sum_last f a b (S b)) by lia. rewrite I by (intros; apply E; lia). rewrite (E (S b)) by lia.
      rewrite S_INR. replace (INR b + 1 - 1) with (INR b) by ring. ring.
Qed.

Lemma from_start : forall (P : nat -> Prop) a, P a -> (forall n, (a <= n)%nat -> P n -> P (S n)) ->
  forall n, (a <= n)%nat -> P n.
Proof. intros P a B I n H. induction H; auto. Qed.

Lemma by_increment : forall a b c d : R, a = b -> c - a = d - b -> c = d.
Proof. intros. lra. Qed.

(* ---- equality of rational functions ----------------------------------------------------------------------------- *)

(* g <> 0, where a hypothesis says so of the same polynomial up to a number, or of its factors. *)
Ltac nonzero :=
  lazymatch goal with
  | |- _ /\ _ => split; nonzero
  | |- IZR _ <> 0 => discrR
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero
  | |- ?g <> 0 =>
      first [ assumption
            | match goal with H : ?h <> 0 |- _ => let Z := fresh in intro Z; apply H; lra end ]
  end.

Ltac equal := first [ring | field; nonzero].

(* Takes what is assumed of every index between the ends to an index with K : (first <= k <= last). *)
Ltac at_index K :=
  repeat match goal with H : forall _ : nat, _ |- _ => specialize (H _ K) end;
  repeat match goal with H : _ /\ _ |- _ => let L := fresh in let G := fresh in destruct H as [L G] end.

(* Works out both sides of an equation with sums at a number. *)
Ltac at_number :=
  cbn [Sum count Nat.sub Nat.add]; rewrite ?INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; lra.

(* Writes INR (S n + c) and INR (S n - c) with INR n. *)
Ltac at_next n :=
  repeat first [rewrite S_INR | rewrite plus_INR | rewrite minus_INR by lia]; cbn [INR].

(* ---- signs ------------------------------------------------------------------------------------------------------ *)

(* Replaces v by its lower bound plus a new v, which is at least 0. *)
Ltac shift v bound :=
  let w := fresh v in
  rename v into w;
  match goal with H : bound <= w |- _ =>
    let E := fresh in let N := fresh in
    assert (w = bound + (w - bound)) as E by ring;
    assert (0 <= w - bound) as N by (lra);
    clear H; revert E N; generalize (w - bound); intros v E N; subst w
  end.

(* A sum of products of squares, of coefficients >= 0 and of variables that are assumed to be >= 0. *)
Ltac nonnegative :=
  lazymatch goal with
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonnegative
  | |- 0 <= _ * _ => apply Rmult_le_pos; nonnegative
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; nonnegative
  | |- 0 <= IZR _ => apply IZR_le; discriminate
  | |- _ => assumption
  end.

(* The same, with a constant > 0 at the end. *)
Ltac positive :=
  lazymatch goal with
  | |- 0 < _ + _ => apply Rplus_le_lt_0_compat; [nonnegative | positive]
  | |- 0 < IZR _ => apply IZR_lt; reflexivity
  end.

Lemma nonzero_above : forall n d e, 0 < n -> 0 < d -> (d <> 0 -> e = n / d) -> e <> 0.
Proof. intros n d e N D E. rewrite E by lra. pose proof (Rdiv_lt_0_compat n d N D). lra. Qed.

Lemma nonzero_below : forall n d e, 0 < n -> 0 < d -> (d <> 0 -> e = - (n / d)) -> e <> 0.
Proof. intros n d e N D E. rewrite E by lra. pose proof (Rdiv_lt_0_compat n d N D). lra. Qed.

(* e = q + n/d, with q a sum of squares and n and d of one sign. *)
Lemma by_quotient_positive : forall n d q e, 0 < n -> 0 < d -> 0 <= q -> (d <> 0 -> e = q + n / d) -> 0 < e.
Proof. intros n d q e N D Q E. rewrite E by lra. pose proof (Rdiv_lt_0_compat n d N D). lra. Qed.

Lemma by_quotient_nonnegative : forall n d q e, 0 <= n -> 0 < d -> 0 <= q -> (d <> 0 -> e = q + n / d) -> 0 <= e.
Proof. intros n d q e N D Q E. rewrite E by lra. pose proof (Rle_mult_inv_pos n d N D). unfold Rdiv. lra. Qed.

(* ---- integrals -------------------------------------------------------------------------------------------------- *)

(* The integral of f from a to b is v: f has a primitive whose values at b and a differ by v. *)
Definition Integral (f : R -> R) (a b v : R) : Prop :=
  exists F, (forall x, derivable_pt_lim F x (f x)) /\ F b - F a = v.

Lemma derivable_sum : forall f g x a b, derivable_pt_lim f x a -> derivable_pt_lim g x b ->
  derivable_pt_lim (fun v => f v + g v) x (a + b).
Proof. intros f g x a b. exact (derivable_pt_lim_plus f g x a b). Qed.

Lemma derivable_monomial : forall c n x, derivable_pt_lim (fun v => c * v ^ n) x (c * (INR n * x ^ pred n)).
Proof. intros c n x. exact (derivable_pt_lim_scal (fun v => v ^ n) c x _ (derivable_pt_lim_pow x n)). Qed.

Lemma derivable_value : forall f x a b, derivable_pt_lim f x a -> a = b -> derivable_pt_lim f x b.
Proof. intros. now subst. Qed.

Ltac derivative :=
  eapply derivable_value; [repeat first [apply derivable_monomial | apply derivable_sum] | cbn [INR pred]; equal].
