// Reads aloud what is thrown and written, with the voice that the device has, where somebody has asked for it.

const KEY = "voice"; // in this browser: "on", or nothing
const isOn = () => localStorage.getItem(KEY) === "on";

function turn(on) {
  if (on) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  if (!on) speechSynthesis.cancel();
}

function speak(words) {
  const sentence = new SpeechSynthesisUtterance(words), { lang } = document.documentElement;
  const codes = lang === "nb" ? ["nb", "no"] : [lang];
  const voice = speechSynthesis.getVoices().find(voice => codes.includes(voice.lang.slice(0, 2).toLowerCase()));
  sentence.lang = voice?.lang ?? lang;
  if (voice) sentence.voice = voice;
  speechSynthesis.cancel(); // what is over need not be heard any more
  speechSynthesis.speak(sentence);
}

// Each entry of a game is read once, however often its page is shown. Quiet is one tap away.
function read() {
  const words = document.getElementById("spoken")?.dataset.words, sheet = document.getElementById("sheet");
  const quiet = document.querySelector("[data-mute]");
  if (quiet) quiet.hidden = !isOn();
  if (!words || !isOn() || document.hidden) return;
  const now = `${location.pathname} ${sheet.dataset.seq}`;
  if (sessionStorage.getItem("said") === now) return;
  sessionStorage.setItem("said", now);
  speak(words);
}

if ("speechSynthesis" in window) {
  const choice = document.querySelector("[data-voice]"), box = choice?.querySelector("input");
  if (box) {
    choice.hidden = false;
    box.checked = isOn();
    box.addEventListener("change", () => {
      turn(box.checked);
      if (box.checked) speak(choice.querySelector("[data-sample]").textContent);
    });
  }
  addEventListener("click", event => {
    const quiet = event.target.closest?.("[data-mute]");
    if (!quiet) return;
    turn(false);
    quiet.hidden = true;
  });
  addEventListener("turned", read);
  read();
}
