"use strict";
// Parts, order, filters and the open figure. All of it stands in the address after #, so that a view
// can be kept as a link: #tab=speedups&find=hex&verdict=ok&hide=prover&sort=ludeme&down=1&cell=hex-9x9%2Frbg
(() => {
  const get = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const [find, verdict, sort, shown] = ["find", "verdict", "sort", "shown"].map(get);
  const boxes = all("#columns input");
  const parts = all("[data-part]");
  const tabs = all("nav a");
  const panels = all("article[popover]");
  const tables = all("table").map((table) => ({
    table,
    box: table.parentElement,
    heads: [...table.tHead.rows[0].cells],
    rows: [...table.tBodies[0].rows],
    foot: table.tFoot ? [...table.tFoot.rows] : [],
  }));
  const state = new URLSearchParams();
  const nameOf = (head) => head.dataset.name ?? "";

  function read() {
    for (const key of [...state.keys()]) state.delete(key);
    const hash = location.hash.slice(1);
    // A part's own id is its address where there is no script.
    if (hash && !hash.includes("=")) state.set("tab", hash);
    else for (const [key, value] of new URLSearchParams(hash)) state.append(key, value);
  }

  function set(changes) {
    for (const [key, value] of Object.entries(changes)) {
      if (value) state.set(key, value);
      else state.delete(key);
    }
    history.replaceState(null, "", "#" + state);
    show();
  }

  const hidden = () => new Set(state.getAll("hide"));
  const tab = () => (parts.some((part) => part.id === state.get("tab")) ? state.get("tab") : parts[0].id);

  function showPart() {
    const current = tab();
    for (const part of parts) part.hidden = part.id !== current;
    for (const link of tabs) {
      if (link.dataset.tab === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      const view = new URLSearchParams(state);
      view.set("tab", link.dataset.tab);
      view.delete("cell");
      link.href = "#" + view;
    }
  }

  function showRows() {
    const words = (state.get("find") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = state.get("verdict") ?? "";
    const away = hidden();
    const matches = (row) => words.every((word) => row.cells[0].textContent.toLowerCase().includes(word));
    let fitting = 0;
    let games = 0;
    const ofVerdict = new Set();
    for (const { heads, rows } of tables.slice(0, 1)) {
      for (const row of rows) {
        const cells = [...row.cells].filter((cell, i) => cell.dataset.verdict && !away.has(nameOf(heads[i])));
        if (!wanted || cells.some((cell) => cell.dataset.verdict === wanted)) ofVerdict.add(row.dataset.game);
        games += 1;
        fitting += matches(row) && ofVerdict.has(row.dataset.game) ? 1 : 0;
      }
    }
    for (const { heads, rows, foot } of tables) {
      heads.forEach((head, index) => {
        const gone = "engine" in head.dataset && away.has(nameOf(head));
        head.hidden = gone;
        for (const row of [...rows, ...foot]) row.cells[index].hidden = gone;
      });
      for (const row of rows) row.hidden = !matches(row) || ("game" in row.dataset && !ofVerdict.has(row.dataset.game));
      // A mean is over all games.
      for (const row of foot) row.hidden = fitting < games;
    }
    shown.textContent = fitting < games ? `${fitting} of ${games} games` : "";
  }

  function order() {
    const by = state.get("sort");
    const down = state.get("down") === "1";
    for (const { table, heads, rows } of tables) {
      const index = by === null ? -1 : heads.findIndex((head) => nameOf(head) === by);
      heads.forEach((head, i) => {
        if (i === index) head.setAttribute("aria-sort", down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      const value = (row) => (row.cells[index].dataset.value ? Number(row.cells[index].dataset.value) : NaN);
      const compare = (a, b) => {
        if (index === 0) {
          const [x, y] = [a.cells[0].textContent, b.cells[0].textContent];
          return (down ? -1 : 1) * x.localeCompare(y, "en", { numeric: true });
        }
        const [x, y] = [value(a), value(b)];
        // What has no figure stands last, whichever way.
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return down ? y - x : x - y;
      };
      table.tBodies[0].append(...(index < 0 ? rows : [...rows].sort(compare)));
    }
  }

  // The first head is called by the empty name, which an address holds as `sort=`.
  function sortBy(name) {
    const first = name === "" ? "" : "1";
    if (state.get("sort") !== name) choose(name, first);
    else if ((state.get("down") ?? "") === first) choose(name, first ? "" : "1");
    else choose(null, "");
  }

  function choose(name, down) {
    if (name === null) state.delete("sort");
    else state.set("sort", name);
    set({ down });
  }

  // Tables that fit scroll with the page; wide ones become tight first, and scroll in their box at last.
  function fit() {
    for (const { table, box } of tables) {
      if (!box.checkVisibility()) continue;
      const room = box.parentElement.clientWidth;
      box.classList.remove("fits", "tight", "tighter");
      for (const smaller of ["tight", "tighter"]) {
        if (table.offsetWidth > room) box.classList.add(smaller);
      }
      box.classList.toggle("fits", table.offsetWidth <= room);
    }
  }

  function open() {
    const address = state.get("cell");
    const panel = panels.find((panel) => panel.dataset.address === address);
    for (const other of panels) if (other !== panel && other.matches(":popover-open")) other.hidePopover();
    if (panel && !panel.matches(":popover-open")) panel.showPopover();
  }

  function fields() {
    const away = hidden();
    if (find.value !== (state.get("find") ?? "")) find.value = state.get("find") ?? "";
    verdict.value = state.get("verdict") ?? "";
    for (const box of boxes) box.checked = !away.has(box.value);
    const current = tables.find(({ box }) => box.closest("[data-part]")?.id === tab());
    const choices = current ? current.heads.flatMap((head, index) => {
      const text = head.textContent;
      const [up, down] = index === 0 ? ["A–Z", "Z–A"] : ["lowest first", "highest first"];
      return [[nameOf(head), "1", `${text}, ${down}`], [nameOf(head), "", `${text}, ${up}`]];
    }) : [];
    sort.replaceChildren(new Option("as measured", ""), ...choices.map(([name, down, text]) => {
      const chosen = state.get("sort") === name && (state.get("down") ?? "") === down;
      return new Option(text, JSON.stringify([name, down]), chosen, chosen);
    }));
  }

  function show() {
    showPart();
    showRows();
    order();
    fields();
    fit();
    open();
  }

  document.documentElement.className = "tabbed";
  get("find").form.hidden = false;
  get("find").form.addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", () => set({ find: find.value }));
  verdict.addEventListener("change", () => set({ verdict: verdict.value }));
  sort.addEventListener("change", () => choose(...(sort.value ? JSON.parse(sort.value) : [null, ""])));
  for (const box of boxes) {
    box.addEventListener("change", () => {
      state.delete("hide");
      for (const { checked, value } of boxes) if (!checked) state.append("hide", value);
      set({});
    });
  }
  for (const { heads } of tables) {
    for (const head of heads) {
      head.querySelector("button").addEventListener("click", () => sortBy(nameOf(head)));
    }
  }
  for (const link of tabs) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      set({ tab: link.dataset.tab, cell: "" });
    });
  }
  for (const panel of panels) {
    panel.addEventListener("toggle", (event) => {
      const address = panel.dataset.address;
      if (event.newState === "open") set({ cell: address });
      else if (state.get("cell") === address) set({ cell: "" });
    });
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    if (event.key === "/") {
      event.preventDefault();
      find.focus();
    } else if (tabs[Number(event.key) - 1]) {
      tabs[Number(event.key) - 1].click();
    }
  });
  find.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      set({ find: "" });
      find.blur();
    }
  });
  addEventListener("hashchange", () => {
    read();
    show();
  });
  addEventListener("resize", fit);
  for (const details of all("details")) details.addEventListener("toggle", fit);
  read();
  show();
  // A link to a part is not to its preface.
  if (tab() !== parts[0].id) document.querySelector("nav").scrollIntoView();
})();
