// Sorting, curves that toggle and say their values, heat maps, frame strips that are followed step
// by step. No page needs it to be read.
(() => {
'use strict';

const minus = (text) => text.replace(/-/g, '\u2212');

// Four digits, as many for every value of a kind; whole numbers as they are.
function show(value) {
  if (!Number.isFinite(value)) return '\u2013';
  const whole = Number.isInteger(value) && Math.abs(value) < 1e9;
  return minus(whole ? String(value) : value.toPrecision(4));
}

const make = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);

// --- tables ---

function sortKey(cell, numeric) {
  const text = cell.textContent.trim();
  if (!numeric) return text;
  const number = parseFloat(text.replace(/\u2212/g, '-').replace(/,(?=\d{3})/g, ''));
  return Number.isNaN(number) ? null : number;
}

function compare(a, b) {
  return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true});
}

function sortTable(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const down = head.getAttribute('aria-sort') === 'ascending';
  const numeric = head.classList.contains('number');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row) => ({row, key: sortKey(row.cells[column], numeric)}));
  rows.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
    return down ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  for (const {row} of rows) body.append(row);
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
}

function startTable(table) {
  Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
    cell.querySelector('button').addEventListener('click', () => sortTable(table, column));
  });
}

// Rows that a link leads to: those of its name are shown, and no others until asked.
function startRows() {
  const bars = new Map();

  function showAll(table) {
    for (const row of table.tBodies[0].rows) row.classList.remove('hidden');
    bars.get(table).remove();
    bars.delete(table);
  }

  function addBar(table, shown, all) {
    const bar = document.createElement('p');
    const button = document.createElement('button');
    bar.className = 'chosen';
    bar.textContent = shown + ' of ' + all + ' rows. ';
    button.type = 'button';
    button.textContent = 'Show all';
    button.addEventListener('click', () => {
      history.replaceState(null, '', location.href.split('#')[0]);
      showAll(table);
      table.parentElement.focus();
    });
    bar.append(button);
    table.parentElement.before(bar);
    bars.set(table, bar);
    return bar;
  }

  function follow() {
    const id = location.hash.slice(1);
    const first = id.startsWith('rows-') && document.getElementById(id);
    if (!first) return;
    const table = first.closest('table');
    if (bars.has(table)) showAll(table);
    const rows = Array.from(table.tBodies[0].rows);
    const shown = rows.filter((row) => row.dataset.rows === id);
    for (const row of rows) row.classList.toggle('hidden', row.dataset.rows !== id);
    const bar = addBar(table, shown.length, rows.length);
    bar.scrollIntoView({block: 'center'});
    bar.querySelector('button').focus({preventScroll: true});
  }

  window.addEventListener('hashchange', follow);
  follow();
}

// --- curves ---

function numbers(text) {
  return text ? text.split(',').map((word) => word === '' ? NaN : Number(word)) : [];
}

function readSeries(group, button) {
  const [x, y, low, high] = ['x', 'y', 'low', 'high'].map((name) => numbers(group.dataset[name]));
  const at = new Map();
  x.forEach((place, k) => {
    if (Number.isNaN(place) || Number.isNaN(y[k])) return;
    at.set(place, {y: y[k], low: low[k], high: high[k]});
  });
  const name = button.querySelector('span').textContent;
  return {group, button, at, name, value: button.querySelector('b'), dot: null, shown: true};
}

