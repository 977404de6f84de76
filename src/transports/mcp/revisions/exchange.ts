import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
} from '@modelcontextprotocol/sdk/types.js';

/** The way back to the sender of a request. */
export type Exchange = {
  /** Progress, or a question to the person; before the answer. False when it cannot reach the client. */
  send(message: JSONRPCNotification | JSONRPCRequest): boolean;
  /**
   * The answer, and the end. Several: of a batch. Undefined: nothing is answered.
   * @param status of HTTP, where one is still to be sent; 200 when left out
   */
  finish(answer: JSONRPCResponse | JSONRPCResponse[] | undefined, status?: number): void;
};
