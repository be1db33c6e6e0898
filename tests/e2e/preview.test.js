/** Pages that hide from the gates what happens in them, and pages that leave their frame. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveChat } from './chat-server.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';

/** Each throws `hidden`, and hides it. */
const HIDING = {
  'says that it has settled': `
    const settled = (frame) => ({ frame, type: 'settled' });
    const { port2 } = new MessageChannel();
    for (let frame = 0; frame < 50; frame++) for (const other of [parent, parent.parent, top]) other.postMessage(settled(frame), '*');
    parent.postMessage(settled(1), '*', [port2]);
    Object.assign(globalThis, { settled: () => {} });
    throwLater();`,
  'says so through a port of its own': `
    const { port1, port2 } = new MessageChannel();
    parent.postMessage(null, '*', [port2]);
    port1.postMessage({ type: 'settled' });
    throwLater();`,
  'replaces what posts messages': `
    for (const target of [parent, top]) try { target.postMessage = () => {}; } catch {}
    Object.defineProperty(window, 'parent', { value: { postMessage() {} } });
    MessagePort.prototype.postMessage = function () { this.close(); };
    throwLater();`,
  'replaces Error.prototype and the getters of events': `
    for (const name of ['message', 'name', 'toString', 'stack']) Object.defineProperty(Error.prototype, name, { get() { throw 0; } });
    Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 0; } });
    Error.prepareStackTrace = () => { throw 0; };
    for (const [type, names] of [[ErrorEvent, ['error', 'message', 'lineno', 'colno']], [Event, ['target', 'type', 'isTrusted', 'currentTarget']]]) {
      for (const name of names) Object.defineProperty(type.prototype, name, { get() { throw 0; } });
    }
    throwLater();`,
  'replaces the functions of the language': `
    const nothing = () => '';
    for (const name of ['call', 'apply', 'bind']) Function.prototype[name] = nothing;
    for (const name of ['apply', 'get', 'ownKeys']) Reflect[name] = nothing;
    for (const name of ['slice', 'replace', 'concat', 'toString']) String.prototype[name] = nothing;
    for (const name of ['push', 'map', 'join', 'slice']) Array.prototype[name] = nothing;
    for (const name of ['type', 'message', 'level', 'line']) Object.defineProperty(Object.prototype, name, { get: nothing, set: nothing });
    JSON.stringify = nothing;
    Object.assign(globalThis, { String: nothing, Error: class {}, setTimeout: nothing, MessagePort: nothing });
    Array.prototype[Symbol.iterator] = nothing;
    throwLater();`,
  'stops the events of errors': `
    for (const type of ['error', 'unhandledrejection']) addEventListener(type, (event) => { event.stopImmediatePropagation(); event.preventDefault(); }, true);
    window.onerror = () => true;
    throwLater();`,
  'removes the listeners of events': `
    for (const capture of [true, false]) removeEventListener('error', onerror, capture);
    EventTarget.prototype.addEventListener = () => {};
    EventTarget.prototype.dispatchEvent = () => true;
    throwLater();`,
  'rejects a promise and stops its event': `
    addEventListener('unhandledrejection', (event) => { event.stopImmediatePropagation(); event.preventDefault(); }, true);
    Promise.reject(new Error('hidden'));`,
};

/** Of these, only an error without the text can be reported. */
const UNREADABLE = {
  'throws what has no text': [`const thrown = new Error('x'); Object.defineProperty(thrown, 'message', { get() { throw thrown; } }); thrown.toJSON = () => { throw thrown; }; setTimeout(() => { throw thrown; });`, /\S/],
  'rejects with what has no text': [`Promise.reject({ toJSON() { throw this; }, toString() { throw this; } });`, /Unhandled rejection/],
  'replaces its document': [`setTimeout(() => { document.open(); document.write('<p>All is well</p>'); document.close(); setTimeout(() => { throw new Error('hidden'); }); });`, /document\.open\(\)/],
  'leaves for an empty document': [`location.href = 'about:blank';`, /leaves its document/],
  'loads itself again, and then throws': [`if (window.name) throw new Error('hidden'); window.name = 'again'; setTimeout(() => location.reload());`, /leaves its document|hidden/],
  'stops the timers': [`for (let id = 0; id < 10000; id++) clearTimeout(id);`, /did not render/],
};

const throwLater = `const [later, Thrown] = [setTimeout, Error]; const throwLater = () => later(() => { throw new Thrown('hidden'); });\n`;

