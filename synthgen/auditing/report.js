"use strict";
(() => {
  const LEVELS = 5;
  const NO_CELL = "·";

  const number = (value) => value.toLocaleString("en-US");
  const cut = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "…");

  // Texts come from data, so they only ever become text nodes and attribute values.
  function element(parent, name, text, attributes) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  function themeButton() {
    const button = document.getElementById("theme");
    const names = ["automatic", "light", "dark"];
    let at = 0;
    button.hidden = false;
    button.addEventListener("click", () => {
      at = (at + 1) % names.length;
      if (at) document.documentElement.dataset.theme = names[at];
      else delete document.documentElement.dataset.theme;
      button.textContent = `Theme: ${names[at]}`;
    });
  }

  // What has more than it shows must be reachable by keys; what is not should not stop them.
  function keyScrolling() {
    const update = () => {
      for (const room of document.querySelectorAll(".scroll")) {
        const wide = room.scrollWidth > room.clientWidth + 1;
        if (wide || room.scrollHeight > room.clientHeight + 1) room.tabIndex = 0;
        else room.removeAttribute("tabindex");
      }
    };
    update();
    window.addEventListener("resize", update);
    document.addEventListener("toggle", update, true);
    for (const name of ["change", "click"]) document.addEventListener(name, update);
  }

  function printing() {
    let opened = [];
    window.addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details.print:not([open])")];
      for (const each of opened) each.open = true;
    });
    window.addEventListener("afterprint", () => {
      for (const each of opened) each.open = false;
    });
  }

  const pairOf = (map) => `${map.row} × ${map.column}`;

  // Smallest counts of the levels of colour: equal steps of the logarithm of the count.
  function levelStarts(most) {
    const starts = [1];
    for (let i = 1; i < LEVELS; i += 1) {
      const start = Math.ceil(Math.pow(most + 1, i / LEVELS));
      if (start > starts[starts.length - 1] && start <= most) starts.push(start);
    }
    return starts;
  }
  function levelOf(value, starts) {
    let level = 0;
    while (level < starts.length && value >= starts[level]) level += 1;
    return level;
  }

  class HeatMap {
    constructor(root) {
      const data = JSON.parse(root.querySelector("script").textContent);
      this.root = root;
      this.base = data.base;
      this.labels = data.labels;
      this.maps = data.maps;
      this.turned = false;
      this.split = root.querySelector("select[name=split]");
      this.pair = root.querySelector("select[name=axes]");
      this.fill(this.split, this.maps.map((map) => map.split));
      this.fill(this.pair, this.maps.map(pairOf));
      this.split.addEventListener("change", () => this.draw());
      this.pair.addEventListener("change", () => this.draw());
      root.querySelector("button[name=turn]").addEventListener("click", () => {
        this.turned = !this.turned;
        this.draw();
      });
      for (const part of [".pickers", ".heat-room"]) root.querySelector(part).hidden = false;
      this.pair.closest("label").hidden = this.pair.options.length < 2;
      this.draw();
    }

    fill(select, names) {
      for (const name of new Set(names)) element(select, "option", cut(name, 60)).value = name;
    }

    find(split, pair) {
      const found = this.maps.find((map) => map.split === split && pairOf(map) === pair);
      if (!found) return null;
      const map = {
        row: found.row, column: found.column, values: found.values,
        rows: this.labels[found.rows], columns: this.labels[found.columns],
      };
      if (!this.turned) return map;
      return {
        row: map.column, column: map.row, rows: map.columns, columns: map.rows,
        values: map.columns.map((_, j) => map.values.map((values) => values[j])),
      };
    }

    // Where a split has no map of the picked axes, its first one is shown.
    draw() {
      const split = this.split.value;
      for (const option of this.pair.options) option.disabled = !this.find(split, option.value);
      if (!this.find(split, this.pair.value)) {
        this.pair.value = pairOf(this.maps.find((map) => map.split === split));
      }
      const map = this.find(split, this.pair.value);
      const base = split === this.base ? null : this.find(this.base, this.pair.value);
      const same = base && JSON.stringify([base.rows, base.columns]) === JSON.stringify([map.rows, map.columns]);
      const flat = map.values.flat();
      const starts = levelStarts(flat.reduce((most, value) => Math.max(most, value || 0), 0));
      const unseen = map.values.map((values, i) => (
        values.map((value, j) => Boolean(same && value > 0 && !base.values[i][j]))
      ));
      this.tell(map, flat, same ? unseen.flat().filter(Boolean).length : null);
      this.legend(flat, starts, same);
      this.table(map, starts, unseen);
    }

    tell(map, flat, unseen) {
      const known = flat.filter((value) => value !== null);
      const filled = known.filter((value) => value > 0);
      const share = known.length ? ((100 * filled.length) / known.length).toFixed(1) : "0";
      const parts = [
        `${this.split.value}, ${map.row} × ${map.column}: ` +
        `rows in ${number(filled.length)} of the ${number(known.length)} cells that any split has (${share}%)`,
      ];
      if (filled.length) {
        const least = filled.reduce((a, b) => Math.min(a, b));
        const most = filled.reduce((a, b) => Math.max(a, b));
        parts.push(`${number(least)} to ${number(most)} rows in each of them`);
      }
      if (unseen !== null) parts.push(`${number(unseen)} of them empty in ${this.base}`);
      this.root.querySelector(".heat-summary").textContent = parts.join("; ") + ".";
    }

    legend(flat, starts, same) {
      const list = this.root.querySelector(".heat-legend");
      list.replaceChildren();
      const item = (kind, text) => {
        const line = element(list, "li");
        element(line, "span", kind === "none" ? NO_CELL : "", { class: `cell ${kind}`, "aria-hidden": "true" });
        element(line, "span", text);
      };
      starts.forEach((start, i) => {
        const end = i + 1 < starts.length ? starts[i + 1] - 1 : null;
        const range = end === null ? `${number(start)} or more` : start === end ? number(start) : `${number(start)} to ${number(end)}`;
        item(`h${i + 1}`, `${range}${i ? "" : end === start ? " row" : " rows"}`);
      });
      if (flat.includes(0)) item("zero", "no row here");
      if (flat.includes(null)) item("none", "in no split (may be impossible)");
      if (same) item("new", `empty in ${this.base}`);
    }

    table(map, starts, unseen) {
      const table = document.createElement("table");
      element(table, "caption", `${this.split.value}: ${map.row} (rows) and ${map.column} (columns)`);
      const head = element(element(table, "thead"), "tr");
      this.name(head, `${map.row} \\ ${map.column}`, "col");
      for (const label of map.columns) this.name(head, label, "col");
      const body = element(table, "tbody");
      map.rows.forEach((label, i) => {
        const line = element(body, "tr");
        this.name(line, label, "row");
        map.values[i].forEach((value, j) => {
          const kind = value === null ? "none" : value ? `h${levelOf(value, starts)}` : "zero";
          const text = value === null ? NO_CELL : number(value);
          element(line, "td", text, { class: `cell ${kind}${unseen[i][j] ? " new" : ""}` });
        });
      });
      this.root.querySelector(".heat-room").replaceChildren(table);
    }

    // The style shortens long names.
    name(line, label, scope) {
      element(element(line, "th", undefined, { scope, title: label }), "span", label);
    }
  }

  themeButton();
  printing();
  for (const root of document.querySelectorAll(".heats")) new HeatMap(root);
  keyScrolling();
})();
