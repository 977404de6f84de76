import type { ErrorCode } from '../../schemas/error.js';
import type { Call } from '../core/operations/call.js';
import type { Service } from './service.js';

/** One call of an operation that has been answered. */
export type RecordedCall = {
  operation: string;
  face: Call['face'];
  caller: Call['caller'];
  /** Undefined for a success. */
  code: ErrorCode | undefined;
  duration_ms: number;
};

/** The same service, that tells of every call. */
export function recordCalls(service: Service, onAnswered: (call: RecordedCall) => void): Service {
  return {
    ...service,
    async invoke(operation, raw, call) {
      const started_ms = service.clock.now().getTime();
      const outcome = await service.invoke(operation, raw, call);
      onAnswered({
        operation: operation.id,
        face: call.face,
        caller: call.caller,
        code: outcome.ok ? undefined : outcome.error.error.code,
        duration_ms: service.clock.now().getTime() - started_ms,
      });
      return outcome;
    },
  };
}
