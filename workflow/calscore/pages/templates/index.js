"use strict";
(() => {
  // Commit and time stand beside the page, written last of all; without that file the link to them stays.
  const seal = window.seal, line = document.getElementById("commit");
  if (seal) line.firstElementChild.textContent = `${seal.commit ? `commit ${seal.commit.slice(0, 10)}${seal.dirty ? " with changes" : ""}, ` : ""}${new Date(document.lastModified).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`;
  if (seal?.several) document.querySelector("nav.doors").append(Object.assign(document.createElement("a"), { href: "../studies/studies.html", textContent: "All studies" }));

  const pick = document.getElementById("pick"), models = [...document.querySelectorAll(".model")];
  const show = (id) => { for (const m of models) m.hidden = m.id !== id; if (pick) pick.value = id; };
  const open = (element) => { for (let e = element; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true; };
  function route() {
    const id = decodeURIComponent(location.hash.slice(1)), target = id && document.getElementById(id);
    if (!target) return;
    const model = target.closest(".model");
    if (model) show(model.id);
    open(target);
    if (id === "all") document.querySelector(".doors-of").open = true;
    target.scrollIntoView();
  }
  if (pick) {
    show(pick.value = models[0].id);
    pick.addEventListener("change", () => { show(pick.value); history.replaceState(null, "", `#${pick.value}`); });
  }
  window.addEventListener("hashchange", route);
  route();
})();
