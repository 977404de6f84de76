import type { ListingStatus } from '../../../schemas/listing.js';
import type { Tone } from './notice.js';

/** The status of a listing, in sellers' words. */
export const STATUS_WORDS: Record<ListingStatus, { tone: Tone; word: string; sentence: string }> = {
  draft: { tone: 'idle', word: 'Saved here', sentence: 'Nothing is on Etsy yet.' },
  processing: { tone: 'wait', word: 'In progress', sentence: 'It is being saved to Etsy now.' },
  published: {
    tone: 'ok',
    word: 'Draft on Etsy',
    sentence: 'Buyers do not see it yet, and nothing has been paid.',
  },
  active: { tone: 'idle', word: 'Published', sentence: 'Its state in the shops is not known yet.' },
  given_up: { tone: 'idle', word: 'Abandoned', sentence: 'It stays unchanged, and is not in your lists.' },
  incomplete: { tone: 'bad', word: 'Unfinished', sentence: 'Something is missing in at least one shop.' },
};
