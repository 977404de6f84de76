import type { ConversationRef, Ids, Store } from '../ports/index.js';

/** Conversations that an account may have, so that one account cannot fill the table. */
const MAX_PER_ACCOUNT = 250;
const IDLE_MS = 30 * 60_000;
/** How long a message is kept: no call waits longer for an answer or a cancellation. */
const KEPT_MS = 60_000;
const MAX_WAITING = 20;

/**
 * Conversations: sessions of clients whose protocol begins with a handshake. Each request may reach another instance, so what the
 * client told in the handshake is in the store. A request is worked on by the instance that it reached; what concerns it later (an
 * answer, a cancellation) may reach another instance, which then leaves it as a message. Clients open conversations by the thousand
 * and seldom end them, so they are capped, and end by themselves after half an hour without use.
 */
export type Conversations = {
  /** @param facts what the client told in the handshake, as JSON. Answers the conversation's id. */
  begin(account_id: string, facts: unknown): Promise<string>;
  /** Undefined when it is unknown, ended, idle for too long, or another account's. */
  find(ref: ConversationRef): Promise<{ facts: unknown; found_at: string } | undefined>;
  end(ref: ConversationRef): Promise<void>;
  /**
   * Leaves a message for the instance that works on the request it concerns, which takes it within a second or so. Where no instance
   * works on it, the message is never taken.
   */
  leave(ref: ConversationRef, message: unknown): Promise<void>;
  /** Which of these conversations have ended, and the messages that were left in the others. */
  look(refs: readonly ConversationRef[]): Promise<{ gone: ConversationRef[]; messages: LeftMessage[] }>;
};

type LeftMessage = ConversationRef & {
  message: unknown;
  /** Comparable with `found_at`. */
  left_at: string;
  /** True for the first instance that takes the message. */
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
