import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { explanationText } from '../run/calls';
import { explainDenial } from '../run/denied';
import type { Denial } from '../run/entry';

/** The rule that denied a call, with its place in the configuration. */
export function DenialRule({ denial }: { denial: Denial }) {
  const text = useSignal<string | null>(null);
  useEffect(() => {
    let isShown = true;
    explainDenial(denial)
      .then((found) => found && explanationText(found), () => null)
      .then((found) => isShown && (text.value = found ?? `${denial.rule}: the configuration was changed since.`));
    return () => void (isShown = false);
  }, [denial]);
  return <p class="denial-rule">{text.value ?? 'Looking for the rule …'}</p>;
}
