"use strict";
(() => {
  const at = (id) => document.getElementById(id), names = { verdict: 0, section: 2, basis: 3, weight: 4 };
  const chosen = [...Object.keys(names), "find"];
  const table = enhanceTable(at("statements"), { paging: false, tools: false });
  function filter() {
    for (const [name, column] of Object.entries(names)) table.column(column).search(at(name).value, { exact: Boolean(at(name).value) });
    table.search(at("find").value).draw();
    const entries = [...document.querySelectorAll(".entry")], rows = entries.reduce((sum, entry) => sum + Number(entry.dataset.rows), 0);
    at("count").textContent = `${entries.length} of ${table.rows().count()} statements, ${rows} rows`;
  }
  function changed() {
    filter();
    const set = chosen.filter((name) => at(name).value).map((name) => `${name}=${encodeURIComponent(at(name).value).replace(/%20/g, "+")}`);
    history.replaceState(null, "", set.length ? `#${set.join("&")}` : location.pathname);
  }
  function route() {
    const hash = location.hash.slice(1), id = decodeURIComponent(hash);
    const place = /^(statement|row)\//.test(id), set = new URLSearchParams(place ? "" : hash);
    for (const name of chosen) at(name).value = set.get(name) ?? "";
    filter();
    for (const row of document.querySelectorAll(".row.here")) row.classList.remove("here");
    const target = place && at(id);
    if (target) {
      target.closest(".entry").open = true;
      if (target.classList.contains("row")) target.classList.add("here");
      target.scrollIntoView();
    }
  }
  // All rows that an evidence selects, in a table of their own.
  const data = JSON.parse(at("data").textContent);
  at("statements").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-file]");
    if (!button) return;
    const { columns, rows } = data[button.dataset.file], where = JSON.parse(button.dataset.where);
    const box = document.createElement("div"), list = document.createElement("table");
    const line = (row, cells, tag) => cells.forEach((text) => row.append(Object.assign(document.createElement(tag), { textContent: text })));
    line(list.createTHead().insertRow(), columns, "th");
    const body = list.createTBody();
    for (const row of rows) if (where.every(([column, values]) => values.includes(row[columns.indexOf(column)]))) line(body.insertRow(), row, "td");
    Object.assign(box, { className: "scroll", tabIndex: 0 }).append(list);
    button.replaceWith(box);
    enhanceTable(list, { paging: body.rows.length > 50, pageLength: 50 });
  });
  for (const name of Object.keys(names)) at(name).addEventListener("change", changed);
  at("find").addEventListener("input", changed);
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT)$/.test(e.target.tagName)) { e.preventDefault(); at("find").focus(); }
    else if (e.key === "Escape" && e.target === at("find")) e.target.blur();
  });
  window.addEventListener("hashchange", route);
  route();
})();
