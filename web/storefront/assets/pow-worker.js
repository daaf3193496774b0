// Solves a proof of work off the page's thread, as a module worker:
//   new Worker("/assets/pow-worker.js", { type: "module" })
//
// In:  {prefix, bits}, from POST /sales/{id}/challenges.
// Out: {type: "progress", hashes, seconds} about four times a second, then
//      {type: "solved", answer, hashes, seconds}, or {type: "failed", reason}.
// A page that no longer wants the answer terminates the worker.

const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const START = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const DIGITS = 8; // of an answer, in hex: more tries than the hardest challenge takes
const BLOCK = 64;
const PADDING = 9; // a one bit, and the length in eight bytes
const CHUNK = 1 << 15; // hashes between two looks at the clock
const REPORT_MS = 250;

// Rounds `first` to 63 over `state` (eight words, left as they come out); w holds the block's 16
// words and room for 48 more.
function rounds(state, w, first) {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  some_rounds(state, w, first, 64);
}

function some_rounds(state, w, first, end) {
  let a = state[0], b = state[1], c = state[2], d = state[3];
  let e = state[4], f = state[5], g = state[6], h = state[7];
  for (let i = first; i < end; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + t1) | 0;
    d = c; c = b; b = a; a = (t1 + t2) | 0;
  }
  state[0] = a; state[1] = b; state[2] = c; state[3] = d;
  state[4] = e; state[5] = f; state[6] = g; state[7] = h;
}

function words_of(bytes, w) {
  for (let i = 0; i < 16; i++) {
    w[i] = (bytes[4 * i] << 24) | (bytes[4 * i + 1] << 16) | (bytes[4 * i + 2] << 8) | bytes[4 * i + 3];
  }
}

// Everything that is the same for all answers is done once: whole blocks of the prefix, and the
// first rounds of the last block, up to the word in which the answer begins.
export function prepare(prefix) {
  const bytes = new TextEncoder().encode(prefix);
  const chain = START.slice();
  const w = new Int32Array(64);
  const state = new Int32Array(8);
  const compress = (block) => {
    words_of(block, w);
    state.set(chain);
    rounds(state, w, 0);
    for (let i = 0; i < 8; i++) chain[i] = (chain[i] + state[i]) | 0;
  };
  let at = 0;
  // The answer must fit the last block together with the padding.
  while (bytes.length - at >= BLOCK) {
    compress(bytes.subarray(at, at + BLOCK));
    at += BLOCK;
  }
  const rest = bytes.subarray(at);
  if (rest.length + DIGITS + PADDING > BLOCK) {
    // Zeros lead the answer until the block is full: the next one begins with its digits.
    const filled = new Uint8Array(BLOCK).fill(0x30);
    filled.set(rest);
    compress(filled);
    return finish("0".repeat(BLOCK - rest.length), new Uint8Array(0), bytes.length + BLOCK - rest.length);
  }
  return finish("", rest, bytes.length);

  function finish(lead, head, length) {
    const block = new Uint8Array(BLOCK);
    block.set(head);
    block[head.length + DIGITS] = 0x80;
    const total = (length + DIGITS) * 8;
    for (let i = 0; i < 4; i++) block[BLOCK - 1 - i] = total >>> (8 * i);
    words_of(block, w);
    const first = head.length >> 2;
    const middle = chain.slice();
    some_rounds(middle, w, 0, first);
    return { lead, block, offset: head.length, first, chain, middle };
  }
}

// Tries `count` answers from `from` on; the first that is right, or -1.
export function search(job, bits, from, count) {
  const { block, offset, first, chain, middle } = job;
  const w = new Int32Array(64);
  const state = new Int32Array(8);
  const fixed = new Int32Array(16);
  words_of(block, fixed);
  const high = bits >= 32 ? 0 : 32 - bits; // bits of the first word that may be anything
  for (let n = from; n < from + count; n++) {
    w.set(fixed);
    for (let digit = 0; digit < DIGITS; digit++) {
      const value = (n >>> (4 * (DIGITS - 1 - digit))) & 15;
      const place = offset + digit;
      w[place >> 2] |= (value < 10 ? 48 + value : 87 + value) << (8 * (3 - (place & 3)));
    }
    state.set(middle);
    rounds(state, w, first);
    if ((((chain[0] + state[0]) | 0) >>> high) === 0) return n;
  }
  return -1;
}

export function answer_of(job, n) {
  return job.lead + (n >>> 0).toString(16).padStart(DIGITS, "0");
}

function solve({ prefix, bits }) {
  if (typeof prefix !== "string" || !(bits >= 0 && bits <= 31)) {
    postMessage({ type: "failed", reason: "prefix must be a string and bits 0 to 31" });
    return;
  }
  const job = prepare(prefix);
  const began = performance.now();
  let reported = began;
  for (let n = 0; n < 2 ** 32; n += CHUNK) {
    const found = search(job, bits, n, CHUNK);
    const now = performance.now();
    const seconds = (now - began) / 1000;
    if (found >= 0) {
      postMessage({ type: "solved", answer: answer_of(job, found), hashes: found + 1, seconds });
      return;
    }
    if (now - reported >= REPORT_MS) {
      reported = now;
      postMessage({ type: "progress", hashes: n + CHUNK, seconds });
    }
  }
  postMessage({ type: "failed", reason: "no answer has so few digits" });
}

if (typeof WorkerGlobalScope !== "undefined") {
  self.onmessage = (event) => solve(event.data);
}
