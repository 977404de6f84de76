import type { FaultParams, MarketplaceParams } from '../../../schemas/issues/marketplace.js';
import { quoteAnswer, quoteForeign } from '../text/foreign.js';
import type { Words } from './words.js';

const NO_ANSWER = 'Etsy is not responding right now';
const OWN_FAULT = 'There is a problem with the computer that this service runs on';

export const MARKETPLACE_WORDS: Words<MarketplaceParams> = {
  grant_refused: {
    program: ({ answer }) => `The marketplace refused this shop's grant: ${quoteAnswer(answer)}.`,
    seller: () => 'Etsy no longer lets this service access the shop',
  },
  grant_lost: {
    program: ({ shop_id, shop_name }) =>
      `The marketplace no longer lets this service access shop ${shop_id} (${quoteForeign(shop_name)}).`,
    seller: ({ shop_name }) => `Etsy no longer lets this service access the shop ${quoteForeign(shop_name)}`,
  },
  marketplace_rate_limit: {
    program: ({ answer }) => `The marketplace's rate limit has been reached: ${quoteAnswer(answer)}.`,
    seller: () => 'Etsy is not accepting more requests right now',
  },
  marketplace_unreachable: {
    program: ({ answer }) => `The marketplace could not be reached: ${quoteAnswer(answer)}.`,
    seller: () => NO_ANSWER,
  },
  marketplace_fault: {
    program: ({ status, answer }) =>
      `The marketplace had an internal error. It answered ${status}: ${quoteAnswer(answer)}.`,
    seller: () => NO_ANSWER,
  },
  marketplace_refused: {
    program: ({ status, answer }) =>
      `The marketplace answered ${status ?? 'nothing'}: ${quoteAnswer(answer)}.`,
    seller: ({ answer }) =>
      answer.is_ours ? 'Etsy refused the request without a reason' : `Etsy said: ${quoteAnswer(answer)}`,
  },
  application_key_refused: {
    program: ({ answer }) => `The marketplace refused the application's key: ${quoteAnswer(answer)}.`,
    seller: ({ answer }) => `Etsy refused the application’s key: ${quoteAnswer(answer)}`,
  },
  application_missing: {
    program: () => 'No application is set up for calls to the marketplace.',
    seller: () => 'No Etsy application is set up for this shop',
  },
  tokens_held: {
    program: () => "The shop's access token cannot be refreshed right now.",
    seller: () => 'The shop cannot be reached right now',
  },
};

export const FAULT_WORDS: Words<FaultParams> = {
  disk_full: {
    program: () => "The disk that holds the service's data is full.",
    seller: () => 'This service is out of disk space',
  },
  data_forbidden: {
    program: () => 'The service has no permission to read or write its data folder.',
    seller: () => OWN_FAULT,
  },
  database_damaged: {
    program: () => "The service's database is damaged.",
    seller: () => OWN_FAULT,
  },
  database_locked: {
    program: () => "Another program has kept the service's database locked for too long.",
    seller: () => 'Another program has locked this service’s data',
  },
  database_silent: {
    program: () => "The service's database does not respond.",
    seller: () => 'This service’s database is not responding right now',
  },
  disk_broken: {
    program: () => "The disk that holds the service's data cannot be read or written.",
    seller: () => OWN_FAULT,
  },
  open_files_too_many: {
    program: () => 'The service has as many files open as the operating system allows.',
    seller: () => 'This service is overloaded right now',
  },
  bucket_refused: {
    program: () => 'The service has no permission to use the bucket that holds its files.',
    seller: () => OWN_FAULT,
  },
  bucket_missing: {
    program: () => "The bucket that holds the service's files does not exist.",
    seller: () => OWN_FAULT,
  },
  bucket_silent: {
    program: () => "The bucket that holds the service's files does not respond, or limits requests.",
    seller: () => 'This service’s file storage is not responding right now',
  },
  stored_file_damaged: {
    program: () => 'A stored file is missing or was changed.',
    seller: () => 'A stored file is missing or was changed. Upload it again',
  },
  internal: {
    program: () => 'Something went wrong inside the service.',
    seller: () => 'Something went wrong inside this service',
  },
};
