import { signal, useSignal } from '@preact/signals';
import { choice, choose, keepsKeys, keys } from '../../model/choice';
import { endpointOf, missingOf, nameOf, PROVIDERS, type Provider } from '../../model/providers';
import { hangNext } from '../../model/story/model';
import { isRunning } from '../../run/session';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { ConnectionTest } from './ConnectionTest';
import { EndpointFields } from './EndpointFields';

/** The dialog is open. */
export const modelDialog = signal(false);

/** The providers and the settings of the chosen one. Nothing changes until the user confirms. */
export function ModelDialog() {
  const draft = useSignal(choice.peek());
  const draftKeys = useSignal(keys.peek());
  const keep = useSignal(keepsKeys());
  const endpoint = endpointOf(draft.value, draftKeys.value);
  const missing = missingOf(endpoint);
  const { provider } = endpoint;
  const isScript = provider.api === 'script';
  const close = () => (modelDialog.value = false);
  const confirm = () => {
    choose(draft.value, draftKeys.value, keep.value);
    announce(`Model: ${nameOf(endpoint)}`);
    close();
  };
  return (
    <Dialog title="Model" kind="model-dialog" confirm="Use this model" blocked={missing !== null} onConfirm={confirm} onClose={close}>
      <div class="model-columns">
        <fieldset class="providers">
          <legend class="visually-hidden">Provider</legend>
          {PROVIDERS.map((each) => <ProviderChoice key={each.id} provider={each} checked={each === provider} onChoose={() => (draft.value = { ...draft.value, provider: each.id })} />)}
        </fieldset>
        <div class="model-fields">
          <p class="muted" id="provider-about">{provider.about}</p>
          {isScript ? <ScriptOptions /> : (
            <EndpointFields
              key={provider.id}
              endpoint={endpoint}
              missing={missing}
              keep={keep.value}
              onKeep={(kept) => (keep.value = kept)}
              onKey={(key) => (draftKeys.value = { ...draftKeys.value, [provider.id]: key })}
              onChange={(part) => {
                const { provider: _, apiKey: __, ...settings } = endpoint;
                draft.value = { ...draft.value, settings: { ...draft.value.settings, [provider.id]: { ...settings, ...part } } };
              }}
            />
          )}
        </div>
      </div>
      {/* A changed setting makes the last result void. */}
      {!isScript && <ConnectionTest key={JSON.stringify(endpoint)} endpoint={endpoint} missing={missing?.text ?? null} />}
      {isRunning.value && <p class="muted">The running task keeps its model.</p>}
    </Dialog>
  );
}

function ProviderChoice({ provider: { id, name }, checked, onChoose }: { provider: Provider; checked: boolean; onChoose(): void }) {
  return (
    <label class="provider">
      <input type="radio" name="provider" value={id} checked={checked} autofocus={checked} aria-describedby={checked ? 'provider-about' : undefined} onChange={onChoose} />
      {name}
    </label>
  );
}

function ScriptOptions() {
  return (
    <label class="check">
      <input type="checkbox" checked={hangNext.value} onChange={(event) => (hangNext.value = event.currentTarget.checked)} />
      Let the next call hang, to try Stop
    </label>
  );
}