function startCurves(figure) {
  const plot = figure.querySelector('svg.plot');
  const buttons = figure.querySelectorAll('.legend button');
  const series = Array.from(plot.querySelectorAll('.series'),
    (group, k) => readSeries(group, buttons[k]));
  const label = figure.querySelector('.at');
  const spoken = figure.querySelector('output');
  const [xLow, xHigh, yLow, yHigh] =
    ['xLow', 'xHigh', 'yLow', 'yHigh'].map((name) => Number(plot.dataset[name]));
  const line = plot.appendChild(make('line'));
  let places = [];
  let now = -1;

  line.setAttribute('class', 'cursor');
  line.setAttribute('y1', '0');
  line.setAttribute('y2', '100%');
  for (const one of series) {
    one.dot = plot.appendChild(make('circle'));
    one.dot.setAttribute('class', 'dot ' + one.group.classList[1]);
    one.dot.setAttribute('r', '4');
    one.button.addEventListener('click', () => toggle(one));
  }

  function collect() {
    const all = new Set();
    for (const one of series) if (one.shown) for (const x of one.at.keys()) all.add(x);
    places = Array.from(all).sort((a, b) => a - b);
  }

  // the curve, and those of its name in the other figures of a row
  function toggle(one) {
    const shown = !one.shown;
    const group = figure.closest('.row');
    put(one, shown);
    for (const other of group ? group.querySelectorAll('figure.curves') : []) {
      if (other !== figure) other.showCurves(one.name, shown);
    }
  }

  figure.showCurves = (name, shown) => {
    for (const one of series) if (one.name === name) put(one, shown);
  };

  function put(one, shown) {
    one.shown = shown;
    one.group.classList.toggle('hidden', !one.shown);
    one.button.setAttribute('aria-pressed', String(one.shown));
    clear();
    collect();
  }

  function clear() {
    now = -1;
    figure.classList.remove('probing');
    label.textContent = '';
    for (const one of series) one.value.textContent = '';
  }

  function probe(index, speak) {
    if (places.length === 0) return;
    now = Math.max(0, Math.min(places.length - 1, index));
    const x = places[now];
    const left = 100 * (x - xLow) / (xHigh - xLow) + '%';
    const words = [plot.dataset.xName + ' ' + minus(String(x))];
    figure.classList.add('probing');
    line.setAttribute('x1', left);
    line.setAttribute('x2', left);
    label.textContent = words[0];
    for (const one of series) {
      const point = one.shown ? one.at.get(x) : undefined;
      one.dot.classList.toggle('hidden', !point);
      one.value.textContent = point ? show(point.y) : '';
      if (!point) continue;
      one.value.title = point.low < point.high ? show(point.low) + ' to ' + show(point.high) : '';
      one.dot.setAttribute('cx', left);
      one.dot.setAttribute('cy', 100 * (yHigh - point.y) / (yHigh - yLow) + '%');
      words.push(one.name + ' ' + show(point.y));
    }
    spoken.textContent = speak ? words.join(', ') : '';
  }

  function nearest(x) {
    let low = 0;
    let high = places.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < x) low = middle + 1; else high = middle;
    }
    return low > 0 && x - places[low - 1] < places[low] - x ? low - 1 : low;
  }

  collect();
  plot.addEventListener('pointermove', (event) => {
    const box = plot.getBoundingClientRect();
    probe(nearest(xLow + (xHigh - xLow) * (event.clientX - box.left) / box.width), false);
  });
  plot.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') clear(); });
  plot.addEventListener('blur', clear);
  plot.addEventListener('keydown', (event) => {
    const far = Math.max(1, Math.round(places.length / 10));
    const moves = {ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - far, PageDown: now + far,
      Home: 0, End: places.length - 1};
    if (event.key === 'Escape') clear();
    else if (event.key in moves) { probe(moves[event.key], true); event.preventDefault(); }
  });
}

// --- heat maps ---

const outside = 65535;

async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = letters.charCodeAt(k);
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  const done = Promise.all([writer.write(bytes), writer.close()]);
  const unpacked = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  await done;
  return unpacked;
}

// Undoes page_heat_add_values: differences to left + above - corner, low bytes before high ones.
function readCodes(bytes, rows, columns) {
  const count = rows * columns;
  const codes = new Uint16Array(count);
  for (let k = 0; k < count; k++) {
    const first = k % columns === 0;
    const left = first ? 0 : codes[k - 1];
    const above = k < columns ? 0 : codes[k - columns];
    const corner = first || k < columns ? 0 : codes[k - columns - 1];
    codes[k] = left + above - corner + bytes[k] + 256 * bytes[count + k];
  }
  return codes;
}

function readColours() {
  const digits = document.querySelector('meta[name=colours]').content;
  const colours = new Uint8ClampedArray(4 * 256);
  for (let k = 0; k < 256; k++) {
    for (let part = 0; part < 3; part++) {
      colours[4 * k + part] = parseInt(digits.substr(6 * k + 2 * part, 2), 16);
    }
    colours[4 * k + 3] = 255;
  }
  return new Uint32Array(colours.buffer);
}

