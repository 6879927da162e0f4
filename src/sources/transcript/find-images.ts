// The images in a line of a transcript. Every agent writes them as base64, beside a type or in a data URL; where in the line differs
// from version to version, so all of it is looked through. What an image is, its first bytes say.

import { isObject } from '../json/json-value.ts';

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

interface FoundImage {
  readonly type: ImageType;
  readonly bytes: Buffer;
}

const maxImages = 20;
const maxImageChars = 16 * 1024 * 1024;
const maxDepth = 12;

/** `owner`: only inside the object that names this id, such as the answer to one of several calls; null for all of the line. */
export function findImages(line: unknown, owner: string | null = null): FoundImage[] {
  const images: FoundImage[] = [];
  const look = (value: unknown, isInside: boolean, depth: number): void => {
    if (depth > maxDepth || images.length >= maxImages) return;
    if (typeof value === 'string') {
      const image = isInside ? toImage(value) : null;
      // The same picture is often written twice, for the model and for the person.
      if (image !== null && !images.some(({ bytes }) => bytes.equals(image.bytes))) images.push(image);
    } else if (Array.isArray(value)) for (const item of value) look(item, isInside, depth + 1);
    else if (isObject(value)) {
      const items = Object.values(value);
      const isOwn = isInside || items.includes(owner);
      for (const item of items) look(item, isOwn, depth + 1);
    }
  };
  look(line, owner === null, 0);
  return images;
}

function toImage(text: string): FoundImage | null {
  if (text.length < 64 || text.length > maxImageChars) return null;
  const data = /^data:image\/[a-z+.-]+;base64,/i.exec(text)?.[0] ?? '';
  const start = text.slice(data.length, data.length + 64);
  if (!/^[A-Za-z0-9+/]{64}$/.test(start)) return null;
  const type = findImageType(Buffer.from(start, 'base64'));
  return type === null ? null : { type, bytes: Buffer.from(text.slice(data.length), 'base64') };
}

export function findImageType(bytes: Buffer): ImageType | null {
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null;
}
