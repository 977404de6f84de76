/** Which conversation, of whom. */
export type ConversationRef = { account_id: string; conversation_id: string };

/** Something for the instance that works on a conversation, left there by another one. `body`: JSON. */
export type LeftMessage = ConversationRef & {
  message_id: string;
  body: string;
  /** By the clock of the store, as `found_at`. */
  left_at: string;
};

/** Conversations of clients that span several requests, each of which may reach another instance. */
export type ConversationStore = {
  /**
   * Removes those that nobody used for `idle_ms`, too; of the account's own, the least recently used make room beyond `most`.
   * @param facts JSON of what the client told at its beginning
   */
  createConversation(
    ref: ConversationRef,
    facts: string,
    limits: { idle_ms: number; most: number },
  ): Promise<void>;
  /** Counts as a use. Undefined when unknown, ended or unused for `idle_ms`. `found_at`: by the clock of the store. */
  findConversation(
    ref: ConversationRef,
    idle_ms: number,
  ): Promise<{ facts: string; found_at: string } | undefined>;
  deleteConversation(ref: ConversationRef): Promise<void>;
  /** Removes messages older than `kept_ms`, too. False when the conversation is gone, or `most` messages wait in it already. */
  leaveMessage(
    message: Omit<LeftMessage, 'left_at'>,
    limits: { kept_ms: number; most: number },
  ): Promise<boolean>;
  /** Counts as a use of each. Which of them are no more, and what was left in the others. */
  lookAtConversations(
    refs: readonly ConversationRef[],
  ): Promise<{ gone: ConversationRef[]; messages: LeftMessage[] }>;
  /** True for the first taker of all instances. */
  takeMessage(message: LeftMessage): Promise<boolean>;
};
