import type { ConversationRef, Ids, Store } from '../ports/index.js';

/** So that one account cannot fill the table. */
const MAX_PER_ACCOUNT = 250;
const IDLE_MS = 30 * 60_000;
/** As long as an answer or a cancelling can still matter to a call that waits. */
const KEPT_MS = 60_000;
const MAX_WAITING = 20;

/**
 * Conversations of clients that begin with an introduction, each request of which may reach another instance: what was told at the
 * beginning is in the store. Within one, a request is worked on by the instance that it reached; what concerns it and reaches another
 * one is left there as a message. Clients open them by the thousand and seldom end them, so they are capped, and end by themselves
 * after half an hour without use.
 */
export type Conversations = {
  /** @param facts JSON of what the client told. Answers the id. */
  begin(account_id: string, facts: unknown): Promise<string>;
  /** Undefined when it is unknown, ended, idle for too long, or another account's. */
  find(ref: ConversationRef): Promise<{ facts: unknown; found_at: string } | undefined>;
  end(ref: ConversationRef): Promise<void>;
  /** For the instance that works on what the message is about; it is taken within a second or so, or by none. */
  leave(ref: ConversationRef, message: unknown): Promise<void>;
  /** Which of them have ended, and what other instances left in the rest. */
  look(refs: readonly ConversationRef[]): Promise<{ gone: ConversationRef[]; messages: Left[] }>;
};

export type Left = ConversationRef & {
  message: unknown;
  /** Comparable with `found_at`. */
  left_at: string;
  /** True for the first taker of all instances. */
  take(): Promise<boolean>;
};

export function createConversations({ store, ids }: { store: Store; ids: Ids }): Conversations {
  const { conversations } = store;
  return {
    async begin(account_id, facts) {
      const conversation_id = ids.build('');
      const limits = { idle_ms: IDLE_MS, most: MAX_PER_ACCOUNT };
      await conversations.createConversation({ account_id, conversation_id }, JSON.stringify(facts), limits);
      return conversation_id;
    },
    async find(ref) {
      const found = await conversations.findConversation(ref, IDLE_MS);
      return found && { ...found, facts: JSON.parse(found.facts) as unknown };
    },
    end: (ref) => conversations.deleteConversation(ref),
    async leave(ref, message) {
      const left = { ...ref, message_id: ids.build(''), body: JSON.stringify(message) };
      await conversations.leaveMessage(left, { kept_ms: KEPT_MS, most: MAX_WAITING });
    },
    async look(refs) {
      const { gone, messages } = await conversations.lookAtConversations(refs);
      return {
        gone,
        messages: messages.map((left) => ({
          account_id: left.account_id,
          conversation_id: left.conversation_id,
          message: JSON.parse(left.body) as unknown,
          left_at: left.left_at,
          take: () => conversations.takeMessage(left),
        })),
      };
    },
  };
}
