"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LEVELS = 5;

  const number = (value) => value.toLocaleString("en-US");
  const short = (value) => {
    for (const [size, sign] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
      if (value >= size) return Number((value / size).toPrecision(2)) + sign;
    }
    return String(value);
  };
  const cut = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "…");

  // Texts come from data, so they only ever become text nodes and attribute values.
  function node(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }
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
      for (const room of document.querySelectorAll(".scroll:not(.heat-room)")) {
        const wide = room.scrollWidth > room.clientWidth + 1;
        if (wide || room.scrollHeight > room.clientHeight + 1) room.tabIndex = 0;
        else room.removeAttribute("tabindex");
      }
    };
    update();
    window.addEventListener("resize", update);
    document.addEventListener("toggle", update, true);
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
      this.maps = new Map();
      this.pairs = [];
      for (const map of data.maps) {
        const key = JSON.stringify([map.split, map.row, map.column]);
        if (!this.maps.has(key)) this.maps.set(key, map);
        this.pairs.push(map);
      }
      this.room = root.querySelector(".heat-room");
      this.cellText = root.querySelector(".heat-cell");
      this.pick = {};
      for (const name of ["split", "row", "column"]) {
        this.pick[name] = root.querySelector(`select[name=${name}]`);
      }
      const axes = [...new Set(this.pairs.flatMap((map) => [map.row, map.column]))];
      this.fill(this.pick.split, [...new Set(this.pairs.map((map) => map.split))]);
      this.fill(this.pick.row, axes);
      this.fill(this.pick.column, axes);
      const first = this.pairs[0];
      this.pick.split.value = first.split;
      this.pick.row.value = first.row;
      this.pick.column.value = first.column;
      this.pick.split.addEventListener("change", () => this.changed("split"));
      this.pick.row.addEventListener("change", () => this.changed("row"));
      this.pick.column.addEventListener("change", () => this.changed("column"));
      root.querySelector("button[name=turn]").addEventListener("click", () => this.turn());
      this.room.addEventListener("keydown", (event) => this.key(event));
      this.room.addEventListener("focus", () => this.show(this.at || [0, 0]));
      this.room.addEventListener("blur", () => this.leave());
      this.room.addEventListener("pointerover", (event) => this.over(event));
      this.room.addEventListener("pointerleave", () => this.leave());
      for (const part of [".pickers", ".heat-room", ".heat-table"]) root.querySelector(part).hidden = false;
      this.draw();
    }

    fill(select, names) {
      for (const name of names) element(select, "option", cut(name, 60)).value = name;
    }

    find(split, row, column) {
      const straight = this.maps.get(JSON.stringify([split, row, column]));
      if (straight) {
        return {
          rows: this.labels[straight.rows], columns: this.labels[straight.columns],
          values: straight.values,
        };
      }
      const turned = this.maps.get(JSON.stringify([split, column, row]));
      if (!turned) return null;
      const rows = this.labels[turned.columns];
      const columns = this.labels[turned.rows];
      return { rows, columns, values: rows.map((_, i) => columns.map((__, j) => turned.values[j][i])) };
    }

    // Where the picked axes were not counted together, the other axis gives way.
    changed(name) {
      const { split, row, column } = this.pick;
      if (!this.find(split.value, row.value, column.value)) {
        const other = name === "row" ? column : row;
        const values = [...other.options].map((option) => option.value);
        const works = values.find((value) => (
          name === "row" ? this.find(split.value, row.value, value) : this.find(split.value, value, column.value)
        ));
        if (works !== undefined) other.value = works;
        else this.firstOf(split.value, name);
      }
      this.at = null;
      this.draw();
    }

    firstOf(split, name) {
      const axis = name === "split" ? null : this.pick[name].value;
      const holds = (map) => axis === null || map.row === axis || map.column === axis;
      const map = this.pairs.find((each) => each.split === split && holds(each)) ||
        this.pairs.find((each) => (axis === null ? each.split === split : holds(each)));
      this.pick.split.value = map.split;
      const turned = name === "row" ? map.row !== axis : name === "column" && map.column !== axis;
      this.pick.row.value = turned ? map.column : map.row;
      this.pick.column.value = turned ? map.row : map.column;
    }

    turn() {
      const { row, column } = this.pick;
      [row.value, column.value] = [column.value, row.value];
      if (this.at) this.at.reverse();
      this.draw();
    }

    offer() {
      const { split, row, column } = this.pick;
      for (const option of column.options) option.disabled = !this.find(split.value, row.value, option.value);
      for (const option of row.options) {
        option.disabled = ![...column.options].some((each) => this.find(split.value, option.value, each.value));
      }
    }

    draw() {
      this.offer();
      const { split, row, column } = this.pick;
      const map = this.find(split.value, row.value, column.value);
      const base = split.value === this.base ? null : this.find(this.base, row.value, column.value);
      const same = base && JSON.stringify([base.rows, base.columns]) === JSON.stringify([map.rows, map.columns]);
      this.map = map;
      this.unseen = (i, j) => Boolean(same && map.values[i][j] > 0 && !base.values[i][j]);
      const flat = map.values.flat();
      this.starts = levelStarts(flat.reduce((most, value) => Math.max(most, value || 0), 0));
      this.tell(flat, same);
      this.paint();
      this.legend(flat, same);
      this.table();
      this.leave();
    }

    tell(flat, same) {
      const known = flat.filter((value) => value !== null);
      const filled = known.filter((value) => value > 0);
      const share = known.length ? ((100 * filled.length) / known.length).toFixed(1) : "0";
      const parts = [
        `${this.pick.split.value}, ${this.pick.row.value} × ${this.pick.column.value}: ` +
        `rows in ${number(filled.length)} of the ${number(known.length)} cells that any split has (${share} %)`,
      ];
      if (filled.length) {
        const least = filled.reduce((a, b) => Math.min(a, b));
        const most = filled.reduce((a, b) => Math.max(a, b));
        parts.push(`${number(least)} to ${number(most)} rows in each of them`);
      }
      if (same) {
        let unseen = 0;
        this.each((i, j) => { unseen += this.unseen(i, j) ? 1 : 0; });
        parts.push(`${number(unseen)} of them empty in ${this.base}`);
      }
      this.root.querySelector(".heat-summary").textContent = parts.join("; ") + ".";
    }

    each(visit) {
      this.map.values.forEach((values, i) => values.forEach((value, j) => visit(i, j, value)));
    }

    paint() {
      const { rows, columns } = this.map;
      const size = columns.length > 30 ? 20 : 30;
      const wide = Math.max(0, ...columns.map((label) => cut(label, 16).length));
      const lying = wide * 6.2 < size - 2;
      const left = 24 + Math.max(18, ...rows.map((label) => cut(label, 16).length * 6.4 + 8));
      const top = 22 + (lying ? 16 : wide * 5.2 + 10);
      const right = lying ? 8 : 8 + wide * 4.4;
      const name = `${this.pick.row.value} by ${this.pick.column.value} in ${this.pick.split.value}`;
      const named = this.pick.column.value.length * 7.5 + left;
      const width = Math.ceil(Math.max(left + columns.length * size + right, named));
      const height = Math.ceil(top + rows.length * size + 6);
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("width", width);
      svg.setAttribute("height", height);
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", `Heat map of ${name}`);
      node(svg, "text", { class: "name", x: left, y: 13 }, cut(this.pick.column.value, 60));
      const middle = top + (rows.length * size) / 2;
      const most = Math.max(3, Math.floor((rows.length * size) / 7));
      node(svg, "text", { class: "name middle", transform: `translate(12 ${middle}) rotate(-90)` }, cut(this.pick.row.value, most));
      rows.forEach((label, i) => {
        const text = node(svg, "text", { class: "tick end", x: left - 6, y: top + i * size + size / 2 + 4 }, cut(label, 16));
        if (label.length > 16) node(text, "title", {}, label);
      });
      columns.forEach((label, j) => {
        const x = left + j * size + size / 2;
        const place = lying
          ? { class: "tick middle", x, y: top - 6 }
          : { class: "tick", transform: `translate(${x} ${top - 6}) rotate(-50)` };
        const text = node(svg, "text", place, cut(label, 16));
        if (label.length > 16) node(text, "title", {}, label);
      });
      this.each((i, j, value) => this.cell(svg, i, j, value, left + j * size, top + i * size, size));
      this.frame = node(svg, "rect", { class: "here", width: size, height: size, visibility: "hidden" });
      this.place = (i, j) => [left + j * size, top + i * size];
      this.size = size;
      this.room.replaceChildren(svg);
    }

    cell(svg, i, j, value, x, y, size) {
      if (value === null) {
        node(svg, "rect", { class: "cell none", x, y, width: size, height: size, "data-cell": `${i} ${j}` });
        node(svg, "circle", { class: "dot", cx: x + size / 2, cy: y + size / 2, r: 1.5 });
        return;
      }
      const level = levelOf(value, this.starts);
      const kind = value ? `h${level}` : "zero";
      const inset = value ? 0 : 1.5;
      node(svg, "rect", {
        class: `cell ${kind}`, x: x + inset, y: y + inset, width: size - 2 * inset, height: size - 2 * inset,
        "data-cell": `${i} ${j}`,
      });
      const text = short(value);
      if (text.length * 6 < size) {
        const dark = level >= 4 ? " dark" : "";
        node(svg, "text", { class: `count${dark}`, x: x + size / 2, y: y + size / 2 + 3.5 }, text);
      }
      if (this.unseen(i, j)) node(svg, "rect", { class: "new", x: x + 1.5, y: y + 1.5, width: size - 3, height: size - 3 });
    }

    legend(flat, same) {
      const list = this.root.querySelector(".heat-legend");
      list.replaceChildren();
      const item = (kind, text) => {
        const line = element(list, "li");
        const svg = node(line, "svg", { class: "key", width: 14, height: 14, "aria-hidden": "true" });
        if (kind === "none") node(svg, "circle", { class: "dot", cx: 7, cy: 7, r: 2 });
        else node(svg, "rect", { class: kind, x: 1, y: 1, width: 12, height: 12 });
        element(line, "span", text);
      };
      this.starts.forEach((start, i) => {
        const end = i + 1 < this.starts.length ? this.starts[i + 1] - 1 : null;
        const range = end === null ? `${number(start)} or more` : start === end ? number(start) : `${number(start)} to ${number(end)}`;
        item(`cell h${i + 1}`, `${range}${i ? "" : end === start ? " row" : " rows"}`);
      });
      if (flat.includes(0)) item("cell zero", "no row here");
      if (flat.includes(null)) item("none", "in no split (may be impossible)");
      if (same) item("new", `empty in ${this.base}`);
    }

    table() {
      const room = this.root.querySelector(".heat-table .scroll");
      const table = document.createElement("table");
      const { row, column, split } = this.pick;
      element(table, "caption", `${split.value}: ${row.value} (rows) and ${column.value} (columns)`);
      const head = element(element(table, "thead"), "tr");
      element(head, "th", `${row.value} \\ ${column.value}`, { scope: "col" });
      for (const label of this.map.columns) element(head, "th", label, { scope: "col", class: "number" });
      const body = element(table, "tbody");
      this.map.rows.forEach((label, i) => {
        const line = element(body, "tr");
        element(line, "th", label, { scope: "row" });
        for (const value of this.map.values[i]) {
          element(line, "td", value === null ? "in no split" : number(value), { class: "number" });
        }
      });
      room.replaceChildren(table);
    }

    over(event) {
      const cell = event.target.getAttribute && event.target.getAttribute("data-cell");
      if (cell) this.show(cell.split(" ").map(Number));
    }

    leave() {
      this.frame.setAttribute("visibility", "hidden");
      this.cellText.textContent = "";
    }

    show(at) {
      const [i, j] = at;
      this.at = at;
      if (!this.map.values.length || !this.map.values[0].length) return;
      const value = this.map.values[i][j];
      const [x, y] = this.place(i, j);
      this.frame.setAttribute("x", x);
      this.frame.setAttribute("y", y);
      this.frame.setAttribute("visibility", "visible");
      const rows = value === null ? "in no split" : `${number(value)} ${value === 1 ? "row" : "rows"}`;
      const unseen = this.unseen(i, j) ? `, none in ${this.base}` : "";
      this.cellText.textContent =
        `${this.pick.row.value} ${this.map.rows[i]}, ${this.pick.column.value} ${this.map.columns[j]}: ${rows}${unseen}`;
    }

    key(event) {
      const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      const ends = { Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0] };
      const step = steps[event.key] || ends[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const clamp = (value, length) => Math.min(Math.max(value, 0), length - 1);
      const [i, j] = this.at || [0, 0];
      this.show([clamp(i + step[0], this.map.rows.length), clamp(j + step[1], this.map.columns.length)]);
      const [x] = this.place(...this.at);
      const room = this.room;
      if (x < room.scrollLeft) room.scrollLeft = x - this.size;
      else if (x + this.size > room.scrollLeft + room.clientWidth) {
        room.scrollLeft = x + 2 * this.size - room.clientWidth;
      }
    }
  }

  themeButton();
  printing();
  for (const root of document.querySelectorAll(".heats")) new HeatMap(root);
  keyScrolling();
})();
