import { z } from 'zod/v3';

/** Every code that a caller can receive. Clients branch on it; core/errors.ts maps the codes to HTTP statuses. */
export const ERROR_CODES = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'UNSUPPORTED_CONTENT',
  'FILE_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_RECONNECT_REQUIRED',
  'ACTIVATION_DECLINED',
  'NOT_DELETABLE',
  'LISTING_BUSY',
  'ALREADY_IN_SHOP',
  'NOTHING_TO_UNDO',
  'BATCH_EXPIRED',
  'BATCH_RUNNING',
  'BATCH_TOO_LARGE',
  'SHEET_INVALID',
  'WEBHOOK_NOT_CONFIGURED',
  'PAYLOAD_EXPIRED',
  'QUOTA_EXCEEDED',
  'READ_ONLY',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'STORE_NOT_FOUND',
  'JOB_NOT_FOUND',
  'BATCH_NOT_FOUND',
  'LISTING_NOT_FOUND',
  'CATEGORY_NOT_FOUND',
  'DELIVERY_NOT_FOUND',
  'RATE_LIMIT_SECOND',
  'RATE_LIMIT_DAY',
  'MARKETPLACE_RATE_LIMIT',
  'INTERNAL',
  'MARKETPLACE_UNAVAILABLE',
  'MARKETPLACE_ERROR',
] as const;

export const errorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof errorCode>;

/** The body of every failure, over every transport: a single key whose value has exactly these five. */
export const errorBody = z.object({
  error: z.object({
    code: errorCode,
    status: z.number().int(),
    message: z
      .string()
      .describe('What is wrong. One line per problem, each beginning with the path of its field.'),
    hint: z.string().describe('What to do about it.'),
    docs: z.string().describe('A URL that explains the code.'),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;
