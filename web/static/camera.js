// The live camera: pictures go to the server one at a time, and what it sees in them is drawn over the view. When the
// game goes on, the page is renewed in place, so that the camera stays open.
import { turnTo } from "./kast.js";

const INTERVAL = 100; // milliseconds between two pictures, at least
const REST = 0.25; // of the time that an answer takes, the server has before the next picture
const LONGEST = 1280; // pixels of the longer side of what is sent
const QUALITY = 0.8;
const PATIENCE = 15000; // milliseconds for an answer
const AGAIN = 1000; // milliseconds before a server that is away is tried again
const SMALLEST = 0.1; // of a side: a smaller frame round the table is a tap

const live = document.getElementById("live");
const video = live.querySelector("video");
let image = live.querySelector("img"); // in place of the video, what the camera at the computer sees
const seen = live.querySelector(".seen");
const lens = live.querySelector("select");
const canvas = document.createElement("canvas");
const pause = time => new Promise(done => setTimeout(done, time));
const hasOwn = Boolean(navigator.mediaDevices?.getUserMedia); // or there is only the camera at the computer, if any
const isHere = () => "here" in live.dataset && ("onlyHere" in live.dataset || !hasOwn || localStorage.getItem("lens") === "here");
const shown = () => isHere() ? [image.naturalWidth, image.naturalHeight] : [video.videoWidth, video.videoHeight];
const part = name => live.querySelector(`[data-live=${name}]`);

let running = false; // whether somebody wants the camera
let following = false; // whether pictures are being sent
let opening = Promise.resolve(); // one camera after the other
let flags = {}; // what the next picture says besides
let area = ""; // what counts of the picture, “left,top,width,height” in fractions

// The camera is named anew whenever another lens is chosen: the server follows each by itself.
const rename = () => sessionStorage.setItem("camera", crypto.randomUUID());
if (!sessionStorage.getItem("camera")) rename();

const open = () => opening = opening.catch(() => {}).then(reopen);
async function reopen() {
  close();
  image.hidden = !isHere();
  video.hidden = isHere();
  if (isHere()) return list("here");
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
  const chosen = localStorage.getItem("lens");
  let stream;
  try {
    if (chosen) stream = await navigator.mediaDevices.getUserMedia({ video: { ...size, deviceId: { exact: chosen } } });
  } catch (error) {
    if (error.name === "NotAllowedError") throw error;
    localStorage.removeItem("lens"); // it has been unplugged
  }
  stream ??= await navigator.mediaDevices.getUserMedia({ video: { ...size, facingMode: { ideal: "environment" } } });
  if (!running) return stream.getTracks().forEach(track => track.stop());
  video.srcObject = stream;
  await video.play();
  await list(stream.getVideoTracks()[0].getSettings().deviceId);
}

function close() {
  for (const track of video.srcObject?.getTracks() ?? []) track.stop();
  video.srcObject = null;
}

// Phones have several lenses, and the first is not always the one that is sharp at a table's distance.
async function list(now) {
  const devices = await navigator.mediaDevices?.enumerateDevices() ?? [];
  const cameras = devices.filter(device => device.kind === "videoinput");
  if ("here" in live.dataset) cameras.push({ label: live.dataset.here, deviceId: "here" });
  lens.replaceChildren(...cameras.map((device, n) => new Option(device.label || n + 1, device.deviceId, false, device.deviceId === now)));
  lens.parentElement.hidden = cameras.length < 2 || "onlyHere" in live.dataset;
  remember();
}
navigator.mediaDevices?.addEventListener("devicechange", () => { if (running) list(lens.value); });
lens.addEventListener("change", () => {
  localStorage.setItem("lens", lens.value);
  rename();
  start();
});

const isOpen = () => isHere() || video.srcObject?.active && video.srcObject.getVideoTracks()[0].readyState === "live";

// What the browser says of a camera that it does not open, where there is a sentence for it.
const CAMERA_ERRORS = ["NotAllowedError", "NotFoundError", "NotReadableError"];
const reason = (error, otherwise) => CAMERA_ERRORS.includes(error.name) ? error.name : otherwise;

