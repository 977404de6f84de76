import type { Issue } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import type { BatchRecord } from '../ports/index.js';

export function buildOverLimit(wanted: number, left: number): Issue {
  return { code: 'batch_activations_limit', at: 'batch_id', params: { wanted, left } };
}

export function buildRunning(batch_id: string): ServiceError {
  return new ServiceError('BATCH_RUNNING', { code: 'batch_running', params: { batch_id } });
}

export function buildExpired({ batch_id, status }: BatchRecord): ServiceError {
  const params = { batch_id, ...(status !== 'expired' && { status }) };
  return new ServiceError('BATCH_EXPIRED', { code: 'batch_over', params });
}

export function buildNeedlessStatus(at: string): Issue {
  return { code: 'select_status_needless', at, params: {} };
}

export function buildUnknownBatch(batch_id: string): ServiceError {
  return new ServiceError('BATCH_NOT_FOUND', {
    code: 'batch_not_found',
    params: { batch_id: batch_id.slice(0, 80) },
  });
}
