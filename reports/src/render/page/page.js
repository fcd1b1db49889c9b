"use strict";
// Sorting, filtering and details of the main table. The state stands in the address after #, so
// that a view can be kept as a link: #find=hex&verdict=ok&hide=prover&sort=ludeme&down=1&unit=ratio
(() => {
  const table = document.getElementById("rates");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const find = document.getElementById("find");
  const verdict = document.getElementById("verdict");
  const unit = document.getElementById("unit");
  const engines = [...document.querySelectorAll("#engines input")];
  const state = new URLSearchParams(location.hash.slice(1));

  const column = (name) => heads.findIndex((head) => head.dataset.name === name);

  function show() {
    const words = (state.get("find") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = state.get("verdict") || "";
    const hidden = (state.get("hide") || "").split(",").filter(Boolean);
    const measure = state.get("unit") || "rate";
    find.value = state.get("find") || "";
    verdict.value = wanted;
    unit.value = measure;
    for (const box of engines) box.checked = !hidden.includes(box.value);
    heads.forEach((head, index) => {
      const away = hidden.includes(head.dataset.name);
      head.hidden = away;
      for (const row of rows) row.cells[index].hidden = away;
    });
    for (const row of rows) {
      const text = row.cells[0].textContent.toLowerCase();
      const cells = [...row.cells].filter((cell) => cell.dataset.verdict && !cell.hidden);
      const fits = !wanted || cells.some((cell) => cell.dataset.verdict === wanted);
      row.hidden = !fits || !words.every((word) => text.includes(word));
      for (const cell of row.cells) {
        const button = cell.querySelector("button");
        if (button && cell.dataset[measure + "Text"]) button.textContent = cell.dataset[measure + "Text"];
        const small = cell.querySelector("small");
        if (small) small.hidden = measure !== "rate";
      }
    }
    order(measure);
  }

  function order(measure) {
    const by = column(state.get("sort") || "");
    const down = state.get("down") === "1";
    heads.forEach((head, index) => {
      if (index === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    const value = (row) => {
      const cell = row.cells[by];
      if (by === 0) return cell.textContent;
      const text = cell.dataset[measure] ?? cell.dataset.rate;
      return text ? Number(text) : NaN;
    };
    const sorted = by < 0 ? rows : [...rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (typeof x === "string") return (down ? -1 : 1) * x.localeCompare(y, "en", { numeric: true });
      // What has no figure stands last, whichever way.
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return down ? y - x : x - y;
    });
    body.append(...sorted);
  }

  function set(changes) {
    for (const [key, value] of Object.entries(changes)) {
      if (value) state.set(key, value);
      else state.delete(key);
    }
    history.replaceState(null, "", "#" + state);
    show();
  }

  find.addEventListener("input", () => set({ find: find.value }));
  verdict.addEventListener("change", () => set({ verdict: verdict.value }));
  unit.addEventListener("change", () => set({ unit: unit.value === "rate" ? "" : unit.value }));
  for (const box of engines) {
    box.addEventListener("change", () =>
      set({ hide: engines.filter((e) => !e.checked).map((e) => e.value).join(",") }));
  }
  for (const head of heads) {
    head.querySelector("button").addEventListener("click", () => {
      const name = head.dataset.name;
      if (state.get("sort") !== name) set({ sort: name, down: head === heads[0] ? "" : "1" });
      else set({ sort: name, down: state.get("down") ? "" : "1" });
    });
  }

  const dialog = document.querySelector("dialog");
  const details = JSON.parse(document.getElementById("details").textContent);
  body.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-detail]");
    if (!cell) return;
    const detail = details[Number(cell.dataset.detail)];
    dialog.querySelector("h3").textContent = detail[0];
    const list = dialog.querySelector("dl");
    list.replaceChildren();
    for (const [name, text] of detail[1]) {
      const term = document.createElement("dt");
      const description = document.createElement("dd");
      term.textContent = name;
      if (name === "again") {
        const code = document.createElement("code");
        code.textContent = text;
        description.append(code);
      } else {
        description.textContent = text;
      }
      list.append(term, description);
    }
    dialog.showModal();
  });
  addEventListener("hashchange", () => {
    for (const key of [...state.keys()]) state.delete(key);
    for (const [key, value] of new URLSearchParams(location.hash.slice(1))) state.set(key, value);
    show();
  });
  show();
})();
