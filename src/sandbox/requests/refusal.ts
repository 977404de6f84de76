/** One entry of the marketplace's second error shape: a bare JSON array with an entry per field. */
export type FieldIssue = { path: string; type: string; message: string };

/** A call that the marketplace refuses: `body` is sent with `status`. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with status ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The first error shape: `{"error": message}`. */
export function buildRefusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(status, { error: message }, headers);
}

/** The shape of authorization failures: `{"error": code, "error_description": text}`. */
export function buildAuthRefusal(status: number, code: string, description: string): Refusal {
  return new Refusal(status, { error: code, error_description: description });
}

/** The second error shape, always with status 400. */
export function buildFieldRefusal(issues: readonly FieldIssue[]): Refusal {
  return new Refusal(400, issues);
}
