import type { Tone } from './notice.js';

/** A state in a word; the colour only repeats it. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}
