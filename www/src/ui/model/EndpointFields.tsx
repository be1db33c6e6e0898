import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listModels, type ListedModel } from '../../model/list';
import { amountFrom, missingOf, type Amount, type Endpoint, type Field, type Settings } from '../../model/providers';

const AMOUNT_FIELDS: ReadonlyArray<{ name: Amount; label: string }> = [
  { name: 'contextTokens', label: 'Context, tokens' },
  { name: 'maxCostUsd', label: 'Stop a run at, $' },
  { name: 'inputPerMillion', label: 'Input, $ per million tokens' },
  { name: 'outputPerMillion', label: 'Output, $ per million tokens' },
];

interface EndpointFieldsProps {
  endpoint: Endpoint;
  missing: { field: Field; text: string } | null;
  keep: boolean;
  onChange(part: Partial<Settings>): void;
  onKey(key: string): void;
  onKeep(keep: boolean): void;
}

export function EndpointFields({ endpoint, missing, keep, onChange, onKey, onKeep }: EndpointFieldsProps) {
  const { provider, baseUrl, apiKey } = endpoint;
  const isRequired = provider.needsKey && baseUrl === provider.baseUrl;
  return (
    <>
      <label>
        Address
        <input type="url" value={baseUrl} placeholder="http://localhost:8000/v1" aria-invalid={missing?.field === 'baseUrl'} onInput={(event) => onChange({ baseUrl: event.currentTarget.value })} />
      </label>
      <label>
        Key{!isRequired && ' (optional)'}
        <input type="password" value={apiKey} autocomplete="off" aria-describedby="key-note" onInput={(event) => onKey(event.currentTarget.value)} />
      </label>
      <label class="check">
        <input type="checkbox" checked={keep} onChange={(event) => onKeep(event.currentTarget.checked)} />
        Keep the key for this tab
      </label>
      <p class="muted field-note" id="key-note">The key is sent to the address above only. {keep ? 'It is kept until this tab is closed.' : 'A reload forgets it.'}</p>
      <ModelField endpoint={endpoint} onChange={onChange} />
      <details class="amounts" open={missing?.field === 'inputPerMillion'} onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}>
        <summary>Context size, prices and limit</summary>
        <div class="amount-fields">
          {AMOUNT_FIELDS.map(({ name, label }) => (
            <label key={name}>
              {label}
              <AmountInput name={name} value={endpoint[name]} onAmount={(value) => onChange({ [name]: value })} />
            </label>
          ))}
        </div>
        <p class="muted field-note">Long conversations are shortened before they exceed the context. A limit in dollars requires both prices{provider.reportsCost && ', or the costs that this service reports'}.</p>
      </details>
    </>
  );
}

interface AmountInputProps {
  name: Amount;
  value: number | undefined;
  onAmount(value: number | undefined): void;
}

/** The user's text stays while it has the same amount: `0` means no limit, and is the start of `0.5`. */
function AmountInput({ name, value, onAmount }: AmountInputProps) {
  const typed = useSignal('');
  const amountOf = (text: string) => amountFrom(name, text === '' ? undefined : Number(text));
  const type = (text: string) => {
    typed.value = text;
    onAmount(amountOf(text));
  };
  const shown = amountOf(typed.value) === value ? typed.value : (value ?? '');
  return <input type="number" inputMode="decimal" min={0} step="any" placeholder="not set" value={shown} onInput={(event) => type(event.currentTarget.value)} />;
}

interface Listing {
  /** The server and the key of the list. */
  of: string;
  models: ListedModel[];
  note: string;
}

/** Suggests the models of the server, which are listed when the user comes to the field. */
function ModelField({ endpoint, onChange }: { endpoint: Endpoint; onChange(part: Partial<Settings>): void }) {
  const { provider, baseUrl, apiKey, model } = endpoint;
  const of = `${baseUrl} ${apiKey}`;
  const listing = useSignal<Listing | null>(null);
  const asking = useSignal<AbortController | null>(null);
  useEffect(() => () => asking.peek()?.abort(), []);
  const canList = missingOf({ ...endpoint, model: '' })?.field === 'model';
  const known = listing.value?.of === of ? listing.value : null;
  const list = async () => {
    if (!canList || known) return;
    asking.peek()?.abort();
    const { signal } = (asking.value = new AbortController());
    listing.value = { of, models: [], note: 'Listing the models …' };
    try {
      const models = await listModels(endpoint, signal);
      listing.value = { of, models, note: models.length ? `${models.length} ${models.length === 1 ? 'model is' : 'models are'} suggested.` : 'The server lists no models. Enter the name.' };
    } catch {
      if (!signal.aborted) listing.value = { of, models: [], note: 'The models cannot be listed. Enter the name, and test the connection.' };
    }
  };
  /** The amounts belong to a model, so that those of another one are void. */
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
      <p class="muted field-note" id="models-note" role="status">{known?.note ?? (canList ? 'The names are suggested from the list of the server.' : 'Enter the address and the key first.')}</p>
    </>
  );
}
