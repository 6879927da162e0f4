// A copy of an agent's fixture in a temporary home, and everything that the index says of it in a form that a person can
// check by reading.

import { cpSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { readResumptions } from '../../src/api/resume.ts';
import type { AgentName, Root } from '../../src/records.ts';
import { openDatabase } from '../../src/store/open/database.ts';
import { TempHome } from './home.ts';
import { indexHome, withStore } from './index-home.ts';

/** Stands only in what the fixtures' authors never typed. */
export const injected = 'flamingo';

const fixedTime = new Date('2026-03-05T12:00:00Z');

export const fixturesDir = 'fixtures/agents';

export class AgentHome extends TempHome {
  readonly root: Root;

  constructor(agent: AgentName, isFilled = true) {
    super();
    this.root = { agent, path: join(this.path, agent) };
    if (!isFilled) return;
    cpSync(join(fixturesDir, agent), this.root.path, { recursive: true });
    for (const name of readFixture(agent).keys())
      if (name.endsWith('.sql')) makeDatabase(this.root.path, name);
      // Not every agent writes times.
      else utimesSync(join(this.root.path, name), fixedTime, fixedTime);
  }

  index() {
    return indexHome(this, { at: [this.root] });
  }
}

/** A database is kept as what makes it: `<name>.sql`, or with its own ending before that. */
export function makeDatabase(folder: string, name: string): void {
  const db = openDatabase(
    join(
      folder,
      name.replace(/(\.sqlite)?\.sql$/, (_, own = '.db') => own),
    ),
  );
  db.exec(readFileSync(join(folder, name), 'utf8'));
  db.close();
  rmSync(join(folder, name));
}

/** The files of a fixture with their bytes. */
export function readFixture(agent: AgentName): Map<string, Buffer> {
  const folder = join(fixturesDir, agent);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

/** What was found, session by session, in the order of their ids. */
export function describeIndex(home: TempHome): Promise<string> {
  return withStore(home, (store) => {
    const all = (sql: string, ...values: unknown[]) =>
      store.db.prepare(sql).all(...values) as Record<string, string | number | null>[];
    const sessions = all(`
      select session.*, project.path as project,
        (select count(*) - 1 from session other where other.conversation_id = session.conversation_id) as copies
      from session left join project on project.id = project_id order by agent, native_id, message_count`);
    const at = { env: {}, homeDir: home.path, platform: 'linux', cwd: home.path };
    const resumptions = readResumptions(
      store,
      sessions.map(({ id }) => Number(id)),
      { at, archivePath: join(home.path, 'archive'), machine: 'here' },
    );
    const lines = sessions.flatMap((session) => {
      const { resume, obstacle, first } = resumptions.get(Number(session.id)) ?? {};
      const messages = all('select * from message where session_id = ? order by seq', session.id);
      const calls = all('select * from tool_call where session_id = ? order by id', session.id);
      const said = [
        ...messages.map(({ seq, role, kind, text, is_sidechain }) => {
          const who = `${role} ${kind}${is_sidechain === 1 ? ' (subagent)' : ''}`;
          return { seq: Number(seq), line: `${who}: ${String(text).replaceAll('\n', ' ⏎ ')}` };
        }),
        ...calls.map(({ seq, name, target, is_error }) => {
          const failed = is_error === 1 ? ' FAILED' : '';
          return { seq: Number(seq), line: `tool ${name}${failed}: ${target ?? ''}` };
        }),
      ].sort((a, b) => a.seq - b.seq);
      return [
        `${session.agent} ${session.native_id} ${session.kind}${session.parent_native_id === null ? '' : ` of ${session.parent_native_id}`}`,
        `  title      ${session.title} (${session.title_source})`,
        `  where      ${session.project} ${session.branch ?? '-'}`,
        `  when       ${session.created_at} – ${session.modified_at}`,
        `  made by    ${session.versions} ${session.models}`,
        `  resume     ${resume?.command ?? '-'}${obstacle == null ? '' : ` (${obstacle}${first == null ? '' : `: ${first}`})`}`,
        `  copies     ${session.copies}, compactions ${session.compaction_count}, hidden ${session.is_hidden}`,
        ...said.map(({ seq, line }) => `  ${String(seq).padStart(3)} ${line}`),
        '',
      ];
    });
    const unknown = all('select type, version, sum(count) as n from unknown_type group by 1, 2 order by 1');
    const skipped = all(
      'select path, line, reason from skipped_line join transcript on transcript.id = transcript_id',
    );
    return [
      ...lines,
      ...unknown.map(({ type, version, n }) => `unknown ${type} (${version}): ${n}`),
      ...skipped.map(({ path, line, reason }) => `skipped ${path}:${line}: ${reason}`),
      '',
    ]
      .join('\n')
      .replaceAll(home.path, '~');
  });
}
