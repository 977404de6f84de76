import type { ErrorCode } from '../../../../schemas/error.js';
import type { FormDifference } from '../../../../schemas/import.js';

/** Why one listing of an import was not imported; the others go on. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly differences: FormDifference[] | undefined;

  constructor(code: ErrorCode, message: string, differences?: FormDifference[]) {
    super(message);
    this.code = code;
    this.differences = differences;
  }
}
