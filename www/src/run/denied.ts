/** Why a call was denied: the rule, and where it is written. */
import { explainPolicy, type PolicyExplanation } from 'loopgate';
import { layer } from '../chunks/settings';
import { host } from '../host/host';
import type { Denial } from './entry';

/** `null` if the configuration was changed since, so another rule would decide now. */
export async function explainDenial({ rule, calls }: Denial): Promise<PolicyExplanation | null> {
  for (const call of calls) {
    const found = await explainPolicy(host, call, { spec: layer() });
    if (found.decision === 'deny' && found.rule === rule) return found;
  }
  return null;
}
