/// The fixed texts of an HTML page: its look and its program.
///
/// They take nothing from the map, so their digests in the page's policy are the same for all.
enum HTMLPage {
  static let style = """
    html,body{margin:0;height:100%;font:14px sans-serif}
    body{display:flex;flex-direction:column;background:#fff;color:#20242a}
    body.dark{background:#10141a;color:#e6eaee}
    h1{font-size:18px;text-align:center;margin:8px 60px 2px;overflow-wrap:anywhere}
    #page{flex:1;min-height:240px;padding:4px;cursor:grab;touch-action:none;user-select:none;
    -webkit-user-select:none}
    #page.held{cursor:grabbing}
    #page>svg{width:100%;height:100%;display:block}
    #view path,#view circle{vector-effect:non-scaling-stroke}
    #view [data-feature]:hover{stroke-width:2.4;filter:brightness(0.85)}
    #view g[data-feature]:hover>path:not([fill]){stroke-width:2.4}
    #view [data-level]{pointer-events:none}
    #buttons{position:fixed;top:10px;right:10px;display:flex;flex-direction:column;gap:4px}
    button{width:34px;height:34px;font-size:18px}
    #layers{display:flex;flex-wrap:wrap;gap:2px 18px;padding:4px 14px 10px}
    #layers div{display:flex;flex-direction:column}
    #layers label,#layers span{display:flex;align-items:center;gap:6px}
    #layers span{padding-left:22px}
    #layers i{font-style:normal}
    footer{padding:0 14px 8px;font-size:12px;opacity:0.7;text-align:right}
    #details{position:fixed;right:10px;bottom:10px;width:max-content;max-width:min(340px,45vw);
    max-height:60vh;overflow:auto;background:#fff;color:#20242a;border:1px solid #999;
    border-radius:4px;padding:8px 10px;box-sizing:border-box}
    #details.left{left:10px;right:auto}
    body.dark #details{background:#1a2028;color:#e6eaee}
    #details[hidden]{display:none}
    #details h2{font-size:16px;margin:0;overflow-wrap:anywhere}
    #details p{margin:0 0 4px;opacity:0.7}
    #details td{padding:0 10px 0 0;vertical-align:top;overflow-wrap:anywhere}
    #details td:first-child{opacity:0.7}
    @media (max-width:600px){
    body{height:auto;min-height:100%;font-size:16px}
    #page{flex:none;height:58vh;padding:0}
    body.narrow #numbers,body.narrow #north,body.narrow #legend{display:none}
    button{width:44px;height:44px;opacity:0.9}
    #layers label,#layers span{min-height:34px}
    #layers input{width:20px;height:20px}
    #details,#details.left{left:0;right:0;bottom:0;width:auto;max-width:none;max-height:38vh;
    border-radius:8px 8px 0 0}
    }

    """

