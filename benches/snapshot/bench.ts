import { publish, type Row } from '../measure.ts';
import { rowsOfMany } from './many.ts';
import { rowsOf } from './rows.ts';

const rows = await rowsOf('LightningFS', [50, 300, 1000, 3000]);
publish([...rows, ...(await rowsOfMany('LightningFS')), ...(await inWorker())]);

/** Access to OPFS is fastest in a worker, so IDEs use it there. */
function inWorker(): Promise<Row[]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Row[]>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}
