// The machines whose sessions a hub has brought here, and what is dropped when they are withdrawn.

import type { Database } from '../open/database.ts';
import { setWipeDue } from '../upkeep/privacy.ts';
import { saveTotals } from './settlement.ts';
import { TranscriptWriter } from './transcript-writer.ts';

interface MachineRow {
  readonly key: string;
  readonly name: string;
  readonly owner: string | null;
}

export function getMachineId(db: Database, { key, name, owner }: MachineRow): number {
  const sql = `insert into machine (key, name, owner) values (@key, @name, @owner)
    on conflict (key) do update set name = @name, owner = @owner returning id`;
  // The first row must not be taken for this machine, whose id is 0.
  return Number(db.prepare(sql).pluck().get({ key, name, owner }));
}

export function saveOwnMachine(db: Database, { key, name, owner }: MachineRow): void {
  db.transaction(() => {
    db.prepare('delete from machine where key = ? or id = 0').run(key);
    db.prepare('insert into machine (id, key, name, owner) values (0, ?, ?, ?)').run(key, name, owner);
  }).immediate();
}

export interface DroppedFiles {
  readonly machineKey: string;
  readonly agent: string;
  readonly root: string;
  readonly paths: readonly string[];
}

/** Their sessions leave the index; nothing keeps them from coming back. What they leave in the file is wiped as after `forget`. */
export function dropReceived(db: Database, dropped: readonly DroppedFiles[]): number {
  const findRoot = db.prepare(
    'select root.id from root join machine on machine.id = machine_id where key = ? and agent = ? and path = ? and machine_id > 0',
  );
  const ofRoot = 'root_id = @rootId and path in (select value from json_each(@paths))';
  const ids = `select session.id from session where transcript_id in (select id from transcript where ${ofRoot})`;
  db.pragma('secure_delete = on');
  const drop = db.transaction(() => {
    const writer = new TranscriptWriter(db);
    let count = 0;
    for (const { machineKey, agent, root, paths } of dropped) {
      const rootId = findRoot.pluck().get(machineKey, agent, root) as number | undefined;
      if (rootId === undefined) continue;
      const given = { rootId, paths: JSON.stringify(paths) };
      for (const id of db.prepare(ids).pluck().all(given) as number[]) {
        writer.deleteSession(id);
        count++;
      }
      const findings = `transcript_id in (select id from transcript where ${ofRoot})`;
      db.prepare(`delete from skipped_line where ${findings}`).run(given);
      db.prepare(`delete from unknown_type where ${findings}`).run(given);
      db.prepare(`delete from transcript where ${ofRoot}`).run(given);
      db.prepare(`delete from sidecar where ${ofRoot}`).run(given);
    }
    if (count === 0) return 0;
    db.exec(
      'delete from project where id not in (select project_id from session where project_id is not null)',
    );
    setWipeDue(db);
    saveTotals(db);
    return count;
  });
  return drop.immediate();
}