function paint(canvas, map, colours) {
  const context = canvas.getContext('2d');
  const image = context.createImageData(map.columns, map.rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let k = 0; k < pixels.length; k++) {
    if (map.codes[k] === outside) continue;
    const place = (map.value(map.codes[k]) - map.colourLow) / (map.colourHigh - map.colourLow);
    pixels[k] = colours[Math.round(255 * Math.max(0, Math.min(1, place)))];
  }
  context.putImageData(image, 0, 0);
}

function startHeatMap(figure, colours) {
  const cells = figure.querySelector('.cells');
  const data = cells.dataset;
  const said = figure.querySelector('output');
  const probe = figure.querySelector('svg.lines').appendChild(make('rect'));
  const [rows, columns, low, high, colourLow, colourHigh] =
    ['rows', 'columns', 'low', 'high', 'colourLow', 'colourHigh'].map((name) => Number(data[name]));
  const map = {figure, rows, columns, colourLow, colourHigh, codes: null, row: -1, column: -1};
  map.value = (code) => low + code * (high - low) / (outside - 1);
  map.probe = (row, column) => {
    map.row = row;
    map.column = column;
    probe.setAttribute('x', column);
    probe.setAttribute('y', row);
    figure.classList.toggle('probing', row >= 0);
    if (row < 0 || map.codes === null) { said.textContent = ''; return; }
    const code = map.codes[row * columns + column];
    said.textContent = data.rowName + ' ' + row + ', ' + data.columnName + ' ' + column + ': ' +
      (code === outside ? 'outside' : show(map.value(code)));
  };
  probe.setAttribute('class', 'probe');
  probe.setAttribute('width', '1');
  probe.setAttribute('height', '1');
  let begun = false;
  map.draw = async () => {
    if (begun) return;
    begun = true;
    try {
      map.codes = readCodes(await unpack(data.values), rows, columns);
      cells.removeAttribute('data-values');
      paint(figure.querySelector('canvas'), map, colours);
      figure.classList.add('ready');
    } catch (error) {
      said.textContent = 'This browser cannot draw the picture: ' + error.message;
    }
  };
  figure.heatMap = map;
  listen(cells, map);
}

// What is in sight is drawn at once, the rest when there is nothing else to do, so that a page of
// a hundred maps opens like a page of one, and is whole when it is printed.
function drawAll(figures) {
  const idle = window.requestIdleCallback || ((work) => setTimeout(work, 1));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) entry.target.heatMap.draw();
  }, {rootMargin: '50%'});
  const waiting = Array.from(figures);
  for (const figure of waiting) watcher.observe(figure);
  const next = () => {
    const figure = waiting.shift();
    if (figure) figure.heatMap.draw().then(() => idle(next));
  };
  idle(next);
}

// Maps of one row that have the same shape are probed together, and the pictures of an alignment
// follow them.
function probeAll(map, row, column) {
  const group = map.figure.closest('.row');
  const box = map.figure.closest('.alignment');
  const strip = box && box.querySelector('figure.strip');
  for (const {heatMap} of group ? group.querySelectorAll('figure.heat') : [map.figure]) {
    if (heatMap && heatMap.rows === map.rows && heatMap.columns === map.columns) {
      heatMap.probe(row, column);
    }
  }
  if (strip && strip.showPair && row >= 0) strip.showPair(row, column);
}

function listen(cells, map) {
  const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));
  const leave = () => probeAll(map, -1, -1);
  const follow = (event) => {
    const box = cells.getBoundingClientRect();
    const row = Math.floor(map.rows * (event.clientY - box.top) / box.height);
    const column = Math.floor(map.columns * (event.clientX - box.left) / box.width);
    probeAll(map, clamp(row, map.rows), clamp(column, map.columns));
  };
  cells.addEventListener('pointermove', follow);
  cells.addEventListener('pointerdown', follow);
  cells.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') leave();
  });
  cells.addEventListener('blur', leave);
  cells.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? 10 : 1;
    const moves = {ArrowLeft: [0, -step], ArrowRight: [0, step], ArrowUp: [-step, 0],
      ArrowDown: [step, 0], Home: [-map.rows, -map.columns], End: [map.rows, map.columns]};
    if (event.key === 'Escape') leave();
    if (!(event.key in moves)) return;
    event.preventDefault();
    const [down, right] = map.row < 0 ? [1, 1] : moves[event.key];
    probeAll(map, clamp(map.row + down, map.rows), clamp(map.column + right, map.columns));
  });
}

