// Which SQLite is in use, also where there is no index yet.

import { type Engine, openDatabase, readEngine } from '../../store/open/database.ts';

export type { Engine };

/** Throws a UserError where there is none. */
export function getEngine(): Engine {
  const db = openDatabase(':memory:');
  try {
    return readEngine(db);
  } finally {
    db.close();
  }
}
