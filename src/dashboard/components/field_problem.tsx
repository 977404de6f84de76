import type { Refused } from '../../core/ports/index.js';
import { Foreign } from '../../pages/index.js';
import { describeField } from '../words/refusals.js';

type Props = { name: string; refused: Refused | undefined };

/** The problems of a form's field, next to it; its input takes markProblem. */
export function FieldProblem({ name, refused }: Props) {
  const lines = refused ? describeField(refused, name) : [];
  return lines.length === 0 ? null : (
    <p class="problem" id={`${name}-problem`}>
      <Foreign text={lines.join(' ')} />
    </p>
  );
}

/** @param note the id of a note that always describes the field */
export function markProblem({ name, refused }: Props, note?: string) {
  const isWrong = refused !== undefined && describeField(refused, name).length > 0;
  const ids = [...(isWrong ? [`${name}-problem`] : []), ...(note === undefined ? [] : [note])];
  return {
    ...(isWrong && { 'aria-invalid': true }),
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
  };
}
