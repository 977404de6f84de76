import type { ErrorCode } from '../../schemas/error.js';
import type { Call } from '../core/operations/call.js';
import type { Service } from './service.js';

/** One completed call of an operation. */
export type RecordedCall = {
  operation: string;
  face: Call['face'];
  caller: Call['caller'];
  /** Undefined for a success. */
  code: ErrorCode | undefined;
  duration_ms: number;
};

/** The same service, reporting every call. */
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
