// The server's time, as exactly as it can be known here. It is kept as a distance from the
// browser's steady clock, which does not move when the device's clock is wrong or changed.

export type Timepieces = { steady: () => number; wall: () => number };

const browser: Timepieces = { steady: () => performance.now(), wall: () => Date.now() };

// Quartz is exact to about 50 ppm; on a busy or throttled device it is worse.
const driftPerMillisecond = 0.0002;

// A steady clock may stop while the device sleeps. The wall clock does not, so the distance between
// them shows it; a second is more than any clock adjustment moves at once.
const sleepMilliseconds = 1000;

export class ServerClock {
  private offset: number | null = null;
  private uncertainty = Infinity;
  private measuredAt = 0;
  private wallDistance = 0;

  constructor(private readonly time: Timepieces = browser) {}

  // Null until the server has answered.
  now(): number | null {
    return this.offset === null ? null : this.time.steady() + this.offset;
  }

  // One question and its answer: when it was asked, when the answer came (both on the steady
  // clock), and the time in it. The answer was made somewhere in between, so the error is at most
  // half the trip; an answer that is less exact than what we have is ignored.
  learn(asked: number, answered: number, server: number): void {
    const doubt = (answered - asked) / 2;
    if (!this.overslept() && doubt > this.doubt()) return;
    this.offset = server - (asked + answered) / 2;
    this.uncertainty = doubt;
    this.measuredAt = answered;
    this.wallDistance = this.time.wall() - this.time.steady();
  }

  // By how much now() may be wrong, in milliseconds; it grows with time.
  doubt(): number {
    return this.uncertainty + (this.time.steady() - this.measuredAt) * driftPerMillisecond;
  }

  // True when the device slept, or its clock was set, since the last measurement.
  overslept(): boolean {
    if (this.offset === null) return false;
    const distance = this.time.wall() - this.time.steady();
    return Math.abs(distance - this.wallDistance) > sleepMilliseconds;
  }
}
