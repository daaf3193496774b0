// Calls somebody back to a page: a sound, and a notification where that is allowed.

let audio: AudioContext | null = null;

// Only after a press, since browsers allow neither sound nor notifications before one.
export async function allowRinging(): Promise<void> {
  try {
    audio ??= new AudioContext();
    await audio.resume();
  } catch {
    audio = null; // no sound on this device
  }
  if (typeof Notification !== "undefined" && Notification.permission === "default")
    await Notification.requestPermission();
}

export function ring(title: string, body: string): void {
  beep();
  notify(title, body);
}

function notify(title: string, body: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body, icon: "/assets/logo.svg", tag: title });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    return; // phones only allow it to service workers; there is the sound
  }
}

const tones = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.22 },
];

function beep(): void {
  if (!audio) return;
  const begin = audio.currentTime;
  for (const { hertz, at } of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.25, begin + at);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + at + 0.2);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin + at);
    tone.stop(begin + at + 0.2);
  }
}
