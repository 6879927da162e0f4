// A uuid as a number of 48 bits: copies of a conversation are recognised by millions of these. The last twelve
// hexadecimal digits are random in every uuid version in use; other ids are hashed.

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const tailAt = 24;

export function toUuidHash(uuid: string): number {
  if (uuidPattern.test(uuid)) return Number.parseInt(uuid.slice(tailAt), 16);
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < uuid.length; i++) {
    high = Math.imul(high ^ uuid.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ uuid.charCodeAt(i), 0x85ebca6b);
  }
  return (high >>> 16) * 2 ** 32 + (low >>> 0);
}
