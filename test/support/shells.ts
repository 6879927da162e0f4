// Real shells, driven as a person would: keys go to a terminal, and what the terminal shows comes back.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TempHome } from './home.ts';
import { programPath, toEnv } from './program.ts';

export function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/**
 * Puts `recall` on the path. Completion comes from the built program; any other command only notes the arguments that
 * the shell gave it.
 */
export function toShellEnv(home: TempHome): Record<string, string> {
  const folder = join(home.path, 'bin');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'recall');
  writeFileSync(
    program,
    `#!/bin/sh
case "$1" in __complete | completion | init) exec "${process.execPath}" "${programPath}" "$@" ;; esac
for argument; do printf '%s\\n' "$argument"; done > "${ranPath(home)}.new"
mv "${ranPath(home)}.new" "${ranPath(home)}"
echo noted
`,
  );
  chmodSync(program, 0o755);
  return toEnv(home, {
    PATH: `${folder}:${process.env.PATH}`,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    COLUMNS: '160',
  });
}

function ranPath(home: TempHome): string {
  return join(home.path, 'ran');
}

/** The arguments of the last command that was run, one each. */
export function readRan(home: TempHome): string[] {
  return existsSync(ranPath(home)) ? readFileSync(ranPath(home), 'utf8').split('\n').slice(0, -1) : [];
}

export function forgetRan(home: TempHome): void {
  rmSync(ranPath(home), { force: true });
}

export interface Step {
  readonly keys: string;
  /** Typing goes on when this has appeared. */
  readonly until: string;
}

/** Written for zsh, whose own module makes terminals. Prints all that the terminal showed after the last keys. */
const driver = `
zmodload zsh/zpty zsh/datetime
zpty -b shell "$1"
shift
while (( $# > 0 )); do
  shown=
  zpty -w -n shell "$1"
  deadline=$(( EPOCHREALTIME + 8 ))
  while [[ $shown != *"$2"* ]] && (( EPOCHREALTIME < deadline )); do
    if zpty -rt shell chunk; then shown+=$chunk; else sleep 0.02; fi
  done
  shift 2
done
# What comes after it belongs to the same screen.
for (( quiet = 0; quiet < 10; quiet++ )); do
  if zpty -rt shell chunk; then shown+=$chunk quiet=0; else sleep 0.02; fi
done
print -rn -- "$shown"
zpty -d shell
`;

export function typeInto(home: TempHome, command: string, steps: readonly Step[]): string {
  const typed = steps.flatMap(({ keys, until }) => [keys, until]);
  const done = spawnSync('zsh', ['-f', '-c', driver, 'driver', command, ...typed], {
    cwd: home.path,
    env: toShellEnv(home),
    encoding: 'utf8',
    timeout: 50_000,
  });
  return done.stdout + done.stderr;
}
