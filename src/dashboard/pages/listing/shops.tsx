import type { Fact } from '../../../../schemas/issue.js';
import type { ShopResult, Warning } from '../../../../schemas/job.js';
import type { ShopStanding } from '../../../../schemas/listing.js';
import type { ConnectedShop } from '../../../core/ports/index.js';
import { Foreign } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { formatPrice, formatPrices } from '../../components/price.js';
import { STATE_WORDS, StateBadge, StateNote } from '../../components/shop_state.js';
import { Warnings } from '../../components/warnings.js';
import { toFieldWords } from '../../../core/issues/field_words.js';
import { isSameFact } from '../../../core/issues/issues.js';
import { renderFactForSeller, writeText } from '../../../core/issues/render.js';
import { toMoney } from '../changes/words.js';
import { isSkipped, toResultWord } from '../changes/jobs/words.js';
import type { Framing } from '../../page.js';
import type { NamesById } from '../../shop_names.js';
import type { Detail } from './detail.js';
import type { Currencies } from './product/price_words.js';
import { Edited } from './edited/edited.js';
import { toStepWords } from './course/steps.js';

type Props = {
  visit: Framing;
  detail: Detail;
  connected: readonly ConnectedShop[];
  names: NamesById;
  currencies: Currencies;
  now: Date;
};

/** The listing's state in each shop, and its problems there. */
export function Shops({ visit, detail, connected, names, currencies, now }: Props) {
  const { request, results, history } = detail;
  const common = listCommonWarnings(results);
  return (
    <section class="stack">
      <h2>{request.shops.length === 1 ? 'Shop' : 'Shops'}</h2>
      {detail.shops.map((standing) => {
        const { shop_id } = standing;
        const result = results.find((known) => known.shop_id === shop_id);
        const own = result?.warnings?.filter((warning) => !common.some((other) => isSame(warning, other)));
        return (
          <ShopCard
            key={shop_id}
            visit={visit}
            listing={detail}
            shop={connected.find((known) => String(known.shop_id) === shop_id)}
            shop_name={names.get(shop_id)?.shop_name ?? result?.shop_name ?? `Shop ${shop_id}`}
            currency_code={currencies.get(shop_id)}
            result={result}
            standing={standing}
            fee={history.fees.find((paid) => paid.shop_id === shop_id)?.cost_usd}
            now={now}
            warnings={withoutPast(own ?? [], [standing])}
          />
        );
      })}
      <Warnings warnings={withoutPast([...detail.warnings, ...common], detail.shops)} />
    </section>
  );
}

/**
 * A note about a default applies until the listing is active: from then on, the listing has the chosen
 * values.
 */
function withoutPast(warnings: readonly Warning[], shops: readonly ShopStanding[]): Warning[] {
  const isOpen = shops.some(({ state }) => state === null || state === 'draft');
  return warnings.filter(({ level }) => isOpen || level !== 'note');
}

type CardProps = {
  visit: Framing;
  listing: Detail;
  /** Undefined if it is no longer connected. */
  shop: ConnectedShop | undefined;
  shop_name: string;
  currency_code: string | undefined;
  /** Results of the last job that published it. */
  result: ShopResult | undefined;
  /** The last sighting. */
  standing: Detail['shops'][number];
  /** Fees paid in it so far, in USD. */
  fee: number | undefined;
  now: Date;
  /** The shop's own warnings, not those of all shops. */
  warnings: readonly Warning[];
};

function ShopCard({
  visit,
  listing,
  shop,
  shop_name,
  currency_code,
  result,
  standing,
  fee,
  now,
  warnings,
}: CardProps) {
  const isThere = standing.state !== 'removed' && standing.state !== 'gone';
  const listing_url = isThere ? (result?.listing_url ?? result?.details?.listing_url) : undefined;
  const price = formatPrices([{ ...standing, currency_code }]);
  return (
    <div class="card">
      <div class="row between">
        <h3>
          <Foreign text={shop_name} />
        </h3>
        <ResultBadge result={result} state={standing.state} />
      </div>
      <StateNote shop={standing} now={now} />
      {price !== undefined && <p class="number">{price}</p>}
      {result?.error !== undefined && <Failure error={result.error} details={result.details} />}
      {standing.differs && <Edited visit={visit} listing={listing} standing={standing} shop={shop} />}
      {standing.pending && <Pending pending={standing.pending} currency_code={currency_code} />}
      {listing_url !== undefined && (
        <p>
          <ForeignLink href={listing_url}>View it on the marketplace</ForeignLink>
        </p>
      )}
      {fee !== undefined && <p class="note">Fee paid: {toMoney(fee)}</p>}
      <Warnings warnings={warnings.filter(({ reason }) => !isFailure(reason, result))} />
    </div>
  );
}

/** Whether the warning repeats the reason why the shop failed. */
function isFailure(reason: Fact, result: ShopResult | undefined): boolean {
  return result?.error !== undefined && isSameFact(reason, result.error);
}

/** A failed job is shown first; otherwise the last sighting, which takes precedence over a job's result. */
function ResultBadge({ result, state }: { result: ShopResult | undefined; state: ShopStanding['state'] }) {
  if (result?.status === 'error' && (state === null || state === 'draft')) {
    const { tone, word } = toResultWord(result);
    return <Badge tone={tone}>{word}</Badge>;
  }
  if (result?.status === 'processing') return <Badge tone="wait">In progress</Badge>;
  if (state !== null) return <StateBadge state={state} />;
  if (!result) return <Badge tone="idle">Not there yet</Badge>;
  return <Badge tone="idle">{result.activated ? 'Published' : STATE_WORDS.draft.word}</Badge>;
}

/** Values that the marketplace does not accept while the listing is sold out. */
function Pending({
  pending,
  currency_code,
}: {
  pending: NonNullable<Detail['shops'][number]['pending']>;
  currency_code: string | undefined;
}) {
  return (
    <div class="notice" data-tone="wait">
      <p>
        <strong>Waiting for stock:</strong>
      </p>
      <ul>
        {pending.map(({ field, before, after }) => (
          <li key={field}>
            {toFieldWords(field)}: <Foreign text={toText(field, after, currency_code)} />, now{' '}
            <Foreign text={toText(field, before, currency_code)} />
          </li>
        ))}
      </ul>
      <p class="note">
        Etsy takes these once the listing has stock. They are saved before it becomes active again.
      </p>
    </div>
  );
}

const MOST_CHARS = 140;

function toText(field: string, value: unknown, currency_code: string | undefined): string {
  if (typeof value === 'number' && field.endsWith('price')) return formatPrice(value, currency_code);
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}

/** Why it stopped, as a sentence; `error` quotes the marketplace. */
function Failure({ error, details }: { error: Fact; details: ShopResult['details'] }) {
  return (
    <div class="notice" data-tone={isSkipped({ error }) ? 'idle' : 'bad'}>
      {!isSkipped({ error }) && (
        <p>
          <strong>{details ? `It stopped while ${toStepWords(details.step).doing}.` : 'It stopped.'}</strong>
        </p>
      )}
      <p>
        <Foreign text={writeText(renderFactForSeller(error))} />
      </p>
    </div>
  );
}

/** Warnings that are the same for all shops are shown once. */
function listCommonWarnings(results: readonly ShopResult[]): Warning[] {
  const [first, ...rest] = results;
  if (!first || rest.length === 0) return [];
  return (first.warnings ?? []).filter((warning) =>
    rest.every(({ warnings = [] }) => warnings.some((other) => isSame(warning, other))),
  );
}

function isSame(a: Warning, b: Warning): boolean {
  return a.code === b.code && isSameFact(a.reason, b.reason);
}
