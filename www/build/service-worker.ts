/**
 * Emits `sw.js`, which caches the files of this build, so that the page reloads without a network. The name of the cache has a hash
 * of the build; a new build deletes the old cache.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle).sort();
        const build = createHash('sha256');
        for (const file of files) {
          const output = bundle[file];
          if (output) build.update(file).update(output.type === 'chunk' ? output.code : output.source);
        }
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker(build.digest('hex').slice(0, 12), ['./', ...files]) });
      },
    },
  };
}

const worker = (build: string, files: string[]): string => `
const CACHE = 'loopgate-demo-${build}';
const FILES = ${JSON.stringify(files)};

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const outdated = (names) => names.filter((name) => name.startsWith('loopgate-demo-') && name !== CACHE);
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(outdated(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The page comes from the network if possible. All other files have a hash in their name.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const cached = () => caches.match(request, { ignoreVary: true, ignoreSearch: request.mode === 'navigate' });
  event.respondWith(
    request.mode === 'navigate'
      ? fetch(request).catch(async () => (await cached()) ?? (await caches.match('./', { ignoreVary: true })) ?? Response.error())
      : cached().then((response) => response ?? fetch(request)),
  );
});
`;
