import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { choice, choose, keepsKeys, keys } from '../../model/choice';
import { amountFrom, endpointOf, missingOf, nameOf, PROVIDERS, type Amount, type Endpoint, type Settings } from '../../model/providers';
import { listModels, testConnection, whyNoList, type ListedModel, type TestResult } from '../../model/server';
import { hangNext } from '../../model/story/player';
import { isRunning } from '../../run/session';
import { dialog } from '../../store';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { Icon } from '../Icon';

/** The providers and the settings of the chosen one. Nothing changes until the user confirms. */
export function ModelDialog() {
  const draft = useSignal(choice.peek());
  const draftKeys = useSignal(keys.peek());
  const keep = useSignal(keepsKeys());
  const endpoint = endpointOf(draft.value, draftKeys.value);
  const missing = missingOf(endpoint);
  const { provider, apiKey, baseUrl } = endpoint;
  const close = () => (dialog.value = null);
  const confirm = () => {
    choose(draft.value, draftKeys.value, keep.value);
    announce(`Model: ${nameOf(endpoint)}`);
    close();
  };
  const change = (part: Partial<Settings>) => {
    const { provider: _, apiKey: __, ...settings } = endpoint;
    draft.value = { ...draft.value, settings: { ...draft.value.settings, [provider.id]: { ...settings, ...part } } };
  };
  return (
    <Dialog title="Model" kind="model-dialog" confirm="Use this model" blocked={missing !== null} onConfirm={confirm} onClose={close}>
      <div class="model-columns">
        <fieldset class="providers">
          <legend class="visually-hidden">Provider</legend>
          {PROVIDERS.map(({ id, name }) => (
            <label key={id} class="provider">
              <input type="radio" name="provider" value={id} checked={id === provider.id} autofocus={id === provider.id} aria-describedby={id === provider.id ? 'provider-about' : undefined} onChange={() => (draft.value = { ...draft.value, provider: id })} />
              {name}
            </label>
          ))}
        </fieldset>
        <div class="model-fields" key={provider.id}>
          <p class="muted" id="provider-about">{provider.about}</p>
          {provider.api === 'script' ? (
            <Check checked={hangNext.value} onChange={(checked) => (hangNext.value = checked)}>Let the next call hang, to try Stop</Check>
          ) : (
            <>
              <label>
                Address
                <input type="url" value={baseUrl} placeholder="http://localhost:8000/v1" spellcheck={false} aria-invalid={missing?.field === 'baseUrl'} onInput={(event) => change({ baseUrl: event.currentTarget.value })} />
              </label>
              <label>
                Key{!(provider.needsKey && baseUrl === provider.baseUrl) && ' (optional)'}
                <input type="password" value={apiKey} autocomplete="off" aria-describedby="key-note" onInput={(event) => (draftKeys.value = { ...draftKeys.value, [provider.id]: event.currentTarget.value })} />
              </label>
              <Check checked={keep.value} onChange={(checked) => (keep.value = checked)}>Keep the key for this tab</Check>
              <p class="muted field-note" id="key-note">The key is sent to the address above only. {keep.value ? 'It is kept until this tab is closed.' : 'A reload forgets it.'}</p>
              <ModelField endpoint={endpoint} onChange={change} />
              <Amounts endpoint={endpoint} isMissing={missing?.field === 'inputPerMillion'} onChange={change} />
            </>
          )}
        </div>
      </div>
      {/* A changed setting makes the last result void. */}
      {provider.api !== 'script' && <ConnectionTest key={JSON.stringify(endpoint)} endpoint={endpoint} missing={missing?.text ?? null} />}
      {isRunning.value && <p class="muted">The running task keeps its model.</p>}
    </Dialog>
  );
}

function Check({ checked, onChange, children }: { checked: boolean; onChange(checked: boolean): void; children: string }) {
  return <label class="check"><input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} /> {children}</label>;
}

interface FieldProps {
  endpoint: Endpoint;
  onChange(part: Partial<Settings>): void;
}

