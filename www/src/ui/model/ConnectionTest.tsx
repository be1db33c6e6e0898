import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { testConnection, type TestResult } from '../../model/connect';
import type { Endpoint } from '../../model/providers';
import { Icon } from '../Icon';

/** One small call with these settings. */
export function ConnectionTest({ endpoint, missing }: { endpoint: Endpoint; missing: string | null }) {
  const asking = useSignal<AbortController | null>(null);
  const result = useSignal<TestResult | null>(null);
  useEffect(() => () => asking.peek()?.abort(), []);
  const test = async () => {
    const { signal } = (asking.value = new AbortController());
    result.value = null;
    result.value = await testConnection(endpoint, signal).catch(() => null);
    asking.value = null;
  };
  const shown = result.value;
  return (
    <div class="connection-test">
      {asking.value
        ? <button type="button" onClick={() => asking.value?.abort()}>Stop the test</button>
        : <button type="button" disabled={missing !== null} onClick={() => void test()}>Test connection</button>}
      <p role="status" class={shown ? `test-result tone-${shown.tone}` : 'muted'}>
        {shown && <><Icon name={shown.tone === 'good' ? 'check' : 'warning'} /> {shown.text}</>}
        {!shown && (asking.value ? 'One small call …' : missing ?? 'Makes one small call.')}
      </p>
    </div>
  );
}
