// What was left over time, and when nothing will be if it goes on like this.

import "uplot/dist/uPlot.min.css";

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

import { shortDate, timeOfDay } from "../base/format";
import { currentLanguage } from "../base/i18n";
import { onThemeChange } from "../base/theme";
import { drawnEnd, type Sample } from "./samples";
import { words } from "./texts";

// On a wall screen the box has a height of its own; elsewhere it is as high as its chart.
function sizeOf(box: HTMLElement): { width: number; height: number } {
  const { clientWidth: width, clientHeight } = box;
  if (getComputedStyle(box).position === "relative") return { width, height: clientHeight };
  return { width, height: Math.round(Math.min(420, Math.max(220, width * 0.38))) };
}

const leastSeconds = 30;

// `end`: when nothing will be left. `looked`: the point that the operator looks back at.
type Props = { samples: Sample[]; end: number | null; looked: Sample | null };

export function BurnDown({ samples, end, looked }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useRef({ samples, end, looked });
  const language = currentLanguage();
  shown.current = { samples, end, looked };

  useEffect(() => {
    const box = place.current!;
    const draw = () => {
      plot.current?.destroy();
      const options = optionsFor(sizeOf(box), () => shown.current.looked);
      plot.current = new uPlot(options, dataOf(shown.current.samples, shown.current.end), box);
    };
    draw();
    // Colours and letters are measured when the chart is made.
    const resized = new ResizeObserver(draw);
    resized.observe(box);
    const stop = onThemeChange(draw);
    return () => {
      resized.disconnect();
      stop();
      plot.current?.destroy();
    };
  }, [language]);

  useEffect(() => plot.current?.setData(dataOf(samples, end)), [samples, end]);
  useEffect(() => plot.current?.redraw(), [looked]);
  return <div ref={place} class="chart" role="img" aria-label={describe(samples, end)} />;
}

function describe(samples: Sample[], end: number | null): string {
  const last = samples.at(-1);
  if (!last) return words("burn_down");
  if (end === null) return words("chart_still", { n: last.left });
  return words("chart_falling", { n: last.left, time: timeOfDay(end) });
}

// Two lines over one axis: what was left, and the way to zero. The axis is never shorter than half a
// minute, or two points would fill it.
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

function optionsFor(size: Size, looked: () => Sample | null): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const letter = Math.round(0.75 * parseFloat(style.fontSize));
  const font = `${letter}px ${style.getPropertyValue("--font")}`;
  const axis = { stroke: colour("--faint"), font, grid: { stroke: colour("--line"), width: 1 } };
  return {
    ...size,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
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
        // Where there is no point, nothing happened.
        paths: uPlot.paths.stepped!({ align: 1 }),
        width: 2.5,
        points: { show: false },
      },
      { stroke: colour("--hot"), width: 2, dash: [6, 6], spanGaps: true, points: { show: false } },
    ],
    hooks: { draw: [(plot) => drawMark(plot, looked(), colour("--ink"))] },
  };
}

const daySeconds = 86_400;

function tickTexts(_: uPlot, ticks: number[]): string[] {
  const long = ticks.length > 1 && ticks.at(-1)! - ticks[0]! > daySeconds;
  return ticks.map((tick) => (long ? shortDate(tick * 1000) : timeOfDay(tick * 1000)));
}

function drawMark(plot: uPlot, looked: Sample | null, colour: string): void {
  if (!looked) return;
  const x = Math.round(plot.valToPos(looked.at / 1000, "x", true));
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
