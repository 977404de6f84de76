import type { ConnectedShop } from '../../core/ports/index.js';
import type { OwnVisit } from '../page.js';
import { BRING_IN, PREFIX } from '../routes.js';

/** Imports at first may come before the first change. */
const LOOKED_AT = 25;

type FirstStep = { what: string; why: string; href: string; way: string; isDone: boolean };

const TO_REAL_SHOP = '/docs/sellers#from-the-sandbox-to-a-real-shop';

/** The steps of a seller's first day; none once all are done, which they never are in the sandbox. */
export async function listFirstSteps(
  { core, account_id, is_sandbox }: Pick<OwnVisit, 'core' | 'account_id' | 'is_sandbox'>,
  { shops, hasListings }: { shops: readonly ConnectedShop[]; hasListings: boolean },
): Promise<FirstStep[]> {
  const [first] = shops;
  const { items } = await core.listings.listChanges(account_id, { limit: LOOKED_AT, offset: 0 });
  const hasChanged = items.some(
    (change) => change.kind === 'batch' || (change.job.kind !== 'import' && change.job.kind !== 'publish'),
  );
  const steps: FirstStep[] = [
    {
      what: 'Connect a shop',
      why: 'You sign in to Etsy as the shop’s owner. Your password stays there.',
      href: `${PREFIX}/shops`,
      way: 'Connect a shop',
      isDone: first !== undefined,
    },
    {
      what: 'Bring in its listings, or make a new one',
      why: 'Bringing in copies listings and photos to this service. Nothing changes on Etsy.',
      href: BRING_IN,
      way: 'Bring in',
      isDone: hasListings,
    },
    {
      what: 'Change one thing',
      why: 'You review the difference before anything is saved to Etsy, and can undo it.',
      href: `${PREFIX}/listings`,
      way: 'Choose a listing',
      isDone: hasChanged,
    },
    ...(is_sandbox
      ? [
          {
            what: 'Go on with your own shop',
            why: 'The shops here are made up, for practice. Your own shop has a data folder of its own.',
            href: TO_REAL_SHOP,
            way: 'Read how',
            isDone: false,
          },
        ]
      : []),
  ];
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

/** Of the steps that are not done, the first is emphasized. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  if (steps.length === 0) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section class="stack">
      <h2>Get started</h2>
      <ol class="needs">
        {steps.map((step) => (
          <li key={step.what} class="card">
            <div class="stack tight">
              <p>
                <strong>{step.what}</strong>
              </p>
              <p class="note">{step.isDone ? 'Done' : step.why}</p>
            </div>
            {!step.isDone && (
              <a class={step === next ? 'button' : 'button quiet'} href={step.href}>
                {step.way}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
