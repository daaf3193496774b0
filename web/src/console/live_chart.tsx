// What was left over time: how far back, which part of it, and what operators did meanwhile.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { preciseTime, timeOfDay } from "../base/format";
import type { Sale, SaleState } from "../base/types";
import { BurnDown } from "./burn_down";
import { useMarks } from "./deeds";
import { Marks } from "./marks";
import { type Range, ranges } from "./past";
import type { Sample } from "./samples";
import { words, type WordsKey } from "./texts";
import type { Stats } from "./types";
import { around, decisive, moved, scaled, type Span, vanishing, wholeOf } from "./zoom";

const dayMilliseconds = 86_400_000;

type Props = {
  sale: Sale;
  state: SaleState;
  samples: Sample[];
  memory: Stats[] | null;
  range: Range;
  setRange: (range: Range) => void;
  end: number | null;
  past: Sample | null;
  look: (at: number | null) => void;
};

export function LiveChart(props: Props) {
  const { sale, state, samples, memory, range, end, past, look } = props;
  const [span, setSpan] = useState<Span | null>(null);
  const all = useMarks(sale);
  const whole = wholeOf(samples);
  const marks = useMemo(() => within(all, whole), [all, whole?.from, whole?.to]);
  useOpening(state, samples, memory, setSpan);

  function change(next: Range) {
    setSpan(null);
    props.setRange(next);
  }

  return (
    <section class="panel live-chart">
      <div class="section-head">
        <h2>{words("burn_down")}</h2>
        <RangeOf range={range} memory={memory} change={change} />
      </div>
      {whole && <Zoom {...{ samples, whole, span, setSpan }} />}
      <BurnDown {...{ samples, end, span, marks, setSpan }} looked={past} />
      <Marks
        marks={marks}
        choose={({ at }) => {
          if (whole) setSpan(around(at, whole));
        }}
      />
      <Scrubber samples={samples} past={past} look={look} />
    </section>
  );
}

function within<Timed extends { at: number }>(all: Timed[], whole: Span | null): Timed[] {
  return whole ? all.filter(({ at }) => at >= whole.from && at <= whole.to) : [];
}

// A sale that is over, and whose curve would be a vertical line in the whole chart, is zoomed to
// its decisive seconds. This happens only once, so that nobody loses what they look at.
function useOpening(
  state: SaleState,
  samples: Sample[],
  memory: Stats[] | null,
  show: (span: Span) => void,
): void {
  const done = useRef(false);
  useEffect(() => {
    if (!memory || done.current) return;
    done.current = true;
    const span = state === "ended" || state === "sold_out" ? vanishing(samples) : null;
    if (span) show(span);
  }, [memory, samples]);
}

type ZoomProps = {
  samples: Sample[];
  whole: Span;
  span: Span | null;
  setSpan: (span: Span | null) => void;
};

function Zoom({ samples, whole, span, setSpan }: ZoomProps) {
  const best = useMemo(() => decisive(samples), [samples]);
  return (
    <div class="zoom" role="group" aria-label={words("zoom")}>
      <button
        class="button quiet small"
        type="button"
        disabled={!best}
        onClick={() => setSpan(best)}
      >
        {words("zoom_decisive")}
      </button>
      <Step
        sign="+"
        name="zoom_in"
        act={() => setSpan(scaled(span, 0.5, whole, best))}
        disabled={false}
      />
      <Step sign="−" name="zoom_out" act={() => setSpan(scaled(span, 2, whole))} disabled={!span} />
      <Step
        sign="←"
        name="zoom_earlier"
        act={() => span && setSpan(moved(span, -0.5, whole))}
        disabled={!span || span.from <= whole.from}
      />
      <Step
        sign="→"
        name="zoom_later"
        act={() => span && setSpan(moved(span, 0.5, whole))}
        disabled={!span || span.to >= whole.to}
      />
      <button
        class="button quiet small"
        type="button"
        disabled={!span}
        onClick={() => setSpan(null)}
      >
        {words("zoom_whole")}
      </button>
      <output class={span ? "small faint figures" : "small faint hint"}>
        {span ? `${timeOfDay(span.from)} – ${timeOfDay(span.to)}` : words("zoom_drag")}
      </output>
    </div>
  );
}

type StepProps = { sign: string; name: WordsKey; disabled: boolean; act: () => void };

function Step({ sign, name, disabled, act }: StepProps) {
  return (
    <button
      class="button quiet small step"
      type="button"
      aria-label={words(name)}
      title={words(name)}
      disabled={disabled}
      onClick={act}
    >
      {sign}
    </button>
  );
}

type RangeProps = { range: Range; memory: Stats[] | null; change: (range: Range) => void };

function RangeOf({ range, memory, change }: RangeProps) {
  if (!memory && range === "hour") return <p class="small faint">{words("burn_down_since")}</p>;
  return (
    <select
      class="range"
      aria-label={words("range")}
      value={range}
      onChange={(event) => change(event.currentTarget.value as Range)}
    >
      {ranges.map((name) => (
        <option key={name} value={name}>
          {words(`burn_down_${name}`)}
        </option>
      ))}
    </select>
  );
}

type ScrubberProps = {
  samples: Sample[];
  past: Sample | null;
  look: (at: number | null) => void;
};

function Scrubber({ samples, past, look }: ScrubberProps) {
  const last = samples.length - 1;
  const at = past ?? samples[last];
  const long = last > 0 && samples[last]!.at - samples[0]!.at > dayMilliseconds;
  const time = at ? (long ? preciseTime : timeOfDay)(at.at) : "–";
  return (
    <div class="scrubber">
      <label for="scrubber">{words("scrub")}</label>
      <input
        id="scrubber"
        type="range"
        min={0}
        max={Math.max(last, 1)}
        value={past ? samples.indexOf(past) : last}
        disabled={last < 1}
        aria-valuetext={time}
        onInput={(event) => {
          const chosen = Number(event.currentTarget.value);
          look(chosen >= last ? null : samples[chosen]!.at);
        }}
      />
      <output class="figures">{time}</output>
      <button class="button quiet small" type="button" disabled={!past} onClick={() => look(null)}>
        {words("live")}
      </button>
    </div>
  );
}
