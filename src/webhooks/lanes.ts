/** How many deliveries may be on their way at once: to one receiver that answers well, and in this process together. */
const MAX_WIDTH = 8;
const FIRST_WIDTH = 2;
const MAX_TOGETHER = 256;
/** How many more may be claimed for a receiver that answers well, so that the next is at hand when one has arrived. */
const MAX_AHEAD = 56;

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
  /** How many may be claimed beyond those that may be sent now: none unless the lane is at its widest and there is much room. */
  getAhead(account_id: string): number;
  enter(account_id: string): void;
  leave(account_id: string, is_success: boolean): void;
};

export function createLanes(): Lanes {
  const lanes = new Map<string, { on_way: number; width: number; turn: number }>();
  let together = 0;
  let turns = 0;
  const getLane = (account_id: string) => lanes.get(account_id) ?? { on_way: 0, width: FIRST_WIDTH, turn: 0 };

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
    getAhead: (account_id) =>
      getLane(account_id).width === MAX_WIDTH && together < MAX_TOGETHER / 2 ? MAX_AHEAD : 0,
    enter(account_id) {
      const { on_way, width } = getLane(account_id);
      turns += 1;
      lanes.set(account_id, { on_way: on_way + 1, width, turn: turns });
      together += 1;
    },
    leave(account_id, is_success) {
      const lane = getLane(account_id);
      const on_way = lane.on_way - 1;
      const width = is_success ? Math.min(MAX_WIDTH, lane.width * 2) : 1;
      // A lane that is empty and as wide as a new one need not be remembered.
      if (on_way === 0 && width === FIRST_WIDTH) lanes.delete(account_id);
      else lanes.set(account_id, { ...lane, on_way, width });
      together -= 1;
    },
  };
}
