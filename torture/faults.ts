// What the system must offer for some of the faults: another user, namespaces, fault injection. Where it does not, the
// check says so instead of passing.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TempHome } from '../test/support/home.ts';
import { runRecall } from '../test/support/program.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** Run options under which file permissions apply. */
export const asOrdinaryUser = isRoot ? { cwd: '/', uid: nobody } : { cwd: '/' };

/** Null when permissions can be tested, else why not. */
export function whyNoRights(home: TempHome): string | null {
  giveAway(home.path);
  return runRecall(home, ['--version'], asOrdinaryUser).code === 0
    ? null
    : 'the program is not readable by others';
}

/** Everything below belongs to the ordinary user. */
export function giveAway(path: string): void {
  if (!isRoot) return;
  chownSync(path, nobody, nobody);
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), nobody, nobody);
}

function works(argv: readonly string[]): boolean {
  const [program = '', ...args] = argv;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

export const hasStrace = works(['strace', '-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']);
export const withoutStrace = 'strace cannot inject faults here';

/** Runs recall so that these calls go wrong: `pread64:error=EIO:when=3+`, only on this file where one is named. */
export function injecting(fault: string, onlyPath?: string): string[] {
  const only = onlyPath === undefined ? [] : ['-P', onlyPath];
  const calls = fault.slice(0, fault.indexOf(':'));
  return ['strace', '-f', '-o', '/dev/null', ...only, '-e', `trace=${calls}`, '-e', `inject=${fault}`];
}

export const hasNetworkNamespace = works(['unshare', '-n', 'true']);

const mountScript = 'mount -t tmpfs -o size=1m tmpfs /mnt';
export const hasMounts = works(['unshare', '-m', 'sh', '-c', mountScript]);

/** Runs recall with a file system of this size at the folder of its index. */
export function onSmallDisk(folder: string, size: string, then = ''): string[] {
  const script = `mount -t tmpfs -o size=${size} tmpfs '${folder}' && ${then === '' ? '' : `${then} && `}exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', script, 'sh'];
}