inEachBrowser('the preview', (_, differs) => {
  for (const [what, page] of Object.entries(HIDING)) {
    differs.frames(`the gate sees the error of a page that ${what}`, async (demo) => {
      assert.match(await verdictOf(demo, 'runtime-errors', throwLater + page), /failed: .*hidden/s);
    });
  }

  for (const [what, [page, reported]] of Object.entries(UNREADABLE)) {
    differs.frames(`the gate fails for a page that ${what}`, async (demo) => {
      const verdict = await verdictOf(demo, 'runtime-errors', page);
      assert.match(verdict, /^Check failed: the page has errors/);
      assert.match(verdict, reported);
      // The limit within which a page renders ends these tests, so it stays as it is.
    }, { isStretched: false });
  }

  differs.frames('the console reports what a page that replaces it writes there', async (demo) => {
    const page = `
      console.error = () => {}; delete console.error;
      Object.defineProperty(console, 'error', { value: () => {}, configurable: true });
      globalThis.console = { error() {} };
      try { Object.defineProperty(globalThis, 'console', { value: { error() {} } }); } catch {}
      console.error('written', { to: 'the console' });`;
    assert.match(await verdictOf(demo, 'console-capture', page), /written \{"to":"the console"\}/);
    assert.equal((await demo.gates())['runtime-errors'], 'pass');
  });

  differs.frames('a page that reports without end is cut off, and the demo stays usable', async (demo) => {
    await show(demo, `
      const again = () => {
        reportError(new Error('y'.repeat(5000)));
        setTimeout(again, 10);
      };
      again();`);
    await demo.until((items) => document.querySelectorAll(items).length === 51, RUNTIME_ERRORS);
    const errors = await demo.page.$$eval(RUNTIME_ERRORS, (items) => items.map((item) => item.textContent));
    assert.ok(errors.every((text) => text.length < 3000));
    assert.match(errors.at(-1), /more than 50/);
    await demo.show('code');
    await demo.page.waitForSelector('#panel-code:not([hidden]) .cm-content');
  });

  differs.frames('a page with an error never takes the place of the last one that works', async (demo) => {
    const page = (heading, rest = '') => `
      localStorage.setItem('seen', 'yes');
      const heading = document.createElement('h1');
      heading.textContent = '${heading}, ' + localStorage.getItem('seen');
      document.body.append(heading); ${rest}`;
    await show(demo, page('first'));
    const first = await demo.previewHas('first, yes');
    // The page does not start again for a file that it does not use.
    await demo.show('shell');
    await demo.execute('echo unused > src/unused.ts');
    await write(demo, page('second', 'throw new Error("it broke");'));
    await demo.until((pill) => document.querySelector(pill)?.textContent.includes('Last working page · 1 error'), PILL);
    assert.equal(await first.$eval('h1', (heading) => heading.textContent), 'first, yes');
    await demo.page.click(`${PILL} summary`);
    assert.equal(await demo.page.$eval(RUNTIME_ERRORS, (item) => item.textContent), 'it broke');
    await demo.write('Later: a blog');
    await demo.click('Ask the agent to fix');
    await demo.until(() => document.activeElement.id === 'task-text' && document.activeElement.value === 'Fix this error of the page: it broke');
    await demo.click('Undo', '.toast');
    await demo.until(() => document.querySelector('#task-text').value === 'Later: a blog');

    await write(demo, 'import "./missing";');
    await demo.until((errors) => document.querySelector(errors)?.textContent.includes('src/main.tsx:1'), RUNTIME_ERRORS);
    assert.equal(await first.$eval('h1', (heading) => heading.textContent), 'first, yes');
    await demo.click('src/main.tsx:1');
    await demo.page.waitForSelector('#panel-code:not([hidden]) .marked-line');

    await write(demo, page('third'));
    await demo.previewHas('third, yes');
    await demo.until((pill) => !document.querySelector(pill), PILL);
    for (const width of ['390', '768']) {
      await demo.click(width);
      assert.equal(await (await demo.previewHas('third, yes')).evaluate(() => `${innerWidth}`), width);
    }
  });

  differs.frames('style sheets and scripts that look like HTML stay what they are', async (demo) => {
    const css = 'h1::after { content: "</STYLE><script>document.title = 1</script><!--"; } h1 { color: rgb(1, 2, 3); }';
    const code = `
      import "./index.css";
      const texts = ["</SCRIPT>", "<!--", "<script>", "</style>", "\\u2028", String.raw\`</script>\`, /<!--/u.source];
      const heading = document.createElement("h1");
      heading.textContent = texts.join();
      heading.title = ["</SCRIPT >", [...document.styleSheets].at(-1).cssRules[1].style.color, document.title, document.readyState];
      document.body.append(heading);`;
    await show(demo, code, css);
    const frame = await demo.previewFrame(() => document.querySelector('h1[title]'));
    assert.equal(await frame.$eval('h1', (heading) => heading.textContent), '</SCRIPT>,<!--,<script>,</style>,\u2028,</script>,<!--');
    assert.equal(await frame.$eval('h1', (heading) => heading.title), '</SCRIPT >,rgb(1, 2, 3),,loading');
    // Firefox computes no style before it has drawn the frame.
    assert.equal(await frame.$eval('h1', (heading) => getComputedStyle(heading).color), 'rgb(1, 2, 3)');
    assert.equal(await frame.evaluate(() => document.body.innerText.trim()), '</SCRIPT>,<!--,<script>,</style>,\u2028,</script>,<!--');
  });

  differs.frames('the page of the project loads nothing and cannot leave its frame', async (demo) => {
    const requests = [];
    const server = createServer((request, response) => response.end(void requests.push(request.url)));
    await new Promise((resolve) => server.listen(0, 'localhost', resolve));
    try {
      const address = `http://localhost:${server.address().port}`;
      await show(demo, `
        const [element, blocked] = [document.createElement('p'), new Set()];
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => { element.title = [...blocked.add(effectiveDirective)].sort(); });
        document.body.append(element);
        fetch('${address}/fetch').catch(() => {});
        for (const [tag, property] of [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['link', 'href']]) {
          document.body.append(Object.assign(document.createElement(tag), { [property]: '${address}/' + tag, rel: 'stylesheet' }));
        }
        try { eval('element.textContent = 1'); } catch {}
        try { new Worker(URL.createObjectURL(new Blob(['']))); } catch {}`);
      const frame = await demo.previewFrame(() => ['connect-src', 'img-src', 'script-src', 'script-src-elem', 'style-src-elem'].every((directive) => document.querySelector('p')?.title.split(',').includes(directive)));
      const refused = await frame.evaluate((address) => [top, parent].map((window) => {
        try {
          window.location.href = address;
          return null;
        } catch ({ name }) {
          return name;
        }
      }), address);
      assert.deepEqual(refused, ['SecurityError', 'SecurityError']);
      await frame.evaluate((address) => void (location.href = address), address);
      await demo.until((selector) => document.querySelector(selector)?.textContent.includes('leaves'), RUNTIME_ERRORS);
      assert.deepEqual(requests, []);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  differs.frames('the page of the project has no WebRTC, and a frame in it runs no script', async (demo) => {
    const packets = [];
    const server = createSocket('udp4').on('message', (packet) => packets.push(packet));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const connect = `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${server.address().port}' }] });
        peer.createDataChannel('a'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
      await show(demo, `
        const [element, inner] = [document.createElement('p'), document.createElement('iframe')];
        element.title = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'].filter((name) => globalThis[name]).join();
        addEventListener('message', () => { element.title += 'a script in the frame'; });
        inner.onload = () => { element.textContent = 'shown'; };
        inner.srcdoc = "<script>parent.postMessage('', '*'); ${connect.replaceAll('\n', ' ')}</" + "script><img src onerror=\\"parent.postMessage('', '*')\\">";
        document.body.append(element, inner);
        try { ${connect} } catch {}`);
      const frame = await demo.previewFrame(() => document.querySelector('p')?.textContent === 'shown');
      await sleep(1000);
      assert.deepEqual([await frame.$eval('p', ({ title }) => title), packets.length], ['', 0]);
    } finally {
      server.close();
    }
  });
});

const PILL = '.error-pill';
const RUNTIME_ERRORS = '[aria-label="Errors of the page"] li';

/** Writes the script and the style sheet of the page, builds and shows it. */
async function show(demo, script, css) {
  await demo.open();
  await write(demo, script, css);
}

/** Writes them with the shell, and shows the page, which follows the files. */
async function write(demo, script, css) {
  await demo.show('shell');
  const echo = (path, text) => `echo '${text.replaceAll("'", "'\\''").replaceAll(/\s*\n\s*/g, ' ')}' > ${path}`;
  await demo.page.locator('#shell-command').fill([...(css ? [echo('src/index.css', css)] : []), echo('src/main.tsx', script)].join(' && '));
  const before = await demo.page.$$eval('.shell-line', (lines) => lines.length);
  await demo.page.focus('#shell-command');
  await demo.page.keyboard.press('Enter');
  await demo.until((before) => document.querySelectorAll('.shell-line').length > before && document.querySelector('.shell-form button').textContent === 'Execute', before);
  await demo.show('preview');
}

/** The line of the timeline for a gate, after the agent has written this script as the page. */
async function verdictOf(demo, gate, page) {
  const turns = [[{ name: 'write_file', args: { path: 'src/main.tsx', content: `${page}\n` } }], [{ name: 'complete_task', args: {} }]];
  const model = await serveChat({ key: KEY, turns });
  try {
    await demo.open();
    await demo.chooseModel({ address: model.address, key: KEY });
    await demo.run('Write a menu');
    await demo.page.waitForSelector(`.entry[data-gate="${gate}"]`);
    const line = (await demo.timeline()).find((entry) => entry.gate === gate);
    return `${line.title} ${line.detail}`;
  } finally {
    await model.close();
  }
}
