"use strict";
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const out = document.getElementById("explained"), trail = document.getElementById("trail"), pick = document.getElementById("pick");
  const text = (id) => (id < 0 ? "" : D.pool[id]);
  const esc = (v) => String(v).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const fmt = (v) => (v === null || v === undefined || v === "" ? "" : typeof v === "number" ? (Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(6)))) : esc(v));
  const table = (columns, rows) => `<div class="scroll"><table><thead><tr>${columns.map((c, k) => `<th class="${rows.length && typeof rows[0][k] === "number" ? "n" : ""}">${esc(c)}</th>`).join("")}</tr></thead><tbody>${rows
    .map((r) => `<tr>${r.map((v) => (v && v.html ? `<td>${v.html}</td>` : `<td class="${typeof v === "number" ? "n" : ""}">${fmt(v)}</td>`)).join("")}</tr>`).join("")}</tbody></table></div>`;
  const link = (parts, shown) => ({ html: `<a href="#explain/${parts.map(encodeURIComponent).join("/")}">${shown}</a>` });
  const sigma = (x) => 1 / (1 + Math.exp(-x));
  const squash = (x) => (sigma(x) - sigma(-1)) / (sigma(1) - sigma(-1));
  const mean = (a) => a.reduce((s, v) => s + v, 0) / a.length;

  // One question of one series: the scored clues with h and both terms.
  function terms(series, q, definition) {
    const s = D.series[series].rows[q], h = D.clues[q];
    if (!s) return [];
    return s.map(([clue, guess, right, c]) => {
      const k = clue - 1, total = definition === "paper" ? h.buzzes[k] : h.on;
      const share = total > 0 ? h.right[k] / total : 0, g = definition === "paper" ? (right ? 1 : -1) : right;
      return { clue, words: h.words[k], guess, right, c, g, hr: h.right[k], total, h: share, gc: g * c, term: (1 - share) * g * c };
    });
  }
  const scored = (rows) => rows.filter((r) => r.c !== null);
  function score(series, q, definition) {
    const rows = scored(terms(series, q, definition));
    if (!rows.length) return null;
    const gc = mean(rows.map((r) => r.gc)), term = mean(rows.map((r) => r.term));
    const f = definition === "paper" ? squash : (x) => x;
    return { q, n: rows.length, gc, term, mce: 1 - f(gc), calscore: 1 - f(term) };
  }
  const bin = (c, definition) => {
    if (definition === "paper") { let b = 0; for (let k = 1; k < 10; k++) if (c >= k / 10) b++; return b; }
    let b = -1; for (let k = 0; k <= 10; k++) if (c > (k === 10 ? 1 : k * 0.1)) b++; return (b + 10) % 10;
  };
  const seriesOf = (row) => D.series.findIndex((s) => s.model === row.model && s.elicitation === row.elicitation && s.marks === row.marks);
  const inside = (row) => D.questions.map((q, i) => i).filter((i) => !row.category || D.questions[i][row.level === "merged" ? "category" : "fine"] === row.category);
  const metricOf = (column) => column.replace(/_(low|high|rank|n)$/, "");

  function recompute(name, row, column) {
    const s = seriesOf(row), all = inside(row), metric = metricOf(column);
    if (name === "table2") {
      const share = parseInt(column, 10), rows = [];
      for (const q of all) for (const [k, r] of terms(s, q, "paper").entries()) {
        // Where each model keeps its own cuts, those are counted.
        const T = D.own ? D.series[s].rows[q].length : D.clues[q].words.length, clue = D.own ? k + 1 : r.clue;
        const hit = row.reading === "at" ? clue === Math.floor((share * T) / 100) : Math.floor((10 * clue) / T) === share / 10;
        if (hit) rows.push({ q, ...r });
      }
      const right = rows.filter((r) => r.right).length;
      const value = column.endsWith("_n") ? rows.length : column.includes("_") ? null : right / rows.length;
      return { value, formula: `${right} right answers / ${rows.length} answers after ${share} % of the clues (reading: ${row.reading})`, rows };
    }
    if (metric === "brier" || metric === "ece") {
      let rows = [];
      for (const q of all) { const t = scored(terms(s, q, row.definition)); rows.push(...(row.definition === "paper" ? t : t.slice(-1)).map((r) => ({ q, ...r }))); }
      const bins = Array.from({ length: 10 }, (_, b) => ({ b, n: 0, c: 0, g: 0 }));
      for (const r of rows) { const b = bins[bin(r.c, row.definition)]; b.n++; b.c += r.c; b.g += r.right; }
      const value = metric === "brier" ? mean(rows.map((r) => (r.c - r.right) ** 2)) : bins.reduce((t, b) => t + Math.abs(b.g - b.c), 0) / rows.length;
      return { value: column === metric ? value : null, formula: metric === "brier" ? `mean of (c − g)² over ${rows.length} clues` : `Σ |Σ(g − c)| over ten bins / ${rows.length} clues`, bins: metric === "ece" ? bins : null, listed: all.map((q) => score(s, q, row.definition)).filter(Boolean) };
    }
    const listed = all.map((q) => score(s, q, row.definition)).filter(Boolean);
    const by = metric === "mce" || metric === "calscore" ? metric : "calscore";
    listed.sort((a, b) => b[by] - a[by]);
    const inner = by === "mce" ? "g·c" : "(1−h)·g·c";
    return { value: column === "n_questions" ? listed.length : column === metric ? mean(listed.map((l) => l[by])) : null, formula: `mean over ${listed.length} questions of 1 − ${row.definition === "paper" ? `r(mean over clues of ${inner}), g = 1/−1` : `mean over clues of ${inner}, g = 1/0`}`, listed };
  }

  function showTable(name) {
    const t = D.tables[name];
    const rows = t.rows.map((r, i) => t.columns.map((c, k) => (t.numbers.includes(c) && r[k] !== null ? link([name, String(i), c], fmt(r[k])) : r[k])));
    trail.innerHTML = "";
    out.innerHTML = table(t.columns, rows);
  }
  function showCell(name, i, column) {
    const t = D.tables[name], row = Object.fromEntries(t.columns.map((c, k) => [c, t.rows[i][k]]));
    const found = recompute(name, row, column), value = row[column], s = seriesOf(row);
    trail.innerHTML = `<a href="#explain/${name}">${name}</a> › ${t.keys.map((k) => esc(row[k])).join(", ")} › <b>${esc(column)}</b>`;
    const command = `make explain STUDY=${D.study} TABLE=${name} ROW="${t.keys.map((k) => `${k}=${row[k]}`).join(",")}" COLUMN=${column}`;
    let html = `<div class="result" id="result" data-difference="${found.value === null ? "" : Math.abs(value - found.value)}"><b>${esc(column)} = ${value}</b><br>${esc(found.formula)}${found.value === null ? "<br>This page recomputes the number that the interval or rank belongs to; the command below recomputes this one." : `<br>recomputed here: ${found.value} (difference ${Math.abs(value - found.value).toExponential(1)})`}<br><code>${esc(command)}</code></div>`;
    if (found.bins) html += table(["bin", "clues", "Σ c", "Σ g", "|Σ g − Σ c|"], found.bins.map((b) => [b.b, b.n, b.c, b.g, Math.abs(b.g - b.c)]));
    const go = (q) => link([name, String(i), column, D.questions[q].id], esc(D.questions[q].id));
    if (found.rows) html += table(["question", "category", "clue", "words", "guess", "verdict", "right"], found.rows.map((r) => { const g = D.series[s].guesses[r.q][r.guess]; return [go(r.q), D.questions[r.q].category, r.clue, r.words, text(g[1]), text(g[2]), r.right ? "yes" : "no"]; }));
    else html += table(["question", "category", "clues", "mean g·c", "mean (1−h)·g·c", "MCE", "CalScore"], found.listed.map((l) => [go(l.q), D.questions[l.q].category, l.n, l.gc, l.term, l.mce, l.calscore]));
    out.innerHTML = html;
  }
  function showQuestion(name, i, column, id) {
    const t = D.tables[name], row = Object.fromEntries(t.columns.map((c, k) => [c, t.rows[i][k]]));
    const q = D.questions.findIndex((x) => x.id === id), s = seriesOf(row), definition = row.definition || "paper";
    const rows = terms(s, q, definition), one = score(s, q, definition);
    trail.innerHTML = `<a href="#explain/${name}">${name}</a> › <a href="#explain/${[name, i, column].map(encodeURIComponent).join("/")}">${t.keys.map((k) => esc(row[k])).join(", ")}, ${esc(column)}</a> › <b>${esc(id)}</b>`;
    let html = `<p><b>${esc(D.questions[q].answer)}</b> (${esc(D.questions[q].category)}; <a href="../explorer.html#question/${encodeURIComponent(id)}">in the explorer</a>)</p>`;
    if (one) html += `<div class="result">mean g·c = ${one.gc}, mean (1−h)·g·c = ${one.term}; MCE ${one.mce}, CalScore ${one.calscore}</div>`;
    html += `<h3>Clues: (1−h)·g·c (${definition})</h3>` + table(["clue", "words", "guess", "c", "g", "right human buzzes", "of", "h", "g·c", "(1−h)·g·c"], rows.map((r) => [r.clue, r.words, text(D.series[s].guesses[q][r.guess][1]), r.c === null ? "not parsed" : r.c, r.g, r.hr, r.total, r.h, r.c === null ? "" : r.gc, r.c === null ? "" : r.term]));
    html += "<h3>Guesses and verdicts</h3>" + table(["words heard", "guess", "verdict", "rule", "judged by", "raw row"], D.series[s].guesses[q].map((g) => [g[0], text(g[1]), text(g[2]), text(g[3]), text(g[4]), text(g[5])]));
    html += "<h3>Buzzes</h3>" + table(["team", "kind", "word", "right", "raw row"], D.buzzes[q].map((b) => [text(b[0]), text(b[1]), b[2], b[3] ? "yes" : "no", text(b[4])]));
    out.innerHTML = html;
  }
  function route() {
    const parts = location.hash.slice(1).split("/").map(decodeURIComponent);
    if (parts[0] !== "explain") return;
    const name = parts[1] || pick.value;
    if (!D.tables[name]) return;
    pick.value = name;
    if (parts[4]) showQuestion(name, +parts[2], parts[3], parts[4]);
    else if (parts[3]) showCell(name, +parts[2], parts[3]);
    else showTable(name);
    if (parts[1]) document.getElementById("explain").scrollIntoView();
  }
  for (const name of Object.keys(D.tables)) pick.add(new Option(name, name));
  pick.addEventListener("change", () => (location.hash = `explain/${pick.value}`));
  window.addEventListener("hashchange", route);
  window.recompute = recompute;
  window.audited = D;
  showTable(pick.value);
  route();
})();
