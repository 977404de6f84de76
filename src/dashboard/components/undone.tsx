/** The undo of a change that is in effect. */
export type Undone = { href: string; is_whole: boolean };

export function UndoneLink({ undone: { href, is_whole } }: { undone: Undone }) {
  return <a href={href}>{is_whole ? 'Undone' : 'Undone in part'}</a>;
}
