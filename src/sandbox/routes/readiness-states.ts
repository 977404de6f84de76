import { toReadinessState } from '../answers/shop.js';
import { created, NO_CONTENT, ok, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, parseChoice, parseInteger, parsePage, requireFields } from '../requests/fields.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { getOwnShop } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { READINESS_STATES } from '../rules/choices.js';
import { takeId } from '../store/sequences.js';
import { findReadinessState, listReadinessStates } from '../store/shop-settings.js';
import type { ReadinessState } from '../store/shop-settings.js';

const BASE = '/shops/:shop_id/readiness-state-definitions';
const ONE = `${BASE}/:readiness_state_definition_id`;
const MAX_TIME = 10;
const DAYS_PER_WEEK = 5;

export const READINESS_ROUTES: readonly Route[] = [
  {
    operation: 'getShopReadinessStateDefinitions',
    method: 'GET',
    path: BASE,
    scopes: ['shops_r'],
    run: (call) => {
      const { limit, offset } = parsePage(call.query);
      const states = listReadinessStates(call.db, getOwnShop(call).shop_id);
      return toList(states.slice(offset, offset + limit).map(toReadinessState), states.length);
    },
  },
  {
    operation: 'getShopReadinessStateDefinition',
    method: 'GET',
    path: ONE,
    scopes: ['shops_r'],
    run: (call) => ok(toReadinessState(getState(call))),
  },
  {
    operation: 'createShopReadinessStateDefinition',
    method: 'POST',
    path: BASE,
    scopes: ['shops_w'],
    body: 'form',
    run: (call) => {
      const { shop_id } = getOwnShop(call);
      requireFields(call.fields, ['readiness_state', 'min_processing_time', 'max_processing_time']);
      const state = { readiness_state_id: 0, shop_id, ...parseState(call, EMPTY_STATE) };
      refuseDuplicate(call, state);
      const readiness_state_id = takeId(call.db, 'readiness_state');
      call.db.run(
        'INSERT INTO readiness_states VALUES (?,?,?,?,?)',
        readiness_state_id,
        shop_id,
        state.readiness_state,
        state.min_days,
        state.max_days,
      );
      return created(toReadinessState({ ...state, readiness_state_id }));
    },
  },
  {
    operation: 'updateShopReadinessStateDefinition',
    method: 'PUT',
    path: ONE,
    scopes: ['shops_w'],
    body: 'form',
    run: (call) => {
      const known = getState(call);
      const state = { ...known, ...parseState(call, known) };
      refuseDuplicate(call, state);
      call.db.run(
        'UPDATE readiness_states SET readiness_state = ?, min_days = ?, max_days = ? WHERE readiness_state_id = ?',
        state.readiness_state,
        state.min_days,
        state.max_days,
        state.readiness_state_id,
      );
      return ok(toReadinessState(state));
    },
  },
  {
    operation: 'deleteShopReadinessStateDefinition',
    method: 'DELETE',
    path: ONE,
    scopes: ['shops_w'],
    run: (call) => {
      const { shop_id, readiness_state_id } = getState(call);
      const used = call.db.find(
        `SELECT 1 FROM listings, json_each(listings.inventory, '$.products') AS product
           WHERE shop_id = ? AND product.value ->> '$.offering.readiness_state_id' = ? LIMIT 1`,
        shop_id,
        readiness_state_id,
      );
      if (used) throw buildRefusal(400, INVENTED.readiness_in_use);
      call.db.run('DELETE FROM readiness_states WHERE readiness_state_id = ?', readiness_state_id);
      return NO_CONTENT;
    },
  },
];

type StateValues = Pick<ReadinessState, 'readiness_state' | 'min_days' | 'max_days'>;

const EMPTY_STATE: StateValues = { readiness_state: 'ready_to_ship', min_days: 1, max_days: 1 };

function getState(call: Call): ReadinessState {
  const { shop_id } = getOwnShop(call);
  const state = findReadinessState(call.db, shop_id, getPathId(call, 'readiness_state_definition_id'));
  if (!state) throw buildRefusal(404, VERBATIM.not_found);
  return state;
}

// Times are asked for in days or weeks and kept in days; a week is five of them here.
function parseState(call: Call, known: StateValues): StateValues {
  const { fields } = call;
  const unit = parseChoice(fields, 'processing_time_unit', ['days', 'weeks'] as const) ?? 'days';
  const toDays = (name: string, before: number): number => {
    const time = parseInteger(fields, name, 1);
    if (time === undefined || time === null) return before;
    if (time > MAX_TIME) throw buildRefusal(400, `The value of ${name} must be at most ${MAX_TIME}.`);
    return unit === 'weeks' ? time * DAYS_PER_WEEK : time;
  };
  const min_days = toDays('min_processing_time', known.min_days);
  const max_days = toDays('max_processing_time', known.max_days);
  if (min_days > max_days) {
    throw buildRefusal(400, 'min_processing_time must not be above max_processing_time.');
  }
  return {
    readiness_state: parseChoice(fields, 'readiness_state', READINESS_STATES) ?? known.readiness_state,
    min_days,
    max_days,
  };
}

function refuseDuplicate(call: Call, state: ReadinessState): void {
  const twin = listReadinessStates(call.db, state.shop_id).find(
    (other) =>
      other.readiness_state_id !== state.readiness_state_id &&
      other.readiness_state === state.readiness_state &&
      other.min_days === state.min_days &&
      other.max_days === state.max_days,
  );
  if (!twin) return;
  const path = `/v3/application/shops/${twin.shop_id}/readiness-state-definitions/${twin.readiness_state_id}`;
  throw buildRefusal(409, INVENTED.readiness_exists, { 'content-location': call.origin + path });
}
