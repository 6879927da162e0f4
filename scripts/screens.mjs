// Keeps what the documents show of recall true: node scripts/screens.mjs [--check] [file…], without files all of them.
//
// A comment before a code block says that the block is what recall prints, in the demo home of fixtures/ and in its
// project ~/shop. Each block has a fresh home, already indexed.
//   <!-- screen -->          every line `$ recall …` is run and its output goes below it; other lines with a `$` are
//                            kept and not run. Durations, the size of the index and the engine are not
//                            compared.
//   <!-- json: <args> -->    what `recall <args> --json` prints, shortened for reading
//   <!-- typed: <words> -->  the interactive screen after these words were typed into it; kept where there is no tmux
//   <!-- tool calls -->      lines `→ tool {arguments}`, each with the answer of `recall mcp` below it
// And text between <!-- made: <name> --> and <!-- end --> is made from the program by manual-sections.ts.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runQuietly, withDemoHome } from './demo-runs.mjs';
import { hasTmux, toInteractiveScreen } from './interactive-screen.mjs';
import { toSample } from './json-sample.mjs';
import { toToolCalls } from './tool-calls.mjs';

const documents = ['README.md', 'docs/manual.md', 'docs/json.md', 'docs/agents.md', 'docs/upkeep.md'];

/** Made from the program when a document first needs one. */
let sections;

const args = process.argv.slice(2);
const named = args.filter((arg) => arg !== '--check');
const files = named.length > 0 ? named : documents.map((name) => join(root, name));
for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const after = await renew(before);
  if (!args.includes('--check')) writeFileSync(file, after);
  else if (after !== before) {
    reportDifferences(file, before, after);
    process.exitCode = 1;
  }
}

async function renew(text) {
  const withScreens = await replaceAll(
    text,
    /^(<!-- (screen|(?:json|typed): ([^\n]+)|tool calls) -->\n+```\w*\n)(.*?)(^```$)/gms,
    async ([, head, kind, line, block, tail]) => head + (await toBlock(kind, line, block)) + tail,
  );
  return replaceAll(
    withScreens,
    /^(<!-- made: ([^\n]+) -->\n)(.*?)(^<!-- end -->$)/gms,
    ([, head, name, , tail]) => `${head}\n${getSection(name)}\n\n${tail}`,
  );
}

function toBlock(kind, line, block) {
  return withDemoHome(async (home) => {
    if (kind === 'screen') return toScreen(home, block);
    if (kind === 'tool calls') return toToolCalls(home, block);
    if (kind.startsWith('typed')) return hasTmux ? `${await toInteractiveScreen(home, line)}\n` : block;
    const printed = runQuietly(home, `recall ${line} --json 2>/dev/null`);
    return `${toSample(printed, block, !line.startsWith('search'))}\n`;
  });
}

function toScreen(home, block) {
  const parts = block.split(/^(?=\$ )/m).map((part) => {
    const [typed = '', ...shown] = part.trimEnd().split('\n');
    if (!typed.startsWith('$ recall')) return typed;
    // Without a terminal, a number is said to come from a list of any terminal.
    const printed = run(home, typed.slice(2)).replace(/^recall: \d+ is from the list .*\n/m, '');
    const old = shown.join('\n');
    return `${typed}\n${mask(printed) === mask(old) ? old : printed}`.trimEnd();
  });
  return `${parts.join('\n\n')}\n`;
}

function getSection(name) {
  sections ??= JSON.parse(
    spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/manual-sections.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    }).stdout,
  );
  const section = sections[name];
  if (section === undefined) throw new Error(`nothing is made under the name ${name}`);
  return section;
}

async function replaceAll(text, pattern, replace) {
  let replaced = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    replaced += text.slice(from, match.index) + (await replace(match));
    from = match.index + match[0].length;
  }
  return replaced + text.slice(from);
}

function mask(text) {
  return text
    .replace(/\b\d+(\.\d+)? ?m?s\b/g, '<time>')
    .replace(/[\d.]+ [kM]B(?=, schema)/, '<size>')
    .replace(/^engine .*/m, '<engine>');
}

function reportDifferences(file, before, after) {
  const [now, then] = [after, before].map((text) => new Set(text.split('\n')));
  const only = (ours, theirs) => [...ours].filter((line) => !theirs.has(line));
  console.error(`${file}: differs from what recall prints; to update it: npm run screens`);
  for (const line of only(then, now)) console.error(`- ${line}`);
  for (const line of only(now, then)) console.error(`+ ${line}`);
}
