"use strict";
(() => {
  const main = document.getElementById("main"), intro = document.getElementById("intro").outerHTML;
  const esc = (v) => String(v).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const text = (i) => (i < 0 ? "" : D.pool[i]);
  const f3 = (v) => (v === null || v === undefined || Number.isNaN(v) ? "" : v.toFixed(3));
  const pct = (v) => (v === null || v === undefined ? "" : `${Math.round(100 * v)} %`);
  const elicitations = [...new Set(D.series.map((s) => s.elicitation))];
  const H = { buzzed_so_far: "right / buzzes so far", buzzed_on_question: "right / all buzzes on the question", heard: "right / teams that heard it (whole packets)", heard_seen: "right / teams declared or seen to have heard it" };
  const MODELS = D.series.length > 0 || D.teams.some((t) => t.kind === "model");
  const state = { definition: D.definition, elicitation: elicitations[0], h: "buzzed_so_far", category: "", find: "", order: [] };
  const series = () => D.series.filter((s) => s.elicitation === state.elicitation);
  // On what the scores shown depend: the h of the definition, how confidence was made, who judged.
  const origin = (shown = series()) => `CalScore (${state.definition}) takes h as ${H[D.definitions[state.definition]]}. ${[...new Set(shown.map((s) => s.origin))].map((o) => o[0].toUpperCase() + o.slice(1)).join(". ")}.`;
  const look = { style: { fontSize: "14px" }, marginTop: 30, marginBottom: 40 };
  const BLUE = "var(--blue)";
  // What would be too dark on a dark page has a colour of the page.
  for (const s of Object.values(D.styles)) s.color = { "#000000": "var(--ink)", "#7a5195": "var(--violet)" }[s.color] || s.color;
  const place = new Map(D.questions.map((q, i) => [q.id, i]));

  // What was played on a question: in rooms where the source tells them, else by human teams that heard it.
  const rates = (r) => ({ ...r, conversion: r.heard ? r.gets / r.heard : null, neg_rate: r.heard ? r.negs / r.heard : null });
  function played(i) {
    if (D.rooms?.[i]) { const [heard, gets, negs, first_correct, average_correct] = D.rooms[i]; return rates({ heard, gets, negs, first_correct, average_correct }); }
    const human = D.buzzes[i].filter((b) => b[1]), at = human.filter((b) => b[3]).map((b) => b.share);
    return rates({ heard: D.questions[i].heard, gets: at.length, negs: human.filter((b) => b[4]).length, first_correct: at.length ? d3.min(at) : null, average_correct: at.length ? d3.mean(at) : null });
  }
  function pooled(rs) {
    const sum = (k) => d3.sum(rs, (r) => r[k]), gets = sum("gets");
    return rates({ heard: sum("heard"), gets, negs: sum("negs"), average_correct: gets ? d3.sum(rs, (r) => r.gets * (r.average_correct ?? 0)) / gets : null });
  }
  D.buzzes.forEach((bs, i) => { for (const b of bs) b.share = Math.min(1, (b[2] + 1) / D.questions[i].words); });
  // Share of the models that are right in the end: of their last guesses, without guesses of those that heard it live.
  function modelsRight(i) {
    const last = series().map((s) => s.answers[i]).filter(Boolean).map((a) => a[a.length - 1][2]);
    if (D.series.length) return { n: last.length, right: d3.sum(last) };
    return { n: D.questions[i].models, right: D.buzzes[i].filter((b) => !b[1] && b[3]).length };
  }
  function summary(i) {
    const q = D.questions[i], models = modelsRight(i), human = played(i);
    const cal = series().map((s) => s.scores[state.definition]?.[i]).filter(Boolean).map((s) => s[1]);
    const share = models.n ? models.right / models.n : null;
    // As if each side had one right and one wrong more: few who heard it make no large difference.
    const gap = share === null || human.conversion === null ? null : (models.right + 1) / (models.n + 2) - (human.gets + 1) / (human.heard + 2);
    return {
      i, id: q.id, category: q.category, fine: q.fine, answer: q.answer, ...human, models, share,
      calscore: cal.length ? d3.mean(cal) : null,
      disagreement: cal.length > 1 ? d3.max(cal) - d3.min(cal) : null,
      gap, apart: gap === null ? null : Math.abs(gap),
    };
  }
  let cached = null, cachedFor = "";
  function all() {
    const key = state.definition + state.elicitation;
    if (cachedFor !== key) { cached = D.questions.map((_, i) => summary(i)); cachedFor = key; }
    return cached;
  }
  // Those first on which humans and models differ most, whoever is ahead; without models the hardest.
  const leading = MODELS ? (r) => (r.apart === null ? Infinity : -r.apart) : (r) => r.conversion ?? Infinity;
  const sorted = (list) => list.slice().sort((a, b) => d3.ascending(leading(a), leading(b)) || d3.descending(a.heard, b.heard) || d3.ascending(a.id, b.id));
  function kept(r) {
    const find = state.find.toLowerCase();
    return (!state.category || r.category === state.category) && (!find || `${r.id} ${r.answer} ${D.questions[r.i].text}`.toLowerCase().includes(find));
  }

  const choice = (id, label, options, chosen) => `<label>${label}<select id="${id}">${options.map(([v, t]) => `<option value="${esc(v)}"${v === chosen ? " selected" : ""}>${esc(t)}</option>`).join("")}</select></label>`;
  function controls(more = "", definitions = true) {
    const parts = [more];
    if (D.series.length) {
      if (elicitations.length > 1) parts.push(choice("elicitation", "Confidence", elicitations.map((e) => [e, e]), state.elicitation));
      if (definitions) parts.push(choice("definition", "Definition", [["paper", "paper"], ["release", "release"]], state.definition));
    }
    return parts.some(Boolean) ? `<div class="controls">${parts.join("")}</div>` : "";
  }
  const sortable = () => main.querySelectorAll("table.data").forEach((element) => enhanceTable(element, { paging: false, tools: false }));
  function wire(redraw) {
    for (const id of ["elicitation", "definition", "h"]) {
      document.getElementById(id)?.addEventListener("change", (e) => { state[id] = e.target.value; redraw(); sortable(); document.getElementById(id)?.focus(); });
    }
  }
  const link = (page, key, shown) => `<a href="#${page}/${encodeURIComponent(key)}">${shown}</a>`;

  // A chart whose groups of marks bear names that assistive software may read.
  function chart(options) {
    const plot = Plot.plot(options);
    for (const group of plot.querySelectorAll("g[aria-label]")) group.setAttribute("role", "group");
    return plot;
  }

  // --- questions ------------------------------------------------------------------------------
  // A log without points does not tell a neg from a wrong buzz at the end.
  const WRONG = D.rooms ? "neg rate" : "wrong rate";
  const COLUMNS = [["id", "question"], ["category", "category", "opt"], ...(D.questions.some((q) => q.answer) ? [["answer", "answer"]] : []), ...(MODELS ? [["gap", "models − humans", "n"]] : []), ["conversion", "conversion", "n"], ...(MODELS ? [["models", "models right", "n opt"]] : []), ["neg_rate", WRONG, "n opt"], ["first_correct", "first right", "n opt"], ["average_correct", "average right", "n opt"], ...(D.series.length ? [["calscore", "CalScore", "n opt"], ["disagreement", "spread", "n opt"]] : [])];
  const of = (k, n) => (n ? `${pct(k / n)} <span class="soft opt">${k}/${n}</span>` : "");
  const signed = (v) => (v === null ? "" : `${v > 0 ? "+" : v < 0 ? "−" : ""}${Math.round(100 * Math.abs(v))}`);
  const cells = {
    id: (r) => link("question", r.id, esc(r.id)), category: (r) => link("category", r.category, esc(r.category)), answer: (r) => esc(r.answer.split("[")[0]),
    gap: (r) => signed(r.gap), conversion: (r) => of(r.gets, r.heard), models: (r) => of(r.models.right, r.models.n), neg_rate: (r) => of(r.negs, r.heard),
    first_correct: (r) => pct(r.first_correct), average_correct: (r) => pct(r.average_correct), calscore: (r) => f3(r.calscore), disagreement: (r) => f3(r.disagreement),
  };
  const KEYS = { id: (r) => r.id, category: (r) => r.category, answer: (r) => r.answer, gap: (r) => r.apart, models: (r) => r.share };
  const key = (k, r) => esc((KEYS[k] ? KEYS[k](r) : r[k]) ?? "");
  const line = (r, columns = COLUMNS) => `<tr data-question="${r.i}">${columns.map(([k, , c]) => `<td class="${c || ""}" data-column="${k}" data-order="${key(k, r)}">${cells[k](r)}</td>`).join("")}</tr>`;
  const head = ([k, t, c]) => `<th class="${c || ""}" data-column="${k}">${t}</th>`;
  const HUMANS = `${D.rooms ? "Conversion: right buzzes over the rooms in which the question was read; neg rate: wrong buzzes that cost points over those" : "Conversion: right human buzzes over the human teams that heard the question; wrong rate: their wrong buzzes over those"}; `;
  const UNEQUAL = D.series.length ? " Models guess after every clue. A team that does not buzz, or is beaten to it, counts as not right." : "";
  const MEANING = () => `${HUMANS}first and average right: share of the question heard at right buzzes.${MODELS ? ` Models right: ${D.series.length ? "models whose last guess is right" : "right buzzes over the models that heard it; an opponent who was first kept the other from buzzing"}.${UNEQUAL} Models − humans: the difference in percentage points, sorted by size and pulled towards none where few heard the question.` : ""}${D.series.length ? ` CalScore: mean over models, lower is better; spread: largest minus smallest. ${origin()}` : ""}`;
  function questions() {
    const categories = [...new Set(D.questions.map((q) => q.category))].sort(), list = sorted(all());
    main.innerHTML = `<h1>Questions</h1>${intro}${controls(`<label>Find <input id="find" type="search" size="18" value="${esc(state.find)}" placeholder="answer or text"></label>` + choice("category", "Category", [["", "all"], ...categories.map((c) => [c, c])], state.category))}
<p class="soft" id="count" aria-live="polite"></p>
<div class="scroll list" tabindex="0"><table><thead><tr>${COLUMNS.map(head).join("")}</tr></thead><tbody id="rows">${list.map((r) => line(r)).join("")}</tbody></table></div><p class="soft">${MEANING()}</p>`;
    const table = enhanceTable(main.querySelector("table"), { paging: true, pageLength: 50, tools: false });
    const summaries = new Map(list.map((r) => [r.i, r]));
    table.search.fixed("kept", (_, __, index) => kept(summaries.get(+table.row(index).node().dataset.question)));
    table.on("draw", () => {
      state.order = table.rows({ search: "applied", order: "applied" }).nodes().toArray().map((row) => +row.dataset.question);
      document.getElementById("count").textContent = `${state.order.length} of ${D.questions.length} questions`;
    });
    const redraw = (e) => { state[e.target.id] = e.target.value; table.draw(); };
    document.getElementById("find").addEventListener("input", redraw);
    document.getElementById("category").addEventListener("change", redraw);
    for (const id of ["elicitation", "definition"]) document.getElementById(id)?.addEventListener("change", (e) => { state[id] = e.target.value; questions(); });
    table.draw();
  }

  // --- one question ---------------------------------------------------------------------------
  const who = (b) => { const team = text(b[0]); return D.styles[team] && !b[1] ? D.styles[team].name : team; };
  const symbol = (s) => `<svg width="13" height="13" viewBox="-7 -7 14 14" aria-hidden="true"><path d="${d3.symbol(({ square: d3.symbolSquare, triangle: d3.symbolTriangle, diamond: d3.symbolDiamond, triangle2: d3.symbolTriangle2, cross: d3.symbolCross, circle: d3.symbolCircle, star: d3.symbolStar, hexagon: Plot.symbolHexagon || d3.symbolCircle })[s.symbol], 70)()}" fill="${s.color}" stroke="${s.color}" stroke-width="1.6"/></svg>`;
  function legend(models) {
    return `<div class="legend">${models.map((m) => `<span>${symbol(D.styles[m])}${esc(D.styles[m].name)}</span>`).join("")}</div>`;
  }
  const told = (r) => `${D.rooms ? `right in ${r.gets} of ${r.heard} rooms` : `humans: ${r.gets} of the ${r.heard} teams that heard it were right`} (${pct(r.conversion)}), ${r.negs} negs${r.gets ? `, first right buzz after ${pct(r.first_correct)} of the words, on average after ${pct(r.average_correct)}` : ""}${r.models.n ? `; ${D.series.length ? "models right in the end" : "models right live"}: ${r.models.right} of ${r.models.n}` : ""}`;
  function question(id) {
    const i = place.get(id);
    if (i === undefined) { main.innerHTML = `<h1>No question ${esc(id)}</h1><p><a href="#questions">All questions</a></p>`; return; }
    const q = D.questions[i], words = q.text.split(/\s+/).filter(Boolean), by = d3.group(D.buzzes[i], (b) => Math.min(b[2], words.length - 1));
    const found = series().filter((s) => s.answers[i]);
    const ends = new Map(q.ends.map((e, k) => [e - 1, k + 1]));
    const clueOf = (w) => { const k = q.ends.findIndex((e) => w < e); return k < 0 ? q.ends.length : k + 1; };
    const marked = words.map((w, k) => {
      const marks = (by.get(k) || []).map((b) => `<span class="mark ${b[3] ? "" : "wrong"} ${b[1] ? "" : "model"}" data-word="${k}" title="${esc(who(b))}, word ${k + 1}, ${b[3] ? "right" : "wrong"}">${b[3] ? "✓" : "✗"} ${esc(who(b))}</span>`).join("");
      return `<span class="w" data-word="${k}">${esc(w)}</span>${marks}${ends.has(k) ? `<span class="clue" title="end of clue ${ends.get(k)}">${ends.get(k)}|</span>` : ""}`;
    }).join(" ");
    if (!state.order.length) state.order = sorted(all()).map((r) => r.i);
    const at = state.order.indexOf(i);
    const near = (k) => (at < 0 ? null : D.questions[state.order[at + k]]?.id);
    const h = D.h[state.h]?.[i] || [];
    main.innerHTML = `<div class="pager">${near(-1) ? `<a class="chip" id="previous" href="#question/${near(-1)}">‹ ${near(-1)}</a>` : ""}${near(1) ? `<a class="chip" id="next" href="#question/${near(1)}">${near(1)} ›</a>` : ""}<a href="#questions">all questions</a> <a href="audit/index.html#tidy/questions.parquet">audit</a></div>
<h1>${esc(id)}${q.answer ? `: ${esc(q.answer)}` : ""}</h1><p class="soft">${esc(q.fine)} (${link("category", q.category, esc(q.category))}); ${words.length} words, ${q.ends.length} clues (${esc(D.segmentation)}); <span id="played">${told(all()[i])}</span></p>
<div class="legend"><span><span class="mark">✓ team</span> right</span><span><span class="mark wrong">✗ team</span> wrong</span><span><span class="mark model">✓ model</span> round: a model</span><span class="soft"><span class="clue">2|</span> end of clue 2</span></div>
<div class="text" id="text">${marked}</div>
${controls(choice("h", "h", Object.keys(D.h).map((k) => [k, H[k] || k]), state.h))}
<h2>Buzzes and h: ${esc(H[state.h] || state.h)}</h2><div class="chart" id="human"></div>
${found.length ? `<h2>Confidence at the end of each clue (${esc(state.elicitation)})</h2>${legend(found.map((s) => s.model))}<p class="soft">Filled and large: the guess is right; open and small: wrong.</p><div class="chart" id="confidence"></div>` : D.series.length ? "<p>No model guessed on this question.</p>" : ""}
<div id="guesses"></div>`;
    const width = Math.min(1200, main.clientWidth - 4), margin = { marginLeft: 50, marginRight: 14 };
    const x = { domain: [0, words.length], label: "words heard →" };
    const clues = Plot.ruleX(q.ends, { stroke: "var(--line)" });
    const steps = [{ w: 0, h: 0 }, ...h.map((v, k) => ({ w: q.ends[k], h: v }))];
    const points = D.buzzes[i].map((b, k, all) => ({ w: b[2] + 1, who: who(b), human: b[1] === 1, right: b[3] === 1, up: all.slice(0, k).filter((o) => Math.abs(o[2] - b[2]) < words.length / 60).length }));
    document.getElementById("human").append(chart({
      ...look, width, height: 215, ...margin, x, y: { domain: [0, 1], label: "↑ h", grid: true, ticks: 5 },
      ariaLabel: "Buzzes by word and share of humans right",
      marks: [clues, Plot.line(steps, { x: "w", y: "h", curve: "step-after", stroke: BLUE, strokeWidth: 2.2 }),
        Plot.dot(points, { x: "w", y: (d) => 0.05 + 0.085 * (d.up % 11), r: 5, symbol: (d) => (d.human ? "circle" : "diamond"), fill: (d) => (d.right ? BLUE : "var(--paper)"), stroke: (d) => (d.right ? BLUE : "var(--wrong)"), strokeWidth: 2, channels: { team: "who", outcome: (d) => (d.right ? "right" : "wrong") }, tip: { format: { x: true, y: false, fill: false, stroke: false, symbol: false } } })],
    }));
    if (found.length) {
      const all = found.flatMap((s) => s.answers[i].filter((a) => a[1] !== null).map((a) => ({ w: q.ends[a[0] - 1], c: a[1], right: a[2] === 1, guess: text(a[3]), model: s.model, name: s.name, clue: a[0] })));
      document.getElementById("confidence").append(chart({
        ...look, width, height: 310, ...margin, x, y: { domain: [0, 1], label: "↑ confidence", grid: true, ticks: 5 },
        ariaLabel: "Confidence of each model by words heard",
        marks: [clues, Plot.line(all, { x: "w", y: "c", z: "model", stroke: (d) => D.styles[d.model].color, strokeWidth: 1.3, strokeOpacity: 0.7 }),
          Plot.dot(all, { x: "w", y: "c", r: (d) => (d.right ? 6 : 4), symbol: (d) => D.styles[d.model].symbol, fill: (d) => (d.right ? D.styles[d.model].color : "var(--paper)"), stroke: (d) => D.styles[d.model].color, strokeWidth: 1.6 }),
          Plot.tip(all, Plot.pointer({ x: "w", y: "c", title: (d) => `${d.name}, clue ${d.clue}\n${d.guess}\n${d.c.toFixed(3)}, ${d.right ? "right" : "wrong"}` }))],
        r: { type: "identity" }, symbol: { type: "identity" },
      }));
      const header = `<tr><th>clue</th><th class="n">h</th>${found.map((s) => `<th>${esc(s.name)}</th>`).join("")}</tr>`;
      const body = q.ends.map((_, k) => `<tr><td class="n">${k + 1}</td><td class="n">${f3(h[k])}</td>${found.map((s) => { const a = s.answers[i].find((b) => b[0] === k + 1); return a ? `<td class="${a[2] ? "right" : "wrong"}">${a[2] ? "✓" : "✗"} ${esc(text(a[3]))}&nbsp;<span class="soft">${a[1] === null ? "?" : a[1].toFixed(2)}</span></td>` : "<td></td>"; }).join("")}</tr>`).join("");
      const foot = ["MCE", "CalScore"].map((name, k) => `<tr><td colspan="2">${name}</td>${found.map((s) => `<td>${f3(s.scores[state.definition]?.[i]?.[k])}</td>`).join("")}</tr>`).join("");
      document.getElementById("guesses").innerHTML = `<h2>Guesses clue by clue</h2><p class="soft">${origin(found)}</p><div class="scroll" tabindex="0"><table><thead>${header}</thead><tbody>${body}${foot}</tbody></table></div>`;
    }
    const spot = (w) => { for (const e of document.querySelectorAll(".w")) e.classList.toggle("on", w !== null && clueOf(+e.dataset.word) === w); };
    document.getElementById("text").addEventListener("click", (e) => { const w = e.target.dataset.word; spot(w === undefined ? null : clueOf(+w)); });
    wire(() => question(id));
  }

  // --- models ---------------------------------------------------------------------------------
  const METRICS = D.metrics.map((m) => [m.name, m.label]), UP = D.metrics.filter((m) => m.higher).map((m) => m.label);
  // Ends of an interval as every page has them: 55–71 for shares, "to" where an end is negative.
  const span = (low, high, f) => [low, high].map((end) => f(end).replace(" %", "")).join(low < 0 ? " to " : "–");
  const within = (v, f) => (v && v[0] !== null ? `${f(v[0])}${v[1] === null ? "" : ` <span class="soft opt">${span(v[1], v[2], f)}</span>`}` : "");
  const LIVE = [["precision", "P(right | buzz)", pct], ["expected_score", "expected score", f3], ["win_rate", "win rate", pct]];
  const played_live = () => D.teams.filter((t) => t.kind === "model");
  // Opponents without a decided question, as all that never heard the same, were not met.
  const beaten = (key) => D.live.pairs.filter((p) => p[0] === key && p[2] !== "submission" && p[8] !== null);
  function record(key) {
    const all = beaten(key), better = all.filter((p) => p[9] > 0.5).length, worse = all.filter((p) => p[10] !== null && p[10] < 0.5).length;
    return all.length ? `better than ${better}, worse than ${worse}, too close to call: ${all.length - better - worse}` : "";
  }
  function liveTable() {
    const human = D.live.human;
    const line = (name, t, v) => `<tr><td>${name}</td><td class="n opt">${t ? t.questions_heard : ""}</td><td class="n opt">${v?.buzzes ?? ""}</td>${LIVE.map(([k, , f]) => `<td class="n">${within(v?.[k], f)}</td>`).join("")}<td class="n opt">${t ? pct(t.median) : ""}</td><td class="opt">${t ? record(t.team) : ""}</td></tr>`;
    return `<div class="scroll" tabindex="0"><table class="data"><thead><tr><th>model</th><th class="n opt">heard</th><th class="n opt">buzzes</th>${LIVE.map((m) => `<th class="n">${m[1]}</th>`).join("")}<th class="n opt">median buzz</th><th class="opt">human teams</th></tr></thead><tbody>${played_live().map((t) => line(`${symbol(D.styles[t.team])} ${link("model", t.team, esc(t.name))}`, t, D.live[t.team])).join("")}${human ? line("all human teams", null, human) : ""}</tbody></table></div><p class="soft">Buzzes of matches: an opponent who was first kept the other from buzzing. Expected score and win rate as on the <a href="leaderboard.html">leaderboard</a> (manual). Median buzz: share of the question heard. Win rate: share of the human plays of a question that it wins, also where nobody is right. Human teams: by the 95 % interval of the share that it wins of decided questions; each buzz stands as it fell, whoever the opponent was.</p><div class="chart" id="live"></div>`;
  }
  // A dot with its interval for each bar (name, v: value and ends, model), on an axis from 0 to 1.
  function intervalChart(id, bars, label) {
    const width = Math.min(760, main.clientWidth - 4), color = (d) => (d.model ? D.styles[d.model].color : BLUE);
    const longest = d3.max(bars, (b) => b.name.length) ?? 0;
    document.getElementById(id).append(chart({ ...look, width, height: 80 + 34 * bars.length, marginLeft: Math.min(16 + 8 * longest, width * 0.55), x: { label, grid: true, domain: [0, 1], ticks: width < 500 ? 3 : 10 }, y: { label: null, domain: bars.map((b) => b.name) }, marks: [Plot.link(bars, { x1: (d) => d.v[1], x2: (d) => d.v[2], y: "name", stroke: color, strokeWidth: 2 }), Plot.dot(bars, { x: (d) => d.v[0], y: "name", r: 6, fill: color, symbol: (d) => (d.model ? D.styles[d.model].symbol : "circle") })], r: { type: "identity" }, symbol: { type: "identity" } }));
  }
  function liveChart() {
    const bars = [...played_live().map((t) => ({ name: t.name, model: t.team, v: D.live[t.team]?.precision })), { name: "all human teams", v: D.live.human?.precision }].filter((b) => b.v);
    intervalChart("live", bars, "P(right | buzz), 95 % Wilson interval →");
  }
  function models() {
    const live = played_live().length > 0, list = series().slice().sort((a, b) => d3.ascending(a.benchmark[state.definition]?.calscore?.[0], b.benchmark[state.definition]?.calscore?.[0]));
    const guessed = D.series.length ? `${live ? "<h2>As they guess, clue by clue</h2>" : ""}${controls()}<div class="scroll" tabindex="0"><table class="data"><thead><tr><th>model</th>${METRICS.map((m, k) => `<th class="n${k > 3 ? " opt" : ""}">${m[1]}</th>`).join("")}</tr></thead><tbody>${list.map((s) => `<tr><td>${symbol(D.styles[s.model])} ${link("model", s.model, esc(s.name))}</td>${METRICS.map(([m], k) => { const v = s.benchmark[state.definition]?.[m]; return `<td class="n${k > 3 ? " opt" : ""}">${v ? within(v, f3) : ""}</td>`; }).join("")}</tr>`).join("")}</tbody></table></div><p class="soft">Lower is better${UP.length ? ` but for ${UP.join(", ")}` : ""}. Intervals resample questions and take the human teams as fixed. ${origin(list)}</p><div class="chart" id="overview"></div>` : "";
    main.innerHTML = `<h1>Models</h1>${guessed}${live ? `${guessed ? "<h2>As they played, live</h2>" : ""}${liveTable()}` : ""}${guessed || live ? "" : "<p>No model guessed or played in this study.</p>"}`;
    if (guessed) {
      const bars = list.map((s) => ({ model: s.model, name: s.name, v: s.benchmark[state.definition]?.calscore })).filter((b) => b.v);
      intervalChart("overview", bars, "CalScore (lower is better) →");
    }
    if (live) liveChart();
    wire(models);
  }
  function model(key) {
    const s = series().find((x) => x.model === key) || D.series.find((x) => x.model === key);
    if (!s && D.teams.some((t) => t.team === key && t.kind === "model")) return team(key);
    if (!s) { main.innerHTML = `<h1>No model ${esc(key)}</h1><p><a href="#models">All models</a></p>`; return; }
    state.elicitation = s.elicitation;
    const style = D.styles[key], definition = state.definition;
    const worst = D.questions.map((q, i) => ({ q, s: s.scores[definition]?.[i], i })).filter((r) => r.s).sort((a, b) => b.s[1] - a.s[1]).slice(0, 15);
    main.innerHTML = `<div class="pager"><a href="#models">all models</a>${D.teams.some((t) => t.team === key) ? ` ${link("team", key, "as it played, live")}` : ""}</div><h1>${symbol(style)} ${esc(s.name)}</h1>${controls()}<div class="two"><section><h2>Reliability</h2><p class="soft">Share right by confidence, ten bins; number of guesses after a clue at each point. Wilson intervals allow for several guesses on one question.</p><div class="chart" id="reliability"></div></section><section><h2>CalScore by category</h2><p class="soft">Mean over questions with interval; lower is better. ${origin([s])}</p><div class="chart" id="categories"></div></section></div>
<h2>Worst questions</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>question</th><th>answer</th><th class="opt">category</th><th>last guess</th><th class="n">MCE</th><th class="n">CalScore</th></tr></thead><tbody>${worst.map((r) => { const a = s.answers[r.i]; const last = a[a.length - 1]; return `<tr><td>${link("question", r.q.id, esc(r.q.id))}</td><td>${esc(r.q.answer.split("[")[0])}</td><td class="opt">${esc(r.q.category)}</td><td class="${last[2] ? "right" : "wrong"}">${last[2] ? "✓" : "✗"} ${esc(text(last[3]))}</td><td class="n">${f3(r.s[0])}</td><td class="n">${f3(r.s[1])}</td></tr>`; }).join("")}</tbody></table></div>`;
    const width = Math.min(560, Math.max(290, (main.clientWidth - (main.clientWidth > 880 ? 24 : 0)) / (main.clientWidth > 880 ? 2 : 1)) - 4);
    const bins = (s.bins[definition] || []).filter((b) => b[2] > 0);
    document.getElementById("reliability").append(chart({ ...look, width, height: Math.min(width, 380), marginLeft: 50, marginRight: 44, x: { domain: [0, 1], label: "confidence →" }, y: { domain: [0, 1], label: "↑ share right", grid: true, ticks: 5, insetBottom: 12 }, marks: [Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--soft)", strokeDasharray: "4 4" }), Plot.link(bins, { x: (b) => b[3], y1: (b) => b[5], y2: (b) => b[6], stroke: style.color }), Plot.dot(bins, { x: (b) => b[3], y: (b) => b[4], fill: style.color, r: 5, symbol: () => style.symbol }), Plot.text(bins, { x: (b) => b[3], y: (b) => b[4], text: (b) => b[2].toLocaleString("en"), dx: 7, textAnchor: "start", fontSize: 13, fill: "currentColor", stroke: "var(--paper)" })], r: { type: "identity" }, symbol: { type: "identity" } }));
    const categories = (s.categories[definition] || []).slice().sort((a, b) => a[2] - b[2]);
    document.getElementById("categories").append(chart({ ...look, width, height: 80 + 34 * categories.length, marginLeft: 132, x: { domain: [0, 1], grid: true, label: "CalScore →" }, y: { label: null, domain: categories.map((c) => `${c[0]} (${c[1]})`) }, marks: [Plot.link(categories.filter((c) => c[3] !== null), { x1: (c) => c[3], x2: (c) => c[4], y: (c) => `${c[0]} (${c[1]})`, stroke: style.color, strokeWidth: 2 }), Plot.dot(categories, { x: (c) => c[2], y: (c) => `${c[0]} (${c[1]})`, r: 5, fill: style.color, symbol: () => style.symbol })], r: { type: "identity" }, symbol: { type: "identity" } }));
    wire(() => model(key));
  }

  // --- teams ----------------------------------------------------------------------------------
  const TEAM = [["packets", "packets", "opt"], ["questions_heard", "heard"], ["buzzes", "buzzes"], ["correct", "right"], ["incorrect", "wrong"]];
  function teams() {
    const rate = (t) => (t.questions_heard ? t.correct / t.questions_heard : null);
    const list = D.teams.slice().sort((a, b) => d3.descending(rate(a) ?? -1, rate(b) ?? -1) || d3.ascending(a.team, b.team));
    main.innerHTML = `<h1>Teams</h1><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>team</th>${TEAM.map((t) => `<th class="n ${t[2] || ""}">${t[1]}</th>`).join("")}<th class="n">right / heard</th><th class="n">right / buzzes</th><th class="n opt">median buzz</th><th class="opt">quartile</th></tr></thead><tbody>${list.map((t) => `<tr><td>${link("team", t.team, esc(t.name))}${t.kind === "model" ? " <span class='soft'>(model)</span>" : ""}</td>${TEAM.map(([k, , c]) => `<td class="n ${c || ""}">${t[k]}</td>`).join("")}<td class="n">${pct(rate(t))}</td><td class="n">${t.buzzes ? pct(t.correct / t.buzzes) : ""}</td><td class="n opt">${pct(t.median)}</td><td class="opt">${t.quartile_paper ? `Q${t.quartile_paper}` : ""}</td></tr>`).join("")}</tbody></table></div><p class="soft">Median buzz: share of the question heard. Quartile: by total right buzzes, Q4 has most; teams that heard more questions stand higher.</p>`;
  }
  // Who of two buzzed first and right, on the questions that both heard.
  function met(key) {
    const own = D.live.pairs.filter((p) => p[0] === key), other = D.live.pairs.filter((p) => p[1] === key).map((p) => [p[1], p[0], "model", p[3], p[5], p[4], p[6], p[7], p[8] === null ? null : 1 - p[8], p[10] === null ? null : 1 - p[10], p[9] === null ? null : 1 - p[9]]);
    const all = [...own, ...other].filter((p) => p[8] !== null).sort((a, b) => d3.descending(a[8], b[8]));
    if (!all.length) return "";
    return `<h2>Head to head</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>opponent</th><th class="n opt">questions</th><th class="n">first and right</th><th class="n">opponent</th><th class="n opt">neither</th><th class="n">share</th></tr></thead><tbody>${all.map((p) => `<tr><td>${link("team", p[1], esc(D.styles[p[1]]?.name ?? p[1]))}</td><td class="n opt">${p[3]}</td><td class="n">${p[4]}</td><td class="n">${p[5]}</td><td class="n opt">${p[7]}</td><td class="n">${within([p[8], p[9], p[10]], pct)}</td></tr>`).join("")}</tbody></table></div><p class="soft">On common questions the earlier buzz plays first. Share: (first and right + ties / 2) / decided, 95 % interval from resampling questions.</p>`;
  }
  function team(key) {
    const t = D.teams.find((x) => x.team === key);
    if (!t) { main.innerHTML = `<h1>No team ${esc(key)}</h1><p><a href="#teams">All teams</a></p>`; return; }
    const mine = D.buzzes.flatMap((bs, i) => bs.filter((b) => text(b[0]) === key).map((b) => ({ i, word: b[2] + 1, share: b.share, right: b[3] === 1 })));
    const per = d3.rollups(mine, (v) => ({ right: v.filter((b) => b.right).length, wrong: v.filter((b) => !b.right).length }), (b) => D.questions[b.i].category).sort((a, b) => d3.descending(a[1].right - a[1].wrong, b[1].right - b[1].wrong));
    main.innerHTML = `<div class="pager"><a href="#teams">all teams</a></div><h1>${esc(t.name)}</h1><p class="soft">${t.kind} team; heard ${t.questions_heard} questions of ${t.packets} packets; ${t.buzzes} buzzes, ${t.correct} right${t.quartile_paper ? `; quartile Q${t.quartile_paper} by right buzzes, Q${t.quartile_rate} by right buzzes per question heard` : ""}</p>
<div class="two"><section><h2>Where it buzzes</h2><div class="legend"><span class="right">■ right</span><span class="wrong">□ wrong</span></div><div class="chart" id="where"></div></section><section><h2>By category</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>category</th><th class="n">right</th><th class="n">wrong</th></tr></thead><tbody>${per.map(([c, v]) => `<tr><td>${esc(c)}</td><td class="n">${v.right}</td><td class="n">${v.wrong}</td></tr>`).join("")}</tbody></table></div></section></div>
${met(key)}<h2>Buzzes</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>question</th><th>answer</th><th class="n">word</th><th class="n">heard</th><td></td></tr></thead><tbody>${mine.sort((a, b) => a.share - b.share).map((b) => `<tr><td>${link("question", D.questions[b.i].id, esc(D.questions[b.i].id))}</td><td>${esc(D.questions[b.i].answer.split("[")[0])}</td><td class="n">${b.word}</td><td class="n">${pct(b.share)}</td><td class="outcome ${b.right ? "right" : "wrong"}">${b.right ? "✓ right" : "✗ wrong"}</td></tr>`).join("")}</tbody></table></div>`;
    const width = Math.min(560, Math.max(290, (main.clientWidth - (main.clientWidth > 880 ? 24 : 0)) / (main.clientWidth > 880 ? 2 : 1)) - 4);
    document.getElementById("where").append(chart({ ...look, width, height: 260, marginLeft: 50, x: { domain: [0, 100], label: "share of the question heard (%) →" }, y: { label: "↑ buzzes", grid: true }, marks: [Plot.rectY(mine, Plot.binX({ y: "count" }, { x: (b) => 100 * b.share - 1e-6, thresholds: d3.range(0, 101, 10), fill: (b) => (b.right ? BLUE : "color-mix(in srgb, var(--wrong) 35%, var(--paper))"), stroke: (b) => (b.right ? BLUE : "var(--wrong)"), order: "fill" })), Plot.ruleY([0])] }));
  }

  // --- categories -----------------------------------------------------------------------------
  const grouped = (level) => d3.groups(all(), (r) => r[level === "merged" ? "category" : "fine"]).sort((a, b) => d3.ascending(a[0], b[0]));
  const margin = (level, category, group) => D.margins.find((m) => m[0] === level && m[1] === category && m[2] === group);
  const buzzed = (m) => (m ? `${pct(m[5])}<small>${m[3]}/${m[3] + m[4]}${m[6] === null ? "" : ` (${span(m[6], m[7], pct)})`}</small>` : "");
  function categoryRows(level, list) {
    const head = ["category", "questions", "conversion", WRONG, "average right", "humans right | buzz", ...played_live().map((t) => `${t.name} right | buzz`), ...(D.series.length ? ["models right in the end"] : [])];
    const body = list.map(([name, rs]) => {
      const p = pooled(rs), m = rs.map((r) => r.models).filter((x) => x.n);
      return `<tr><td>${level === "merged" ? link("category", name, esc(name)) : esc(name)}</td><td class="n opt">${rs.length}</td><td class="n">${of(p.gets, p.heard)}</td><td class="n opt">${of(p.negs, p.heard)}</td><td class="n opt">${pct(p.average_correct)}</td><td class="n">${buzzed(margin(level, name, "human"))}</td>${played_live().map((t) => `<td class="n opt">${buzzed(margin(level, name, t.team))}</td>`).join("")}${D.series.length ? `<td class="n">${of(d3.sum(m, (x) => x.right), d3.sum(m, (x) => x.n))}</td>` : ""}</tr>`;
    });
    return `<div class="scroll" tabindex="0"><table class="data"><thead><tr>${head.map((h, k) => `<th class="${k ? "n" : ""}${[1, 3, 4].includes(k) || (k > 5 && k < 6 + played_live().length) ? " opt" : ""}">${esc(h)}</th>`).join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
  }
  function categories() {
    main.innerHTML = `<h1>Categories</h1>${D.series.length ? controls("", false) : ""}${categoryRows("merged", grouped("merged"))}<p class="soft">${HUMANS}average right: share of the question heard at right buzzes. Right | buzz: right buzzes over buzzes, with 95 % interval.${D.series.length ? " Models right in the end: last guesses that are right." : ""}${UNEQUAL}</p>`;
    wire(categories);
  }
  function category(key) {
    const list = all().filter((r) => r.category === key), scored = series().map((s) => ({ s, c: (s.categories[state.definition] || []).find((c) => c[0] === key) })).filter((x) => x.c).sort((a, b) => d3.ascending(a.c[2], b.c[2]));
    if (!list.length) { main.innerHTML = `<h1>No category ${esc(key)}</h1><p><a href="#categories">All categories</a></p>`; return; }
    const fine = d3.groups(list, (r) => r.fine).sort((a, b) => d3.ascending(a[0], b[0])), columns = COLUMNS.filter((c) => c[0] !== "category");
    main.innerHTML = `<div class="pager"><a href="#categories">all categories</a></div><h1>${esc(key)}</h1><p class="soft">${list.length} questions</p>${D.series.length ? controls() : ""}${categoryRows("fine", fine)}
${scored.length ? `<h2>Models</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr><th>model</th><th class="n">CalScore</th><th class="n">MCE</th></tr></thead><tbody>${scored.map(({ s, c }) => `<tr><td>${symbol(D.styles[s.model])} ${link("model", s.model, esc(s.name))}</td><td class="n">${within(c.slice(2, 5), f3)}</td><td class="n">${f3(c[5])}</td></tr>`).join("")}</tbody></table></div>` : ""}
<h2>Questions</h2><div class="scroll" tabindex="0"><table class="data"><thead><tr>${columns.map(head).join("")}</tr></thead><tbody>${sorted(list).map((r) => line(r, columns)).join("")}</tbody></table></div><p class="soft">${MEANING()}</p>`;
    wire(() => category(key));
  }

  function help() {
    main.innerHTML = `<h1>Help</h1><p><kbd>/</kbd> find a question, <kbd>j</kbd> or <kbd>→</kbd> the next question of the list as it is sorted and filtered, <kbd>k</kbd> or <kbd>←</kbd> the one before, <kbd>q</kbd> questions, <kbd>c</kbd> categories, <kbd>m</kbd> models, <kbd>t</kbd> teams, <kbd>?</kbd> this page. Every view has an address of its own that can be passed on.</p><p>h, CalScore and MCE are those of the study's tables, rounded; for the rows behind a number see <a href="audit/index.html">the audit page</a>. Charts: D3 and Observable Plot, ISC licence.</p>`;
  }

  const pages = { questions, question, categories, category, models, model, teams, team, help };
  let last = "";
  function route() {
    const [page, key] = (location.hash.slice(1) || "questions").split("/").map(decodeURIComponent);
    (pages[page] || questions)(key);
    sortable();
    const one = (name) => name.replace(/ies$/, "y").replace(/s$/, "");
    for (const a of document.querySelectorAll("nav a[href*='#']")) {
      if (a.pathname === location.pathname && one(a.hash.slice(1)) === one(page)) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
    }
    if (last !== location.hash) window.scrollTo(0, 0);
    last = location.hash;
    document.title = `${key || page}: ${D.title}`;
  }
  window.addEventListener("hashchange", route);
  let wide = window.innerWidth;
  window.addEventListener("resize", () => { if (window.innerWidth !== wide) { wide = window.innerWidth; route(); } });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { if (e.key === "Escape") e.target.blur(); return; }
    const go = (hash) => { location.hash = hash; e.preventDefault(); };
    if (e.key === "/") { e.preventDefault(); if (!document.getElementById("find")) location.hash = "questions"; requestAnimationFrame(() => setTimeout(() => document.getElementById("find")?.focus(), 30)); }
    else if (e.key === "j" || e.key === "ArrowRight") document.getElementById("next")?.click();
    else if (e.key === "k" || e.key === "ArrowLeft") document.getElementById("previous")?.click();
    else if (e.key === "q") go("questions");
    else if (e.key === "c") go("categories");
    else if (e.key === "m") go("models");
    else if (e.key === "t") go("teams");
    else if (e.key === "?") go("help");
  });
  route();
  window.opened = performance.now();
})();
