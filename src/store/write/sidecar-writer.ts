// Writes what sidecar files say: titles, subagent descriptions, hints. Nothing of it is taken back when a sidecar
// disappears, because it disappears together with the session that the index keeps.

import { sql } from 'kysely';
import type { SessionHint, SidecarFile, SubagentMeta } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { prepare, query, value } from '../open/typed-query.ts';

export class SidecarWriter {
  private readonly sql: ReturnType<typeof prepareStatements>;

  constructor(db: Database) {
    this.sql = prepareStatements(db);
  }

  saveSidecar(
    rootId: number,
    file: SidecarFile,
    said: { customTitle: string | null; meta: SubagentMeta | null },
  ): void {
    const { path, kind, slug, nativeId, sizeBytes, mtimeMs, ctimeMs, inode } = file;
    this.sql.saveSidecar.run({
      ...{ rootId, path, kind, slug, nativeId, sizeBytes, mtimeMs, ctimeMs, inode },
      customTitle: said.customTitle,
      subagentType: said.meta?.subagentType ?? null,
      subagentDescription: said.meta?.description ?? null,
      toolUseId: said.meta?.toolUseId ?? null,
    });
    if (nativeId !== null) this.sql.unsettle.run({ nativeId });
  }

  saveHint(rootId: number, slug: string, hint: SessionHint): void {
    const { pullRequest, ...fields } = hint;
    this.sql.saveHint.run({
      ...fields,
      rootId,
      slug,
      prNumber: pullRequest?.number ?? null,
      prUrl: pullRequest?.url ?? null,
      prRepository: pullRequest?.repository ?? null,
    });
    this.sql.unsettle.run({ nativeId: hint.nativeId });
  }
}

function prepareStatements(db: Database) {
  const stamp = {
    size_bytes: value<number>('sizeBytes'),
    mtime_ms: value<number>('mtimeMs'),
    ctime_ms: value<number>('ctimeMs'),
    inode: value<number>('inode'),
  };
  const said = {
    custom_title: value<string | null>('customTitle'),
    subagent_type: value<string | null>('subagentType'),
    subagent_description: value<string | null>('subagentDescription'),
    tool_use_id: value<string | null>('toolUseId'),
  };
  const hint = {
    first_prompt: value<string | null>('firstPrompt'),
    summary: value<string | null>('summary'),
    custom_title: value<string | null>('customTitle'),
    created_at: value<string | null>('createdAt'),
    modified_at: value<string | null>('modifiedAt'),
    branch: value<string | null>('branch'),
    project_path: value<string | null>('projectPath'),
    pr_number: value<number | null>('prNumber'),
    pr_url: value<string | null>('prUrl'),
    pr_repository: value<string | null>('prRepository'),
  };
  const saveSidecar = query
    .insertInto('sidecar')
    .values({
      root_id: value<number>('rootId'),
      path: value<string>('path'),
      kind: value<string>('kind'),
      slug: value<string>('slug'),
      native_id: value<string | null>('nativeId'),
      ...stamp,
      ...said,
    })
    .onConflict((on) =>
      on.columns(['root_id', 'path']).doUpdateSet((q) => ({
        ...stamp,
        custom_title: q.fn.coalesce(said.custom_title, 'sidecar.custom_title'),
        subagent_type: q.fn.coalesce(said.subagent_type, 'sidecar.subagent_type'),
        subagent_description: q.fn.coalesce(said.subagent_description, 'sidecar.subagent_description'),
        tool_use_id: q.fn.coalesce(said.tool_use_id, 'sidecar.tool_use_id'),
      })),
    );
  const saveHint = query
    .insertInto('hint')
    .values({
      root_id: value<number>('rootId'),
      slug: value<string>('slug'),
      native_id: value<string>('nativeId'),
      ...hint,
    })
    .onConflict((on) => on.doUpdateSet(hint));
  const unsettle = query
    .updateTable('session')
    .set({ is_unsettled: sql.lit(1) })
    .where('native_id', '=', value<string>('nativeId'));
  return {
    saveSidecar: prepare(db, saveSidecar),
    saveHint: prepare(db, saveHint),
    unsettle: prepare(db, unsettle),
  };
}
