type Props = {
  text: string;
  /** The button's text. */
  label: string;
  /** What is copied, for screen readers, where several buttons have one text. */
  about?: string;
};

/** Something to be copied whole: one click selects it, and the script `copy` puts a button beside it. */
export function Copyable({ text, label, about }: Props) {
  return (
    <p class="copyable row" data-copy={label} data-copy-about={about}>
      <code>{text}</code>
    </p>
  );
}
