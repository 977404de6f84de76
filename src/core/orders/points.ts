/** Places at which a crash test may end the process while orders are read: around every call and every commit. */
export const ORDER_POINTS = [
  'poll.claimed',
  'poll.read',
  'poll.before_commit',
  'poll.after_commit',
  'poll.finished',
  'order.before_commit',
  'order.after_commit',
  'hint.before_commit',
  'hint.after_commit',
  'hint.claimed',
  'hint.read',
  'hint.before_finish',
  'hint.finished',
] as const;

export type OrderPoint = (typeof ORDER_POINTS)[number];