// --- frame strips ---

function readRow(element, number) {
  const data = element.dataset;
  const sheet = element.querySelector('.sheet');
  const picture = sheet.querySelector('img');
  const steps = numbers(data.steps);
  const row = {element, sheet, picture, steps, number, count: Number(data.count), now: -1,
    name: data.name || (number > 0 ? 'row ' + number : ''), valueName: data.valueName,
    values: numbers(data.values), match: 'match' in data ? numbers(data.match) : null};
  row.width = picture.getAttribute('width') / steps.length;
  row.height = Number(picture.getAttribute('height'));
  row.say = (step) => (row.name + ' step ' + step).trim();
  const over = sheet.querySelector('svg').appendChild(make('svg'));
  over.setAttribute('viewBox', '0 0 ' + steps.length + ' 1');
  over.setAttribute('preserveAspectRatio', 'none');
  over.setAttribute('overflow', 'visible');
  row.mark = over.appendChild(make('path'));
  return row;
}

// Where a step lies along the pictures, and back: see page_strip_place.
function placeOf(row, step) {
  const k = row.steps.findIndex((shown) => shown >= step);
  if (k === 0) return 0;
  if (k < 0) return row.steps.length - 1;
  return k - 1 + (step - row.steps[k - 1]) / (row.steps[k] - row.steps[k - 1]);
}

function stepAt(row, place) {
  const last = row.steps.length - 1;
  const k = Math.max(0, Math.min(last, Math.floor(place)));
  if (k === last) return row.steps[last];
  return Math.round(row.steps[k] + Math.max(0, place - k) * (row.steps[k + 1] - row.steps[k]));
}

function addCurve(row) {
  const plot = row.element.querySelector('.area svg.plot');
  if (!plot) return null;
  const line = plot.appendChild(make('line'));
  const dot = plot.appendChild(make('circle'));
  const [xLow, xHigh, yLow, yHigh] =
    ['xLow', 'xHigh', 'yLow', 'yHigh'].map((name) => Number(plot.dataset[name]));
  line.setAttribute('class', 'cursor');
  line.setAttribute('y2', '100%');
  dot.setAttribute('r', '4');
  const put = (step) => {
    const left = 100 * (step - xLow) / (xHigh - xLow) + '%';
    const value = step < 0 ? NaN : row.values[step];
    line.setAttribute('class', step < 0 ? 'hidden' : 'cursor');
    dot.setAttribute('class', Number.isNaN(value) ? 'hidden' : 'dot s0');
    line.setAttribute('x1', left);
    line.setAttribute('x2', left);
    dot.setAttribute('cx', left);
    dot.setAttribute('cy', Number.isNaN(value) ? 0 : 100 * (yHigh - value) / (yHigh - yLow) + '%');
  };
  return {plot, put, stepAt: (right) => Math.round(xLow + (xHigh - xLow) * right)};
}

// The picture nearest to a step at its full size, and which step it shows.
function addLook(row, panel) {
  const box = panel.appendChild(document.createElement('div'));
  const canvas = box.appendChild(document.createElement('canvas'));
  const words = box.appendChild(document.createElement('span'));
  canvas.width = row.width;
  canvas.height = row.height;
  return (step) => {
    const context = canvas.getContext('2d');
    const k = Math.round(placeOf(row, step));
    box.classList.toggle('none', step < 0);
    words.textContent = step < 0 ? row.name :
      row.say(row.steps[k]) + (row.steps[k] === step ? '' : ' (nearest)');
    context.clearRect(0, 0, row.width, row.height);
    if (step < 0) return;
    context.drawImage(row.picture, k * row.width, 0, row.width, row.height, 0, 0, row.width,
      row.height);
  };
}

// Runs of steps in words: "3", "3 to 5", "3 to 5, 9"; of many the first four.
function sayRuns(steps) {
  const runs = [];
  for (const step of steps) {
    const run = runs[runs.length - 1];
    if (run && run[1] === step - 1) run[1] = step; else runs.push([step, step]);
  }
  const say = ([first, last]) => first < last ? first + ' to ' + last : first;
  const said = runs.slice(0, 4).map(say);
  const more = runs.slice(4).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return said.join(', ') + (more > 0 ? ' and ' + more + ' more' : '');
}

