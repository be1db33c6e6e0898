import { endpoint, modelError, modelKind, type ModelKind } from '../model/choice';
import { hangNext } from '../model/story/model';

export function ModelSettings() {
  return (
    <details class="model-settings" open={modelKind.value === 'openai'}>
      <summary>
        Model: <strong>{modelKind.value === 'scripted' ? 'Scripted (demo), not an AI' : endpoint.value.model || 'OpenAI-compatible'}</strong>
      </summary>
      <fieldset>
        <legend class="visually-hidden">Model</legend>
        <Choice kind="scripted" label="Scripted model (demo)">
          Plays the story chosen above, with typical mistakes of agents. It is not an AI and does not understand your task: it always follows
          the story.
        </Choice>
        <Choice kind="openai" label="OpenAI-compatible">
          A real model, called from this page. Its server must allow that (CORS).
        </Choice>
      </fieldset>
      {modelKind.value === 'scripted' ? <ScriptOptions /> : <Endpoint />}
    </details>
  );
}

function Choice({ kind, label, children }: { kind: ModelKind; label: string; children: string | string[] }) {
  const choose = () => {
    modelKind.value = kind;
    modelError.value = null;
  };
  return (
    <div class="choice">
      <input type="radio" id={`model-${kind}`} name="model" checked={modelKind.value === kind} onChange={choose} aria-describedby={`model-${kind}-about`} />
      <label for={`model-${kind}`}>{label}</label>
      <p class="muted" id={`model-${kind}-about`}>{children}</p>
    </div>
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

function Endpoint() {
  const set = (part: Partial<typeof endpoint.value>) => (endpoint.value = { ...endpoint.value, ...part });
  const { baseUrl, apiKey, model } = endpoint.value;
  return (
    <div class="endpoint">
      <label>
        Address
        <input type="url" value={baseUrl} placeholder="https://api.openai.com/v1" onInput={(event) => set({ baseUrl: event.currentTarget.value })} />
      </label>
      <label>
        Key
        <input type="password" value={apiKey} autocomplete="off" aria-describedby="key-note" onInput={(event) => set({ apiKey: event.currentTarget.value })} />
      </label>
      <label>
        Model
        <input type="text" value={model} placeholder="The model's name on the server" onInput={(event) => set({ model: event.currentTarget.value })} />
      </label>
      <p class="muted" id="key-note">The key is only sent to the address above. It is not stored, and a reload forgets it.</p>
    </div>
  );
}
