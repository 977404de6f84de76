import type { z } from 'zod/v3';
import type { ErrorCode } from '../../../schemas/error.js';
import type { AnswerFile, Bounds, Call } from './call.js';
import type { Core } from '../core.js';
import type { Issue } from '../../../schemas/issue.js';
import type { FoundIssue } from '../issues/issues.js';
import type { UnknownKeyRules } from './unknown_keys/unknown_keys.js';

/** The effect of a call on the account's data; MCP's hints are derived from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under /api/v1, with {parameters} named after input fields. */
  path: `/${string}`;
  /** The type of the request's body; none for GET and DELETE. */
  body?: 'json' | 'multipart';
};

/** A call as a caller would make it, and its answer: shown in every description, and run by the tests. */
export type Example<Input, Output> = {
  summary: string;
  input: Input;
  output: Output;
  /** Values inside the input that only an earlier answer can provide, by the shell variable that represents them. */
  taken?: Readonly<Record<string, TakenValue>>;
};

/** `value` is in the input; callers find theirs in `field` of the answer of operation `from`. */
export type TakenValue = { value: string; from: string; field: string };

type OperationDefinition<Input extends z.ZodTypeAny, Output extends z.ZodTypeAny> = {
  /** Tool name, operationId and file name. */
  id: string;
  route: Route;
  effect: Effect;
  /** Whether it talks to anything outside this service. */
  reach: 'marketplace' | 'service' | 'receiver';
  /**
   * `own`: no answer contains text from the marketplace. Left out: some may, and each answer warns assistants that such text
   * is data.
   */
  words?: 'own';
  /** `key`: over REST, only an API key. `key_or_token`: also a bearer token. */
  auth: 'key' | 'key_or_token';
  tag: 'Listing Builder' | 'Batches' | 'Stores' | 'Categories' | 'Images & Media' | 'Search' | 'Webhooks';
  title: string;
  description: string;
  input: Input;
  output: Output;
  bounds?: Bounds;
  /**
   * Shortens tools/list; the documents have everything. `input`: fields that are shown with only the names of their members.
   * `output`: the only fields of the answer that are shown, since another operation answers the same. `bare`: fields without
   * members, since another operation takes the same.
   */
  outlined?: {
    input?: readonly string[];
    bare?: readonly string[];
    output?: readonly (keyof z.output<Output> & string)[];
  };
  unknown_keys?: UnknownKeyRules;
  /** Codes it can answer in addition to those that every operation can (see SHARED_ERRORS). */
  errors: readonly ErrorCode[];
  examples: readonly Example<z.input<Input>, z.output<Output>>[];
  /** HTTP status of a success; default: 200. */
  status?: (output: z.output<Output>) => number;
  /** Over REST, a success is this file; its warnings go into a header. */
  file?: {
    types: readonly string[];
    read: (core: Core, output: z.output<Output>, call: Call) => Promise<AnswerFile>;
  };
  /** Headers of a success over REST, such as Cache-Control. */
  headers?: Readonly<Record<string, string>>;
  /** Called if the input does not fit its schema; returns all problems in one list, including those the schema found. */
  explain?: (core: Core, raw: unknown, found: readonly FoundIssue[], call: Call) => Promise<readonly Issue[]>;
  /** Its result is parsed with `output` before it becomes the answer. */
  run: (core: Core, input: z.output<Input>, call: Call) => Promise<z.input<Output>>;
};

/** An operation as the transports see it: one object of the ordered list in tools/index.ts. */
export type Operation = Readonly<OperationDefinition<z.ZodTypeAny, z.ZodTypeAny>>;

/** Codes that any operation can answer; an operation that changes something can also answer READ_ONLY. */
export const SHARED_ERRORS = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'UNSUPPORTED_CONTENT',
  'UNAUTHORIZED',
  'RATE_LIMIT_SECOND',
  'RATE_LIMIT_DAY',
  'INTERNAL',
] as const satisfies readonly ErrorCode[];

/** Every code that the operation can answer, once each. The tests check that no other code leaves `invoke`. */
export function listErrors({ effect, errors }: Pick<Operation, 'effect' | 'errors'>): ErrorCode[] {
  const own = effect === 'read' ? errors : [...errors, 'READ_ONLY' as const];
  return [...new Set([...SHARED_ERRORS, ...own])];
}

/** Gives the definition its types; the list of operations does not keep them. */
export function defineOperation<Input extends z.ZodTypeAny, Output extends z.ZodTypeAny>(
  definition: OperationDefinition<Input, Output>,
): Operation {
  return definition as Operation;
}
