// All screens in the house show the same game: what happens elsewhere, or in front of a camera, comes by itself. A screen
// that has slept looks at once whether the game has gone on, and one on which a game is shown does not go dark.
import { turnTo } from "./kast.js";

const KEEP_UP = 1000; // milliseconds between two looks
const PATIENCE = 5000; // milliseconds for an answer
const MISSED = 2; // looks without an answer, before the page says that it may be old
const HANDS_OFF = 20000; // milliseconds after the last touch in which what somebody has begun is left alone

const sheet = document.getElementById("sheet"), away = document.querySelector(".away");
let touched = -HANDS_OFF, missed = 0, timer, asked;

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { touched = performance.now(); }, { capture: true });
const hasBegun = () => document.querySelector(".bar:target, [data-sent]") || document.getElementById("hand")?.elements.dice.value;
const isBusy = () => document.body.classList.contains("live-on") || performance.now() - touched < HANDS_OFF && hasBegun();

async function look() {
  clearTimeout(timer);
  asked?.abort(); // a question from before the screen slept is answered late or never
  if (document.hidden) return;
  const mine = asked = new AbortController(), game = location.pathname.split("/").slice(0, 3).join("/");
  const late = setTimeout(() => mine.abort(), PATIENCE);
  try {
    const answer = await fetch(`${game}/seq`, { signal: mine.signal });
    const seq = await answer.text();
    if (answer.ok && seq !== sheet.dataset.seq && !isBusy()) await turnTo(game);
    missed = 0;
  } catch {
    missed += 1;
  }
  clearTimeout(late);
  if (asked !== mine) return;
  const words = missed < MISSED ? "" : away.dataset.words;
  if (away.textContent !== words) away.textContent = words;
  timer = setTimeout(look, KEEP_UP);
}

// What is sent while nobody answers would lead to the browser's own page of errors, and from there is no way back.
addEventListener("submit", event => {
  if (!away?.textContent) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// The browser lets go of the lock whenever the page is hidden, and some give it only after a tap.
let lock;
async function stayAwake() {
  if (document.hidden || lock && !lock.released) return;
  try { lock = await navigator.wakeLock?.request("screen"); } catch { /* the battery is low: the screen may go off */ }
}

if (sheet) {
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  look();
}
if (document.querySelector(".game, .lone")) {
  document.addEventListener("visibilitychange", stayAwake);
  addEventListener("pointerup", stayAwake);
  stayAwake();
}
document.documentElement.classList.toggle("sleepy", !navigator.wakeLock);

// Lists of games are old after a sleep, and so is any page that the browser brings back from its own memory.
document.addEventListener("visibilitychange", () => { if (!document.hidden && document.querySelector("[data-fresh]")) location.reload(); });
addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
