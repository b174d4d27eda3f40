"use strict";
(() => {
  const table = document.querySelector("table.ledger");
  const form = document.querySelector("form.filters");
  if (!table || !form) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const output = form.querySelector("output");
  const nothing = document.querySelector(".nothing");
  const controls = [...form.querySelectorAll("[data-filter]")];

  // A word with a number behind it is one phrase: "theorem 5" is neither in "theorem 50" nor in "theorem 1 ... section 5".
  const phrases = (text) => (text.match(/[a-z]\S*\s+\d[\d.]*|\S+/g) || []).map((phrase) => phrase.replace(/\s+/g, " "));
  const has = (text, phrase) => {
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
      if (!/\d$/.test(phrase) || !/^\d/.test(text.slice(at + phrase.length))) return true;
    }
    return false;
  };

  const matches = (row) => controls.every((control) => {
    const key = control.dataset.filter;
    if (key === "ground") return !control.checked || row.dataset.ground === "1";
    const value = control.value.trim().toLowerCase();
    if (!value) return true;
    return key === "text" ? phrases(value).every((phrase) => has(row.dataset.text, phrase)) : row.getAttribute(`data-${key}`) === value;
  });

  const filter = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !matches(row);
      shown += row.hidden ? 0 : 1;
      const card = document.getElementById(`claim-${row.dataset.claim}`);
      if (card) card.hidden = row.hidden;
    }
    nothing.hidden = shown > 0;
    document.body.classList.toggle("chosen", shown < rows.length);
    output.textContent = `${shown} of ${rows.length} claims`;
  };

  const value = (control) => (control.type === "checkbox" ? (control.checked ? "1" : "") : control.value.trim());
  const remember = () => {
    const asked = new URLSearchParams();
    for (const control of controls) if (value(control)) asked.set(control.dataset.filter, value(control));
    history.replaceState(null, "", asked.size ? `#?${asked}` : "#ledger");
  };
  const recall = () => {
    if (!location.hash.startsWith("#?")) return;
    const asked = new URLSearchParams(location.hash.slice(2));
    for (const control of controls) {
      const own = asked.get(control.dataset.filter) || "";
      if (control.type === "checkbox") control.checked = own === "1";
      else control.value = own;
    }
    filter();
  };

  form.hidden = false;
  form.addEventListener("input", () => { filter(); remember(); });
  addEventListener("hashchange", recall);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); }));
  filter();
  recall();

  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    head.setAttribute("aria-sort", column === 0 ? "ascending" : "none");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.sort;
      const sorted = [...rows].sort((a, b) =>
        (down ? -1 : 1) * compare(key(a), key(b)) || a.dataset.order - b.dataset.order);
      body.append(...sorted);
    });
  });

  const wide = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const over = target.scrollWidth > target.clientWidth + 1 && getComputedStyle(target).overflowX === "auto";
      target.classList.toggle("wide", over);
      if (over) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const may = ".scroll, .display, .ledger td:last-child, .errata dd, .claim dd, .claim p, .facts dd, .statement, .plain > li";
  for (const region of document.querySelectorAll(may)) wide.observe(region);

  // Where claims are chosen, they are printed with their evidence open; afterwards all is as it was.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("#claims :is(.findings, .displays, .evidence, .repairs details):not([open])")];
    for (const own of opened) own.open = true;
  });
  addEventListener("afterprint", () => { for (const own of opened) own.open = false; });

  // A claim of the graph under the pointer shows what it is tied to.
  for (const graph of document.querySelectorAll("svg.graph")) {
    const lines = [...graph.querySelectorAll("path")];
    const boxes = [...graph.querySelectorAll("[data-claim]")];
    const show = (id) => {
      const near = new Set([id]);
      for (const line of lines) {
        const ends = line.dataset.between.split(" ");
        const tied = !id || ends.includes(id);
        line.classList.toggle("dim", !tied);
        if (tied) for (const end of ends) near.add(end);
      }
      for (const box of boxes) box.classList.toggle("dim", Boolean(id) && !near.has(box.dataset.claim));
    };
    for (const box of boxes) {
      for (const name of ["pointerenter", "focus"]) box.addEventListener(name, () => show(box.dataset.claim));
      for (const name of ["pointerleave", "blur"]) box.addEventListener(name, () => show(""));
    }
  }

  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.localName === "details") at.open = true;
    if (!target) return;
    const card = target.closest(".claim");
    if (card) card.hidden = false;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
