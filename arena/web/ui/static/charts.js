// Charts: each figure[data-chart] is fetched from its JSON twin and drawn by uPlot in the colours of the page.
const KEYS = 8;
const FEW = 3; // up to so many lines, each has its band of errors in full
const COUNTED = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]; // steps of an axis that counts
const dark = matchMedia("(prefers-color-scheme: dark)");
const charts = new Map(); // figure → { plot, data, hours }

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const keyColour = (i) => colour(["--seat-0", "--seat-1", "--seat-2", "--seat-3", "--seat-4", "--seat-5", "--amber", "--muted"][i % KEYS]);
const whole = (value) => (value == null ? "–" : `${value < 0 ? "−" : ""}${Math.abs(Math.round(value))}`);
const utc = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");

function axes(unit, time) {
  const common = { size: 34, stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
  const y = { ...common, values: (_, splits) => splits.map(whole), size: 56, label: unit, labelSize: 18, labelFont: "12px system-ui, sans-serif" };
  return [time ? { ...common, space: 80, values: days } : { ...common, incrs: COUNTED }, y];
}

// Ticks of a time axis, UTC: hours within a day, else days.
function days(_, splits, __, ___, step) {
  return splits.map((at) => (step < 86400 ? utc(at).slice(11) : "") || new Date(at * 1000).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", timeZone: "UTC" }));
}

// --- what each kind of chart makes of its data: { data, series, scales, axes, unit, errors }
const kinds = {
  // [{bot, version, points: [{at, elo, error}]}]: a rating holds from its point to the next one, the last until now
  history(found) {
    const end = Math.max(Date.now() / 1000, ...found.flatMap((line) => line.points.map((point) => point.at)));
    const tables = found.map((line) => {
      const last = line.points.at(-1);
      const points = last.at < end ? [...line.points, { ...last, at: end }] : line.points;
      return [points.map((p) => p.at), points.map((p) => p.elo), points.map((p) => p.error)];
    });
    const joined = tables.length ? uPlot.join(tables) : [[]];
    return {
      data: [joined[0], ...found.map((_, i) => joined[1 + 2 * i])],
      errors: found.map((_, i) => joined[2 + 2 * i]),
      names: found.map((line) => `${line.bot} v${line.version}`),
      unit: "Elo",
      time: true,
      stepped: true,
    };
  },
  // {sets, lines: [{bot, version, shares}]}: share of the points after so many sets
  shares(found) {
    return {
      data: [found.sets, ...found.lines.map((line) => line.shares.map((share) => (share === null ? null : 100 * share)))],
      names: found.lines.map((line) => `${line.bot} v${line.version}`),
      unit: "%",
      label: (x) => `set ${x}`,
    };
  },
};

// The 95% intervals as bands: each holds, as its line does, from its point to the next one.
function bands(made) {
  return (u) => {
    if (!made.errors) return;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    u.ctx.clip();
    const few = u.series.filter((series, i) => i && series.show).length <= FEW;
    made.errors.forEach((errors, i) => {
      if (!u.series[i + 1].show) return;
      const xs = u.data[0];
      const ys = u.data[i + 1];
      const known = xs.map((_, k) => k).filter((k) => ys[k] != null);
      const place = (k, sign) => u.valToPos(ys[k] + sign * errors[k], "y", true);
      const upper = known.flatMap((k, n) => (n ? [[xs[k], place(known[n - 1], 1)], [xs[k], place(k, 1)]] : [[xs[k], place(k, 1)]]));
      const lower = known.flatMap((k, n) => (n ? [[xs[k], place(known[n - 1], -1)], [xs[k], place(k, -1)]] : [[xs[k], place(k, -1)]]));
      u.ctx.fillStyle = keyColour(i);
      u.ctx.globalAlpha = made.focused === i + 1 ? 0.3 : few ? 0.18 : 0.07; // of many lines, full bands would hide each other
      u.ctx.beginPath();
      for (const [x, y] of [...upper, ...lower.toReversed()]) u.ctx.lineTo(u.valToPos(x, "x", true), y);
      u.ctx.fill();
    });
    u.ctx.restore();
  };
}

function marks(figure) {
  const found = JSON.parse(figure.dataset.marks ?? "[]"); // [[seconds, label], …]
  return (u) => {
    u.ctx.save();
    u.ctx.fillStyle = colour("--muted");
    u.ctx.strokeStyle = colour("--line-strong");
    u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    u.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const [at, label] of found) {
      if (at < u.scales.x.min || at > u.scales.x.max) continue;
      const x = u.valToPos(at, "x", true);
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
      u.ctx.fillText(label, x + 4 * devicePixelRatio, u.bbox.top + 12 * devicePixelRatio);
    }
    u.ctx.restore();
  };
}

// From the first point to now; a single moment gets some room.
function span(made) {
  const minute = 60;
  return (_, low, high) => (high - low < minute && made.time ? [low - 30 * minute, high + 30 * minute] : [low, high]);
}

function height(made) {
  const errors = made.errors?.flat().filter((each) => each != null) ?? [];
  const most = errors.length ? errors.toSorted((a, b) => a - b)[Math.floor(errors.length * 0.9)] : 0;
  return (_, low, high) => (low == null ? [0, 1] : [low - most - 5, high + most + 5]);
}

function options(figure, made, width) {
  const series = made.names.map((label, i) => ({
    label,
    stroke: keyColour(i),
    width: 2,
    spanGaps: true,
    points: { size: 6 },
    ...(made.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
  }));
  const [xs, ys] = axes(made.unit, made.time);
  return {
    width,
    height: Math.min(380, Math.max(260, width / 2.6)),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: true }, focus: { prox: 24 }, points: { size: 8 } },
    focus: { alpha: 0.3 },
    scales: { x: { time: Boolean(made.time), range: span(made) }, y: { range: height(made) } },
    axes: [xs, ys],
    series: [{}, ...series],
    hooks: {
      drawAxes: [marks(figure), bands(made)],
      setSeries: [(_, i, change) => { if (change.focus != null) made.focused = change.focus ? i : null; }],
      setCursor: [(u) => read(figure, made, u)],
      setScale: [(u, scale) => { if (scale === "x") zoomed(figure, u); }],
    },
  };
}

