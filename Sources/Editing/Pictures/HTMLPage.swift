/// The fixed texts of an HTML page: its look and its program.
///
/// They take nothing from the map, so their digests in the page's policy are the same for all.
enum HTMLPage {
  static let style = """
    html,body{margin:0;height:100%;font:14px sans-serif}
    body{display:flex;flex-direction:column;background:#fff;color:#20242a}
    body.dark{background:#10141a;color:#e6eaee}
    #page{flex:1;min-height:0;padding:4px;cursor:grab;touch-action:none;user-select:none}
    #page.held{cursor:grabbing}
    #page>svg{width:100%;height:100%}
    #view path,#view circle{vector-effect:non-scaling-stroke}
    #view [data-feature]:hover{stroke-width:2.4;filter:brightness(0.85)}
    #view g[data-feature]:hover>path:not([fill]){stroke-width:2.4}
    #labels{pointer-events:none}
    #buttons{position:fixed;top:10px;right:10px;display:flex;flex-direction:column;gap:4px}
    button{width:34px;height:34px;font-size:18px}
    #layers{display:flex;flex-wrap:wrap;gap:2px 18px;padding:4px 14px 10px}
    #layers div{display:flex;flex-direction:column}
    #layers label,#layers span{display:flex;align-items:center;gap:6px}
    #layers span{padding-left:22px}
    #layers i{font-style:normal}
    #details{position:fixed;right:10px;bottom:10px;max-width:min(420px,80vw);max-height:60vh;
    overflow:auto;background:#fff;color:#20242a;border:1px solid #999;padding:8px 10px}
    body.dark #details{background:#1a2028;color:#e6eaee}
    #details[hidden]{display:none}
    #details h2{font-size:14px;margin:0 0 4px}
    #details td{padding:0 10px 0 0;vertical-align:top;overflow-wrap:anywhere}
    #details td:first-child{opacity:0.7}

    """

