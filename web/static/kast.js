// Niceties only: everything here also works without this file.

const GUARD = 400; // milliseconds in which a second tap on the same spot is a slip of the finger
const SPOT = 30; // pixels

// A second tap right after the first, on the spot where something new has appeared, does nothing: not in this page, nor
// in the one that the first tap led to. On the pad every tap counts.
addEventListener("click", event => {
  if (event.target.closest?.("[data-face]") || !event.detail) return;
  const tap = { x: event.clientX, y: event.clientY, at: Date.now() };
  const last = JSON.parse(sessionStorage.getItem("tap")) ?? { at: 0 };
  sessionStorage.setItem("tap", JSON.stringify(tap));
  if (tap.at - last.at < GUARD && Math.hypot(tap.x - last.x, tap.y - last.y) < SPOT) event.preventDefault();
}, { capture: true });

// Where the browser has no camera to offer, the page says so before anybody tries.
document.documentElement.classList.toggle("camless", !navigator.mediaDevices?.getUserMedia);

// The box being confirmed is marked on the sheet.
export const mark = () => {
  for (const link of document.querySelectorAll("#sheet a[href^='#']")) {
    link.toggleAttribute("data-picked", link.getAttribute("href") === location.hash);
  }
};
addEventListener("hashchange", mark);
addEventListener("keydown", event => { if (event.key === "Escape" && location.hash) location.hash = "#none"; });
mark();

// A form is sent once.
addEventListener("submit", event => {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = "yes";
  if (event.target.dataset.send) document.body.append(busy(event.target.dataset.send));
});

function busy(sentence) {
  const note = document.createElement("p");
  note.className = "busy";
  note.setAttribute("role", "status");
  note.textContent = sentence;
  return note;
}

// A chosen picture is sent at once, also from a form that has come since.
addEventListener("change", event => {
  if (event.target.matches?.("form[data-send] input[type=file]") && event.target.files.length) event.target.form.requestSubmit();
});

// Dice entered by hand: the pad fills the tray here, without asking the server at each tap.
addEventListener("click", event => {
  const hand = event.target.closest?.("#hand");
  const key = event.target.closest?.("[data-face]"), slot = event.target.closest?.(".slot");
  if (!hand || !(key || slot)) return;
  event.preventDefault();
  const field = hand.elements.dice, wanted = Number(hand.dataset.dice), before = field.value;
  if (slot) field.value = [...before].filter((_, n) => n !== [...slot.parentElement.children].indexOf(slot)).join("");
  else if (before.length < wanted) field.value += key.dataset.face;
  draw(hand, field.value, wanted);
  const isFull = field.value.length === wanted && before.length < wanted;
  if (isFull && "atOnce" in hand.dataset) hand.requestSubmit();
});
function draw(hand, dice, wanted) {
  [...hand.querySelectorAll(".tray .slot")].forEach((slot, n) => {
    slot.querySelector("use").setAttribute("href", `#d${dice[n] ?? 0}`);
    // The address is what the tap does without this file; it also makes the die a link for keyboards.
    if (n < dice.length) slot.href = `?${hand.dataset.way}=1&dice=${[...dice].filter((_, m) => m !== n).join("")}`;
    else slot.removeAttribute("href");
  });
  hand.querySelector(".use").hidden = dice.length < wanted;
  hand.querySelector(".pad").hidden = dice.length >= wanted;
}

const OWN = ["open", "data-picked", "data-sent"]; // what only the browser knows
// Make what is shown what has come. Whatever can stay does: it may be under a finger, in focus, or open.
export function renew(shown, come) {
  for (const { name, value } of come.attributes) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes]) if (!come.hasAttribute(name) && !OWN.includes(name)) shown.removeAttribute(name);
  if (shown.childNodes.length !== come.childNodes.length) return replace(shown, come);
  [...shown.childNodes].forEach((node, n) => {
    const other = come.childNodes[n];
    if (node.nodeName !== other.nodeName) node.replaceWith(other.cloneNode(true));
    else if (node.nodeType === Node.ELEMENT_NODE) renew(node, other);
    else if (node.data !== other.data) node.data = other.data;
  });
}
function replace(shown, come) {
  const opened = [...shown.querySelectorAll("details[open] summary")].map(summary => summary.textContent);
  shown.replaceChildren(...come.cloneNode(true).childNodes);
  for (const summary of shown.querySelectorAll("summary")) summary.parentElement.open = opened.includes(summary.textContent);
}

// What is being worked out comes by itself; whoever acts meanwhile is not disturbed.
const LOOK_AGAIN = 1000; // milliseconds
async function follow() {
  if (!document.querySelector("[data-working]")) return;
  await new Promise(done => setTimeout(done, LOOK_AGAIN));
  try {
    const answer = await fetch(location.pathname + location.search);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    // Where somebody has acted elsewhere, this page is another one: it stays as it is.
    if (fresh.getElementById("sheet")?.dataset.seq !== sheet?.dataset.seq) return;
    for (const part of document.querySelectorAll("[data-help]")) {
      const come = fresh.querySelector(`[data-help="${part.dataset.help}"]`);
      if (come) renew(part, come);
    }
    mark();
  } catch { /* the server is away for a moment */ }
  follow();
}

// The page of the game, as it is at this address now, without leaving the one that is open.
export async function turnTo(address, request) {
  const answer = await fetch(address, request);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.getElementById("sheet")) return location.assign(answer.url);
  if (location.hash) location.hash = "#none";
  history.replaceState(null, "", answer.url);
  document.title = fresh.title;
  for (const name of ["header.top", ".hand", "#sheet", "#bars"]) {
    renew(document.querySelector(name), fresh.querySelector(name));
  }
  for (const form of document.forms) {
    form.reset(); // what was chosen for the last throw is not chosen for this one
    delete form.dataset.sent;
  }
  document.body.className = `${fresh.body.className}${document.body.classList.contains("live-on") ? " live-on" : ""}`;
  mark();
  dispatchEvent(new Event("turned"));
}

// During a turn the sheet stays where it was scrolled to.
const sheet = document.getElementById("sheet");
if (sheet) {
  const key = `scroll ${location.pathname} ${sheet.dataset.turn}`;
  const [left, top] = (sessionStorage.getItem(key) ?? "0 0").split(" ").map(Number);
  sheet.scrollTo({ left, top, behavior: "instant" });
  addEventListener("pagehide", () => sessionStorage.setItem(key, `${sheet.scrollLeft} ${sheet.scrollTop}`));
}
follow();

document.querySelector("[data-print]")?.addEventListener("click", () => print());
