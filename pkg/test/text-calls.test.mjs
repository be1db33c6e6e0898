// Calls that a model writes as text: nothing is run, the agent is told so, and the text is no claim that the work is done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { notes, parsed, project, task } from './project.mjs';

const FORMS = {
  "DeepSeek's marks": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n```json\n{"path":"other.md","content":"Buy milk.\\n"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  "DeepSeek's DSML": '<｜DSML｜function_calls><｜DSML｜invoke name="write_file"><｜DSML｜parameter name="path" string="true">other.md</｜DSML｜parameter><｜DSML｜parameter name="content" string="true">Buy milk.\n</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
  harmony: '<|start|>assistant<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{"path":"other.md","content":"Buy milk."}<|call|>',
  "Llama's python tag": '<|python_tag|>write_file.call(path="other.md", content="Buy milk.")',
  "Cline's XML": '<write_to_file>\n<path>other.md</path>\n<content>\nBuy milk.\n</content>\n</write_to_file>',
  'XML of our own tool': '<write_file>\n<path>other.md</path>\n<content>Buy milk.</content>\n</write_file>',
  'tags of bolt': '<boltArtifact id="notes" title="Notes"><boltAction type="file" filePath="other.md">Buy milk.</boltAction></boltArtifact>',
  'tags of dyad': '<dyad-write path="other.md" description="Notes">\nBuy milk.\n</dyad-write>',
};

for (const [form, text] of Object.entries(FORMS)) {
  test(`a call in the form of ${form} is not run and no claim`, async () => {
    const { host, model, read } = await project({ turns: [{ text }, ...notes] });
    const result = await runLoop({ ...host, work: { ...task(), parsed } }).result;
    assert.equal(result.reason, 'done', result.message);
    assert.deepEqual([read('other.md'), read('notes.md')], [null, 'notes']);
    assert.match(model.requests[1].messages.at(-1).content, /You wrote a tool call as text\. Nothing was run/);
  });
}
