// Prints, as JSON, the parts of docs/manual.md that are made from the program: the commands, the flags of each, and the query
// language. scripts/screens.mjs puts them where the manual has a marker of that name.

import type { CommandUnknownOpts as Command, Help, Option } from '@commander-js/extra-typings';
import { buildProgram, type Shell } from '../src/program.ts';
import { queryGuide, tierGuide } from '../src/render/query-guide.ts';
import {
  anywhereKeys,
  editingKeys,
  type KeyDescription,
  listKeys,
  readerKeys,
  restoreKeys,
} from '../src/screen/keys.ts';

const program = await buildProgram({
  output: { writeOut: () => {}, writeErr: () => {} },
} as unknown as Shell);
const help: Help = Object.assign(program.createHelp(), program.configureHelp());
const commands = help.visibleCommands(program);
const searchFlags = commands.filter((command) => command.name() === 'search').flatMap(toFlagRows);

const sections: Record<string, string> = {
  commands: toTable(['command', 'what it does'], commands.map(toCommandRow)),
  'global flags': toFlags(program),
  'query language': toQueryLanguage(),
  'keys of the list': toKeys(listKeys),
  'keys anywhere': toKeys(anywhereKeys),
  'keys of a deleted session': toKeys(restoreKeys),
  'keys of the line': toKeys(editingKeys),
  'keys of the reader': toKeys(readerKeys),
};
for (const command of commands) sections[`flags of ${command.name()}`] = toFlags(command);
process.stdout.write(JSON.stringify(sections));

function toCommandRow(command: Command): readonly [string, string] {
  const parts = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const term = ['recall', command.name(), ...parts].join(' ');
  return [`[${toCode(term)}](#recall-${command.name()})`, toProse(command.description())];
}

function toKeys(keys: readonly KeyDescription[]): string {
  return toTable(
    ['key', 'what it does'],
    keys.map(({ label, does }) => [toProse(label), toProse(does)]),
  );
}

/** Flags that mean the same in a search are described there and only named here. */
function toFlags(command: Command): string {
  const options = toFlagRows(command);
  if (options.length === 0) return 'No flags of its own.';
  const isShared = ([flag, meaning]: readonly [string, string]) =>
    !['recall', 'search'].includes(command.name()) &&
    searchFlags.some(([name, means]) => name === flag && means === meaning);
  const own = options.filter((row) => !isShared(row));
  const shared = options.filter(isShared).map(([flag]) => flag);
  return [
    ...(own.length === 0 ? [] : [toTable(['flag', 'meaning'], own)]),
    ...(shared.length === 0 ? [] : [`As in [\`recall search\`](#recall-search): ${shared.join(', ')}.`]),
  ].join('\n\n');
}

function toFlagRows(command: Command): (readonly [string, string])[] {
  return help
    .visibleOptions(command)
    .filter(({ long }) => command === program || long !== '--help')
    .map((option: Option) => [toCode(option.flags), toProse(help.optionDescription(option))]);
}

function toQueryLanguage(): string {
  const guide = queryGuide.map(({ heading, text, rows }) => {
    const cells = rows.map((row) => [row.examples.map(toCode).join(' '), toProse(row.meaning)] as const);
    return [`### ${heading}`, toProse(text), toTable(['you type', 'meaning'], cells)].join('\n\n');
  });
  const tiers = tierGuide.tiers.map(([tier, meaning]) => [toCode(tier), toProse(meaning)] as const);
  const widening = [
    `### ${tierGuide.heading}`,
    toProse(tierGuide.text),
    toTable(['`tier`', 'meaning'], tiers),
  ];
  return [...guide, widening.join('\n\n')].join('\n\n');
}

function toTable(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  return [head, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** Characters that Markdown would take for its own. */
function toProse(text: string): string {
  return text.replace(/[\\<|*_`]/g, '\\$&');
}