// What in another row goes with a step of this one, as steps; null where nothing is known.
function matchesIn(other, row, step) {
  if (row.match && other.number === 0) return [row.match[step]].filter((k) => !Number.isNaN(k));
  if (!other.match || row.number !== 0) return null;
  return Array.from(other.match.keys()).filter((k) => other.match[k] === step);
}

function startStrip(figure) {
  const rows = Array.from(figure.querySelectorAll('.frames'), readRow);
  const said = figure.querySelector('output');
  const scroll = figure.querySelector('.scroll');
  const links = figure.querySelector('.links');
  const link = links && links.appendChild(make('path'));
  const panel = document.createElement('div');
  panel.className = 'look';
  if (link) link.setAttribute('class', 'now');
  figure.insertBefore(panel, said);

  function markRow(row, kind, steps) {
    const shown = new Set(steps.map((step) => Math.round(placeOf(row, step))));
    const middle = steps.length > 0 ? steps[steps.length >> 1] : -1;
    row.now = middle;
    row.mark.setAttribute('class', 'mark ' + kind);
    row.mark.setAttribute('d', Array.from(shown, (k) => 'M' + k + ' 0h1v1h-1z').join(''));
    if (row.curve) row.curve.put(middle);
    row.look(middle);
  }

  function drawLinks(pairs) {
    link.setAttribute('d', pairs.map(([low, high]) => 'M' + (placeOf(rows[1], low) + 0.5) + ' 1L' +
      (placeOf(rows[0], high) + 0.5) + ' 0').join(''));
  }

  function sayStep(row, step) {
    const words = [row.say(step)];
    if (row.values.length > 0) words.push(row.valueName + ' ' + show(row.values[step]));
    return words;
  }

  function tell(row, step, words) {
    figure.classList.add('probing');
    said.textContent = words.join(', ');
    row.sheet.setAttribute('aria-valuenow', step);
    row.sheet.setAttribute('aria-valuetext', said.textContent);
  }

  // the cell of a matrix that is pointed at: a step of row 1, and one of row 0
  if (rows.length === 2) {
    figure.showPair = (step, other) => {
      markRow(rows[1], 'now', [step]);
      markRow(rows[0], 'match', [other]);
      if (link) drawLinks([[step, other]]);
      tell(rows[1], step, sayStep(rows[1], step).concat('beside ' + rows[0].say(other)));
    };
  }

  // and the other way round
  function probeMaps(row, step) {
    const box = figure.closest('.alignment');
    if (!box || rows.length !== 2) return;
    const matches = matchesIn(rows[1 - row.number], row, step) || [];
    const match = matches.length > 0 ? matches[matches.length >> 1] : -1;
    const [down, right] = row.number > 0 ? [step, match] : [match, step];
    for (const {heatMap} of box.querySelectorAll('figure.heat')) {
      if (heatMap) heatMap.probe(match < 0 ? -1 : down, match < 0 ? -1 : right);
    }
  }

  function probe(row, wanted, alone) {
    const step = Math.max(0, Math.min(row.count - 1, wanted));
    const words = sayStep(row, step);
    markRow(row, 'now', [step]);
    for (const other of rows) {
      if (other === row) continue;
      const matches = matchesIn(other, row, step);
      markRow(other, 'match', matches || []);
      if (!matches) continue;
      const plural = matches.length > 1 ? ' steps ' : ' step ';
      words.push((row.number > 0 ? 'matches ' : 'matched by ') + (matches.length > 0 ?
        ((other.name || 'row 0') + plural + sayRuns(matches)) :
        'no step of ' + (other.name || 'row 0')));
      if (!link || other.number + row.number !== 1) continue;
      drawLinks(matches.map((match) => row.number > 0 ? [step, match] : [match, step]));
    }
    tell(row, step, words);
    if (!alone) probeMaps(row, step);
  }

  // what the keyboard moves to is brought into sight
  function reveal(row) {
    const box = row.sheet.getBoundingClientRect();
    const frame = scroll.getBoundingClientRect();
    const side = box.width / row.steps.length;
    const left = box.left + side * Math.round(placeOf(row, row.now));
    if (left < frame.left) scroll.scrollLeft += left - frame.left - side;
    if (left + side > frame.right) scroll.scrollLeft += left + 2 * side - frame.right;
  }

  function listenTo(row) {
    const follow = (element, stepFrom) => {
      const move = (event) => {
        const box = element.getBoundingClientRect();
        probe(row, stepFrom((event.clientX - box.left) / box.width));
      };
      element.addEventListener('pointermove', move);
      element.addEventListener('pointerdown', move);
    };
    follow(row.sheet, (right) => stepAt(row, right * row.steps.length - 0.5));
    if (row.curve) follow(row.curve.plot, row.curve.stepAt);
    row.sheet.tabIndex = 0;
    row.sheet.setAttribute('role', 'slider');
    row.sheet.setAttribute('aria-label', row.picture.alt);
    row.sheet.setAttribute('aria-valuemin', 0);
    row.sheet.setAttribute('aria-valuemax', row.count - 1);
    row.sheet.setAttribute('aria-valuenow', 0);
    row.sheet.addEventListener('keydown', (event) => {
      const far = event.shiftKey ? 10 : 1;
      const page = Math.max(1, Math.round(row.count / 10));
      const moves = {ArrowLeft: row.now - far, ArrowRight: row.now + far, PageUp: row.now - page,
        PageDown: row.now + page, Home: 0, End: row.count - 1};
      if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      probe(row, moves[event.key]);
      reveal(row);
    });
  }

  for (const row of rows) {
    row.curve = addCurve(row);
    row.look = addLook(row, panel);
    listenTo(row);
  }
  // pictures are unpacked when the strip comes near
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    Promise.all(rows.map((row) => row.picture.decode())).then(() => {
      probe(rows[Math.min(1, rows.length - 1)], 0, true);
      figure.classList.add('ready');
    }, () => { said.textContent = 'This browser cannot read the pictures.'; });
  }, {rootMargin: '50%'});
  watcher.observe(figure);
}

