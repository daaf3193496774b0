// A new Idempotency-Key. Not crypto.randomUUID, which a shop on plain HTTP does not have.
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
