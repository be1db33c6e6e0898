import { defineConfig } from 'vite';
import { previewRuntime } from './build/preview-runtime.ts';
import { serviceWorker } from './build/service-worker.ts';

export default defineConfig({
  base: './',
  plugins: [previewRuntime(), serviceWorker()],
  server: { host: 'localhost' },
  preview: { host: 'localhost', port: 4173, strictPort: true },
  // Both load their wasm relative to their module, so they must not be moved.
  optimizeDeps: { exclude: ['loopgate', '@rollup/browser'] },
  build: { rolldownOptions: { input: ['index.html', 'preview.html'] }, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
});
