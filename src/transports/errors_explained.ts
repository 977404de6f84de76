import type { ErrorCode } from '../../schemas/error.js';

type Explanation = {
  /** When a caller meets the code, as a whole sentence or more. */
  when: string;
  /** A message as it is really written. */
  example: string;
};

/** The documentation's text for each code, beside the hint that every answer carries. */
export const ERRORS_EXPLAINED = {
  VALIDATION_FAILED: {
    when: 'Something in the request is wrong. The message has a line for every problem, each beginning with the path of its field. Nothing was saved, sent or counted as a key, so the corrected request can be sent again as it is.',
    example:
      'shops[0].shop_section_id: section 9 was not found in that shop\nlisting.tags[3]: has 23 characters; at most 20',
  },
  INVALID_JSON: {
    when: 'The body could not be read as JSON: it is malformed, too large, not UTF-8, nested too deeply, has too many keys or values or a key twice in one object, or it broke off.',
    example: 'The body is not valid JSON, near character 17.',
  },
  UNSUPPORTED_CONTENT: {
    when: 'The Content-Type, the Content-Encoding or the multipart boundary is none that the operation takes.',
    example: 'The Content-Type must be application/json in UTF-8.',
  },
  FILE_TOO_LARGE: {
    when: 'An uploaded file has more than 100 MB. Nothing of it is kept.',
    example: 'file: has more than 100 MB.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The idempotency_key belongs to another request of the last 30 days: the body differs from the one that it was first sent with.',
    example: 'idempotency_key: came before with another body.',
  },
  STORE_RECONNECT_REQUIRED: {
    when: 'The seller took the permission back on the marketplace, or it ran out. Nothing can be done in that shop until it is connected again.',
    example: 'The marketplace no longer lets this service act for shop 48213377 (ClayAndOak).',
  },
  ACTIVATION_DECLINED: {
    when: 'The person was asked whether to pay for putting listings live, and said no or did not answer in time.',
    example: 'The fee was declined. Nothing was created.',
  },
  NOT_DELETABLE: {
    when: 'The saved listing has something on the marketplace, or a job works on it. This service never deletes what is on the marketplace.',
    example: 'Listing 1 is on the marketplace, or on its way there.',
  },
  LISTING_BUSY: {
    when: 'A job changes or publishes this listing at this moment.',
    example: 'Job job_1 still changes this listing; ask listing_create_status for it, then call again.',
  },
  ALREADY_IN_SHOP: {
    when: 'A listing was to be copied to, or imported for, a shop in which it stands already.',
    example: 'shops[0].shop_id: shop 731204418 has this listing already (listing 1700000001).',
  },
  NOTHING_TO_UNDO: {
    when: 'The listing has no update that could be taken back, or that job changed nothing.',
    example: 'Listing 1 has no update that changed something.',
  },
  WEBHOOK_NOT_CONFIGURED: {
    when: 'There is no destination to send to, or it is switched off.',
    example: 'No webhook destination is set.',
  },
  PAYLOAD_EXPIRED: {
    when: 'What was sent is no longer kept, so it cannot be sent again.',
    example: 'The payload of delivery 1 is no longer kept.',
  },
  QUOTA_EXCEEDED: {
    when: 'The account has as many saved drafts, or as many bytes of drafts or uploads, as it may have. Nothing of the request was kept. The dashboard shows how much is used.',
    example: 'The account has 20,000 saved drafts, as many as it may have.',
  },
  READ_ONLY: {
    when: 'The operation changes something, and the server was started with READ_ONLY or --read-only, the API key was made with --read-only, or the access token has the scope read alone.',
    example: 'listing_create changes things, and this server runs read-only.',
  },
  UNAUTHORIZED: {
    when: 'The request has no credentials, wrong ones, ones that have expired, or a bearer token where the operation takes only a key.',
    example: 'The API key is unknown, mistyped, or revoked.',
  },
  NOT_FOUND: {
    when: 'No operation has this method and path.',
    example: 'There is no GET /api/v1/shops.',
  },
  STORE_NOT_FOUND: {
    when: 'The shop in the path is not connected to the account.',
    example: 'Shop 1 is not connected to this account.',
  },
  JOB_NOT_FOUND: {
    when: 'The account has no such job.',
    example: 'There is no job with this id.',
  },
  LISTING_NOT_FOUND: {
    when: 'The account has no such saved listing.',
    example: 'There is no listing 99.',
  },
  CATEGORY_NOT_FOUND: {
    when: 'The marketplace has no such category, or sells nothing in it any more.',
    example: 'The marketplace has no category 1.',
  },
  DELIVERY_NOT_FOUND: {
    when: 'The account has no such delivery.',
    example: 'There is no delivery 99.',
  },
  RATE_LIMIT_SECOND: {
    when: 'The account called more often in a second than it may, or an address tried too many wrong credentials. The refused call is not counted. Also when the service reads as many requests, or fetches as many files, as it may at a time: the message says so then.',
    example: 'More than 2 requests in one second.',
  },
  RATE_LIMIT_DAY: {
    when: 'The account used up its calls of 24 hours, counted from the first of them. The refused call is not counted.',
    example: 'More than 5000 requests in 24 hours.',
  },
  MARKETPLACE_RATE_LIMIT: {
    when: "The marketplace's own limit is reached. It holds for all shops of the same application at the marketplace together.",
    example: 'The marketplace\'s limit is reached: "Too many requests".',
  },
  INTERNAL: {
    when: 'A fault of this service. What happened is in its log, and nothing of it in the answer.',
    example: 'Something went wrong inside the service.',
  },
  MARKETPLACE_UNAVAILABLE: {
    when: 'The marketplace did not answer, broke off, or answered that it cannot now. A listing job looks for what it may have made before it tries again.',
    example: 'The marketplace could not be reached: "the connection was refused".',
  },
  MARKETPLACE_ERROR: {
    when: 'The marketplace refused what should have been right. Its own words are quoted in the message.',
    example: 'The marketplace answered 403: "Insufficient privileges".',
  },
} as const satisfies Record<ErrorCode, Explanation>;
