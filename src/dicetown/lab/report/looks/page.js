// Tables that sort, a switch for day and night, and where one is on the page. Without it everything can still be read.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    head.querySelector("button").addEventListener("click", () => {
      const upwards = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
      const byName = head.classList.contains("name");
      const worth = (row) => (byName ? row.cells[place].textContent : Number(row.cells[place].dataset.value ?? -Infinity));
      const rows = [...table.tBodies[0].rows].sort((one, other) => {
        const order = byName ? worth(other).localeCompare(worth(one)) : worth(one) - worth(other);
        return upwards ? order : -order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}

const root = document.documentElement;
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const watch = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(target.id)?.setAttribute("aria-current", "true");
    }
  },
  { rootMargin: "0px 0px -70% 0px" },
);
for (const id of links.keys()) watch.observe(document.getElementById(id));
