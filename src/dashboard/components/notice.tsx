import type { ComponentChildren } from 'preact';
import type { Refused } from '../../core/ports/index.js';
import { Foreign } from '../../pages/index.js';
import { listPlaces } from '../words/places.js';
import { describeRefusal } from '../words/refusals.js';

export type Tone = 'ok' | 'wait' | 'bad' | 'idle';

/** A message about the page's last action. Screen readers read an error out immediately. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** The problems of the submitted form, one per line. */
export function Problems({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Notice tone="bad">
      <ul>
        {[...new Set(lines)].map((line) => (
          <li key={line}>
            <Foreign text={line} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/**
 * An operation's refusal: its problems, one per line, and the next step.
 * @param placed fields of the form that show their own problems
 */
export function Refusal({ error, placed }: { error: Refused; placed?: readonly string[] }) {
  const { lines, hint } = describeRefusal(error, placed);
  const [first, ...rest] = lines;
  return (
    <Notice tone="bad">
      {rest.length === 0 ? (
        first !== undefined && (
          <p>
            <Foreign text={first} />
          </p>
        )
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
      {listPlaces(error.issues ?? []).map(({ path, name }) => (
        <p key={path}>
          <a href={path}>
            To <Foreign text={name} />
          </a>
        </p>
      ))}
    </Notice>
  );
}
