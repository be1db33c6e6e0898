import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser("the demo's policy", (_, differs) => {
  differs.frames('the demo runs no script but its own', async (demo) => {
    await demo.open();
    const blocked = await demo.page.evaluate(async () => {
      const blocked = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
      const inline = document.createElement('script');
      inline.textContent = 'globalThis.injected = true';
      const other = Object.assign(document.createElement('script'), { src: 'data:text/javascript,globalThis.injected = true' });
      const failed = new Promise((resolve) => other.addEventListener('error', resolve));
      document.body.append(inline, other);
      await failed;
      return { blocked, injected: 'injected' in globalThis };
    });
    assert.deepEqual(blocked, { blocked: ['script-src-elem', 'script-src-elem'], injected: false });
  });
});
