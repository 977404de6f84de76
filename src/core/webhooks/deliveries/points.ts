/** Places of recording and sending at which a crash test may end the process: before and after each commit, and after the send. */
export const DELIVERY_POINTS = [
  'event.before_record',
  'event.recorded',
  'delivery.before_claim',
  'delivery.claimed',
  'delivery.sent',
  'delivery.recorded',
] as const;
