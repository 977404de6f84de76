import { operations } from '../../../.build/tools/index.js';

/** Calls a service in this process, through the same gate as every call. Throws if a call is refused. */
export function toInvoke(app, account_id) {
  const call = { caller: { account_id, credential: 'key' }, face: 'rest' };
  return async (id, input) => {
    const operation = operations.find((one) => one.id === id);
    const outcome = await app.service.invoke(operation, { value: input }, call);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
    return outcome.output;
  };
}
