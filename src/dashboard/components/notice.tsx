import type { ComponentChildren } from 'preact';
import type { Refused } from '../../core/errors.js';
import { Foreign } from '../../pages/index.js';
import { describeRefusal } from '../words/refusals.js';

export type Tone = 'ok' | 'wait' | 'bad' | 'idle';

/** A message about the page's last action. Screen readers read an error out at once. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** An operation's refusal: its problems, a line each, and the fix. */
export function Refusal({ error }: { error: Refused }) {
  const { lines, hint } = describeRefusal(error);
  const [first = '', ...rest] = lines;
  return (
    <Notice tone="bad">
      {rest.length === 0 ? (
        <p>
          <Foreign text={first} />
        </p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line}>
              <Foreign text={line} />
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        <Foreign text={hint} />
      </p>
    </Notice>
  );
}
