/**
 * A stop that `resume` continues: the call of the model fails, which ends the run without an end in its journal. An abort would end the
 * run for good.
 */
import { LoopgateError, type ModelPort, type RunEvent } from 'loopgate';

const STOPPED = 'stopped by you';
/** The reason of an abort that ends a run which does not go on. */
export const DISCARDED = 'discarded by you';

/** The model until the signal is aborted. From then on, each call fails in a way that the run does not repeat. */
export function stoppable(model: ModelPort, stopped: AbortSignal): ModelPort {
  const ended = () => new LoopgateError(STOPPED, { code: 'model' });
  const port: ModelPort = async (request, context) => {
    if (stopped.aborted) throw ended();
    const stop = new Promise<never>((_, reject) => stopped.addEventListener('abort', () => reject(ended()), { once: true }));
    return Promise.race([stop, model(request, { ...context, signal: AbortSignal.any([context.signal, stopped]) })]);
  };
  return Object.assign(port, { contextTokens: model.contextTokens, images: model.images });
}

/** The event is the consequence of a stop. */
export function isOfStop(event: RunEvent): boolean {
  const fault = event.type === 'run-failed' ? event.error : event.type === 'iteration-finished' ? event.fault : undefined;
  return fault?.message.includes(STOPPED) ?? false;
}

export const isDiscard = (event: RunEvent): boolean => event.type === 'run-finished' && event.result.reason === 'aborted' && event.result.message.includes(DISCARDED);
