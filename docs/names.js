// For readers who go through a page by keys: names for the theme's copy buttons, and a place to stop at what scrolls sideways.
new MutationObserver(() => {
  document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((own) => {
    own.setAttribute("aria-label", `Code ${document.querySelectorAll("nav.md-code__nav[aria-label]").length + 1}`);
  });
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((own) => { own.tabIndex = 0; });
}).observe(document.documentElement, { childList: true, subtree: true });

const stops = () => {
  for (const own of document.querySelectorAll(".formula, .wide, pre > code")) if (own.scrollWidth > own.clientWidth) own.tabIndex = 0;
};
for (const kind of ["load", "resize"]) addEventListener(kind, stops);
document.addEventListener("toggle", stops, true);  // what was folded has a width only once it is shown
