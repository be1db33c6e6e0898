import { pullRequest } from '../../chunks/approval';
import type { ChunkSpec } from '../../chunks/spec';

/** What a run handed over, or the draft that an earlier run left. */
export function PullRequest({ spec: { id, draft } }: { spec: ChunkSpec }) {
  const handed = pullRequest.value?.branch === `spec/${id}` ? pullRequest.value : null;
  if (!handed && draft === null) return null;
  return (
    <section class="chunks-section pull-request" aria-labelledby="pull-request-heading">
      <h3 id="pull-request-heading">Pull request{handed && <span class="muted"> {handed.branch} → {handed.base}: {handed.title}</span>}</h3>
      <pre tabIndex={0}>{handed?.body ?? draft}</pre>
    </section>
  );
}
