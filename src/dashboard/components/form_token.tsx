import type { Framing } from '../page.js';

/** In every form of a signed-in person: a POST without it is refused. */
export function FormToken({ visit }: { visit: Pick<Framing, 'csrf_token'> }) {
  return <input type="hidden" name="csrf_token" value={visit.csrf_token} />;
}
