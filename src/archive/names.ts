// The names in the archive, which are its catalogue: there is no other. A file of a root is kept under its own path, as one
// or more segments; a segment's name says which bytes of the file it holds, and how to check them. Pure.

/** A stretch of one version of a file: one complete brotli stream, never changed once it has its name. */
export interface Segment {
  /** Its file name. */
  readonly name: string;
  /** Counts the versions of a file: one that was rewritten, rather than added to, starts the next. */
  readonly version: number;
  /** The bytes of the file that it holds, `to` not among them. */
  readonly from: number;
  readonly to: number;
  /** Of what it holds: the first 16 digits of its SHA-256. */
  readonly checksum: string;
  /** Of the file from its start to `to`, as it was on disk, to see later whether it has only grown. */
  readonly fingerprint: string;
  /** Secrets were taken out, without moving any other byte. */
  readonly isRedacted: boolean;
}

const offsetDigits = 12;
const segmentPattern = /^(.+)\.(\d+)\.(\d{12,})-(\d{12,})\.([0-9a-f]{16})\.([0-9a-f]{16})(\.r)?\.br$/;
const prunedPattern = /^(.+)\.(\d+)\.pruned$/;

/** Offsets are padded, so that the order of names is the order of bytes. */
export function toSegmentName(stem: string, segment: Omit<Segment, 'name'>): string {
  const [from, to] = [segment.from, segment.to].map((offset) => String(offset).padStart(offsetDigits, '0'));
  const { version, checksum, fingerprint, isRedacted } = segment;
  return `${stem}.${version}.${from}-${to}.${checksum}.${fingerprint}${isRedacted ? '.r' : ''}.br`;
}

export interface KeptName {
  /** The encoded name of the file. */
  readonly stem: string;
  readonly segment: Segment | null;
  /** How large the file was when it was pruned. */
  readonly prunedBytes: number | null;
}

/** Null for names that are not the archive's. */
export function parseKeptName(name: string): KeptName | null {
  const [, stem, version, from, to, checksum, fingerprint, redacted] = segmentPattern.exec(name) ?? [];
  if (stem !== undefined) {
    const segment = {
      name,
      version: Number(version),
      from: Number(from),
      to: Number(to),
      checksum: checksum ?? '',
      fingerprint: fingerprint ?? '',
      isRedacted: redacted !== undefined,
    };
    return segment.to > segment.from && segment.version > 0 ? { stem, segment, prunedBytes: null } : null;
  }
  const [, pruned, bytes] = prunedPattern.exec(name) ?? [];
  return pruned === undefined ? null : { stem: pruned, segment: null, prunedBytes: Number(bytes) };
}

export function toPrunedName(stem: string, sizeBytes: number): string {
  return `${stem}.${sizeBytes}.pruned`;
}

/** What starts with this was never finished. */
export const temporaryPrefix = '.new-';

export function isTemporary(name: string): boolean {
  return name.startsWith(temporaryPrefix);
}

/** What a segment's name adds to that of its file stays below a hundred characters; names have at most 255 bytes. */
const maxStemChars = 150;

/**
 * A name as every file system can hold it, which can be turned back: letters, digits, `.`, `_`, `@` and `-` as they are, `+` for a
 * slash, `%E4` for any other byte. One that is too long is divided into folders; those end with `%`, which no whole name does.
 */
export function toKeptParts(name: string): string[] {
  let encoded = '';
  for (const byte of Buffer.from(name)) {
    const character = String.fromCharCode(byte);
    if (/[\w.@-]/.test(character)) encoded += character;
    else if (character === '/') encoded += '+';
    else encoded += toEscape(byte);
  }
  // Windows drops a dot at the end, `.` and `..` are not names, and what starts with a dot is the archive's own.
  encoded = encoded.replace(/^\.|\.$/g, toEscape(0x2e));
  const parts: string[] = [];
  while (encoded.length > maxStemChars) {
    parts.push(`${encoded.slice(0, maxStemChars - 1)}%`);
    encoded = encoded.slice(maxStemChars - 1);
  }
  return [...parts, encoded];
}

/** Null where it is not a name that `toKeptParts` makes. */
export function parseKeptParts(parts: readonly string[]): string | null {
  const encoded = parts.map((part, i) => (i < parts.length - 1 ? part.slice(0, -1) : part)).join('');
  if (!/^(?:[\w.@+-]|%[0-9A-F]{2})+$/.test(encoded)) return null;
  const bytes = encoded
    .replaceAll('+', '/')
    .replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function toEscape(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
