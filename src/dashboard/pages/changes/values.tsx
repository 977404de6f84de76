import type { ConnectedShop } from '../../../core/ports/index.js';
import { toFieldNoun, toFieldWords } from '../../../core/issues/field_words.js';
import { capitalize, toState } from '../../../core/issues/words.js';
import { isReferenceField, listReferences } from '../../../core/listings/requests/shop_references.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { FileChange } from './files.js';
import { formatPrice } from '../../components/price.js';

export type Difference = { field: string; before?: unknown; after?: unknown };

/** Characters around the part of a long text that differs. */
const CONTEXT = 40;
const MOST_CHARS = 300;
/** Texts of up to this length are shown in full. */
const SHORT = 140;

/** Fields of a listing in one shop, before and after; of a new listing, only after. `shop`: undefined if it is no longer connected. */
export function Differences({
  diff,
  shop,
}: {
  diff: readonly Difference[];
  shop: ConnectedShop | undefined;
}) {
  if (diff.length === 0) return null;
  const isNew = diff.some(({ field, before }) => field === 'state' && before === null);
  return (
    <dl class="facts">
      {diff.map(({ field, before, after }) => (
        <>
          <dt>
            <Foreign text={capitalize(toFieldWords(field))} />
          </dt>
          <dd class="pre-line">
            {isNew ? (
              <Foreign text={toText(field, after, shop)} />
            ) : (
              <Change field={field} before={before} after={after} shop={shop} />
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

const FILES: ReadonlySet<string> = new Set(['images', 'videos', 'digital_files']);

function Change({ field, before, after, shop }: Difference & { shop: ConnectedShop | undefined }) {
  if (FILES.has(field) && isWords(before) && isWords(after)) {
    return <FileChange before={before} after={after} />;
  }
  if (isWords(before) && isWords(after)) {
    const added = after.filter((word) => !before.includes(word));
    const removed = before.filter((word) => !after.includes(word));
    if (added.length + removed.length > 0) {
      const lines = [
        ...(added.length > 0 ? [`Added: ${added.join(', ')}`] : []),
        ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
      ];
      return <Foreign text={lines.join('\n')} />;
    }
  }
  const [from, to] = narrow(toText(field, before, shop), toText(field, after, shop));
  return (
    <>
      <span class="visually-hidden">from </span>
      <Foreign text={from} />{' '}
      <strong>
        <Foreign text={`→ ${to}`} />
      </strong>
    </>
  );
}

/** The value of a field, in sellers' words. */
function toText(field: string, value: unknown, shop: ConnectedShop | undefined): string {
  const name = field.split('.').at(-1) ?? field;
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (name === 'price') return formatPrice(value, shop?.details.currency_code);
    if (!isReferenceField(name)) return String(value);
    const known = shop && listReferences(shop.lists, name).find(({ id }) => id === value);
    return known?.name ?? `number ${value}`;
  }
  if (typeof value === 'string') return name === 'state' ? capitalize(toState(value)) : value;
  if (isWords(value)) return value.length === 0 ? 'none' : value.join(', ');
  return Array.isArray(value) ? formatCount(value.length, toFieldNoun(name)) : 'other values';
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** For two long texts, the part that differs, without cutting off an added ending. */
export function narrow(before: string, after: string): [string, string] {
  if (before.length <= SHORT && after.length <= SHORT) return [before, after];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  const rest = Math.max(0, end - CONTEXT);
  const cut = (text: string) => {
    const part = text.slice(from, text.length - rest);
    const shown = part.length > MOST_CHARS ? `${part.slice(0, MOST_CHARS)}…` : part;
    return `${from > 0 ? '…' : ''}${shown}${rest > 0 ? '…' : ''}`;
  };
  return [cut(before), cut(after)];
}
