/** Maximum number of deliveries in flight: to one account's receiver, and in this process in total. */
const MAX_WIDTH = 8;
const FIRST_WIDTH = 2;
const MAX_TOGETHER = 256;

/**
 * Capacity for deliveries, a lane for each account. A lane widens with each success and narrows to one
 * delivery at a time with a failure, so that hanging receivers take up few places and leave the rest to
 * others.
 */
export type Lanes = {
  /**
   * The given accounts that may send now, and how many deliveries each: the emptiest lanes first, among
   * equally empty ones the one that has waited longest for a turn. The room is shared evenly.
   */
  share(account_ids: readonly string[]): { account_id: string; room: number }[];
  enter(account_id: string): void;
  /** Returns whether the lane is half empty, so that claiming more is worthwhile. */
  leave(account_id: string, isSuccess: boolean): boolean;
};

type Lane = { on_way: number; width: number; turn: number };
const NEW_LANE: Readonly<Lane> = { on_way: 0, width: FIRST_WIDTH, turn: 0 };

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  let together = 0;
  let turns = 0;

  return {
    share(account_ids) {
      const open = account_ids
        .map((account_id) => ({ account_id, ...(lanes.get(account_id) ?? NEW_LANE) }))
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
    enter(account_id) {
      const lane = lanes.get(account_id) ?? { ...NEW_LANE };
      turns += 1;
      together += 1;
      lanes.set(account_id, { ...lane, on_way: lane.on_way + 1, turn: turns });
    },
    leave(account_id, isSuccess) {
      const lane = lanes.get(account_id) ?? NEW_LANE;
      const on_way = lane.on_way - 1;
      const width = isSuccess ? Math.min(MAX_WIDTH, lane.width * 2) : 1;
      together -= 1;
      // A lane that is empty and as wide as a new one need not be stored.
      if (on_way === 0 && width === FIRST_WIDTH) lanes.delete(account_id);
      else lanes.set(account_id, { ...lane, on_way, width });
      return on_way <= width / 2;
    },
  };
}
