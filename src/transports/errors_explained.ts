import type { ErrorCode } from '../../schemas/error.js';
import type { Issue, Fact } from '../../schemas/issue.js';

type Explanation = {
  /** When a caller meets the code, in one sentence or more. */
  when: string;
  /** Problems that an error with this code may list. */
  example: Fact | readonly Issue[];
};

const ANSWER = { is_ours: false };

/** The documentation's text for each code, in addition to the hint in every error. */
export const ERRORS_EXPLAINED: Record<ErrorCode, Explanation> = {
  VALIDATION_FAILED: {
    when: 'Something in the request is wrong. The message has a line for every problem, each beginning with the path of its field. Nothing was saved, sent, or counted as a key, so the corrected request can be sent again.',
    example: [
      {
        code: 'reference_unknown',
        at: 'shops[0].shop_section_id',
        params: {
          field: 'shop_section_id',
          id: 9,
          shop_name: 'ClayAndOak',
          choices: [{ id: 12, name: 'Mugs' }],
          is_fresh: true,
        },
      },
      { code: 'text_too_long', at: 'listing.tags[3]', params: { chars: 23, most: 20 } },
    ],
  },
  INVALID_JSON: {
    when: 'The body could not be read as JSON: it is malformed, incomplete, too large, not UTF-8, nested too deeply, has too many keys or values, or has the same key twice in one object.',
    example: { code: 'json_invalid', params: { position: 17 } },
  },
  UNSUPPORTED_CONTENT: {
    when: 'The operation does not accept the Content-Type, the Content-Encoding, or the multipart boundary.',
    example: { code: 'content_type_wrong', params: { expected: 'json' } },
  },
  FILE_TOO_LARGE: {
    when: 'An uploaded file is larger than 100 MB. Nothing of it is kept.',
    example: [{ code: 'file_too_large', at: 'file', params: { megabytes: 100 } }],
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The idempotency_key belongs to another request of the last 30 days: the body differs from the one that it was first sent with.',
    example: [{ code: 'idempotency_key_reused', at: 'idempotency_key', params: {} }],
  },
  STORE_RECONNECT_REQUIRED: {
    when: 'The seller revoked the permission on the marketplace, or it expired. Nothing can be done in that shop until it is connected again.',
    example: { code: 'grant_lost', params: { shop_id: 48213377, shop_name: 'ClayAndOak' } },
  },
  ACTIVATION_DECLINED: {
    when: 'The person was asked whether to pay for activating listings, and declined or did not answer in time.',
    example: { code: 'fee_declined', params: { because: 'declined' } },
  },
  NOT_DELETABLE: {
    when: 'The saved listing has something on the marketplace, or a job is working on it. This service never deletes anything on the marketplace.',
    example: { code: 'listing_not_deletable', params: { listing_pk: 1 } },
  },
  LISTING_BUSY: {
    when: 'A job is changing or publishing this listing.',
    example: { code: 'listing_busy', params: { job_id: 'job_1' } },
  },
  ALREADY_IN_SHOP: {
    when: 'A listing was to be copied to, or imported for, a shop that already has it.',
    example: [
      {
        code: 'already_in_shop',
        at: 'shops[0].shop_id',
        params: { shop_id: 48213377, shop_name: 'ClayAndOak', listing_pk: 1 },
      },
    ],
  },
  NOTHING_TO_UNDO: {
    when: 'The listing has no update that could be undone, or that job changed nothing.',
    example: { code: 'undo_nothing', params: { listing_pk: 1, in_shops: false } },
  },
  BATCH_EXPIRED: {
    when: 'The plan of a batch is older than 24 hours, or the batch was canceled or failed.',
    example: { code: 'batch_over', params: { batch_id: 'batch_1' } },
  },
  BATCH_RUNNING: {
    when: 'The batch is still being planned or carried out, or an undo of it has not finished.',
    example: { code: 'batch_running', params: { batch_id: 'batch_1' } },
  },
  BATCH_TOO_LARGE: {
    when: 'A selection matches more than 1,000 listings, or a sheet has more than 10,000 rows.',
    example: [{ code: 'batch_too_large', at: 'select.filter', params: { count: 1_204, most: 1_000 } }],
  },
  SHEET_INVALID: {
    when: 'An uploaded sheet cannot be read, or none of its rows is of an export of the account.',
    example: [{ code: 'sheet_rows_unknown', at: 'sheet', params: { rows: [2, 3], more: 0 } }],
  },
  WEBHOOK_NOT_CONFIGURED: {
    when: 'There is no webhook destination, or it is switched off.',
    example: { code: 'destination_missing', params: {} },
  },
  PAYLOAD_EXPIRED: {
    when: 'The payload is no longer kept, so it cannot be sent again.',
    example: { code: 'payload_expired', params: { delivery_id: 1 } },
  },
  QUOTA_EXCEEDED: {
    when: 'The account has reached its maximum of saved drafts, of bytes of drafts or uploads, of open batch plans, or of sheet exports. Nothing of the request was kept. The dashboard shows the usage.',
    example: { code: 'quota_drafts', params: { most: 20_000 } },
  },
  READ_ONLY: {
    when: 'The operation makes changes, and the server was started with READ_ONLY or --read-only, the API key was made with --read-only, or the access token has only the scope read.',
    example: { code: 'read_only', params: { operation_id: 'listing_create', by: { of: 'server' } } },
  },
  UNAUTHORIZED: {
    when: 'The request has no credentials, wrong or expired ones, or a bearer token where the operation accepts only a key.',
    example: { code: 'api_key_invalid', params: {} },
  },
  NOT_FOUND: {
    when: 'No operation has this method and path.',
    example: { code: 'route_not_found', params: { method: 'GET', path: '/api/v1/shops', instead: [] } },
  },
  STORE_NOT_FOUND: {
    when: 'The shop in the path is not connected to the account.',
    example: {
      code: 'shop_not_found',
      params: { shop_id: 1, connected: [{ id: 48213377, name: 'ClayAndOak' }] },
    },
  },
  BATCH_NOT_FOUND: {
    when: 'The account has no such batch, or it is older than 90 days.',
    example: { code: 'batch_not_found', params: { batch_id: 'batch_1' } },
  },
  JOB_NOT_FOUND: {
    when: 'The account has no such job.',
    example: { code: 'job_not_found', params: { latest: [{ id: 'job_1', name: 'Mug' }] } },
  },
  LISTING_NOT_FOUND: {
    when: 'The account has no such saved listing.',
    example: {
      code: 'listing_not_found',
      params: { listing_pk: 99, newest: [{ id: 1, name: 'Mug' }], total: 1 },
    },
  },
  CATEGORY_NOT_FOUND: {
    when: 'The marketplace has no such category, or no longer sells anything in it.',
    example: { code: 'category_not_found', params: { category_id: 1 } },
  },
  DELIVERY_NOT_FOUND: {
    when: 'The account has no such delivery.',
    example: {
      code: 'delivery_not_found',
      params: { delivery_id: 99, newest: [{ id: 1, name: 'order.paid, success' }], total: 1 },
    },
  },
  RATE_LIMIT_SECOND: {
    when: 'The account called more often in a second than it may, or an address tried too many wrong credentials. The refused call is not counted. Also when the service is reading as many requests, or fetching as many files, as it can: the message then says so.',
    example: { code: 'calls_too_many', params: { most: 2, window: 'second' } },
  },
  RATE_LIMIT_DAY: {
    when: 'The account used up its calls for 24 hours, counted from the first of them. The refused call is not counted.',
    example: { code: 'calls_too_many', params: { most: 5_000, window: 'day' } },
  },
  MARKETPLACE_RATE_LIMIT: {
    when: "The marketplace's own limit is reached. All shops of the same application at the marketplace share it.",
    example: {
      code: 'marketplace_rate_limit',
      params: { answer: { ...ANSWER, message: 'Too many requests' } },
    },
  },
  INTERNAL: {
    when: 'A fault of this service. The log says what happened; the answer does not.',
    example: { code: 'internal', params: {} },
  },
  MARKETPLACE_UNAVAILABLE: {
    when: 'The marketplace did not answer, closed the connection, or answered that it is unavailable. Before a listing job tries again, it searches for anything that it may already have created.',
    example: {
      code: 'marketplace_unreachable',
      params: { answer: { ...ANSWER, message: 'the connection was refused' } },
    },
  },
  MARKETPLACE_ERROR: {
    when: 'The marketplace refused a request that should have been valid. The message quotes its answer.',
    example: {
      code: 'marketplace_refused',
      params: { status: 403, answer: { ...ANSWER, message: 'Insufficient privileges' } },
    },
  },
};
