// The key of a person: seals what is private before it leaves (age, by its own library), and gives it names that say nothing
// to others. All machines of a person have the same.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { UserError } from '../errors.ts';

export interface HubKey {
  /** As it is shown and typed: AGE-SECRET-KEY-1… */
  readonly identity: string;
  /** Says whether two keys are the same, and nothing else. */
  readonly check: string;
  toName(...parts: readonly string[]): string;
  seal(bytes: Buffer): Promise<Buffer>;
  /** Throws where it was sealed with another key, or changed since. */
  open(bytes: Buffer): Promise<Buffer>;
}

export async function makeIdentity(): Promise<string> {
  const { generateX25519Identity } = await import('age-encryption');
  return generateX25519Identity();
}

const pattern = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/;

export async function readHubKey(given: string): Promise<HubKey> {
  const identity = given.trim().toUpperCase();
  const { Decrypter, Encrypter, identityToRecipient } = await import('age-encryption');
  let recipient: string;
  try {
    if (!pattern.test(identity)) throw new Error('not of its form');
    recipient = await identityToRecipient(identity);
  } catch (cause) {
    throw new UserError(
      'this is not a key of a hub: one starts with AGE-SECRET-KEY-1 and has 74 characters',
      {
        code: 'bad-hub-key',
        hint: 'on a machine that has joined, recall hub key prints it',
        cause,
      },
    );
  }
  const secret = hmac(identity, 'recall hub: names');
  // The parts are told apart by their lengths: no two lists give the same text.
  const toName = (...parts: readonly string[]) =>
    hmac(secret, JSON.stringify(parts)).subarray(0, 16).toString('hex');
  return {
    identity,
    check: toName('check'),
    toName,
    seal: async (bytes) => {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      return Buffer.from(await encrypter.encrypt(bytes));
    },
    open: async (bytes) => {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      return Buffer.from(await decrypter.decrypt(bytes));
    },
  };
}

export function isSameCheck(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
