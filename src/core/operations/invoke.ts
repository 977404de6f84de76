import type { ErrorBody } from '../../../schemas/error.js';
import type { Issue } from '../../../schemas/issue.js';
import type { Core } from '../core.js';
import { ServiceError, toErrorBody } from '../errors.js';
import { writeWarnings } from '../issues/answers.js';
import { buildValidationError, type FoundIssue } from '../issues/issues.js';
import type { LimitState, Limits } from './limits.js';
import { buildReadOnly } from './read_only.js';
import type { AnswerFile, Call, Caller } from './call.js';
import type { Operation } from './operation.js';
import { parseInput } from './parse_input.js';
import type { Log } from '../ports/index.js';
import { toServiceError } from './service_error.js';
import {
  listRefused,
  listUnknownKeys,
  toWarnings,
  withSentNames,
  type UnknownKeys,
} from './unknown_keys/unknown_keys.js';

/** The outcome of a call, which each transport puts into its own form. */
export type Outcome =
  | { ok: true; status: number; output: unknown; file?: AnswerFile; limits: LimitState }
  | {
      ok: false;
      error: ErrorBody;
      /** The problems in the error's message, as data. */
      issues: readonly Issue[];
      retry_after_seconds: number | undefined;
      limits: LimitState | undefined;
    };

/** The input as received, or a way to read it: a body is only read once the caller's limits have let the call in. */
type RawInput = { value: unknown } | { read: (call: Call) => Promise<unknown> };

/**
 * An assistant on this computer calls several tools at once and cannot read Retry-After, so it waits for its turn instead.
 */
const LOCAL_PATIENCE_MS = 10_000;

/** The single entry point: every transport calls operations through it. Never throws. */
export type Invoke = (operation: Operation, raw: RawInput, call: Call) => Promise<Outcome>;

type GateOptions = {
  core: Core;
  limits: Limits;
  log: Log;
  /** Where error codes are explained; the code becomes the anchor. */
  docs_url: string;
  is_read_only: boolean;
};

export function createInvoke({ core, limits, log, docs_url, is_read_only }: GateOptions): Invoke {
  return async (operation, raw, call) => {
    let state: LimitState | undefined;
    try {
      requireCredential(operation, call);
      state = await passLimits(limits, call.caller);
      requireRead(operation, call.caller);
      const output = await run(operation, await readInput(raw, call), call);
      const file = takesFile(call) ? await operation.file?.read(core, output, call) : undefined;
      const status = operation.status?.(output) ?? 200;
      return { ok: true, status, output, ...(file && { file }), limits: state };
    } catch (cause) {
      return buildFailure(operation, cause, { state, call });
    }
  };

  function requireRead({ id, effect }: Operation, { restriction }: Caller): void {
    if (effect === 'read') return;
    if (is_read_only) throw buildReadOnly(id);
    if (restriction) throw buildReadOnly(id, restriction);
  }

  async function run(operation: Operation, value: unknown, call: Call): Promise<unknown> {
    const parsed = parseInput(operation.input, value);
    const { revived } = parsed;
    const unknown = listUnknownKeys(operation.input, revived, operation.unknown_keys);
    const refused = listRefused(unknown, revived, operation.unknown_keys);
    if (!parsed.ok || refused.length > 0) {
      const issues = [...(parsed.ok ? [] : parsed.issues), ...refused];
      return withSentNamesOnFailure(unknown, () => refuse(operation, { revived, issues }, call));
    }
    // Throws if the operation's result does not match its output schema.
    const answer = async (): Promise<unknown> =>
      operation.output.parse(await operation.run(core, parsed.input, call));
    const warnings = toWarnings(unknown);
    if (warnings.length === 0) return answer();
    call.warnings = warnings;
    return withSentNamesOnFailure(unknown, async () => withWarnings(await answer(), writeWarnings(warnings)));
  }

  async function refuse(
    operation: Operation,
    { revived, issues }: { revived: unknown; issues: readonly FoundIssue[] },
    call: Call,
  ): Promise<never> {
    throw buildValidationError((await operation.explain?.(core, revived, issues, call)) ?? issues);
  }

  function buildFailure(
    operation: Operation,
    cause: unknown,
    { state, call: { signal } }: { state: LimitState | undefined; call: Call },
  ): Outcome {
    const error = toServiceError(cause);
    // Work that stops because the caller has gone throws the signal's reason.
    const hasStopped = signal?.aborted === true && cause === signal.reason;
    if (error.status === 500 && !hasStopped) {
      log.error('operation failed', {
        operation: operation.id,
        code: error.code,
        error: error.cause ?? error,
      });
    }
    return {
      ok: false,
      error: toErrorBody(error, docs_url),
      issues: error.issues,
      retry_after_seconds: error.retry_after_seconds,
      limits: state,
    };
  }
}

/** If a required field is missing, the message names the unknown key that it was probably sent as. */
async function withSentNamesOnFailure<Result>(
  unknown: UnknownKeys,
  answer: () => Promise<Result>,
): Promise<Result> {
  try {
    return await answer();
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'VALIDATION_FAILED') throw cause;
    throw buildValidationError(withSentNames(cause.issues, unknown), cause.hint);
  }
}

/** The other faces get a URL or a path in the answer. */
function takesFile({ face }: Call): boolean {
  return face === 'rest' || face === 'dashboard';
}

async function readInput(raw: RawInput, call: Call): Promise<unknown> {
  return 'read' in raw ? raw.read(call) : raw.value;
}

/** Every answer is an object with a field for them (requestWarnings). */
function withWarnings(output: unknown, warnings: readonly unknown[]): unknown {
  const { warnings: own = [], ...rest } = output as { warnings?: readonly unknown[] };
  return { ...rest, warnings: [...own, ...warnings] };
}

function passLimits(limits: Limits, { account_id, credential }: Caller): Promise<LimitState> {
  if (credential === 'session') return limits.peek(account_id);
  return limits.take(account_id, credential === 'local' ? LOCAL_PATIENCE_MS : 0);
}

function requireCredential(operation: Operation, call: Call): void {
  if (call.face === 'rest' && operation.auth === 'key' && call.caller.credential === 'token') {
    throw new ServiceError('UNAUTHORIZED', {
      code: 'api_key_required',
      params: { operation_id: operation.id },
    });
  }
}
