import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('without a network', (_, differs) => {
  differs.loading('a loaded page runs the story and reloads', async (demo, server) => {
    await demo.open();
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await server.close();
    demo.requests.length = 0;
    await demo.run();
    await demo.status('Done');
    await demo.snapshotAppears('task-1-post');
    assert.deepEqual(await demo.snapshots(), ['task-1-post', 'task-1-pre']);
    await demo.click('Preview');
    await demo.previewHas('Coffee that tastes of where it grew');

    await demo.openPlan();
    await demo.reload();
    await demo.ready();
    await demo.snapshotAppears('task-1-post');
    assert.deepEqual(demo.requests.filter((url) => !url.startsWith(demo.address) && !/^(data|blob|about):/.test(url)), [], 'there are no requests to other origins');
  });
});
