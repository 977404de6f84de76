/**
 * On every page in sandbox mode, so that nobody mistakes the sandbox for the real marketplace, or the real
 * one for the sandbox.
 */
export function SandboxNote() {
  return (
    <p class="sandbox-note">
      <strong>Sandbox:</strong> nothing reaches Etsy, no money is spent.
    </p>
  );
}
