// What was left over time, and when nothing will be left at this rate.

import "uplot/dist/uPlot.min.css";

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

import { shortDate, timeOfDay } from "../base/format";
import { currentLanguage } from "../base/i18n";
import { onThemeChange } from "../base/theme";
import type { Mark } from "./deeds";
import { drawnEnd, type Sample } from "./samples";
import { words } from "./texts";
import { between, mostLeft, type Span, wholeOf } from "./zoom";

// On a wall screen the box has a height of its own; elsewhere it is as high as its chart.
function sizeOf(box: HTMLElement): { width: number; height: number } {
  const { clientWidth: width, clientHeight } = box;
  if (getComputedStyle(box).position === "relative") return { width, height: clientHeight };
  return { width, height: Math.round(Math.min(420, Math.max(220, width * 0.38))) };
}

const leastSeconds = 30;
const leastDrag = 5; // pixels; less is a click

// `end`: when nothing will be left. `looked`: the point in the past that the operator looks at.
// `span`: the part that is shown, or everything when null; dragging over the chart sets it.
type Shown = {
  samples: Sample[];
  end: number | null;
  looked: Sample | null;
  span: Span | null;
  marks: Mark[];
};
type Props = Shown & { setSpan: (span: Span) => void };

export function BurnDown({ samples, end, looked, span, marks, setSpan }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useRef<Props>(null!);
  const language = currentLanguage();
  shown.current = { samples, end, looked, span, marks, setSpan };

  useEffect(() => {
    const box = place.current!;
    const draw = () => {
      plot.current?.destroy();
      const options = optionsFor(sizeOf(box), () => shown.current);
      plot.current = new uPlot(options, dataOf(shown.current.samples, shown.current.end), box);
    };
    draw();
    // Colours and fonts are measured when the chart is made.
    const resized = new ResizeObserver(draw);
    resized.observe(box);
    const stop = onThemeChange(draw);
    return () => {
      resized.disconnect();
      stop();
      plot.current?.destroy();
    };
  }, [language]);

  useEffect(() => plot.current?.setData(dataOf(samples, end)), [samples, end, span]);
  // Without its paths, which would bring back the old scale after new data has replaced it.
  useEffect(() => plot.current?.redraw(false), [looked, marks]);
  return <div ref={place} class="chart" role="img" aria-label={describe(samples, end)} />;
}

// Zooms to what was dragged over, and removes the selection.
function zoomTo(plot: uPlot, { samples, setSpan }: Props): void {
  const { left, width } = plot.select;
  const whole = wholeOf(samples);
  if (width === 0 || !whole) return;
  const at = (position: number) => plot.posToVal(position, "x") * 1000;
  setSpan(between(at(left), at(left + width), whole));
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function describe(samples: Sample[], end: number | null): string {
  const last = samples.at(-1);
  if (!last) return words("burn_down");
  if (end === null) return words("chart_still", { n: last.left });
  return words("chart_falling", { n: last.left, time: timeOfDay(end) });
}

// Two lines over one axis: what was left, and the forecast until nothing is left. The axis spans at
// least half a minute, or two points would fill it.
function dataOf(samples: Sample[], end: number | null): uPlot.AlignedData {
  type Point = [seconds: number, left: number | null, ahead: number | null];
  const points = samples.map(({ at, left }): Point => [at / 1000, left, null]);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [[], [], []];
  if (end !== null) {
    last[2] = last[1];
    const { at, left } = drawnEnd(samples, end);
    points.push([at / 1000, null, left]);
  }
  if (points.at(-1)![0] < first[0] + leastSeconds)
    points.push([first[0] + leastSeconds, null, null]);
  return [
    points.map((point) => point[0]),
    points.map((point) => point[1]),
    points.map((point) => point[2]),
  ];
}

type Size = ReturnType<typeof sizeOf>;

function optionsFor(size: Size, shown: () => Props): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const letter = Math.round(0.75 * parseFloat(style.fontSize));
  const font = `${letter}px ${style.getPropertyValue("--font")}`;
  const axis = { stroke: colour("--faint"), font, grid: { stroke: colour("--line"), width: 1 } };
  return {
    ...size,
    cursor: {
      x: false,
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: leastDrag },
    },
    legend: { show: false },
    scales: {
      x: { range: (_, first, last) => secondsOf(shown().span) ?? [first, last] },
      y: { range: () => [0, Math.max(1, mostLeft(shown().samples, shown().span) * 1.05)] },
    },
    axes: [
      { ...axis, values: tickTexts, size: letter * 3, space: letter * 8 },
      {
        ...axis,
        size: letter * 4.5,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000, 1_000_000],
      },
    ],
    series: [
      {},
      {
        stroke: colour("--bar-left"),
        fill: `${colour("--bar-left")}26`,
        // Where there is no point, nothing has changed.
        paths: uPlot.paths.stepped!({ align: 1 }),
        width: 2.5,
        points: { show: false },
      },
      { stroke: colour("--hot"), width: 2, dash: [6, 6], spanGaps: true, points: { show: false } },
    ],
    hooks: {
      draw: [
        (plot) => drawMarks(plot, shown().marks, { line: colour("--warn"), font }),
        (plot) => drawLine(plot, shown().looked?.at, colour("--ink")),
      ],
      setSelect: [(plot) => zoomTo(plot, shown())],
    },
  };
}

const daySeconds = 86_400;

function tickTexts(_: uPlot, ticks: number[]): string[] {
  const long = ticks.length > 1 && ticks.at(-1)! - ticks[0]! > daySeconds;
  return ticks.map((tick) => (long ? shortDate(tick * 1000) : timeOfDay(tick * 1000)));
}

const secondsOf = (span: Span | null): [number, number] | null =>
  span && [span.from / 1000, span.to / 1000];

// Where it is out of sight, it is not drawn.
function drawLine(
  plot: uPlot,
  at: number | undefined,
  colour: string,
  dash: number[] = [],
): number {
  const { ctx, bbox } = plot;
  const x = at === undefined ? NaN : Math.round(plot.valToPos(at / 1000, "x", true));
  if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return NaN;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
  return x;
}

// Each mark has a number, which is explained below the chart.
function drawMarks(plot: uPlot, marks: Mark[], look: { line: string; font: string }): void {
  const { ctx, bbox } = plot;
  const gap = 3 * devicePixelRatio;
  const size = parseFloat(look.font) * devicePixelRatio;
  let [last, row] = [-Infinity, 0];
  marks.forEach(({ at }, i) => {
    const x = drawLine(plot, at, look.line, [3, 3]);
    if (Number.isNaN(x)) return;
    // The numbers of deeds that follow closely stand below each other.
    row = x - last < 2 * size ? row + 1 : 0;
    last = x;
    ctx.save();
    ctx.font = look.font.replace(/^[\d.]+/, String(size));
    ctx.fillStyle = look.line;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    ctx.fillText(String(i + 1), x + gap, bbox.top + gap + row * size);
    ctx.restore();
  });
}
