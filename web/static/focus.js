// For keyboards and screen readers: after each act the focus is where one goes on, and what was done is read first.

const go = place => {
  if (!place) return;
  place.tabIndex = -1; // it is read, not acted upon, and is no stop of the Tab key
  place.focus({ preventScroll: true });
};
const NEWS = ["main .refusal:not([hidden])", "main .done:not(:empty)", ".hand h2", "h1"]; // what is read first of them
const news = () => NEWS.map(place => document.querySelector(place)).find(Boolean);

// The page that an act has led to is read from what has come of it.
addEventListener("submit", event => { if (!event.defaultPrevented) sessionStorage.setItem("acted", "yes"); });
if (sessionStorage.getItem("acted")) go(news());
sessionStorage.removeItem("acted");

// A bar that opens is read from its first sentence; when it closes, one is back where it was opened.
let opener;
addEventListener("click", event => { if (!event.target.closest?.(".bar")) opener = event.target.closest?.("a[href^='#']") ?? opener; });
addEventListener("hashchange", () => {
  const bar = document.querySelector(".bar:target");
  if (bar) go(bar.querySelector("p") ?? bar);
  else if (opener?.isConnected) opener.focus({ preventScroll: true });
});

// What was in focus may be gone: the last die of a roll hides the pad, and another screen renews the page.
const lost = () => document.activeElement === document.body || document.activeElement?.checkVisibility?.() === false;
let held = false;
addEventListener("focusin", () => { held = true; });
addEventListener("click", event => { if (event.target.closest?.("#hand") && lost()) document.querySelector("#hand .use")?.focus(); });
addEventListener("turned", () => {
  // What has come by itself is said by a region that stays in its place: screen readers miss those that come new.
  const told = ["spoken", "done"].map(name => document.querySelector(`#${name}, .${name}`)?.textContent).find(Boolean);
  document.getElementById("news").textContent = told ?? "";
  if (held && lost()) go(news());
});
