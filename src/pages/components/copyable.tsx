/** Something to be copied whole: one click selects it, and the script `copy` puts a button beside it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <p class="copyable row" data-copy={label}>
      <code>{text}</code>
    </p>
  );
}
