import type { ListingSummary } from '../../../schemas/listing.js';
import type { ConnectedShop } from '../../core/ports/index.js';
import type { OwnVisit } from '../page.js';
import { BRING_IN, PREFIX, toListingPath } from '../routes.js';

/** There may be imports before the first change. */
const LOOKED_AT = 25;

/** `ways`: where it is done; the first is the usual one. */
type FirstStep = { what: string; why: string; ways: { href: string; label: string }[]; isDone: boolean };

/** `recent`: the listings that were changed last. */
type FirstDay = { shops: readonly ConnectedShop[]; recent: readonly ListingSummary[]; hasListings: boolean };

const TO_REAL_SHOP = '/docs/sellers#from-the-sandbox-to-a-real-shop';

/** The steps of a seller's first day; none once all are done, which never happens in the sandbox. */
export async function listFirstSteps(
  { core, account_id, is_sandbox }: Pick<OwnVisit, 'core' | 'account_id' | 'is_sandbox'>,
  { shops, recent, hasListings }: FirstDay,
): Promise<FirstStep[]> {
  const inShop = recent.find((listing) => listing.shops.some(({ listing_id }) => listing_id !== null));
  const page = { limit: LOOKED_AT, offset: 0 };
  const [{ items }, { batches }] = await Promise.all([
    core.listings.listChanges(account_id, page),
    core.batches.list(account_id, page),
  ]);
  const hasChanged =
    batches.some(({ started_at }) => started_at !== null) ||
    items.some(
      (change) => change.kind === 'job' && change.job.kind !== 'import' && change.job.kind !== 'publish',
    );
  const steps: FirstStep[] = [
    {
      what: 'Connect a shop',
      why: 'You sign in to Etsy as the shop’s owner. Your password stays there.',
      ways: [{ href: `${PREFIX}/shops`, label: 'Connect a shop' }],
      isDone: shops.length > 0,
    },
    {
      what: 'Bring in the listings of your shops, or make a new one',
      why: 'Bringing in copies listings and photos to this service. Nothing changes on Etsy.',
      ways: [
        { href: BRING_IN, label: 'Bring in' },
        { href: `${PREFIX}/listings/new`, label: 'Make a new one' },
      ],
      isDone: hasListings,
    },
    {
      what: 'Change one thing',
      why: 'You review the difference before anything is saved to Etsy, and can undo it.',
      ways: [
        inShop
          ? { href: `${toListingPath(inShop.listing_pk)}/edit`, label: 'Edit a listing' }
          : { href: `${PREFIX}/listings`, label: 'Choose a listing' },
      ],
      isDone: hasChanged,
    },
    ...(is_sandbox
      ? [
          {
            what: 'Continue with your own shop',
            why: 'The shops here are made up, for practice. The guide shows how to connect your own shop separately.',
            ways: [{ href: TO_REAL_SHOP, label: 'Read how' }],
            isDone: false,
          },
        ]
      : []),
  ];
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

/** The first step that is not done is emphasized; those that are done are folded away. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  if (steps.length === 0) return null;
  const open = steps.filter(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone);
  return (
    <section class="stack">
      <h2>Get started</h2>
      <ol class="needs">
        {open.map((step, place) => (
          <li key={step.what} class="card">
            <div class="stack tight">
              <p>
                <strong>{step.what}</strong>
              </p>
              <p class="note">{step.why}</p>
            </div>
            <div class="row">
              {step.ways.map(({ href, label }, way) => (
                <a class={place === 0 && way === 0 ? 'button' : 'button quiet'} href={href} key={href}>
                  {label}
                </a>
              ))}
            </div>
          </li>
        ))}
      </ol>
      {done.length > 0 && (
        <details>
          <summary>
            Done: {done.length} of {steps.length}
          </summary>
          <ul>
            {done.map(({ what }) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
