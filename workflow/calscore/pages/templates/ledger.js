"use strict";
(() => {
  const at = (id) => document.getElementById(id), names = ["verdict", "section", "basis", "weight"];
  const entries = [...document.querySelectorAll(".entry")].map((e) => ({ e, rows: e.querySelectorAll(".row").length, text: e.textContent.toLowerCase() }));
  function filter() {
    const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0, rows = 0;
    for (const { e, text, rows: n } of entries) {
      const fits = names.every((name) => !at(name).value || e.dataset[name] === at(name).value) && words.every((w) => text.includes(w));
      e.hidden = !fits;
      if (fits) { shown++; rows += n; }
    }
    at("count").textContent = `${shown} of ${entries.length} statements, ${rows} rows`;
  }
  function changed() {
    filter();
    const set = [...names, "find"].filter((name) => at(name).value).map((name) => `${name}=${encodeURIComponent(at(name).value).replace(/%20/g, "+")}`);
    history.replaceState(null, "", set.length ? `#${set.join("&")}` : location.pathname);
  }
  function route() {
    const hash = location.hash.slice(1), id = decodeURIComponent(hash);
    for (const row of document.querySelectorAll(".row.here")) row.classList.remove("here");
    const target = /^(statement|row)\//.test(id) && at(id);
    const set = target ? new URLSearchParams() : new URLSearchParams(hash);
    for (const name of [...names, "find"]) at(name).value = set.get(name) ?? "";
    filter();
    if (target) {
      target.closest(".entry").open = true;
      if (target.classList.contains("row")) target.classList.add("here");
      target.scrollIntoView();
    }
  }
  for (const name of names) at(name).addEventListener("change", changed);
  at("find").addEventListener("input", changed);
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT)$/.test(e.target.tagName)) { e.preventDefault(); at("find").focus(); }
    else if (e.key === "Escape" && e.target === at("find")) e.target.blur();
  });
  window.addEventListener("hashchange", route);
  route();
})();
