import type { Call } from '../core/operations/call.js';

/**
 * An AbortController whose signal is made when it is first read: most calls end before that. Its getters stand in a class:
 * getters of an object literal are made anew with each object, and V8 keeps them, and all that they reach, until its next full collection.
 */
export class Cancelling {
  #controller: AbortController | undefined;
  #cancelled: { reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#cancelled.reason);
    }
    return this.#controller.signal;
  }

  get isCancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  cancel(reason?: unknown): void {
    this.#cancelled ??= { reason };
    this.#controller?.abort(reason);
  }
}

/** A call whose signal is that of a Cancelling. */
export class CancellableCall implements Call {
  readonly #cancelling: Cancelling;
  readonly caller: Call['caller'];
  readonly face: Call['face'];
  onProgress?: NonNullable<Call['onProgress']>;
  askConsent?: NonNullable<Call['askConsent']>;
  showsWhole?: (answer: object) => boolean;
  client_name?: string;
  idempotency_key?: string;
  file?: NonNullable<Call['file']>;
  wait_ms?: number;

  constructor(caller: Call['caller'], face: Call['face'], cancelling: Cancelling) {
    this.caller = caller;
    this.face = face;
    this.#cancelling = cancelling;
  }

  get signal(): AbortSignal {
    return this.#cancelling.signal;
  }
}
