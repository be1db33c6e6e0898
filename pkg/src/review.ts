import { text as textOf } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ReviewVerdict } from './types/index.js';

/**
 * What a reviewer's answer means. Total: every text gives a verdict. A text that cannot be read is `inconclusive`, never `ship`.
 * The answer is a JSON object with `decision` and `issues`, alone or in a fence; trailing commas are repaired. `REVISE` also counts in
 * prose; `SHIP` beside anything else is `inconclusive`, because it may be quoted. `SHIP` with a high issue is `revise`, `REVISE` without
 * issues is `inconclusive`. Verdicts with one decision are joined. Quoted verdicts (in a diff, in a quotation) are ignored. Verdicts that
 * contradict each other, have duplicate keys, or are part of another value are `inconclusive`.
 * At most 200 issues are returned, the most severe ones of more; `summary` counts all.
 */
export function parseReview(text: string): ReviewVerdict {
  try {
    return JSON.parse(wasm().parseReview(textOf(text, 'text'))) as ReviewVerdict;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}
