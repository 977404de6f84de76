import type { Tone } from './notice.js';

/** A state in one word; the color only repeats it. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}
