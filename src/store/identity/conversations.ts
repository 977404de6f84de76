import type { Transaction } from 'kysely';
import type { ConversationRef, ConversationStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { lockAccount } from './lock_account.js';

/** `used_at` is written at most once in this time, so that a busy conversation does not cost a write for each request. */
const USED_STEP_MS = 60_000;
/** Of conversations that answer something: they are the last to give way when an account begins many others. */
const ANSWERING_STEP_MS = 5_000;

export function createConversationRepository(engine: Engine<Tables>): ConversationStore {
  const { read, write, now } = engine;
  /** Marks conversations of one account as used now. */
  async function markUsed(account_id: string, conversation_ids: readonly string[]): Promise<void> {
    await write(async (trx) =>
      trx
        .updateTable('conversations')
        .set({ used_at: await now(trx) })
        .where('account_id', '=', account_id)
        .where('conversation_id', 'in', conversation_ids)
        .execute(),
    );
  }

  return {
    async createConversation({ account_id, conversation_id }, facts, { idle_ms, most }) {
      await write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        const used_at = await now(trx);
        await trx.deleteFrom('conversations').where('used_at', '<=', shiftTime(used_at, -idle_ms)).execute();
        await makeRoom(trx, account_id, most);
        await trx
          .insertInto('conversations')
          .values({ account_id, conversation_id, facts, used_at })
          .execute();
      });
    },
    async findConversation({ account_id, conversation_id }, idle_ms) {
      const { row, found_at } = await read(async (trx) => ({
        found_at: await now(trx),
        row: await trx
          .selectFrom('conversations')
          .select(['facts', 'used_at'])
          .where('account_id', '=', account_id)
          .where('conversation_id', '=', conversation_id)
          .executeTakeFirst(),
      }));
      if (!row || row.used_at <= shiftTime(found_at, -idle_ms)) return undefined;
      if (isDue(row.used_at, found_at, USED_STEP_MS)) await markUsed(account_id, [conversation_id]);
      return { facts: row.facts, found_at };
    },
    async deleteConversation({ account_id, conversation_id }) {
      await write((trx) =>
        trx
          .deleteFrom('conversations')
          .where('account_id', '=', account_id)
          .where('conversation_id', '=', conversation_id)
          .execute(),
      );
    },
    leaveMessage: ({ account_id, conversation_id, message_id, body }, { kept_ms, most }) =>
      write(async (trx) => {
        const left_at = await now(trx);
        await trx
          .deleteFrom('conversation_messages')
          .where('left_at', '<=', shiftTime(left_at, -kept_ms))
          .execute();
        // Locks the row, so that the conversation is not deleted before the message is inserted.
        const { numUpdatedRows } = await trx
          .updateTable('conversations')
          .set({ used_at: left_at })
          .where('account_id', '=', account_id)
          .where('conversation_id', '=', conversation_id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const { waiting } = await trx
          .selectFrom('conversation_messages')
          .select(({ fn }) => fn.countAll().as('waiting'))
          .where('account_id', '=', account_id)
          .where('conversation_id', '=', conversation_id)
          .executeTakeFirstOrThrow();
        if (toNumber(waiting) >= most) return false;
        await trx
          .insertInto('conversation_messages')
          .values({ account_id, conversation_id, message_id, body, left_at })
          .execute();
        return true;
      }),
    async lookAtConversations(refs) {
      const gone: ConversationRef[] = [];
      const messages = [];
      for (const [account_id, conversation_ids] of groupByAccount(refs)) {
        const seen = await read(async (trx) => ({
          now: await now(trx),
          there: await trx
            .selectFrom('conversations')
            .select(['conversation_id', 'used_at'])
            .where('account_id', '=', account_id)
            .where('conversation_id', 'in', conversation_ids)
            .execute(),
          messages: await trx
            .selectFrom('conversation_messages')
            .select(['account_id', 'conversation_id', 'message_id', 'body', 'left_at'])
            .where('account_id', '=', account_id)
            .where('conversation_id', 'in', conversation_ids)
            .orderBy('left_at')
            .execute(),
        }));
        const there = new Set(seen.there.map(({ conversation_id }) => conversation_id));
        const ended = conversation_ids.filter((conversation_id) => !there.has(conversation_id));
        gone.push(...ended.map((conversation_id) => ({ account_id, conversation_id })));
        messages.push(...seen.messages);
        const due = seen.there.filter(({ used_at }) => isDue(used_at, seen.now, ANSWERING_STEP_MS));
        if (due.length > 0) {
          await markUsed(
            account_id,
            due.map(({ conversation_id }) => conversation_id),
          );
        }
      }
      return { gone, messages };
    },
    takeMessage: ({ account_id, conversation_id, message_id }) =>
      write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('conversation_messages')
          .where('account_id', '=', account_id)
          .where('conversation_id', '=', conversation_id)
          .where('message_id', '=', message_id)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }),
  };
}

function isDue(used_at: string, now: string, step_ms: number): boolean {
  return used_at <= shiftTime(now, -step_ms);
}

/** Makes room for one more: the least recently used ones go. */
async function makeRoom(trx: Transaction<Tables>, account_id: string, most: number): Promise<void> {
  const extra = await trx
    .selectFrom('conversations')
    .select('conversation_id')
    .where('account_id', '=', account_id)
    .orderBy('used_at', 'desc')
    .orderBy('conversation_id')
    .limit(1_000)
    .offset(most - 1)
    .execute();
  if (extra.length === 0) return;
  await trx
    .deleteFrom('conversations')
    .where('account_id', '=', account_id)
    .where(
      'conversation_id',
      'in',
      extra.map(({ conversation_id }) => conversation_id),
    )
    .execute();
}

function groupByAccount(refs: readonly ConversationRef[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { account_id, conversation_id } of refs) {
    groups.set(account_id, [...(groups.get(account_id) ?? []), conversation_id]);
  }
  return groups;
}
