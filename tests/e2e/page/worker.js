import init, { validatePlan } from 'loopgate';

await init();
postMessage(validatePlan('export default <App></App>').failures.map(({ id }) => id));