function zoomed(figure, u) {
  const reset = figure.querySelector("[data-reset]");
  const [xs] = u.data;
  if (reset) reset.hidden = !(xs.length && (u.scales.x.min > xs[0] || u.scales.x.max < xs.at(-1)));
}

// What the cursor is at, in the legend: the values that stand there.
function read(figure, made, u) {
  const at = u.cursor.idx;
  figure.querySelector(".when").textContent = at == null || u.data[0][at] == null ? "" : (made.label ?? utc)(u.data[0][at]);
  figure.querySelectorAll(".keys button").forEach((key, i) => {
    let value = u.data[i + 1]?.[at ?? u.data[0].length - 1];
    let back = at ?? u.data[0].length - 1;
    while (value == null && back > 0) { back -= 1; value = u.data[i + 1][back]; }
    const error = made.errors?.[i]?.[back];
    key.querySelector("b").textContent = `${whole(value)}${made.unit === "%" ? " %" : ""}${error == null ? "" : ` ± ${Math.ceil(error)}`}`;
  });
}

function legend(figure, made, u) {
  const list = figure.querySelector(".keys");
  list.replaceChildren(...made.names.map((name, i) => {
    const item = document.createElement("li");
    const key = document.createElement("button");
    key.type = "button";
    key.setAttribute("aria-pressed", "true");
    const line = document.createElement("i");
    line.className = `key-${i % KEYS}`;
    key.append(line, name, " ", document.createElement("b"));
    key.addEventListener("click", () => {
      const shown = !u.series[i + 1].show;
      key.setAttribute("aria-pressed", String(shown));
      u.setSeries(i + 1, { show: shown });
    });
    key.addEventListener("mouseenter", () => u.setSeries(i + 1, { focus: true }));
    key.addEventListener("mouseleave", () => u.setSeries(null, { focus: true }));
    item.append(key);
    return item;
  }), Object.assign(document.createElement("li"), { className: "when" }));
}

function draw(figure) {
  const chart = charts.get(figure);
  const made = kinds[figure.dataset.chart](chart.data);
  const place = figure.querySelector(".plot");
  chart.plot?.destroy();
  figure.hidden = !made.data[0].length;
  if (figure.hidden) return;
  chart.plot = new uPlot(options(figure, made, place.clientWidth), made.data, place);
  chart.made = made;
  legend(figure, made, chart.plot);
  read(figure, made, chart.plot);
  figure.dataset.drawn = "";
}

async function load(figure) {
  const chart = charts.get(figure);
  const address = new URL(figure.dataset.source, location.href);
  if (chart.hours) address.searchParams.set("hours", chart.hours);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return; // the table beside it says the same
  chart.data = await answer.json();
  if (figure.isConnected) draw(figure);
}

function begin(root) {
  for (const figure of charts.keys()) {
    if (!figure.isConnected) { charts.get(figure).plot?.destroy(); charts.delete(figure); }
  }
  for (const figure of root.querySelectorAll("figure[data-chart]")) {
    if (charts.has(figure)) continue;
    charts.set(figure, {});
    for (const button of figure.querySelectorAll("[data-hours]")) {
      button.addEventListener("click", () => {
        for (const other of figure.querySelectorAll("[data-hours]")) other.setAttribute("aria-pressed", String(other === button));
        charts.get(figure).hours = button.dataset.hours;
        load(figure);
      });
    }
    figure.querySelector("[data-reset]")?.addEventListener("click", () => {
      const { plot } = charts.get(figure);
      plot.setData(plot.data);
    });
    load(figure);
  }
}

function all(act) {
  for (const [figure, chart] of charts) if (chart.data && figure.isConnected) act(figure, chart);
}

if (globalThis.uPlot) {
  begin(document);
  document.addEventListener("fragment", (event) => {
    begin(event.target);
    // New standings: what follows from the same results is fetched again.
    if (event.target.dataset.part === "standings") all((figure) => load(figure));
  });
  dark.addEventListener("change", () => all(draw));
  let resized = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => all((figure, { plot }) => {
      const width = figure.querySelector(".plot").clientWidth;
      if (plot && plot.width !== width) draw(figure);
    }), 150);
  });
}
