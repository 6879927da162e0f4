// What it means when the native half of better-sqlite3 cannot be loaded: it was never built, was built for another Node, or
// is broken. Told with the command that builds it where recall is installed.

import { UserError } from '../../errors.ts';

/** Null for any other error. */
export function toNativeError(error: unknown, nodeVersion: string): UserError | null {
  const { code, message, requireStack } = error as NodeJS.ErrnoException & { requireStack?: unknown };
  const isMissing = code === 'MODULE_NOT_FOUND' && /'better-sqlite3\b/.test(message);
  if (!isMissing && code !== 'ERR_DLOPEN_FAILED') return null;
  const place = isMissing ? toFirst(requireStack) : /^(?:The module ')?(.+?\.node)\b/s.exec(message)?.[1];
  return new UserError(`better-sqlite3 is not built for this Node (${nodeVersion})`, {
    code: 'no-sqlite',
    hint: toRebuilding(place ?? ''),
    cause: error,
  });
}

function toFirst(requireStack: unknown): string | undefined {
  return Array.isArray(requireStack) ? String(requireStack[0]) : undefined;
}

/** `place` is a file of recall, or of what stands in its node_modules. */
function toRebuilding(place: string): string {
  const path = place.replaceAll('\\', '/');
  if (/\/\.(pnpm|bun|yarn)\//.test(path))
    return 'install recall again and let better-sqlite3 run its install script';
  const [folder = '', inside] = path.split('/node_modules/');
  const isGlobal = inside !== undefined && /\/(lib|npm|nodejs)$/.test(folder);
  if (path === '' || isGlobal) return 'npm rebuild -g better-sqlite3';
  const own = inside === undefined ? path.replace(/\/dist\/[^/]*$/, '') : folder;
  return `npm rebuild --prefix '${own.replaceAll("'", "'\\''")}' better-sqlite3`;
}
