import { Foreign, Time } from '../../../../pages/index.js';
import type { Detail } from '../detail.js';
import type { Outcomes } from './outcomes.js';
import { listEntries } from './timeline_entries.js';

const MAX_NAMES = 3;

/** The history of the listing, with times. */
export function Timeline({ detail, outcomes }: { detail: Detail; outcomes: Outcomes }) {
  return (
    <section class="stack">
      <h2>What was done</h2>
      <ol class="timeline">
        {listEntries(detail, outcomes).map(({ at, what, shop_names, is_bad, href }) => (
          <li key={at + what} data-tone={is_bad ? 'bad' : undefined}>
            <p>
              {href === undefined ? <Foreign text={what} /> : <a href={href}>{what}</a>}
              <Where shop_names={shop_names} />
            </p>
            <p class="note">
              <Time at={at} is_exact />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Where({ shop_names }: { shop_names: readonly string[] }) {
  if (shop_names.length === 0) return null;
  if (shop_names.length > MAX_NAMES) return <> in {shop_names.length} shops</>;
  return (
    <>
      {shop_names.map((name, index) => (
        <>
          {index === 0 ? ' in ' : ', '}
          <Foreign text={name} />
        </>
      ))}
    </>
  );
}
