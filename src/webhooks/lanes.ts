/** How many deliveries may be on their way at once: to one receiver that answers well, and in this process together. */
const MAX_WIDTH = 8;
const FIRST_WIDTH = 2;
const MAX_TOGETHER = 256;
/**
 * How many more may be claimed for a receiver that answers well, so that the next is at hand when one has arrived: as many as it
 * takes within AHEAD_MS. Each claim waits for the disk, and what is at hand when a process is killed is told as interrupted.
 */
const LEAST_AHEAD = 56;
const MAX_AHEAD = 504;
const AHEAD_MS = 250;

/**
 * Room on the way out, a lane for each account. A lane widens with each success and narrows to one delivery at a time with a
 * failure, so that receivers that hang hold few places, and the others find theirs.
 */
export type Lanes = {
  /**
   * Of these accounts, those that may send now and how many each: the emptiest lanes first, of equally empty ones the one that
   * has waited longest for a turn, the room shared evenly.
   */
  share(account_ids: readonly string[]): { account_id: string; room: number }[];
  /** How many may be sent now. */
  getRoom(account_id: string): number;
  /** How many may be claimed beyond those that may be sent now: none unless the lane is at its widest and there is much room. */
  getAhead(account_id: string): number;
  /** What was at hand is to be claimed anew: the sooner after the time before, the more may be claimed. */
  noteClaim(account_id: string, now_ms: number): void;
  enter(account_id: string): void;
  leave(account_id: string, is_success: boolean): void;
};

type Lane = { on_way: number; width: number; turn: number; ahead: number; claimed_at_ms: number };
const NEW_LANE: Readonly<Lane> = {
  on_way: 0,
  width: FIRST_WIDTH,
  turn: 0,
  ahead: LEAST_AHEAD,
  claimed_at_ms: -Infinity,
};

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  let together = 0;
  let turns = 0;
  const getLane = (account_id: string): Readonly<Lane> => lanes.get(account_id) ?? NEW_LANE;
  const isRoomy = (): boolean => together < MAX_TOGETHER / 2;

  return {
    share(account_ids) {
      const open = account_ids
        .map((account_id) => ({ account_id, ...getLane(account_id) }))
        .filter(({ on_way, width }) => on_way < width)
        .sort((a, b) => a.on_way - b.on_way || a.turn - b.turn);
      let left = MAX_TOGETHER - together;
      return open.flatMap(({ account_id, on_way, width }, index) => {
        const fair = Math.ceil(left / (open.length - index));
        const room = Math.min(width - on_way, fair);
        left -= room;
        return room > 0 ? [{ account_id, room }] : [];
      });
    },
    getRoom(account_id) {
      const { on_way, width } = getLane(account_id);
      return Math.max(0, Math.min(width - on_way, MAX_TOGETHER - together));
    },
    getAhead(account_id) {
      const { width, ahead } = getLane(account_id);
      return width === MAX_WIDTH && isRoomy() ? ahead : 0;
    },
    noteClaim(account_id, now_ms) {
      const lane = lanes.get(account_id);
      if (!lane || lane.width < MAX_WIDTH) return;
      // Half of it is gone when the next is claimed.
      const taken = ((lane.ahead / 2) * AHEAD_MS) / Math.max(1, now_ms - lane.claimed_at_ms);
      lane.ahead = Math.round(Math.min(MAX_AHEAD, Math.max(LEAST_AHEAD, taken)));
      lane.claimed_at_ms = now_ms;
    },
    enter(account_id) {
      const lane = lanes.get(account_id) ?? { ...NEW_LANE };
      turns += 1;
      lane.on_way += 1;
      lane.turn = turns;
      lanes.set(account_id, lane);
      together += 1;
    },
    leave(account_id, is_success) {
      const lane = lanes.get(account_id);
      if (!lane) return;
      lane.on_way -= 1;
      lane.width = is_success ? Math.min(MAX_WIDTH, lane.width * 2) : 1;
      if (!is_success) lane.ahead = LEAST_AHEAD;
      together -= 1;
      // A lane that is empty and as wide as a new one need not be remembered.
      if (lane.on_way === 0 && lane.width === FIRST_WIDTH) lanes.delete(account_id);
    },
  };
}