/** Suggests the models of the server, which are listed when the user comes to the field. */
function ModelField({ endpoint, onChange }: FieldProps) {
  const { provider, baseUrl, apiKey, model } = endpoint;
  /** The server and the key of the list. */
  const of = `${baseUrl} ${apiKey}`;
  const listing = useSignal<{ of: string; models: ListedModel[]; note: string } | null>(null);
  const newSignal = useSignalOfRequest();
  const canList = missingOf({ ...endpoint, model: '' })?.field === 'model';
  const known = listing.value?.of === of ? listing.value : null;
  const list = async () => {
    if (!canList || known) return;
    const asking = newSignal();
    listing.value = { of, models: [], note: 'Listing the models …' };
    const found = await listModels(endpoint, asking).then(
      (models) => ({ models, note: models.length ? `${models.length} ${models.length === 1 ? 'model is' : 'models are'} suggested.` : 'The server lists no models. Enter the name.' }),
      (error) => ({ models: [], note: whyNoList(error, endpoint) }),
    );
    if (!asking.aborted) listing.value = { of, ...found };
  };
  /** The amounts belong to a model, so that the amounts of another one are void. */
  const set = (name: string) => {
    const { contextTokens, inputPerMillion, outputPerMillion } = known?.models.find(({ id }) => id === name) ?? {};
    onChange({ model: name, contextTokens, inputPerMillion, outputPerMillion });
  };
  return (
    <>
      <label>
        Model
        <input type="text" list="listed-models" value={model} placeholder={provider.example} autocomplete="off" autocapitalize="off" spellcheck={false} aria-describedby="models-note" onFocus={() => void list()} onInput={(event) => set(event.currentTarget.value)} />
      </label>
      <datalist id="listed-models">
        {known?.models.map(({ id, contextTokens }) => <option key={id} value={id}>{contextTokens ? `${contextTokens.toLocaleString('en')} tokens` : id}</option>)}
      </datalist>
      <p class="muted field-note" id="models-note" role="status">{known?.note ?? 'The names are suggested from the list of the server.'}</p>
    </>
  );
}

const AMOUNTS: ReadonlyArray<{ name: Amount; label: string }> = [
  { name: 'contextTokens', label: 'Context, tokens' },
  { name: 'maxCostUsd', label: 'Stop a run at, $' },
  { name: 'inputPerMillion', label: 'Input, $ per million tokens' },
  { name: 'outputPerMillion', label: 'Output, $ per million tokens' },
];

/** A choice of another model renders the fields anew: otherwise they keep the user's text, such as `0.`, on the way to an amount. */
function Amounts({ endpoint, isMissing, onChange }: FieldProps & { isMissing: boolean }) {
  /** It stays open when nothing is missing any more. */
  const isOpen = useSignal(false);
  const toggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    isOpen.value = currentTarget.open;
    if (currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' });
  };
  return (
    <details class="amounts" open={isOpen.value || isMissing} onToggle={toggle}>
      <summary>Context size, prices and limit</summary>
      <div class="amount-fields" key={endpoint.model}>
        {AMOUNTS.map(({ name, label }) => (
          <label key={name}>
            {label}
            <input type="number" inputMode="decimal" min={0} step="any" placeholder="not set" defaultValue={endpoint[name]?.toString()} onInput={({ currentTarget: { value, valueAsNumber } }) => onChange({ [name]: value === '' ? undefined : amountFrom(name, valueAsNumber) })} />
          </label>
        ))}
      </div>
      <p class="muted field-note">Long conversations are shortened before they exceed the context. A limit in dollars requires both prices{endpoint.provider.reportsCost && ', or the costs that this service reports'}.</p>
    </details>
  );
}

/** One small call with these settings. */
function ConnectionTest({ endpoint, missing }: { endpoint: Endpoint; missing: string | null }) {
  const isAsking = useSignal(false);
  const result = useSignal<TestResult | null>(null);
  const newSignal = useSignalOfRequest();
  const test = async () => {
    const asking = newSignal();
    [isAsking.value, result.value] = [!isAsking.value, null];
    if (!isAsking.value) return;
    result.value = await testConnection(endpoint, asking).catch(() => null);
    isAsking.value = false;
  };
  const shown = result.value;
  return (
    <div class="connection-test">
      {/* One button, so that it keeps the focus. */}
      <button type="button" disabled={missing !== null} onClick={() => void test()}>{isAsking.value ? 'Stop the test' : 'Test connection'}</button>
      <p role="status" class={shown ? `test-result tone-${shown.tone}` : 'muted'}>
        {shown && <><Icon name={shown.tone === 'good' ? 'check' : 'warning'} /> {shown.text}</>}
        {!shown && (isAsking.value ? 'One small call …' : missing ?? 'Makes one small call.')}
      </p>
    </div>
  );
}

/** Returns a function for the signal of a new request, which aborts the last one. */
function useSignalOfRequest(): () => AbortSignal {
  const request = useRef(new AbortController());
  useEffect(() => () => request.current.abort(), []);
  return () => {
    request.current.abort();
    return (request.current = new AbortController()).signal;
  };
}
