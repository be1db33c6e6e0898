import { answerOf } from './answer.js';
import { fields, knownFields, object, optionalText, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { Config, ConfigExplanation, ConfigLayer, Host, PolicyCall, PolicyExplanation } from './types/index.js';

/**
 * Merges the layers of the configuration: `global` is YAML text (a browser has no home directory), then the project's
 * `.handoff/config.yaml`, then `spec`, an object with the nested shape of the YAML. Mappings merge, lists replace each other,
 * except `policy` and `guard.deny`, which add to each other; `null` inherits. Rejects with `invalid-config` and the place of an invalid value; with `lenient`, for views, an invalid layer
 * is left out with a warning.
 */
export function loadConfig(host: Pick<Host, 'fs' | 'dir'>, options: { global?: string; spec?: ConfigLayer; lenient?: boolean } = {}): Promise<Config> {
  return answerOf(() => {
    const { fs, dir } = fields(host, 'host', 'fs', 'dir');
    const { global, spec, lenient } = knownFields(options, 'options', 'global', 'spec', 'lenient');
    return wasm().loadConfig(fs, dir, optionalText(global, 'global'), spec ?? null, Boolean(lenient));
  });
}

/** The value of a dotted key such as `defaults.maxIterations` or `rules[0]`, and where it is set. Throws `not-found` for an unknown key. */
export function explainConfig(config: Config, key: string): ConfigExplanation {
  const { explainConfig } = wasm();
  const { values, origins } = fields(config, 'config', 'values', 'origins');
  text(key, 'key');
  try {
    return JSON.parse(explainConfig({ values, origins }, key)) as ConfigExplanation;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * Which rule allows or denies this call, and where it is written. `rule` is the key of the configuration's rule, such as `policy[0]`,
 * or the name of the harness's own; `default` if none fits. The default of `role` is `builder`, the default of `phase` the role's phase. Without `path` and `command`, the answer is about
 * the tool itself: a path may still be denied.
 * `options` are the layers beside the project's file, as for `loadConfig`. Of `host.tools`, `readOnly` is read; without `host.git`, nothing that a command writes is undone.
 */
export async function explainPolicy(
  host: Pick<Host, 'fs' | 'dir' | 'tools' | 'git'>,
  call: PolicyCall,
  options: { global?: string; spec?: ConfigLayer } = {},
): Promise<PolicyExplanation> {
  const { fs, dir, tools, git } = fields(host, 'host', 'fs', 'dir', 'tools', 'git');
  const asked = object(call, 'call');
  const { values, origins } = await loadConfig(host, options);
  const own = tools?.find((own) => own.name === asked.tool);
  return answerOf(async () => wasm().explainPolicy(fs, dir, { values, origins }, { ...asked, readOnly: own?.readOnly === true, hasGit: git !== undefined }));
}

/**
 * Sets values in `.handoff/config.yaml`; `null` removes a key. Everything else in the file stays, comments and unknown keys
 * included. A change that is invalid rejects with `invalid-config` and writes nothing.
 */
export async function saveConfig(host: Pick<Host, 'fs' | 'dir'>, changes: ConfigLayer): Promise<void> {
  await answerOf(() => {
    const { fs, dir } = fields(host, 'host', 'fs', 'dir');
    return wasm().saveConfig(fs, dir, object(changes, 'changes'));
  });
}
