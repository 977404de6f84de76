/** On every page in sandbox mode, so that a trial is never taken for the real thing, nor the real thing for a trial. */
export function SandboxNote() {
  return (
    <p class="sandbox-note">
      <strong>Sandbox:</strong> nothing reaches Etsy, no money is spent.
    </p>
  );
}
