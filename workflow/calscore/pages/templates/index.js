"use strict";
(() => {
  // Commit and time are in a file beside the page, written last of all; without it the link to them stays.
  const seal = window.seal, line = document.getElementById("commit");
  if (seal) line.firstElementChild.textContent = `${seal.commit ? `commit ${seal.commit.slice(0, 10)}${seal.dirty ? " with changes" : ""}, ` : ""}${new Date(document.lastModified).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`;
  if (seal?.several) document.querySelector("nav.doors").append(Object.assign(document.createElement("a"), { href: "../studies/studies.html", textContent: "All studies" }));
  function route() {
    const id = decodeURIComponent(location.hash.slice(1)), target = id && document.getElementById(id);
    if (!target) return;
    for (let element = target; element; element = element.parentElement) if (element.tagName === "DETAILS") element.open = true;
    if (id === "all") document.querySelector(".doors-of").open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", route);
  route();
})();
