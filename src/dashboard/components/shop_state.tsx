import type { ListingSummary, ShopStanding } from '../../../schemas/listing.js';
import { Time } from '../../pages/index.js';
import { describeAge } from './age.js';
import { Badge } from './badge.js';
import { STATUS_WORDS } from './listing_status.js';
import type { Tone } from './notice.js';

type State = NonNullable<ShopStanding['state']>;

/**
 * A state that was last seen longer ago is shown with a note that it may have changed (source: the
 * marketplace's terms).
 */
const OLD_MS = 6 * 60 * 60_000;

/** The state of a listing in a shop, in sellers' words. */
export const STATE_WORDS: Record<State, { tone: Tone; word: string }> = {
  draft: { tone: 'idle', word: 'Draft on Etsy' },
  active: { tone: 'ok', word: 'Active' },
  inactive: { tone: 'wait', word: 'Inactive' },
  sold_out: { tone: 'wait', word: 'Sold out' },
  expired: { tone: 'bad', word: 'Expired' },
  removed: { tone: 'bad', word: 'Removed' },
  gone: { tone: 'bad', word: 'Not found in the shop' },
};

export function StateBadge({ state }: { state: State }) {
  const { tone, word } = STATE_WORDS[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** When the state was last seen, and until when it lasts. */
export function StateNote({ shop, now }: { shop: ShopStanding; now: Date }) {
  const { state, seen_at, ends_at } = shop;
  if (state === null || seen_at === null) return null;
  const isOld = now.getTime() - Date.parse(seen_at) > OLD_MS;
  return (
    <p class="note">
      {state === 'expired' && ends_at !== null && (
        <>
          Expired on <Time at={ends_at} />.{' '}
        </>
      )}
      Checked {describeAge(seen_at, now)}
      {isOld && '; it may have changed since'}.
      {state === 'active' && ends_at !== null && (
        <>
          {' '}
          Expires <Time at={ends_at} />.
        </>
      )}
    </p>
  );
}

/** `checked`: the time since the last sighting, in the shop where it is longest ago. */
type Standing = { tone: Tone; word: string; sentence: string; checked?: string };

/** The combined state of a listing in its shops, from sightings since it was activated, with their age. */
export function describeListing(
  { status, shops }: Pick<ListingSummary, 'status' | 'shops'>,
  now: Date,
): Standing {
  const words = STATUS_WORDS[status];
  const there = shops.flatMap(({ state, seen_at }) =>
    state === null || state === 'draft' || seen_at === null ? [] : [{ state, seen_at }],
  );
  const [first] = there;
  if (!first || status === 'processing' || (status === 'incomplete' && there.length < shops.length))
    return words;
  const live = there.filter(({ state }) => state === 'active').length;
  const oldest = there.map(({ seen_at }) => seen_at).sort()[0] ?? first.seen_at;
  const checked = describeAge(oldest, now);
  if (live === shops.length) {
    return { ...STATE_WORDS.active, sentence: `Buyers can see and order it. Checked ${checked}.`, checked };
  }
  if (live > 0) {
    const word = `Active in ${live} of ${shops.length} shops`;
    return {
      tone: 'wait',
      word,
      sentence: `Buyers do not see it in all of its shops. Checked ${checked}.`,
      checked,
    };
  }
  const isSame = there.length === shops.length && there.every(({ state }) => state === first.state);
  const { tone, word } = isSame ? STATE_WORDS[first.state] : ({ tone: 'wait', word: 'Not active' } as const);
  return { tone, word, sentence: `Buyers cannot order it. Checked ${checked}.`, checked };
}
