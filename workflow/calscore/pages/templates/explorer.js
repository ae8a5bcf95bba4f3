"use strict";
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const esc = (v) => String(v).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const text = (i) => (i < 0 ? "" : D.pool[i]);
  const f3 = (v) => (v === null || v === undefined || Number.isNaN(v) ? "" : v.toFixed(3));
  const pct = (v) => (v === null || v === undefined ? "" : `${Math.round(100 * v)} %`);
  const elicitations = [...new Set(D.series.map((s) => s.elicitation))];
  const H = { buzzed_so_far: "right / buzzes so far", buzzed_on_question: "right / all buzzes on the question", heard: "right / teams that heard it" };
  const state = { definition: D.definition, elicitation: elicitations[0], h: "buzzed_so_far", sort: "id", up: true, category: "", find: "", calscore: "", disagreement: "" };
  const series = () => D.series.filter((s) => s.elicitation === state.elicitation);
  const look = { style: { fontSize: "12px" }, marginTop: 30, marginBottom: 40 };
  const place = new Map(D.questions.map((q, i) => [q.id, i]));

  // Per question: mean CalScore of the models, their spread, conversion by humans.
  function summary(i) {
    const q = D.questions[i];
    const scores = series().map((s) => s.scores[state.definition]?.[i]).filter(Boolean);
    const cal = scores.map((s) => s[1]);
    const human = D.buzzes[i].filter((b) => b[1]);
    return {
      i, id: q.id, category: q.category, answer: q.answer,
      calscore: cal.length ? d3.mean(cal) : null,
      disagreement: cal.length > 1 ? d3.max(cal) - d3.min(cal) : null,
      conversion: q.heard ? human.filter((b) => b[3]).length / q.heard : null,
      buzzes: D.buzzes[i].length,
    };
  }
  let cached = null, cachedFor = "";
  function rows() {
    const key = state.definition + state.elicitation;
    if (cachedFor !== key) { cached = D.questions.map((_, i) => summary(i)); cachedFor = key; }
    const find = state.find.toLowerCase();
    // A bound that is not a number holds nobody back; a score that is missing is below every bound.
    const above = (r, k) => state[k] === "" || Number.isNaN(Number(state[k])) || (r[k] !== null && r[k] >= Number(state[k]));
    const kept = cached.filter((r) => above(r, "calscore") && above(r, "disagreement") && (!state.category || r.category === state.category) && (!find || `${r.id} ${r.answer} ${D.questions[r.i].text}`.toLowerCase().includes(find)));
    const value = (r) => r[state.sort];
    kept.sort((a, b) => {
      const x = value(a), y = value(b);
      if (x === null || y === null) return (x === null) - (y === null);
      return (state.up ? 1 : -1) * d3.ascending(x, y) || d3.ascending(a.id, b.id);
    });
    return kept;
  }

  const choice = (id, label, options, chosen) => `<label>${label}<select id="${id}">${options.map(([v, t]) => `<option value="${esc(v)}"${v === chosen ? " selected" : ""}>${esc(t)}</option>`).join("")}</select></label>`;
  function controls(more = "") {
    const parts = [more];
    if (D.series.length) {
      if (elicitations.length > 1) parts.push(choice("elicitation", "Confidence", elicitations.map((e) => [e, e]), state.elicitation));
      parts.push(choice("definition", "Definition", [["paper", "paper"], ["release", "release"]], state.definition));
    }
    return `<div class="bar">${parts.join("")}</div>`;
  }
  function wire(redraw) {
    for (const id of ["elicitation", "definition", "h", "category"]) {
      document.getElementById(id)?.addEventListener("change", (e) => { state[id] = e.target.value; redraw(); document.getElementById(id)?.focus(); });
    }
  }
  const link = (page, key, shown) => `<a href="#${page}/${encodeURIComponent(key)}">${shown}</a>`;

  // --- questions ------------------------------------------------------------------------------
  const COLUMNS = [["id", "question"], ["category", "category", "opt"], ["answer", "answer"], ...(D.series.length ? [["calscore", "CalScore"], ["disagreement", "disagreement"]] : []), ["conversion", "humans right"], ["buzzes", "buzzes", "opt"]];
  function listRows() {
    const found = rows();
    const body = found.map((r) => `<tr><td>${link("question", r.id, esc(r.id))}</td><td class="opt">${esc(r.category)}</td><td>${esc(r.answer.split("[")[0])}</td>${D.series.length ? `<td class="n">${f3(r.calscore)}</td><td class="n">${f3(r.disagreement)}</td>` : ""}<td class="n">${pct(r.conversion)}</td><td class="n opt">${r.buzzes}</td></tr>`);
    document.getElementById("rows").innerHTML = body.join("");
    document.getElementById("count").textContent = `${found.length} of ${D.questions.length} questions`;
    for (const th of document.querySelectorAll("th[data-sort]")) {
      th.setAttribute("aria-sort", th.dataset.sort === state.sort ? (state.up ? "ascending" : "descending") : "none");
    }
  }
  function questions() {
    const categories = [...new Set(D.questions.map((q) => q.category))].sort();
    main.innerHTML = `<h1>Questions</h1>${controls(`<label>Find <input id="find" type="search" size="18" value="${esc(state.find)}" placeholder="answer or text"></label>` + choice("category", "Category", [["", "all"], ...categories.map((c) => [c, c])], state.category) + (D.series.length ? [["calscore", "CalScore from"], ["disagreement", "Disagreement from"]].map(([k, t]) => `<label>${t}<input id="${k}" type="number" min="0" max="1" step="0.05" value="${esc(state[k])}"></label>`).join("") : ""))}
<p class="soft"><span id="count"></span>. ${D.series.length ? "CalScore: mean over models, lower is better; disagreement: largest minus smallest. " : ""}Humans right: right buzzes over teams that heard the question.</p>
<div class="scroll list"><table><thead><tr>${COLUMNS.map(([k, t, c]) => `<th data-sort="${k}" class="${c || ""}"><button type="button">${t}</button></th>`).join("")}</tr></thead><tbody id="rows"></tbody></table></div>`;
    for (const th of document.querySelectorAll("th[data-sort]")) th.querySelector("button").addEventListener("click", () => {
      state.up = state.sort === th.dataset.sort ? !state.up : ["id", "category", "answer"].includes(th.dataset.sort);
      state.sort = th.dataset.sort;
      listRows();
    });
    for (const id of ["find", "calscore", "disagreement"]) document.getElementById(id)?.addEventListener("input", (e) => { state[id] = e.target.value; listRows(); });
    wire(questions);
    listRows();
  }

  // --- one question ---------------------------------------------------------------------------
  const who = (b) => { const team = text(b[0]); return D.styles[team] && !b[1] ? D.styles[team].name : team; };
  const symbol = (s) => `<svg width="13" height="13" viewBox="-7 -7 14 14" aria-hidden="true"><path d="${d3.symbol(({ square: d3.symbolSquare, triangle: d3.symbolTriangle, diamond: d3.symbolDiamond, triangle2: d3.symbolTriangle2, cross: d3.symbolCross, circle: d3.symbolCircle, star: d3.symbolStar, hexagon: Plot.symbolHexagon || d3.symbolCircle })[s.symbol], 70)()}" fill="${s.color}" stroke="${s.color}" stroke-width="1.6"/></svg>`;
  function legend(models) {
    return `<div class="legend">${models.map((m) => `<span>${symbol(D.styles[m])}${esc(D.styles[m].name)}</span>`).join("")}</div>`;
  }
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
    const order = rows(), at = order.findIndex((r) => r.i === i);
    const near = (k) => (at < 0 ? null : order[at + k]?.id);
    const h = D.h[state.h]?.[i] || [];
    main.innerHTML = `<div class="pager">${near(-1) ? `<a class="chip" id="previous" href="#question/${near(-1)}">‹ ${near(-1)}</a>` : ""}${near(1) ? `<a class="chip" id="next" href="#question/${near(1)}">${near(1)} ›</a>` : ""}<a href="#questions">all questions</a> <a href="audit/index.html#tidy/questions.parquet">audit</a></div>
<h1>${esc(id)}: ${esc(q.answer)}</h1><p class="soft">${esc(q.fine)} (${esc(q.category)}); ${words.length} words, ${q.ends.length} clues (${esc(D.segmentation)}); human teams that heard it: ${q.heard}; buzzes: ${D.buzzes[i].length}</p>
<div class="legend"><span><span class="mark">✓ team</span> right</span><span><span class="mark wrong">✗ team</span> wrong</span><span><span class="mark model">✓ model</span> round: a model</span><span class="soft"><span class="clue">2|</span> end of clue 2</span></div>
<div class="text" id="text">${marked}</div>
${controls(choice("h", "h", Object.keys(D.h).map((k) => [k, H[k] || k]), state.h))}
<h3>Buzzes and h: ${esc(H[state.h] || state.h)}</h3><div class="chart" id="human"></div>
${found.length ? `<h3>Confidence at the end of each clue (${esc(state.elicitation)})</h3>${legend(found.map((s) => s.model))}<p class="soft">Filled and large: the guess is right; open and small: wrong.</p><div class="chart" id="confidence"></div>` : D.series.length ? "<p>No model guessed on this question.</p>" : ""}
<div id="guesses"></div>`;
    const width = Math.min(1200, main.clientWidth - 4), margin = { marginLeft: 50, marginRight: 14 };
    const x = { domain: [0, words.length], label: "words heard →" };
    const clues = Plot.ruleX(q.ends, { stroke: "#d8dee4" });
    const steps = [{ w: 0, h: 0 }, ...h.map((v, k) => ({ w: q.ends[k], h: v }))];
    const points = D.buzzes[i].map((b, k, all) => ({ w: b[2] + 1, who: who(b), human: b[1] === 1, right: b[3] === 1, up: all.slice(0, k).filter((o) => Math.abs(o[2] - b[2]) < words.length / 60).length }));
    document.getElementById("human").append(Plot.plot({
      ...look, width, height: 215, ...margin, x, y: { domain: [0, 1], label: "↑ h", grid: true, ticks: 5 },
      ariaLabel: "Buzzes by word and share of humans right",
      marks: [clues, Plot.line(steps, { x: "w", y: "h", curve: "step-after", stroke: "#2171b5", strokeWidth: 2.2 }),
        Plot.dot(points, { x: "w", y: (d) => 0.05 + 0.085 * (d.up % 11), r: 5, symbol: (d) => (d.human ? "circle" : "diamond"), fill: (d) => (d.right ? "#2171b5" : "#fff"), stroke: (d) => (d.right ? "#2171b5" : "#b34700"), strokeWidth: 2, channels: { team: "who", outcome: (d) => (d.right ? "right" : "wrong") }, tip: { format: { x: true, y: false, fill: false, stroke: false, symbol: false } } })],
    }));
    if (found.length) {
      const all = found.flatMap((s) => s.answers[i].filter((a) => a[1] !== null).map((a) => ({ w: q.ends[a[0] - 1], c: a[1], right: a[2] === 1, guess: text(a[3]), model: s.model, name: s.name, clue: a[0] })));
      document.getElementById("confidence").append(Plot.plot({
        ...look, width, height: 310, ...margin, x, y: { domain: [0, 1], label: "↑ confidence", grid: true, ticks: 5 },
        ariaLabel: "Confidence of each model by words heard",
        marks: [clues, Plot.line(all, { x: "w", y: "c", z: "model", stroke: (d) => D.styles[d.model].color, strokeWidth: 1.3, strokeOpacity: 0.7 }),
          Plot.dot(all, { x: "w", y: "c", r: (d) => (d.right ? 6 : 4), symbol: (d) => D.styles[d.model].symbol, fill: (d) => (d.right ? D.styles[d.model].color : "#fff"), stroke: (d) => D.styles[d.model].color, strokeWidth: 1.6 }),
          Plot.tip(all, Plot.pointer({ x: "w", y: "c", title: (d) => `${d.name}, clue ${d.clue}\n${d.guess}\n${d.c.toFixed(3)}, ${d.right ? "right" : "wrong"}` }))],
        r: { type: "identity" }, symbol: { type: "identity" },
      }));
      const header = `<tr><th>clue</th><th class="n">h</th>${found.map((s) => `<th>${esc(s.name)}</th>`).join("")}</tr>`;
      const body = q.ends.map((_, k) => `<tr><td class="n">${k + 1}</td><td class="n">${f3(h[k])}</td>${found.map((s) => { const a = s.answers[i].find((b) => b[0] === k + 1); return a ? `<td class="${a[2] ? "right" : "wrong"}">${a[2] ? "✓" : "✗"} ${esc(text(a[3]))} <span class="soft">${a[1] === null ? "?" : a[1].toFixed(2)}</span></td>` : "<td></td>"; }).join("")}</tr>`).join("");
      const foot = ["MCE", "CalScore"].map((name, k) => `<tr><td colspan="2">${name}</td>${found.map((s) => `<td>${f3(s.scores[state.definition]?.[i]?.[k])}</td>`).join("")}</tr>`).join("");
      document.getElementById("guesses").innerHTML = `<h3>Guesses clue by clue</h3><div class="scroll"><table><thead>${header}</thead><tbody>${body}${foot}</tbody></table></div>`;
    }
    const spot = (w) => { for (const e of document.querySelectorAll(".w")) e.classList.toggle("on", w !== null && clueOf(+e.dataset.word) === w); };
    document.getElementById("text").addEventListener("click", (e) => { const w = e.target.dataset.word; spot(w === undefined ? null : clueOf(+w)); });
    wire(() => question(id));
  }

  // --- models ---------------------------------------------------------------------------------
  const METRICS = D.metrics.map((m) => [m.name, m.label]), UP = D.metrics.filter((m) => m.higher).map((m) => m.label);
  function models() {
    if (!D.series.length) { main.innerHTML = "<h1>Models</h1><p>This study has no per-clue model outputs; live buzzes of models are on the page of teams.</p>"; return; }
    const list = series().slice().sort((a, b) => d3.ascending(a.benchmark[state.definition]?.calscore?.[0], b.benchmark[state.definition]?.calscore?.[0]));
    main.innerHTML = `<h1>Models</h1>${controls()}<div class="scroll"><table><thead><tr><th>model</th>${METRICS.map((m) => `<th class="n">${m[1]}</th>`).join("")}</tr></thead><tbody>${list.map((s) => `<tr><td>${symbol(D.styles[s.model])} ${link("model", s.model, esc(s.name))}</td>${METRICS.map(([m]) => { const v = s.benchmark[state.definition]?.[m]; return `<td class="n">${v ? `${f3(v[0])} <span class="soft opt">[${f3(v[1])}, ${f3(v[2])}]</span>` : ""}</td>`; }).join("")}</tr>`).join("")}</tbody></table></div><p class="soft">Lower is better${UP.length ? ` but for ${UP.join(", ")}` : ""}. Intervals resample questions.</p><div class="chart" id="overview"></div>`;
    const width = Math.min(760, main.clientWidth - 4);
    const bars = list.map((s) => ({ model: s.model, name: s.name, v: s.benchmark[state.definition]?.calscore })).filter((b) => b.v);
    document.getElementById("overview").append(Plot.plot({ ...look, width, height: 80 + 34 * bars.length, marginLeft: Math.min(170, width * 0.4), x: { label: "CalScore (lower is better) →", grid: true, domain: [0, 1] }, y: { label: null, domain: bars.map((b) => b.name) }, marks: [Plot.link(bars, { x1: (d) => d.v[1], x2: (d) => d.v[2], y: "name", stroke: (d) => D.styles[d.model].color, strokeWidth: 2 }), Plot.dot(bars, { x: (d) => d.v[0], y: "name", r: 6, fill: (d) => D.styles[d.model].color, symbol: (d) => D.styles[d.model].symbol })], r: { type: "identity" }, symbol: { type: "identity" } }));
    wire(models);
  }
  function model(key) {
    const s = series().find((x) => x.model === key) || D.series.find((x) => x.model === key);
    if (!s) { main.innerHTML = `<h1>No model ${esc(key)}</h1><p><a href="#models">All models</a></p>`; return; }
    state.elicitation = s.elicitation;
    const style = D.styles[key], definition = state.definition;
    const worst = D.questions.map((q, i) => ({ q, s: s.scores[definition]?.[i], i })).filter((r) => r.s).sort((a, b) => b.s[1] - a.s[1]).slice(0, 15);
    main.innerHTML = `<div class="pager"><a href="#models">all models</a></div><h1>${symbol(style)} ${esc(s.name)}</h1>${controls()}<div class="two"><section><h2>Reliability</h2><p class="soft">Share right by confidence, ten bins, Wilson intervals; number of answers at each point.</p><div class="chart" id="reliability"></div></section><section><h2>CalScore by category</h2><p class="soft">Mean over questions with interval; lower is better.</p><div class="chart" id="categories"></div></section></div>
<h2>Worst questions</h2><div class="scroll"><table><thead><tr><th>question</th><th>answer</th><th class="opt">category</th><th>last guess</th><th class="n">MCE</th><th class="n">CalScore</th></tr></thead><tbody>${worst.map((r) => { const a = s.answers[r.i]; const last = a[a.length - 1]; return `<tr><td>${link("question", r.q.id, esc(r.q.id))}</td><td>${esc(r.q.answer.split("[")[0])}</td><td class="opt">${esc(r.q.category)}</td><td class="${last[2] ? "right" : "wrong"}">${last[2] ? "✓" : "✗"} ${esc(text(last[3]))}</td><td class="n">${f3(r.s[0])}</td><td class="n">${f3(r.s[1])}</td></tr>`; }).join("")}</tbody></table></div>`;
    const width = Math.min(560, Math.max(290, (main.clientWidth - (main.clientWidth > 880 ? 24 : 0)) / (main.clientWidth > 880 ? 2 : 1)) - 4);
    const bins = (s.bins[definition] || []).filter((b) => b[2] > 0);
    document.getElementById("reliability").append(Plot.plot({ ...look, width, height: Math.min(width, 380), marginLeft: 50, marginRight: 44, x: { domain: [0, 1], label: "confidence →" }, y: { domain: [0, 1], label: "↑ share right", grid: true, ticks: 5, insetBottom: 12 }, marks: [Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "#8a949e", strokeDasharray: "4 4" }), Plot.link(bins, { x: (b) => b[3], y1: (b) => b[5], y2: (b) => b[6], stroke: style.color }), Plot.dot(bins, { x: (b) => b[3], y: (b) => b[4], fill: style.color, r: 5, symbol: () => style.symbol }), Plot.text(bins, { x: (b) => b[3], y: (b) => b[4], text: (b) => b[2].toLocaleString("en"), dx: 7, textAnchor: "start", fontSize: 11, fill: "#1b2733", stroke: "#fff" })], r: { type: "identity" }, symbol: { type: "identity" } }));
    const categories = (s.categories[definition] || []).slice().sort((a, b) => a[2] - b[2]);
    document.getElementById("categories").append(Plot.plot({ ...look, width, height: 80 + 34 * categories.length, marginLeft: 132, x: { domain: [0, 1], grid: true, label: "CalScore →" }, y: { label: null, domain: categories.map((c) => `${c[0]} (${c[1]})`) }, marks: [Plot.link(categories.filter((c) => c[3] !== null), { x1: (c) => c[3], x2: (c) => c[4], y: (c) => `${c[0]} (${c[1]})`, stroke: style.color, strokeWidth: 2 }), Plot.dot(categories, { x: (c) => c[2], y: (c) => `${c[0]} (${c[1]})`, r: 5, fill: style.color, symbol: () => style.symbol })], r: { type: "identity" }, symbol: { type: "identity" } }));
    wire(() => model(key));
  }

  // --- teams ----------------------------------------------------------------------------------
  const TEAM = [["packets", "packets", "opt"], ["questions_heard", "heard"], ["buzzes", "buzzes"], ["correct", "right"], ["incorrect", "wrong"]];
  function teams() {
    const list = D.teams.slice().sort((a, b) => d3.descending(a.correct, b.correct) || d3.ascending(a.team, b.team));
    main.innerHTML = `<h1>Teams</h1><div class="scroll"><table><thead><tr><th>team</th>${TEAM.map((t) => `<th class="n ${t[2] || ""}">${t[1]}</th>`).join("")}<th class="n">right / buzzes</th><th class="n opt">median buzz</th><th class="opt">quartile</th></tr></thead><tbody>${list.map((t) => `<tr><td>${link("team", t.team, esc(t.name))}${t.kind === "model" ? " <span class='soft'>(model)</span>" : ""}</td>${TEAM.map(([k, , c]) => `<td class="n ${c || ""}">${t[k]}</td>`).join("")}<td class="n">${t.buzzes ? pct(t.correct / t.buzzes) : ""}</td><td class="n opt">${pct(t.median)}</td><td class="opt">${t.quartile_paper ? `Q${t.quartile_paper}` : ""}</td></tr>`).join("")}</tbody></table></div><p class="soft">Median buzz: share of the question heard. Quartile: by total right buzzes, Q4 is best.</p>`;
  }
  function team(key) {
    const t = D.teams.find((x) => x.team === key);
    if (!t) { main.innerHTML = `<h1>No team ${esc(key)}</h1><p><a href="#teams">All teams</a></p>`; return; }
    const mine = D.buzzes.flatMap((bs, i) => bs.filter((b) => text(b[0]) === key).map((b) => { const n = D.questions[i].text.split(/\s+/).filter(Boolean).length; return { i, word: b[2] + 1, share: Math.min(1, (b[2] + 1) / n), right: b[3] === 1 }; }));
    const per = d3.rollups(mine, (v) => ({ right: v.filter((b) => b.right).length, wrong: v.filter((b) => !b.right).length }), (b) => D.questions[b.i].category).sort((a, b) => d3.descending(a[1].right - a[1].wrong, b[1].right - b[1].wrong));
    main.innerHTML = `<div class="pager"><a href="#teams">all teams</a></div><h1>${esc(t.name)}</h1><p class="soft">${t.kind} team; heard ${t.questions_heard} questions of ${t.packets} packets; ${t.buzzes} buzzes, ${t.correct} right${t.quartile_paper ? `; quartile Q${t.quartile_paper} by right buzzes, Q${t.quartile_rate} by right buzzes per question heard` : ""}</p>
<div class="two"><section><h2>Where it buzzes</h2><div class="legend"><span style="color:#2171b5">■ right</span><span style="color:#b34700">□ wrong</span></div><div class="chart" id="where"></div></section><section><h2>By category</h2><div class="scroll"><table><thead><tr><th>category</th><th class="n">right</th><th class="n">wrong</th></tr></thead><tbody>${per.map(([c, v]) => `<tr><td>${esc(c)}</td><td class="n">${v.right}</td><td class="n">${v.wrong}</td></tr>`).join("")}</tbody></table></div></section></div>
<h2>Buzzes</h2><div class="scroll"><table><thead><tr><th>question</th><th>answer</th><th class="n">word</th><th class="n">heard</th><th></th></tr></thead><tbody>${mine.sort((a, b) => a.share - b.share).map((b) => `<tr><td>${link("question", D.questions[b.i].id, esc(D.questions[b.i].id))}</td><td>${esc(D.questions[b.i].answer.split("[")[0])}</td><td class="n">${b.word}</td><td class="n">${pct(b.share)}</td><td class="${b.right ? "right" : "wrong"}">${b.right ? "✓ right" : "✗ wrong"}</td></tr>`).join("")}</tbody></table></div>`;
    const width = Math.min(560, Math.max(290, (main.clientWidth - (main.clientWidth > 880 ? 24 : 0)) / (main.clientWidth > 880 ? 2 : 1)) - 4);
    document.getElementById("where").append(Plot.plot({ ...look, width, height: 260, marginLeft: 50, x: { domain: [0, 100], label: "share of the question heard (%) →" }, y: { label: "↑ buzzes", grid: true }, marks: [Plot.rectY(mine, Plot.binX({ y: "count" }, { x: (b) => 100 * b.share - 1e-6, thresholds: d3.range(0, 101, 10), fill: (b) => (b.right ? "#2171b5" : "#f3c9a8"), stroke: (b) => (b.right ? "#2171b5" : "#b34700"), order: "fill" })), Plot.ruleY([0])] }));
  }

  function help() {
    main.innerHTML = `<h1>Help</h1><p><kbd>/</kbd> find a question, <kbd>j</kbd> or <kbd>→</kbd> the next question of the list as it is sorted and filtered, <kbd>k</kbd> or <kbd>←</kbd> the one before, <kbd>q</kbd> questions, <kbd>m</kbd> models, <kbd>t</kbd> teams, <kbd>?</kbd> this page. Every view has an address of its own that can be passed on.</p><p>h, CalScore and MCE are those of the study's tables, rounded; for the rows behind a number see <a href="audit/index.html">the audit page</a>. Charts: D3 and Observable Plot, ISC licence.</p>`;
  }

  const pages = { questions, question, models, model, teams, team, help };
  let last = "";
  function route() {
    const [page, key] = (location.hash.slice(1) || "questions").split("/").map(decodeURIComponent);
    (pages[page] || questions)(key);
    for (const a of document.querySelectorAll("header nav a")) {
      if (a.hash.slice(1).replace(/s$/, "") === page.replace(/s$/, "")) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
    }
    if (last !== location.hash) window.scrollTo(0, 0);
    last = location.hash;
    document.title = `${key || page}: ${D.study}`;
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
    else if (e.key === "m") go("models");
    else if (e.key === "t") go("teams");
    else if (e.key === "?") go("help");
  });
  route();
  window.opened = performance.now();
})();
