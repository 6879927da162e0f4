// Files that are imported as text, for the tests as the build takes them. Under another name: Vite has its own way with style sheets.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const prefix = '\0text:';

export const textFiles = {
  name: 'text-files',
  enforce: 'pre' as const,
  resolveId(name: string, importer: string | undefined) {
    if (importer === undefined || !/\.(bash|zsh|fish|ps1|css|txt)$/.test(name)) return undefined;
    return `${prefix}${resolve(dirname(importer), name)}.js`;
  },
  load(id: string) {
    if (!id.startsWith(prefix)) return undefined;
    const text = readFileSync(id.slice(prefix.length, -'.js'.length), 'utf8');
    return `export default ${JSON.stringify(text)};`;
  },
};
