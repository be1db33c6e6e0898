/** Finds syntax errors, including those that Sucrase and Rollup accept, such as `<h1>…</h2>`. */
import type { BuildMessage } from 'loopgate';

/** The syntax errors of a script or JSON file; empty for other files. */
export async function syntaxErrors(path: string, text: string): Promise<BuildMessage[]> {
  if (path.endsWith('.json')) return jsonErrors(path, text);
  if (!/\.[jt]sx?$/.test(path)) return [];
  const { parse } = await import('@babel/parser');
  const plugins = /\.tsx?$/.test(path) ? (['typescript', ...(path.endsWith('x') ? (['jsx'] as const) : [])] as const) : (['jsx'] as const);
  try {
    const { errors } = parse(text, { sourceType: 'module', plugins: [...plugins], errorRecovery: true });
    return (errors ?? []).map((error) => message(path, error as unknown as BabelError));
  } catch (error) {
    return [message(path, error as BabelError)];
  }
}

interface BabelError {
  message: string;
  /** `column` counts from 0. */
  loc: { line: number; column: number };
}

function message(file: string, error: BabelError): BuildMessage {
  return { message: error.message.replace(/ \(\d+:\d+\)$/, ''), file, line: error.loc.line, column: error.loc.column + 1 };
}

function jsonErrors(file: string, text: string): BuildMessage[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [{ message: (error as Error).message, file }];
  }
}