async function start(take = true) {
  running = true;
  sessionStorage.setItem("live", "on");
  if (take) flags.take = "1";
  live.hidden = false;
  delete live.dataset.failed;
  document.body.classList.add("live-on");
  complain();
  try {
    await open();
    follow();
  } catch (error) {
    stop();
    fail(reason(error, "TypeError"));
  }
}

function fail(error) {
  live.hidden = false;
  live.dataset.failed = "";
  complain(error);
}

function stop() {
  running = false;
  sessionStorage.removeItem("live");
  close();
  seen.replaceChildren();
  live.hidden = true;
  document.body.classList.remove("live-on");
}

function complain(error = "") {
  for (const sentence of live.querySelectorAll("[data-error]")) sentence.hidden = sentence.dataset.error !== error;
}

// After the screen was off the camera may be gone, or stand still.
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !running) return;
  if (!isOpen()) start(false); else if (!isHere()) video.play();
});

async function follow() {
  if (following) return;
  following = true;
  while (running) {
    const began = performance.now();
    try {
      if (!document.hidden) await once();
    } catch (error) {
      if (error === "gone") return location.reload();
      complain(reason(error, "away"));
      await pause(AGAIN);
    }
    const took = performance.now() - began;
    await pause(Math.max(INTERVAL - took, REST * took));
  }
  following = false;
}

async function once() {
  await opening.catch(() => {});
  if (running && !isOpen()) await open(); // it was unplugged, or another program has taken it
  if (!running || !(isHere() || video.videoWidth)) return;
  const answer = await send(isHere() ? undefined : await picture());
  if (isHere()) await look();
  show(answer);
  complain();
}

function picture() {
  const shrink = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * shrink);
  canvas.height = Math.round(video.videoHeight * shrink);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done, "image/jpeg", QUALITY));
}

async function look() {
  const next = new Image();
  next.alt = "";
  next.src = `${live.dataset.url}here.jpg?${performance.now()}`;
  await next.decode().then(() => { image.replaceWith(next); image = next; }, () => {}); // or there is none yet
}