// --- choices ---

// Figures of what is not chosen are left alone until it is.
function startFigures(root, colours) {
  const all = (kind) => Array.from(root.querySelectorAll(kind))
    .filter((figure) => !figure.closest('.choice.hidden'));
  all('figure.curves').forEach(startCurves);
  all('figure.strip').forEach(startStrip);
  const maps = all('figure.heat');
  maps.forEach((figure) => startHeatMap(figure, colours));
  drawAll(maps);
}

// One of several things is shown; which, the reader says: a group, and one of it. Without script
// all are.
function startChoices(box, colours) {
  const choices = Array.from(box.children);
  const started = new Set(choices.slice(0, 1));
  const bar = document.createElement('p');
  const addSelect = (name) => {
    const label = bar.appendChild(document.createElement('label'));
    const select = document.createElement('select');
    select.autocomplete = 'off';
    label.append(name, select);
    return select;
  };
  const groups = addSelect(box.dataset.group);
  const names = addSelect(box.dataset.name);

  function choose(chosen) {
    for (const choice of choices) choice.classList.toggle('hidden', choice !== chosen);
    if (started.has(chosen)) return;
    started.add(chosen);
    startFigures(chosen, colours);
  }

  // the names of a group; the one that was chosen stays so where it is there too
  function fill() {
    const before = names.selectedOptions[0];
    names.replaceChildren();
    choices.forEach((choice, k) => {
      if (choice.dataset.group !== groups.value) return;
      const {name} = choice.dataset;
      names.append(new Option(name, k, false, before !== undefined && before.text === name));
    });
  }

  for (const group of new Set(choices.map((choice) => choice.dataset.group))) {
    groups.append(new Option(group));
  }
  fill();
  bar.className = 'choose';
  box.prepend(bar);
  groups.addEventListener('change', () => { fill(); choose(choices[names.value]); });
  names.addEventListener('change', () => choose(choices[names.value]));
  choose(choices[0]);
}

document.documentElement.classList.add('script');
document.addEventListener('DOMContentLoaded', () => {
  const colours = readColours();
  document.querySelectorAll('.table table').forEach(startTable);
  startRows();
  document.querySelectorAll('.choices').forEach((box) => startChoices(box, colours));
  startFigures(document, colours);
});
})();