  static let program = """
    'use strict';
    const map = document.querySelector('#page'), svg = map.querySelector('svg');
    const view = svg.querySelector('#view'), details = document.querySelector('#details');
    const data = JSON.parse(document.querySelector('#attributes').textContent);
    const [left, top_, width, height] = svg.dataset.area.split(' ').map(Number);
    const ground = Number(svg.dataset.ground), nearest = 32;
    const fixed = [...view.querySelectorAll('[data-at]')].map(
      e => [e, ...e.dataset.at.split(' ').map(Number)]);
    const numbers = [...svg.querySelectorAll('#numbers text')].map(
      e => [e, e.getAttribute('text-anchor') == 'end' ? 'y' : 'x']).map(
      ([e, axis]) => [e, axis, Number(e.getAttribute(axis))]);
    let k = 1, x = 0, y = 0, isDrawn = true;
    for (const title of view.querySelectorAll('title')) title.remove();

    // The view: zoom and pan, within the map.
    function limit(value, low, size) {
      return Math.min(low * (1 - k), Math.max((low + size) * (1 - k), value));
    }
    function look(nextK, nextX, nextY) {
      k = Math.min(nearest, Math.max(1, nextK));
      x = limit(nextX, left, width);
      y = limit(nextY, top_, height);
      if (isDrawn) { isDrawn = false; requestAnimationFrame(draw); }
    }
    function draw() {
      isDrawn = true;
      view.setAttribute('transform', `matrix(${k} 0 0 ${k} ${x} ${y})`);
      for (const [e, ex, ey] of fixed) {
        const part = 1 - 1 / k;
        e.setAttribute('transform', `matrix(${1 / k} 0 0 ${1 / k} ${ex * part} ${ey * part})`);
      }
      for (const [e, axis, at] of numbers) {
        const isX = axis == 'x', place = isX ? (at * k + x) : ((at - 3) * k + y + 3);
        const [low, size] = isX ? [left, width] : [top_, height + 3];
        e.setAttribute(axis, place);
        e.setAttribute('visibility', place < low || place > low + size ? 'hidden' : 'inherit');
      }
      scale();
    }
    function scale() {
      const group = svg.querySelector('#scale');
      if (!group || !(ground > 0)) return;
      const longest = ground / k * width / 5, unit = 10 ** Math.floor(Math.log10(longest));
      const length = [5, 2, 1].map(n => n * unit).find(n => n <= longest) || unit;
      const size = length / ground * k, from = left + 12, to = from + size;
      const base = top_ + height - 20, text = group.querySelector('text');
      group.querySelector('path').setAttribute(
        'd', `M${from} ${base - 5}V${base}H${to}V${base - 5}`);
      const exact = value => value.toLocaleString('en', { maximumSignificantDigits: 6 });
      const [latitude] = text.textContent.match(/ at .*/) || [''];
      text.textContent = (svg.dataset.unit != 'm' ? exact(length)
        : length >= 1000 ? exact(length / 1000) + ' km' : exact(length) + ' m') + latitude;
      const room = Math.max(size, text.getComputedTextLength());
      text.setAttribute('x', from + room / 2);
      group.querySelector('rect').setAttribute('width', room + 12);
    }
    function zoom(by, px = left + width / 2, py = top_ + height / 2) {
      const next = Math.min(nearest, Math.max(1, k * by));
      look(next, px - (px - x) * next / k, py - (py - y) * next / k);
    }
    function place(event) {
      const m = svg.getScreenCTM().inverse();
      return [event.clientX * m.a + m.e, event.clientY * m.d + m.f];
    }

    // Mouse, fingers, wheel, keys and buttons.
    const fingers = new Map();
    let moved = 0;
    map.addEventListener('pointerdown', event => {
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, place(event));
      map.classList.add('held');
    });
    addEventListener('pointermove', event => {
      const former = fingers.get(event.pointerId);
      if (!former) return event.pointerType == 'mouse' ? show(event.target, event) : undefined;
      const next = place(event), other = [...fingers].find(([id]) => id != event.pointerId);
      moved += Math.hypot(next[0] - former[0], next[1] - former[1]);
      if (other) {
        const [ox, oy] = other[1];
        const was = Math.hypot(former[0] - ox, former[1] - oy) || 1;
        zoom(Math.hypot(next[0] - ox, next[1] - oy) / was, ox, oy);
      } else {
        look(k, x + next[0] - former[0], y + next[1] - former[1]);
      }
      fingers.set(event.pointerId, next);
    });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, event => {
      if (!fingers.delete(event.pointerId)) return;
      if (!fingers.size) map.classList.remove('held');
      if (name == 'pointerup' && moved < 4) show(event.target, event);
    });
    map.addEventListener('wheel', event => {
      event.preventDefault();
      zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300), ...place(event));
    }, {passive: false});
    const steps = {
      '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5),
      '0': () => look(1, 0, 0), 'Escape': () => { details.hidden = true; },
      'ArrowLeft': () => look(k, x + width / 8, y), 'ArrowRight': () => look(k, x - width / 8, y),
      'ArrowUp': () => look(k, x, y + height / 8), 'ArrowDown': () => look(k, x, y - height / 8),
    };
    addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      steps[event.key]();
    });
    for (const button of document.querySelectorAll('button'))
      button.addEventListener('click', () => steps[button.dataset.key]());

    // The attributes of the feature at a place; texts are only ever text.
    function show(target, event) {
      const feature = target.closest && target.closest('#view [data-feature]');
      details.hidden = !feature;
      if (!feature) return;
      const group = feature.closest('[data-layer]');
      const layer = data[group ? group.id : feature.dataset.of];
      const number = feature.dataset.feature, values = layer && layer.features[number];
      const table = document.createElement('table'), head = document.createElement('h2');
      head.textContent = (layer ? layer.name + ' ' : '') + number;
      if (values) layer.fields.forEach((name, index) => {
        if (values[index] == null) return;
        const row = table.insertRow();
        row.insertCell().textContent = name;
        row.insertCell().textContent = values[index];
      });
      else table.insertRow().insertCell().textContent = '(its attributes are not in this file)';
      details.replaceChildren(head, table);
    }

    // The layers.
    for (const box of document.querySelectorAll('#layers input')) {
      const change = () => {
        const names = `#${box.value},[data-of="${box.value}"]`;
        for (const e of view.querySelectorAll(names))
          e.setAttribute('display', box.checked ? 'inline' : 'none');
      };
      box.addEventListener('change', change);
      change();
    }

    """
}
