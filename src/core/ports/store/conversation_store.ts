/** A conversation of an account. */
export type ConversationRef = { account_id: string; conversation_id: string };

/** A message for the instance that works on a conversation, from another instance. `body`: JSON. */
export type LeftMessage = ConversationRef & {
  message_id: string;
  body: string;
  /** By the store's clock, as `found_at`. */
  left_at: string;
};

/** Conversations of clients over several requests, each of which may reach another instance. */
export type ConversationStore = {
  /**
   * Also deletes conversations that were not used for `idle_ms`, and the account's least recently used ones beyond `most`.
   * @param facts JSON of what the client told at its beginning
   */
  createConversation(
    ref: ConversationRef,
    facts: string,
    limits: { idle_ms: number; most: number },
  ): Promise<void>;
  /** Counts as a use. Undefined when unknown, ended or unused for `idle_ms`. `found_at`: by the store's clock. */
  findConversation(
    ref: ConversationRef,
    idle_ms: number,
  ): Promise<{ facts: string; found_at: string } | undefined>;
  deleteConversation(ref: ConversationRef): Promise<void>;
  /** Also deletes messages older than `kept_ms`. False when the conversation is gone, or `most` messages wait in it already. */
  leaveMessage(
    message: Omit<LeftMessage, 'left_at'>,
    limits: { kept_ms: number; most: number },
  ): Promise<boolean>;
  /** Counts as a use of each. `gone`: conversations that have ended; `messages`: those that wait in the others. */
  lookAtConversations(
    refs: readonly ConversationRef[],
  ): Promise<{ gone: ConversationRef[]; messages: LeftMessage[] }>;
  /** True for the first call over all instances. */
  takeMessage(message: LeftMessage): Promise<boolean>;
};
