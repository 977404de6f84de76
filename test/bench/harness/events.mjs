/** Sent in one round. */
export const EVENTS = 1_000;
/** As many as one receiver is given. */
export const CONNECTIONS = 8;
export const PAYLOAD = JSON.stringify({ type: 'order.paid', data: { note: 'x'.repeat(200) } });

/**
 * Events a second, by the clock and by the processor time of this process, which does nothing else meanwhile.
 *
 * @param {() => Promise<void>} run sends all events of a round
 */
export async function timeEvents(run) {
  const before = process.cpuUsage();
  const begin = performance.now();
  await run();
  const rate = EVENTS / ((performance.now() - begin) / 1000);
  const { user, system } = process.cpuUsage(before);
  return { rate, cpu_rate: EVENTS / ((user + system) / 1e6) };
}

/** The headers of a delivery. */
export function buildHeaders(event_id, timestamp_s, signature) {
  return {
    'content-type': 'application/json',
    'user-agent': 'marketplace-listing-service/1.0.0',
    'accept-encoding': 'identity',
    'webhook-id': event_id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signature,
  };
}
