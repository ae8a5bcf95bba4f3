"use strict";
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");

  // --- one thing at a time, and search -------------------------------------------------------------
  const cards = [...document.querySelectorAll(".card")], chips = [...document.querySelectorAll(".flow a")];
  const sorts = (inside) => inside.querySelectorAll("table.sorts:not(.dataTable)").forEach((element) => enhanceTable(element));
  function open(name) {
    // Another form of a file is told with the first.
    const id = at(name) ? name : (cards.find((c) => [...c.querySelectorAll("dd a")].some((a) => a.getAttribute("href") === `../${name}`))?.id ?? name);
    for (const card of cards) card.classList.toggle("open", card.id === id);
    if (at(id)) sorts(at(id));
    for (const chip of chips) chip.classList.toggle("on", decodeURIComponent(chip.hash.slice(1)) === id);
    at(id)?.scrollIntoView();
  }
  const cell = (text) => Object.assign(document.createElement("td"), { textContent: text });
  // The list of files is made from their cards when it is first asked for; what columns mean is searched and not shown.
  let files = null;
  function list() {
    for (const card of cards.filter((c) => c.classList.contains("file"))) {
      const name = cell(""), rows = [...card.querySelectorAll("table.columns tbody tr")].map((r) => r.cells);
      name.append(Object.assign(document.createElement("a"), { href: `#${card.id}`, textContent: card.id }));
      const title = card.querySelector("p").firstChild.textContent.trim(), rule = card.querySelector("dd b")?.textContent ?? "";
      const line = at("files").tBodies[0].insertRow();
      line.append(name, cell(title), cell(rule), cell(rows.map((r) => r[0].textContent).join(", ")), cell(rows.map((r) => r[4].textContent).join(" ")));
    }
    return enhanceTable(at("files"), { tools: false, paging: false, columnDefs: [{ targets: 4, visible: false }] });
  }
  // Numbers of the explained tables by their digits, rounded as typed, and of a table that is named; what is printed too.
  const asked = (find) => {
    const typed = find.match(/-?\d*\.\d+/)?.[0], wanted = find.match(/table\s*(\d+)/i)?.[1];
    return { typed, wanted, number: Number(typed), named: (name) => !wanted || name.replace(/\D/g, "") === wanted };
  };
  function numbers(find) {
    const { typed, wanted, named, number } = asked(find);
    if (!D || !(typed || wanted)) return [];
    const unit = typed && 10 ** -typed.split(".")[1].length;
    // Rounded to what is typed, or begun with it.
    const fits = (n) => n !== null && n !== "" && (Math.abs(n - number) <= unit / 2 + 1e-12 || (n >= number && n - number < unit));
    const rows = D.printed.filter((p) => named(p[0]) && (!typed || [p[2], p[3]].some((n) => n !== "" && fits(Number(n))))).map(printedRow);
    for (const [name, t] of Object.entries(D.tables)) {
      if (!named(name)) continue;
      if (!typed) rows.push([link([name], `all of ${esc(name)}`), name, "", ""]);
      else for (const values of t.rows) t.columns.forEach((c, k) => {
        if (t.numbers.includes(c) && fits(values[k])) {
          const row = Object.fromEntries(t.columns.map((column, i) => [column, values[i]]));
          rows.push([link([name, keyOf(name, row), c], fmt(values[k]), true), name, c, t.keys.map((key) => row[key]).join(", ")]);
        }
      });
    }
    return rows;
  }
  const printedRow = ([section, what, printed, here, verdict, id, target]) => [target ? link(target, esc(printed), true) : { number: true, html: `<a href="../ledger.html#row/${encodeURIComponent(id)}">${esc(printed)}</a>` }, `${section} as printed`, here ? `here ${here}` : verdict, what];
  // Where what is typed is not printed: the two printed numbers next to it.
  function nearestPrinted(find) {
    const { number, named } = asked(find), distance = (p) => Math.abs(Number(p[2]) - number);
    const near = D.printed.filter((p) => named(p[0]) && p[2] !== "" && Number.isFinite(distance(p))).sort((a, b) => distance(a) - distance(b));
    return near.slice(0, 2).map((p) => `${printedRow(p)[0].html} (${esc(p[0])}: ${esc(p[1])})`).join("; ");
  }
  function search() {
    const find = at("find").value.trim(), rows = numbers(find), most = 60;
    at("hits").hidden = !find; at("flow").hidden = Boolean(find);
    at("numbers").hidden = !rows.length;
    at("numbers").innerHTML = rows.length ? `<p>${rows.length} ${rows.length === 1 ? "number" : "numbers"}${rows.length > most ? `, the first ${most}; type more digits` : ""}. Each leads to its formula and rows.${D.printed.length && !rows.some((row) => row[1].endsWith("as printed")) ? ` None of them is printed in the paper. The nearest printed: ${nearestPrinted(find)}.` : ""}</p>` + table(["number", "table", "column", "row"], rows.slice(0, most)) : "";
    sorts(at("numbers"));
    if (find) (files ??= list()).search(find).draw();
  }
  at("find").addEventListener("input", search);

  // --- explained numbers ---------------------------------------------------------------------------
  const out = at("explained"), trail = at("trail"), pick = at("pick");
  const text = (id) => (id < 0 ? "" : D.pool[id]);
  const esc = (v) => String(v).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const fmt = (v) => (v === null || v === undefined || v === "" ? "" : typeof v === "number" ? (Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(6)))) : esc(v));
  const numeric = (v) => typeof v === "number" || Boolean(v?.number);
  const table = (columns, rows) => `<div class="scroll${rows.length > 25 ? " tall" : ""}"><table class="sorts"><thead><tr>${columns.map((c, k) => `<th class="${rows.some((r) => numeric(r[k])) ? "n" : ""}">${esc(c)}</th>`).join("")}</tr></thead><tbody>${rows
    .map((r) => `<tr>${r.map((v) => `<td class="${numeric(v) ? "n" : ""}">${v?.html ?? fmt(v)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`;
  const link = (parts, shown, number = false) => ({ number, html: `<a href="#explain/${parts.map(encodeURIComponent).join("/")}">${shown}</a>` });
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

  // --- counts of live buzzes: the same selections and measures as calscore/audit/explain_counts.py ---------
  const COUNTS = ["category_margins", "team_summary", "cumulative_buzzes", "leaderboard_pairs"];
  function selection(name, row) {
    if (name === "category_margins") return { group: `${row.group_kind}/${row.group}`, level: row.level, category: row.category };
    if (name === "cumulative_buzzes") return { group: `${row.rule}/${row.group}`, outcome: row.outcome, clue: row.clue };
    return { group: `team/${row.team}` };
  }
  const right = (b) => b.filter((x) => x.right).length;
  const pairs = (e) => new Set(e.map((x) => `${x.team} ${D.questions[x.q].packet}`)).size;
  const median = (a) => { const s = a.slice().sort((x, y) => x - y), k = s.length >> 1; return s.length % 2 ? s[k] : (s[k - 1] + s[k]) / 2; };
  const most = D ? Math.max(...D.clues.map((c) => c.words.length)) : 0;
  const MEASURES = {
    correct: { words: "right buzzes", of: (b) => b.length, outcome: 1 },
    incorrect: { words: "wrong buzzes", of: (b) => b.length, outcome: 0 },
    buzzes: { words: "buzzes", of: (b) => b.length },
    margin: { words: "right − wrong buzzes", of: (b) => 2 * right(b) - b.length },
    ratio: { words: "right / wrong buzzes", of: (b) => right(b) / (b.length - right(b)) },
    precision: { words: "right / all buzzes", of: (b) => right(b) / b.length },
    cumulative: { words: "buzzes up to the clue", of: (b) => b.length },
    per_question: { words: "buzzes up to the clue / questions heard, summed over teams", of: (b, e) => b.length / Math.max(e.length, 1), heard: true },
    per_match: { words: "buzzes up to the clue / team × packet pairs", of: (b, e) => b.length / Math.max(pairs(e), 1), heard: true },
    per_clue: { words: "buzzes up to the clue / clues heard up to it, summed over teams and questions", of: (b, e) => b.length / Math.max(e.reduce((t, x) => t + x.clues, 0), 1), heard: true },
    questions_heard: { words: "questions heard, summed over teams", of: (b, e) => e.length, heard: true, none: true },
    matches: { words: "team × packet pairs", of: (b, e) => pairs(e), heard: true, none: true },
    packets: { words: "packets heard", of: (b, e) => new Set(e.map((x) => D.questions[x.q].packet)).size, heard: true, none: true },
    n_teams: { words: "teams of the group", of: (b, e, members) => members.size, heard: true, none: true },
    score_paper: { words: "right buzzes", of: (b) => b.length, outcome: 1 },
    score_release: { words: "sum over clue numbers of right buzzes up to each", of: (b) => b.reduce((t, x) => t + most + 1 - x.clue, 0), outcome: 1 },
    score_rate: { words: "right buzzes / questions heard", of: (b, e) => b.length / e.length, outcome: 1, heard: true },
    median_revealed: { words: "median over buzzes of words heard / words of the question", of: (b) => median(b.map((x) => (x.word + 1) / D.questions[x.q].words)) },
  };
  const ENDS = { low: "precision", high: "precision", n_effective: "precision", rate_low: "score_rate", rate_high: "score_rate", quartile_paper: "score_paper", quartile_release: "score_release", quartile_rate: "score_rate" };
  const base = (column) => (MEASURES[column] ? column : (ENDS[column] ?? column.replace(/_(low|high)$/, "").replace(/_two_way$/, "")));
  const OUTCOMES = { a_wins: "a", b_wins: "b", ties: "tie" };
  function paired(row, column) {
    const heard = (team) => D.heard.some((of) => of.some((t) => text(t) === team));
    if (!heard(row.a) || !heard(row.b)) return { value: null, formula: "Not counted on this page: one of the two did not play live." };
    const met = [];
    D.questions.forEach((question, q) => {
      const teams = D.heard[q].map(text);
      if (!teams.includes(row.a) || !teams.includes(row.b)) return;
      const first = (team) => { const b = D.buzzes[q].find((x) => text(x[0]) === team); return b ? { word: Math.min(b[2] + 1, question.words), right: b[3] === 1, raw: b[4] } : { word: null, right: false, raw: -1 }; };
      const a = first(row.a), b = first(row.b);
      const wins = a.right && b.right && a.word === b.word ? "tie" : a.right && (!b.right || a.word < b.word) ? "a" : b.right ? "b" : "neither";
      met.push({ q, a, b, wins });
    });
    const n = (who) => met.filter((m) => m.wins === who).length, decided = met.length - n("neither"), share = decided ? (n("a") + n("tie") / 2) / decided : NaN;
    const values = { questions: met.length, a_wins: n("a"), b_wins: n("b"), ties: n("tie"), decided, a_value: share, b_value: 1 - share, difference: 2 * share - 1 };
    const words = "(a_wins + ties / 2) / decided; the earlier buzz plays first, if it is wrong the other's own counts; at one word the right one wins";
    return { value: values[column] ?? null, formula: column in values ? (column === "questions" ? "questions that both heard" : words) : `belongs to a_value: ${words}`, met: met.filter((m) => !OUTCOMES[column] || m.wins === OUTCOMES[column]) };
  }
  function count(name, row, column) {
    if (name === "leaderboard_pairs") return paired(row, column);
    const of = selection(name, row), members = new Set(D.groups[of.group]), measure = MEASURES[base(column)], b = [], e = [];
    D.questions.forEach((question, q) => {
      const ends = D.clues[q].words;
      for (const team of D.heard[q]) if (members.has(team)) e.push({ q, team, clues: Math.min(of.clue ?? Infinity, ends.length) });
      if (of.category && question[of.level === "merged" ? "category" : "fine"] !== of.category) return;
      for (const [team, , word, correct, raw] of D.buzzes[q]) {
        const k = ends.findIndex((end) => word < end), clue = k < 0 ? ends.length : k + 1;
        const wanted = of.outcome ? Number(of.outcome === "correct") : measure.outcome;
        if (members.has(team) && (wanted === undefined || wanted === correct) && !(clue > of.clue)) b.push({ q, team, word, clue, right: correct, raw });
      }
    });
    const exact = column === base(column), value = exact ? measure.of(b, e, members) : null;
    return { value, formula: exact ? measure.words : `belongs to ${base(column)}: ${measure.words}`, counted: measure.none ? null : b, heard: measure.heard ? e : null };
  }

  function recompute(name, row, column) {
    if (COUNTS.includes(name)) return count(name, row, column);
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

  const SYMBOLS = [["r(", "r stretches to 0–1"], ["g·c", "g: right or wrong, c: confidence at a clue"], ["(c − g)", "c: confidence, g: right or wrong"], ["−h)", "h: share of human buzzes that are right so far"]];
  const rowOf = (name, i) => Object.fromEntries(D.tables[name].columns.map((c, k) => [c, D.tables[name].rows[i][k]]));
  const keyOf = (name, row) => D.tables[name].keys.map((k) => `${k}=${row[k]}`).join(",");
  // The row that a key names; the first of several where it says less.
  function find(name, key) {
    const wanted = key.split(/[;,](?=\w+=)/).map((part) => part.split(/=(.*)/s)).map(([k, v]) => [D.tables[name].columns.indexOf(k), v]);
    return D.tables[name].rows.findIndex((r) => wanted.every(([k, v]) => k >= 0 && String(r[k]) === v));
  }
  function showTable(name) {
    const t = D.tables[name];
    const rows = t.rows.map((r) => { const key = keyOf(name, Object.fromEntries(t.columns.map((c, k) => [c, r[k]]))); return t.columns.map((c, k) => (t.numbers.includes(c) && r[k] !== null ? link([name, key, c], fmt(r[k]), true) : r[k])); });
    trail.textContent = `${t.rows.length} rows; each number leads to its explanation.`;
    out.className = "whole";
    out.innerHTML = table(t.columns, rows);
    sorts(out);
  }
  function showPrinted(section) {
    const rows = D.printed.filter((p) => p[0] === section);
    trail.textContent = `${section} as printed: ${rows.length} numbers. Each leads to the number here, its formula and its rows, or to the ledger.`;
    out.className = "";
    out.innerHTML = table(["printed", "what", "here", "verdict"], rows.map((p) => { const [shown, , , what] = printedRow(p); return [shown, what, p[3] === "" ? "" : Number(p[3]), p[4]]; }));
    sorts(out);
  }
  const crumbs = (name, row, column, rest) => `<a href="#explain/${name}">${name}</a> › ${rest ? `<a href="#explain/${[name, keyOf(name, row), column].map(encodeURIComponent).join("/")}">` : ""}${D.tables[name].keys.map((k) => esc(row[k])).join(", ")}, <b>${esc(column)}</b>${rest ? `</a> › <b>${esc(rest)}</b>` : ""}`;
  function showCell(name, i, column) {
    const row = rowOf(name, i), key = keyOf(name, row), found = recompute(name, row, column), value = row[column], s = seriesOf(row);
    const again = found.value !== null && !(Number.isNaN(found.value) || value === null), gap = again ? Math.abs(value - found.value) : "";
    const quoted = /[\s|&;()<>$"']/.test(key) ? `"${key}"` : key;
    trail.innerHTML = crumbs(name, row, column);
    const command = `make explain STUDY=${D.study} TABLE=${name} ROW=${quoted} COLUMN=${column}`;
    const missing = COUNTS.includes(name) ? "This page counts the number that it belongs to." : "This page recomputes the number that the interval or rank belongs to; the command below recomputes this one.";
    const count = (found.counted ?? found.met ?? found.rows ?? found.listed ?? found.heard ?? []).length;
    const print = D.printed.find((p) => p[6] && p[6][0] === name && p[6][2] === column && i === find(name, p[6][1]));
    const meaning = D.tables[name].meanings[column];
    let html = `<div class="result" id="result" data-difference="${gap}"><b>${esc(column)} = ${value}</b>${print ? ` (${esc(print[0])} prints <a href="../ledger.html#row/${encodeURIComponent(print[5])}">${esc(print[2])}</a>)` : ""}<br>${esc(meaning)}<br>${esc(found.formula)}${SYMBOLS.filter(([symbol]) => found.formula.includes(symbol)).map(([, words]) => `; ${words}`).join("")}<br>${count} rows below${again ? `<br>recomputed here: ${found.value} (difference ${gap.toExponential(1)})` : found.value === null ? `<br>${missing}` : ""}<br><code>${esc(command)}</code></div>`;
    if (found.bins) html += table(["bin", "clues", "Σ c", "Σ g", "|Σ g − Σ c|"], found.bins.map((b) => [b.b, b.n, b.c, b.g, Math.abs(b.g - b.c)]));
    const go = (q) => link([name, key, column, D.questions[q].id], esc(D.questions[q].id));
    const look = (q) => ({ html: `<a href="../explorer.html#question/${encodeURIComponent(D.questions[q].id)}">${esc(D.questions[q].id)}</a>` });
    if (found.counted) html += `<h3>${found.counted.length} buzzes, ${right(found.counted)} right</h3>` + table(["question", "category", "team", "word", "clue", "right", "raw row"], found.counted.map((b) => [look(b.q), D.questions[b.q].category, text(b.team), b.word, b.clue, b.right ? "yes" : "no", text(b.raw)]));
    if (found.heard) {
      const by = new Map();
      for (const e of found.heard) by.set(e.team, [...(by.get(e.team) ?? []), e]);
      html += `<h3>${found.heard.length} questions heard by ${by.size} teams</h3>` + table(["team", "packets", "questions", "clues up to this one"], [...by].map(([team, e]) => [text(team), [...new Set(e.map((x) => D.questions[x.q].packet))].sort((x, y) => x - y).join(", "), e.length, e.reduce((t, x) => t + x.clues, 0)]));
    }
    if (found.met) html += `<h3>${found.met.length} questions</h3>` + table(["question", "category", `word of ${row.a}`, "right", `word of ${row.b}`, "right", "wins", "raw rows"], found.met.map((m) => [look(m.q), D.questions[m.q].category, m.a.word ?? "", m.a.right ? "yes" : "", m.b.word ?? "", m.b.right ? "yes" : "", { a: row.a, b: row.b }[m.wins] ?? m.wins, [m.a.raw, m.b.raw].filter((r) => r >= 0).map(text).join("; ")]));
    if (found.rows) html += table(["question", "category", "clue", "words", "guess", "verdict", "right"], found.rows.map((r) => { const g = D.series[s].guesses[r.q][r.guess]; return [go(r.q), D.questions[r.q].category, r.clue, r.words, text(g[1]), text(g[2]), r.right ? "yes" : "no"]; }));
    if (found.listed) html += table(["question", "category", "clues", "mean g·c", "mean (1−h)·g·c", "MCE", "CalScore"], found.listed.map((l) => [go(l.q), D.questions[l.q].category, l.n, l.gc, l.term, l.mce, l.calscore]));
    out.innerHTML = html;
    sorts(out);
  }
  function showQuestion(name, i, column, id) {
    const row = rowOf(name, i), q = D.questions.findIndex((x) => x.id === id), s = seriesOf(row), definition = row.definition || "paper";
    const rows = terms(s, q, definition), one = score(s, q, definition);
    trail.innerHTML = crumbs(name, row, column, id);
    let html = `<p><b>${esc(D.questions[q].answer)}</b> (${esc(D.questions[q].category)}; <a href="../explorer.html#question/${encodeURIComponent(id)}">in the explorer</a>)</p>`;
    if (one) html += `<div class="result">mean g·c = ${one.gc}, mean (1−h)·g·c = ${one.term}; MCE ${one.mce}, CalScore ${one.calscore}</div>`;
    html += `<h3>Clues: (1−h)·g·c (${definition})</h3>` + table(["clue", "words", "guess", "c", "g", "right human buzzes", "of", "h", "g·c", "(1−h)·g·c"], rows.map((r) => [r.clue, r.words, text(D.series[s].guesses[q][r.guess][1]), r.c === null ? "not parsed" : r.c, r.g, r.hr, r.total, r.h, r.c === null ? "" : r.gc, r.c === null ? "" : r.term]));
    html += "<h3>Guesses and verdicts</h3>" + table(["words heard", "guess", "verdict", "rule", "judged by", "raw row"], D.series[s].guesses[q].map((g) => [g[0], text(g[1]), text(g[2]), text(g[3]), text(g[4]), text(g[5])]));
    html += "<h3>Buzzes</h3>" + table(["team", "kind", "word", "right", "raw row"], D.buzzes[q].map((b) => [text(b[0]), text(b[1]), b[2], b[3] ? "yes" : "no", text(b[4])]));
    out.innerHTML = html;
    sorts(out);
  }
  function route() {
    const parts = location.hash.slice(1).split("/"), id = decodeURIComponent(location.hash.slice(1));
    if (parts[0] === "printed" && D) { open("explain"); return showPrinted(decodeURIComponent(parts[1])); }
    if (parts[0] !== "explain" || !D) return open(id);
    const [, name = pick.value, key, column, question] = parts.map(decodeURIComponent);
    open("explain");
    if (!D.tables[name]) { trail.textContent = ""; out.textContent = `Numbers of ${name} are not explained on this page.`; return; }
    pick.value = name;
    if (!key) return showTable(name);
    const i = find(name, key);
    if (i < 0 || !D.tables[name].numbers.includes(column)) { trail.innerHTML = `<a href="#explain/${name}">${name}</a>`; out.textContent = `No number ${column ?? ""} in a row ${key}.`; return; }
    out.className = "";
    if (question) showQuestion(name, i, column, question);
    else showCell(name, i, column);
  }
  pick?.addEventListener("change", () => (location.hash = `explain/${pick.value}`));
  window.addEventListener("hashchange", route);
  window.recompute = recompute;
  window.audited = D;
  route();
})();
