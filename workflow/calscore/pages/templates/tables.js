"use strict";
// Tables of class "data": headings sort, numbers downwards first; a table of many rows has a filter, of many columns a choice.
function enhanceTable(element, options = {}) {
  const rows = element.tBodies[0].rows.length, heads = [...element.tHead.rows[0].cells];
  const names = heads.map((head) => head.dataset.name ?? head.textContent.trim()), paging = options.paging ?? rows > 200;
  // A cell such as "43 % 3/7" sorts by its first number.
  for (const cell of element.querySelectorAll("td.n:not([data-order])")) {
    const number = parseFloat(cell.textContent.replace("−", "-").replaceAll(",", ""));
    cell.dataset.order = Number.isNaN(number) ? "" : number;
  }
  const table = new DataTable(element, {
    order: [], pageLength: 100, info: false, autoWidth: false, searching: true, orderMulti: false,
    columnDefs: [{ targets: "n", orderSequence: ["desc", "asc"] }],
    layout: { topStart: null, topEnd: null, bottomStart: null, bottomEnd: paging ? "paging" : null }, ...options, paging,
  });
  if (options.tools === false) return table;
  const tools = document.createElement("div");
  tools.className = "tools";
  if (rows > 8) {
    const input = Object.assign(document.createElement("input"), { type: "search", placeholder: "filter rows", ariaLabel: "Filter rows" });
    input.addEventListener("input", () => table.search(input.value).draw());
    tools.append(input);
  }
  if (heads.length > 5) {
    const menu = Object.assign(document.createElement("div"), { className: "columns-menu", hidden: true });
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Columns", ariaExpanded: "false" });
    button.addEventListener("click", () => { menu.hidden = !menu.hidden; button.ariaExpanded = String(!menu.hidden); });
    names.forEach((name, column) => {
      if (!column) return;
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: !heads[column].dataset.hidden });
      const label = document.createElement("label");
      label.append(box, ` ${name}`);
      box.addEventListener("change", () => table.column(column).visible(box.checked));
      if (!box.checked) table.column(column).visible(false);
      menu.append(label);
    });
    tools.append(button, menu);
  }
  if (tools.children.length) (element.closest(".scroll") ?? element).before(tools);
  return table;
}
document.querySelectorAll("table.data").forEach((element) => enhanceTable(element));
for (const link of document.querySelectorAll("th a")) link.addEventListener("click", (event) => event.stopPropagation());
