import { announcement } from './announce';

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </div>
  );
}
