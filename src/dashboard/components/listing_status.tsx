import type { ListingStatus } from '../../../schemas/listing.js';
import { Badge } from './badge.js';
import type { Tone } from './notice.js';

/** Where a listing stands, in a seller's words. */
export const STATUS_WORDS: Record<ListingStatus, { tone: Tone; word: string; sentence: string }> = {
  draft: { tone: 'idle', word: 'Saved here', sentence: 'Nothing is on the marketplace yet.' },
  processing: { tone: 'wait', word: 'At work', sentence: 'It is being put on the marketplace now.' },
  published: {
    tone: 'ok',
    word: 'Draft in shops',
    sentence: 'Buyers do not see it yet, and nothing has been paid.',
  },
  active: { tone: 'ok', word: 'Live', sentence: 'Buyers can see and order it.' },
  incomplete: { tone: 'bad', word: 'Unfinished', sentence: 'Something is missing in at least one shop.' },
};

export function StatusBadge({ status }: { status: ListingStatus }) {
  const { tone, word } = STATUS_WORDS[status];
  return <Badge tone={tone}>{word}</Badge>;
}