async function send(frame) {
  const form = new FormData();
  form.append("token", live.dataset.token);
  if (frame) form.append("frame", frame, "frame.jpg");
  if (area) form.append("area", area);
  for (const [name, value] of Object.entries(flags)) form.append(name, value);
  flags = {};
  const address = live.dataset.url + (isHere() ? "here" : sessionStorage.getItem("camera"));
  const answer = await fetch(address, { method: "POST", body: form, signal: AbortSignal.timeout(PATIENCE) });
  if (answer.status === 400 || answer.status === 404) throw "gone"; // another session, or no such game: begin anew
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

function show(answer) {
  if (!running) return;
  const word = live.querySelector(".word");
  word.dataset.state = answer.state;
  if (word.textContent !== answer.word) word.textContent = answer.word;
  const says = live.querySelector(".says");
  if (says.dataset.said !== answer.says.join("\n")) {
    says.dataset.said = answer.says.join("\n");
    says.replaceChildren(...answer.says.slice(0, 2).map(sentence => {
      const said = document.createElement("p");
      said.className = "warning";
      said.textContent = sentence;
      return said;
    }));
  }
  part("declare").hidden = !answer.ask;
  part("take").hidden = answer.state !== "away";
  draw(answer.dice);
  const sheet = document.getElementById("sheet");
  if (sheet && String(answer.seq) !== sheet.dataset.seq) turn(location.pathname);
}

const shape = (name, attributes, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

function draw(dice) {
  const [w, h] = shown(), unit = Math.max(w, h) / 100;
  if (!w) return;
  const stage = live.querySelector(".stage");
  stage.style.aspectRatio = `${w} / ${h}`;
  stage.toggleAttribute("data-upright", h > w);
  const size = `0 0 ${w} ${h}`;
  if (seen.getAttribute("viewBox") !== size) {
    seen.setAttribute("viewBox", size);
    remember();
  }
  const outlines = [], values = []; // no outline lies over a value
  for (const die of [...dice].sort((one, other) => one.box[0] - other.box[0])) {
    const [x, y, wide, high] = die.box.map((side, n) => side * (n % 2 ? h : w));
    const outline = shape("g", { class: die.doubtful ? "doubtful" : "read" }), value = outline.cloneNode();
    const r = Math.max(Math.max(wide, high) / 4, unit * 2.4);
    if (die.keep) outline.append(shape("ellipse", { class: "ring", cx: x + wide / 2, cy: y + high / 2, rx: wide * 0.85, ry: high * 0.85, "stroke-width": unit }));
    outline.append(shape("rect", { class: "frame", x, y, width: wide, height: high, rx: unit, "stroke-width": unit * 0.6 }));
    value.append(shape("circle", { class: "badge", cx: x + wide, cy: y, r }));
    value.append(shape("text", { x: x + wide, y, "font-size": r * 1.4, "text-anchor": "middle", "dominant-baseline": "central" }, `${die.face}${die.doubtful ? "?" : ""}`));
    outlines.push(outline);
    values.push(value);
  }
  seen.replaceChildren(...outlines, ...values, ...seen.querySelectorAll(".area"));
}

// The part of the picture that counts, dragged on it and remembered for this lens, held upright or on its side.
const place = () => `area ${lens.value}${shown()[1] > shown()[0] ? " upright" : ""}`;
function remember() {
  area = localStorage.getItem(place()) ?? "";
  drawArea();
}
function drawArea() {
  seen.querySelector(".area")?.remove();
  if (!area) return;
  const [x, y, width, height] = area.split(",").map(Number);
  const inside = `M${x} ${y}h${width}v${height}h${-width}z`;
  const path = shape("path", { class: "area", d: `M0 0h1v1h-1z${inside}`, "fill-rule": "evenodd", transform: `scale(${shown().join(" ")})` });
  seen.prepend(path);
}
let corner;
const at = event => {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(seen.getScreenCTM().inverse());
  return [place.x, place.y].map((length, n) => Math.min(1, Math.max(0, length / shown()[n])));
};
seen.addEventListener("pointerdown", event => {
  if (!("marking" in live.dataset)) return;
  corner = at(event);
  seen.setPointerCapture(event.pointerId);
});
seen.addEventListener("pointermove", event => {
  if (!corner) return;
  const end = at(event), low = corner.map((share, n) => Math.min(share, end[n]));
  const size = corner.map((share, n) => Math.abs(share - end[n]));
  area = Math.min(...size) < SMALLEST ? "" : [...low, ...size].map(share => share.toFixed(4)).join(",");
  drawArea();
});
seen.addEventListener("pointerup", () => {
  if (!corner) return;
  corner = undefined;
  localStorage.setItem(place(), area);
  setMarking(false);
});
seen.addEventListener("click", () => {
  if ("marking" in live.dataset) { area = ""; localStorage.removeItem(place()); drawArea(); setMarking(false); }
});
function setMarking(on) {
  live.toggleAttribute("data-marking", on);
  live.querySelector(".marking").hidden = !on;
  part("area").setAttribute("aria-pressed", on);
}

const turn = (...to) => turnTo(...to).catch(() => complain("away"));
addEventListener("turned", () => { if (running && document.querySelector(".result")) stop(); });
addEventListener("submit", event => {
  const form = event.target;
  if (!running || event.defaultPrevented || "send" in form.dataset) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  turn(form.action, { method: "POST", body });
});
addEventListener("click", event => {
  const link = event.target.closest?.("a[href]");
  if (!running || event.defaultPrevented || !link || link.hash || link.pathname !== location.pathname) return;
  event.preventDefault();
  turn(link.href);
});

addEventListener("click", event => {
  switch (event.target.closest?.("[data-live]")?.dataset.live) {
    case "on": start(); break;
    case "off": stop(); break;
    case "area": setMarking(!("marking" in live.dataset)); break;
    case "declare": flags.declare = "1"; break;
    case "take": flags.take = "1"; break;
  }
});

// Whoever comes back from another page of the game finds the camera as it was.
if (!hasOwn && !isHere()) { if (document.body.classList.contains("lone")) fail("TypeError"); }
else if (sessionStorage.getItem("live")) start(false);