  static let program = """
    'use strict';
    const map = document.querySelector('#page'), svg = map.querySelector('svg');
    const view = svg.querySelector('#view'), details = document.querySelector('#details');
    const data = JSON.parse(document.querySelector('#attributes').textContent);
    const [left, top_, width, height] = svg.dataset.area.split(' ').map(Number);
    const whole = svg.getAttribute('viewBox'), ground = Number(svg.dataset.ground), nearest = 32;
    // Lines within a copy that is only used would grow with the zoom.
    for (const use of view.querySelectorAll('use')) {
      const of = use.getAttribute('href').slice(1);
      const coast = view.querySelector('#' + of).cloneNode(true);
      for (const e of coast.querySelectorAll('[data-at]')) e.remove();
      for (const e of coast.querySelectorAll('[data-feature]')) e.removeAttribute('data-feature');
      for (const name of ['id', 'data-layer']) coast.removeAttribute(name);
      for (const name of ['stroke', 'stroke-width', 'stroke-linejoin', 'pointer-events'])
        coast.setAttribute(name, use.getAttribute(name));
      coast.dataset.of = of;
      use.replaceWith(coast);
    }
    const fixed = [...view.querySelectorAll('[data-at]')].map(
      e => [e, ...e.dataset.at.split(' ').map(Number)]);
    const numbers = [...svg.querySelectorAll('#numbers text')].map(
      e => [e, e.getAttribute('text-anchor') == 'end' ? 'y' : 'x']).map(
      ([e, axis]) => [e, axis, Number(e.getAttribute(axis))]);
    const levels = [...view.querySelectorAll('[data-level]')];
    const signs = [...view.querySelectorAll('g[data-least],[data-layer]>g[data-at]')];
    let k = 1, x = 0, y = 0, isDrawn = true;
    // The part of the page in view at zoom 1, and the size of its unit on the screen.
    let frame = [left, top_, width, height], unit = 1;
    for (const title of view.querySelectorAll('title')) title.remove();

    // The view: zoom and pan, within the map.
    function limit(value, low, size, from, room) {
      const ends = [from + room - (low + size) * k, from - low * k];
      if (size * k < room) return (ends[0] + ends[1]) / 2;
      return Math.min(ends[1], Math.max(ends[0], value));
    }
    function look(nextK, nextX, nextY) {
      k = Math.min(nearest / unit, Math.max(Math.min(1, frame[2] / width), nextK));
      x = limit(nextX, left, width, frame[0], frame[2]);
      y = limit(nextY, top_, height, frame[1], frame[3]);
      if (isDrawn) { isDrawn = false; requestAnimationFrame(draw); }
    }
    // On a narrow screen the map fills its room, and shows a part of itself.
    function fit() {
      const box = map.getBoundingClientRect(), shape = box.width / Math.max(1, box.height);
      const isNarrow = innerWidth <= 600 && shape < width / height;
      document.body.classList.toggle('narrow', isNarrow);
      const room = isNarrow ? height * shape : width;
      frame = [left + (width - room) / 2, top_, room, height];
      svg.setAttribute('viewBox', isNarrow ? frame.join(' ') : whole);
      unit = Math.min(1, svg.getScreenCTM().a);
      look(k, x, y);
    }
    function draw() {
      isDrawn = true;
      view.setAttribute('transform', `matrix(${k} 0 0 ${k} ${x} ${y})`);
      // Signs and names keep their size on the screen; nearer there are more of them.
      const size = 1 / (k * unit), part = 1 - size;
      for (const [e, ex, ey] of fixed)
        e.setAttribute('transform', `matrix(${size} 0 0 ${size} ${ex * part} ${ey * part})`);
      const wanted = Math.floor(Math.log2(k * unit) + 0.3);
      const known = levels.map(e => Number(e.dataset.level));
      const level = Math.max(Math.min(...known), ...known.filter(n => n <= wanted));
      for (const e of levels)
        e.setAttribute('visibility', Number(e.dataset.level) == level ? 'inherit' : 'hidden');
      for (const e of signs)
        e.setAttribute('visibility', (e.dataset.least || 0) <= level ? 'inherit' : 'hidden');
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
      const longest = ground / k * frame[2] / 5, step = 10 ** Math.floor(Math.log10(longest));
      const length = [5, 2, 1].map(n => n * step).find(n => n <= longest) || step;
      const size = length / ground * k * unit, base = -20;
      const text = group.querySelector('text');
      // In units of the screen, from the lower left corner.
      group.setAttribute(
        'transform', `translate(${frame[0]} ${frame[1] + frame[3]}) scale(${1 / unit})`);
      group.querySelector('path').setAttribute(
        'd', `M12 ${base - 5}V${base}H${12 + size}V${base - 5}`);
      const exact = value => value.toLocaleString('en', { maximumSignificantDigits: 6 });
      const [latitude] = text.textContent.match(/ at .*/) || [''];
      text.textContent = (svg.dataset.unit != 'm' ? exact(length)
        : length >= 1000 ? exact(length / 1000) + ' km' : exact(length) + ' m') + latitude;
      const room = Math.max(size, text.getComputedTextLength());
      text.setAttribute('x', 12 + room / 2);
      text.setAttribute('y', base - 7);
      const rect = group.querySelector('rect');
      rect.setAttribute('x', 6);
      rect.setAttribute('y', base - 20);
      rect.setAttribute('width', room + 12);
    }
    function zoom(by, px = frame[0] + frame[2] / 2, py = frame[1] + frame[3] / 2) {
      const next = Math.min(nearest / unit, Math.max(Math.min(1, frame[2] / width), k * by));
      look(next, px - (px - x) * next / k, py - (py - y) * next / k);
    }
    function place(event) {
      const m = svg.getScreenCTM().inverse();
      return [event.clientX * m.a + m.e, event.clientY * m.d + m.f];
    }

    // Mouse, fingers, wheel, keys and buttons.
    const fingers = new Map();
    // Whether the attributes stay until another tap.
    let moved = 0, isKept = false;
    map.addEventListener('pointerdown', event => {
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, place(event));
      map.classList.add('held');
    });
    addEventListener('pointermove', event => {
      const former = fingers.get(event.pointerId);
      if (!former) {
        if (event.pointerType == 'mouse' && !isKept) show(event.target, event);
        return;
      }
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
      if (name == 'pointerup' && moved * unit < 6) {
        show(event.target, event);
        isKept = !details.hidden;
      }
    });
    map.addEventListener('wheel', event => {
      event.preventDefault();
      zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300), ...place(event));
    }, {passive: false});
    const steps = {
      '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5),
      '0': () => look(1, 0, 0), 'Escape': () => { details.hidden = true; isKept = false; },
      'ArrowLeft': () => look(k, x + frame[2] / 8, y),
      'ArrowRight': () => look(k, x - frame[2] / 8, y),
      'ArrowUp': () => look(k, x, y + frame[3] / 8),
      'ArrowDown': () => look(k, x, y - frame[3] / 8),
    };
    addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      steps[event.key]();
    });
    for (const button of document.querySelectorAll('button'))
      button.addEventListener('click', () => steps[button.dataset.key]());

    // The attributes of the feature at a place, on the side of the map that it leaves free; texts
    // are only ever text.
    function show(target, event) {
      const feature = target.closest && target.closest('#view [data-feature]');
      details.hidden = !feature;
      if (!feature) return;
      const group = feature.closest('[data-layer]');
      const layer = data[group ? group.id : feature.dataset.of];
      const number = feature.dataset.feature, values = layer && layer.features[number];
      const table = document.createElement('table'), head = document.createElement('h2');
      const name = values && layer.label != null && values[layer.label];
      const title = layer ? layer.title : '', kind = document.createElement('p');
      head.textContent = name || (title + ' ' + number).trim();
      kind.textContent = name ? title : '';
      if (values) layer.fields.forEach((name, index) => {
        if (values[index] == null) return;
        const row = table.insertRow();
        row.insertCell().textContent = name;
        row.insertCell().textContent = values[index];
      });
      else table.insertRow().insertCell().textContent = '(its attributes are not in this file)';
      details.replaceChildren(head, kind, table);
      const box = feature.getBoundingClientRect(), page = map.getBoundingClientRect();
      const before = Math.max(box.left, page.left) - page.left;
      const after = page.right - Math.min(box.right, page.right);
      const isWide = Math.max(before, after) < 200;
      details.classList.toggle(
        'left', isWide ? event.clientX > innerWidth / 2 : before > after);
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
    addEventListener('resize', fit);
    fit();

    """
}
