import type { Caller } from '../../../core/operations/call.js';
import type { ConversationRef } from '../../../core/ports/index.js';
import type { Service } from '../../service.js';
import { CANCELLED, isObject } from '../incoming.js';
import type { Methods } from '../methods.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { openSession, type Client, type OtherMessage, type Session } from '../revisions/revision_2025.js';

/** So often it is looked for what other instances left for those that are being answered here. */
const LOOK_MS = 500;
/** An answer of a person is a yes or a no. */
const MAX_LEFT_CHARS = 16 * 1024;

/**
 * Sessions in which something is being answered here. What a client sends about it may reach another instance, which leaves it in the
 * store; nothing else of a session outlives its requests.
 */
export type OpenSessions = {
  /** @param begin gives the session a request, and answers how to cancel that */
  work(
    known: { ref: ConversationRef; client: Client },
    caller: Caller,
    begin: (session: Session) => () => void,
  ): () => void;
  /** For this instance, or else for another one. */
  receiveOther(ref: ConversationRef, message: OtherMessage): Promise<void>;
  /** What is being answered in it here is cancelled. */
  end(ref: ConversationRef): Promise<void>;
  /** No person is waited for any longer: what asked goes on without an answer. */
  stopAsking(): Promise<void>;
  close(): Promise<void>;
};

type Open = { ref: ConversationRef; session: Session };

export function createOpenSessions({
  methods,
  service,
}: {
  methods: Methods;
  service: Service;
}): OpenSessions {
  const { conversations, clock, log } = service;
  const open = new Map<string, Open>();
  const closing = new AbortController();
  let is_looking = false;

  async function lookWhileOpen(): Promise<void> {
    if (is_looking) return;
    is_looking = true;
    try {
      for (;;) {
        await clock.sleep(LOOK_MS, closing.signal, { is_idle: true });
        if (open.size === 0) return;
        await look().catch((error: unknown) => {
          log.warn('what other instances left for a session could not be read', { error });
        });
      }
    } catch (cause) {
      if (!closing.signal.aborted) throw cause;
    } finally {
      is_looking = false;
    }
  }

  async function look(): Promise<void> {
    const { gone, messages } = await conversations.look([...open.values()].map(({ ref }) => ref));
    await Promise.all(gone.map(end));
    for (const left of messages) {
      const session = open.get(toKey(left))?.session;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was left, below
      const message = left.message as OtherMessage;
      if (session && (await session.receiveOther(message, left.left_at))) await left.take();
    }
  }

  async function endWhenIdle(key: string, known: Open): Promise<void> {
    await known.session.whenIdle();
    if (open.get(key) === known && known.session.countOpen() === 0) await end(known.ref);
  }

  async function end(ref: ConversationRef): Promise<void> {
    const known = open.get(toKey(ref));
    open.delete(toKey(ref));
    await known?.session.close();
  }

  return {
    work({ ref, client }, caller, begin) {
      const key = toKey(ref);
      const known = open.get(key) ?? {
        ref,
        session: openSession({ methods, service, caller, face: 'mcp_http', client }),
      };
      open.set(key, known);
      const cancel = begin(known.session);
      void endWhenIdle(key, known);
      void lookWhileOpen();
      return cancel;
    },
    async receiveOther(ref, message) {
      if (await open.get(toKey(ref))?.session.receiveOther(message)) return;
      const left = toLeft(message);
      if (left) await conversations.leave(ref, left);
    },
    end,
    async stopAsking() {
      await Promise.all([...open.values()].map(({ session }) => session.stopAsking()));
    },
    async close() {
      closing.abort();
      await Promise.all([...open.values()].map(({ ref }) => end(ref)));
    },
  };
}

function toKey({ account_id, conversation_id }: ConversationRef): string {
  return `${account_id}/${conversation_id}`;
}

/** What can matter to a request that is answered elsewhere; undefined for the rest. */
function toLeft(message: OtherMessage): object | undefined {
  if (!('method' in message)) {
    if (JSON.stringify(message).length <= MAX_LEFT_CHARS) return message;
    throw new ProtocolError(RPC.invalid_request, `An answer may have ${MAX_LEFT_CHARS} characters.`);
  }
  if (message.method !== CANCELLED || !isObject(message.params)) return undefined;
  const { requestId, reason } = message.params;
  const words = typeof reason === 'string' ? { reason: reason.slice(0, 500) } : {};
  return { jsonrpc: '2.0', method: CANCELLED, params: { requestId, ...words } };
}
