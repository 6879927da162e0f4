// Lets esbuild do without better-sqlite3. npm leaves it out without a word where it cannot be built, and a Node with an
// SQLite of its own does not need it. What is built then looks for it when a database is opened.

import { existsSync } from 'node:fs';

export const hasBetterSqlite = existsSync('node_modules/better-sqlite3/package.json');

const contents = `
  module.exports = class {
    constructor(...given) {
      return new (require('better-sqlite3'))(...given);
    }
  };`;

export const optionalSqlite = {
  name: 'optional-sqlite',
  setup({ onResolve, onLoad }) {
    if (hasBetterSqlite) return;
    onResolve({ filter: /^better-sqlite3$/ }, ({ path, namespace }) =>
      namespace === 'optional-sqlite' ? { path, external: true } : { path, namespace: 'optional-sqlite' },
    );
    onLoad({ filter: /.*/, namespace: 'optional-sqlite' }, () => ({ contents }));
  },
};

/** For ES modules, which have no `require`. */
export const requireBanner =
  "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";
