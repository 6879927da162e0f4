// Prints the manual page recall(1), made from the definitions of the commands and flags and from the query guide, so that it
// matches the program: node scripts/run-ts.mjs scripts/man-page.ts > recall.1

import type { Argument, CommandUnknownOpts as Command, Help, Option } from '@commander-js/extra-typings';
import packageJson from '../package.json' with { type: 'json' };
import { buildProgram, type Shell } from '../src/program.ts';
import { queryGuide, tierGuide } from '../src/render/query-guide.ts';
import { bold, entry, italic, section, toRoff, toText, verbatim } from './roff.ts';

let written = '';
const output = {
  writeOut: (text: string) => {
    written += text;
  },
  writeErr: () => {},
};
const program = await buildProgram({ output } as unknown as Shell);
const help: Help = Object.assign(program.createHelp(), program.configureHelp());

const { SOURCE_DATE_EPOCH } = process.env;
const builtAt = SOURCE_DATE_EPOCH === undefined ? new Date() : new Date(Number(SOURCE_DATE_EPOCH) * 1000);

const page = [
  `.TH RECALL 1 ${builtAt.toISOString().slice(0, 10)} "recall ${packageJson.version}" "User Commands"`,
  // No hyphenation and no justification: both would damage commands and names.
  '.nh',
  '.ad l',
  section('NAME', `recall \\- ${toRoff(packageJson.description)}`),
  section(
    'SYNOPSIS',
    `${bold('recall')} [${italic('options')}] ${italic('command')} [${italic('arguments')}]`,
  ),
  section(
    'DESCRIPTION',
    toText(
      'recall reads the transcripts that Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode, pi and Qwen Code keep, and indexes what you typed, what was answered and what was done in one SQLite file. It runs on your machine, makes no network connections, and needs no daemon and no model. Sessions that an agent deletes stay searchable if they were indexed before; recall restore brings them back.',
    ),
    '.PP',
    toText(
      'You do not have to run recall index yourself: a search first looks for new and changed transcripts, for a second and a half at most, and says if it left some for later. The very first search does not wait for the whole index either: it reads the newest transcripts, and later searches or recall index read the rest. What an agent deletes before recall has read it is lost; recall setup claude --write adds a hook that updates the index whenever a session of Claude Code ends. recall archive on keeps copies of transcripts, too.',
    ),
  ),
  section('OPTIONS', toText('These work with every command, before it or after it.'), ...toOptions(program)),
  section('COMMANDS', ...help.visibleCommands(program).map(toCommand)),
  section('QUERY LANGUAGE', ...queryGuide.map(toGuideSection), toTiers()),
  section(
    'FILES',
    entry(
      bold('~/.local/share/recall/recall.db'),
      'The index; ~/Library/Application Support/recall/recall.db on macOS, %LOCALAPPDATA%\\recall\\recall.db on Windows. Only you can read it. Its tables are described in docs/upkeep.md and can be queried with any SQLite. The same folder holds the ids of the results that each terminal showed last (recall.db.last), for recall open 1, and a lock.',
    ),
    entry(
      bold('~/.config/recall/config.json'),
      'Settings: {"redact": true} keeps keys and passwords of well-known formats out of the index. On macOS and Windows it is in the same folder as the index.',
    ),
    entry(
      bold('~/.claude'),
      'The transcripts of Claude Code. recall only reads them, and those of other agents: see docs/other-agents.md.',
    ),
    entry(
      bold('~/.cache/recall'),
      'Compiled code, which makes recall start faster; ~/Library/Caches/recall on macOS.',
    ),
  ),
  section(
    'ENVIRONMENT',
    entry(bold('CLAUDE_CONFIG_DIR'), 'Claude Code’s folder, unless --claude-dir is given.'),
    entry(
      ['CLINE_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'FACTORY_HOME_OVERRIDE', 'GEMINI_CLI_HOME', 'GROK_HOME']
        .concat('HERMES_HOME', 'KIMI_CODE_HOME', 'OPENCLAW_STATE_DIR', 'PI_CODING_AGENT_DIR')
        .concat('PI_CODING_AGENT_SESSION_DIR', 'QWEN_HOME', 'QWEN_RUNTIME_DIR')
        .map(bold)
        .join(', '),
      'The folders of other agents, unless --agent-dir is given.',
    ),
    entry(bold('RECALL_DB'), 'The index, unless --db is given.'),
    entry(bold('RECALL_MACHINE'), 'What this machine is called on a hub, unless --name is given.'),
    entry(bold('RECALL_HUB_KEY'), 'Your key, for recall hub join.'),
    entry(
      `${bold('PGPASSWORD')}, ${bold('PGUSER')}, ${bold('USER')}`,
      'The password and the login for a hub in PostgreSQL, where its address names none.',
    ),
    entry(bold('PAGER'), 'The program that recall show uses for a long conversation (default: less -R).'),
    entry(bold('XDG_DATA_HOME'), 'The folder that holds recall/recall.db.'),
    entry(bold('XDG_CONFIG_HOME'), 'The folder that holds recall/config.json.'),
    entry(bold('XDG_CACHE_HOME'), 'The folder that holds the compiled code.'),
    entry(
      bold('TERM'),
      'If it is dumb, recall without a command prints a list instead of opening its screen.',
    ),
    entry(bold('TMUX'), 'If set, what is copied on the screen is sent in the form that tmux passes on, too.'),
    entry(bold('NO_COLOR'), 'If set, output is not coloured unless --color always is given.'),
    entry(
      bold('COLUMNS'),
      'How wide lists are when the output is not a terminal; without it nothing is cut.',
    ),
    entry(bold('WT_SESSION'), 'Set by Windows Terminal. Result numbers belong to one of its tabs.'),
    entry(
      `${bold('CLAUDECODE')}, ${bold('CLAUDE_CODE_SESSION_ID')}, ${bold('CLAUDE_SESSION_ID')}`,
      'Set by Claude Code. The session that recall is called from is left out of the results.',
    ),
  ),
  section(
    'EXIT STATUS',
    entry(bold('0'), 'Success: something was found, or the command did its work.'),
    entry(bold('1'), 'Nothing found, or the session cannot be resumed.'),
    entry(bold('2'), 'Error.'),
  ),
  section('EXAMPLES', verbatim(toExamples(program))),
  section('SEE ALSO', `${bold('claude')}(1), ${bold('sqlite3')}(1), ${bold('rg')}(1)`),
];
process.stdout.write(`${page.join('\n')}\n`);

function toCommand(command: Command): string {
  const parts = command.registeredArguments.map(toArgumentTerm);
  const options = command.options.length > 0 ? [`[${italic('options')}]`] : [];
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return [
    `.SS ${[bold('recall'), bold(command.name()), ...options, ...parts].join(' ')}`,
    toText(toSentence(command.description())),
    ...described.map((each) => entry(toArgumentTerm(each), help.argumentDescription(each))),
    ...toOptions(command),
    '.PP',
    verbatim(toExamples(command)),
  ].join('\n');
}

function toOptions(command: Command): string[] {
  const isHelp = (option: Option) => command !== program && option.long === '--help';
  return help
    .visibleOptions(command)
    .filter((option) => !isHelp(option))
    .map((option) => entry(toOptionTerm(option), help.optionDescription(option)));
}

/** `-q, --quiet` and `--limit <n>`: what is typed in bold, placeholders in italics. */
function toOptionTerm({ flags }: Option): string {
  return flags
    .split(/(<[^>]*>|\[[^\]]*\]|[ ,]+)/)
    .map((part) =>
      /^[<[]/.test(part) ? italic(part.slice(1, -1)) : part.startsWith('-') ? bold(part) : part,
    )
    .join('');
}

function toArgumentTerm(argument: Argument): string {
  const name = italic(argument.variadic ? `${argument.name()}...` : argument.name());
  return argument.required ? name : `[${name}]`;
}

/** What the help of a command says after its flags. */
function toExamples(command: Command): string[] {
  written = '';
  command.outputHelp();
  const [, after = ''] = written.split('\nExamples:\n');
  return after
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ {2}/, ''));
}

function toGuideSection({ heading, text, rows }: (typeof queryGuide)[number]): string {
  const terms = rows.map(({ examples, meaning }) => entry(examples.map(bold).join(', '), meaning));
  return [`.SS ${heading}`, toText(text), ...terms].join('\n');
}

function toTiers(): string {
  const { heading, text, tiers } = tierGuide;
  return [`.SS ${heading}`, toText(text), ...tiers.map(([tier, meaning]) => entry(bold(tier), meaning))].join(
    '\n',
  );
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
