import type { ShopResult, Warning } from '../../../../schemas/job.js';
import type { ShopStanding } from '../../../../schemas/listing.js';
import { Foreign } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { STATE_WORDS, StateBadge, StateNote } from '../../components/shop_state.js';
import { Warnings } from '../../components/warnings.js';
import { toFieldWords } from '../../words/fields.js';
import { toSellerSentence } from '../../words/sentences.js';
import type { NamesById, ShopIdentity } from '../../shop_names.js';
import type { Detail } from './detail.js';
import { describeShopPrice } from './product/price_words.js';
import { toStepWords } from './course/steps.js';

/** The listing's state in each shop, and its problems there. */
export function Shops({ detail, names, now }: { detail: Detail; names: NamesById; now: Date }) {
  const { request, results } = detail;
  const common = listCommonWarnings(results);
  return (
    <section class="stack">
      <h2>{request.shops.length === 1 ? 'Shop' : 'Shops'}</h2>
      {request.shops.map((target) => {
        const shop_id = String(target.shop_id);
        const result = results.find((known) => known.shop_id === shop_id);
        return (
          <ShopCard
            key={shop_id}
            shop_id={shop_id}
            identity={names.get(shop_id)}
            price={describeShopPrice(
              request,
              target.price,
              result?.currency_code ?? names.get(shop_id)?.currency_code,
            )}
            result={result}
            standing={detail.shops.find((shop) => shop.shop_id === shop_id)}
            now={now}
            common={common}
          />
        );
      })}
      <Warnings warnings={[...detail.warnings, ...common]} />
    </section>
  );
}

type CardProps = {
  shop_id: string;
  /** Undefined when the shop is not connected any more. */
  identity: ShopIdentity | undefined;
  price: string | undefined;
  /** Results of the last job that published it. */
  result: ShopResult | undefined;
  /** The last sightings. */
  standing: Detail['shops'][number] | undefined;
  now: Date;
  common: readonly Warning[];
};

function ShopCard({ shop_id, identity, price, result, standing, now, common }: CardProps) {
  const listing_url = result?.listing_url ?? result?.details?.listing_url;
  const warnings = (result?.warnings ?? []).filter((own) => !common.some((other) => isSame(own, other)));
  return (
    <div class="card">
      <div class="row between">
        <h3>
          <Foreign text={identity?.shop_name ?? result?.shop_name ?? `Shop ${shop_id}`} />
        </h3>
        <ResultBadge result={result} state={standing?.state ?? null} />
      </div>
      {standing && <StateNote shop={standing} now={now} />}
      {price !== undefined && <p class="number">{price}</p>}
      {result?.error !== undefined && <Failure result={result} />}
      {standing?.differs && <Differs differs={standing.differs} />}
      {listing_url !== undefined && (
        <p>
          <ForeignLink href={listing_url}>View it on the marketplace</ForeignLink>
        </p>
      )}
      {result?.activation_cost_usd !== undefined && result.activation_cost_usd > 0 && (
        <p class="note">Fee paid: {result.activation_cost_usd.toFixed(2)} USD</p>
      )}
      <Warnings warnings={warnings} />
    </div>
  );
}

/** A job that failed is shown first; else the last sighting, which counts for more than a job's result. */
function ResultBadge({ result, state }: { result: ShopResult | undefined; state: ShopStanding['state'] }) {
  if (result?.status === 'error' && (state === null || state === 'draft'))
    return <Badge tone="bad">Failed</Badge>;
  if (result?.status === 'processing') return <Badge tone="wait">In progress</Badge>;
  if (state !== null) return <StateBadge state={state} />;
  if (!result) return <Badge tone="idle">Not there yet</Badge>;
  return <Badge tone="idle">{result.activated ? 'Published' : STATE_WORDS.draft.word}</Badge>;
}

/** Fields that were edited in the shop by hand. */
function Differs({ differs }: { differs: NonNullable<Detail['shops'][number]['differs']> }) {
  return (
    <div class="notice" data-tone="wait">
      <p>
        <strong>The shop’s version differs from the one saved here:</strong>
      </p>
      <ul>
        {differs.map(({ field, theirs }) => (
          <li key={field}>
            {toFieldWords(field)}: <Foreign text={toText(theirs)} />
          </li>
        ))}
      </ul>
      <p class="note">
        Your assistant can save the shop’s version here, or replace it with the one saved here.
      </p>
    </div>
  );
}

const MOST_CHARS = 140;

function toText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}

/** Why it stopped, in words; `error` quotes the marketplace. */
function Failure({ result }: { result: ShopResult }) {
  const { error = '', details } = result;
  return (
    <div class="notice" data-tone="bad">
      <p>
        <strong>{details ? `It stopped while ${toStepWords(details.step).doing}.` : 'It stopped.'}</strong>
      </p>
      <p>
        <Foreign text={toSellerSentence(error)} />
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
  return a.code === b.code && a.reason === b.reason;
}
