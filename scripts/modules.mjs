// Prints the raw bytes of the binary's functions by module, before wasm-bindgen. With the path of another binary, also the difference.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const BINARY = fileURLToPath(new URL('../target/wasm32-unknown-unknown/release/loopgate.wasm', import.meta.url));
/** Modules with fewer bytes are one row. */
const SHOWN = 8_192;

/** The size of each function of a wasm binary, with its name from the name section. */
export function functions(bytes) {
  const view = { at: 8 };
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[view.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const text = () => {
    const length = number();
    view.at += length;
    return new TextDecoder().decode(bytes.subarray(view.at - length, view.at));
  };
  const sizes = [];
  const names = new Map();
  const IMPORTS = 2;
  const CODE = 10;
  const CUSTOM = 0;
  let imported = 0;
  while (view.at < bytes.length) {
    const id = bytes[view.at++];
    const size = number();
    const end = view.at + size;
    if (id === IMPORTS) imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(({ kind }) => kind === 'function').length;
    if (id === CODE) {
      for (let left = number(); left > 0; left--) {
        const body = number();
        sizes.push(body);
        view.at += body;
      }
    }
    if (id === CUSTOM && text() === 'name') {
      while (view.at < end) {
        const kind = bytes[view.at++];
        const length = number();
        const next = view.at + length;
        if (kind === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
        view.at = next;
      }
    }
    view.at = end;
  }
  return sizes.map((size, index) => ({ size, name: names.get(index + imported) ?? '' }));
}

/** The module of a mangled name: two levels of this crate, else the crate. */
export function moduleOf(name) {
  const own = /8loopgate((?:\d+[a-z_]\w*?(?=\d|E|C|N|$)){1,2})/.exec(name) ?? /loopgate\.\.(\w+)(?:\.\.(\w+))?/.exec(name);
  if (own) {
    const path = own[2] === undefined && /^\d/.test(own[1]) ? segments(own[1]) : own.slice(1).filter(Boolean);
    return ['loopgate', ...path.slice(0, 2)].join('::');
  }
  return segments(name.replace(/^_ZN/, ''))[0]?.replace(/^_?\$LT\$(&|\$RF\$)?(\w+)\.\..*/, '$2').slice(0, 30) ?? 'unnamed';
}

/** The identifiers of a mangled path: each has its length before it. */
function segments(path) {
  const found = [];
  for (let rest = path; ; ) {
    const [, length] = /^(\d+)/.exec(rest) ?? [];
    if (length === undefined) return found;
    found.push(rest.slice(length.length, length.length + Number(length)));
    rest = rest.slice(length.length + Number(length));
  }
}

/** The bytes of each module, the largest first; the small ones and all of them are rows of their own. */
export function table(list) {
  const totals = new Map();
  for (const { size, name } of list) totals.set(moduleOf(name), (totals.get(moduleOf(name)) ?? 0) + size);
  const rows = [...totals].sort(([, a], [, b]) => b - a);
  const sum = (some) => some.reduce((total, [, size]) => total + size, 0);
  return new Map([...rows.filter(([, size]) => size >= SHOWN), ['other modules', sum(rows.filter(([, size]) => size < SHOWN))], ['all functions', sum(rows)]]);
}

function main() {
  const [now, before] = [BINARY, argv[2]].map((path) => path && table(functions(readFileSync(path))));
  for (const [module, size] of now) {
    const change = before ? size - (before.get(module) ?? 0) : 0;
    console.log(`${String(size).padStart(9)}  ${module}${change === 0 ? '' : `  ${change > 0 ? '+' : ''}${change}`}`);
  }
}

if (import.meta.url === pathToFileURL(argv[1]).href) main();
