// How the real agents are run against a model on loopback, in a home of their own: set up, asked, and resumed. What resumes a
// session is the command that recall prints, with the flags that keep the program from opening its screen.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/records.ts';
import { modelName } from '../support/model-server.ts';

export interface RealAgent {
  readonly program: string;
  /** The folder of its sessions below the home; null where they cannot be brought back. */
  readonly store: string | null;
  readonly env: (url: string) => Record<string, string>;
  /** Writes what the program needs to find the model. */
  readonly setUp: (home: string, url: string) => void;
  readonly ask: (prompt: string) => readonly string[];
  /** It resumes on its screen only: the prompt is typed there. */
  readonly isTyped?: boolean;
  /** Ends what it leaves running. */
  readonly finish?: readonly string[];
  readonly resume: (argv: readonly string[], prompt: string) => readonly string[];
}

const nothing = () => {};

function write(home: string, path: string, content: string | object): void {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

function runOpencode(program: string): RealAgent {
  return {
    program,
    store: null,
    env: () => ({}),
    setUp: (home, url) =>
      write(home, `.config/${program}/${program}.json`, {
        ...{ autoupdate: false, share: 'disabled', model: `local/${modelName}` },
        provider: {
          local: {
            ...{ npm: '@ai-sdk/openai-compatible', name: 'local' },
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: { [modelName]: { name: modelName } },
          },
        },
      }),
    ask: (prompt) => ['run', prompt],
    resume: (argv, prompt) => ['run', ...argv.slice(1), prompt],
  };
}

function runPi(program: string, folder: string): RealAgent {
  return {
    program,
    store: `${folder}/sessions`,
    env: () => ({}),
    setUp: (home, url) =>
      write(home, `${folder}/models.json`, {
        providers: {
          local: {
            ...{ baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'x' },
            models: [
              { id: modelName, name: modelName, input: ['text'], contextWindow: 100_000, maxTokens: 1000 },
            ],
          },
        },
      }),
    ask: (prompt) => ['--provider', 'local', '--model', modelName, '-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '--provider', 'local', '--model', modelName, '-p', prompt],
  };
}

/** Those that can be run without an account. */
export const realAgents: { readonly [Agent in AgentName]?: RealAgent } = {
  claude: {
    program: 'claude',
    store: '.claude/projects',
    env: (url) => ({
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'x' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    }),
    setUp: nothing,
    ask: (prompt) => ['-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '-p', prompt],
  },
  cline: {
    program: 'cline',
    store: '.cline/data/sessions',
    env: () => ({}),
    setUp: (home, url) =>
      write(home, '.cline/data/settings/providers.json', {
        ...{ version: 1, lastUsedProvider: 'openai-compatible' },
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'x', model: modelName, baseUrl: `${url}/v1` },
            ...{ updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      }),
    ask: (prompt) => [prompt],
    isTyped: true,
    resume: (argv) => argv.slice(1),
    finish: ['hub', 'stop'],
  },
  codex: {
    program: 'codex',
    store: '.codex/sessions',
    env: () => ({ LOCAL_KEY: 'x' }),
    setUp: (home, url) =>
      write(
        home,
        '.codex/config.toml',
        `model = "${modelName}"\nmodel_provider = "local"\n[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"\n`,
      ),
    ask: (prompt) => ['exec', '--skip-git-repo-check', prompt],
    resume: (argv, prompt) => ['exec', '--skip-git-repo-check', ...argv.slice(1), prompt],
  },
  copilot: {
    program: 'copilot',
    store: '.copilot/session-state',
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: modelName,
    }),
    setUp: nothing,
    ask: (prompt) => ['-p', prompt, '--allow-all-tools'],
    resume: (argv, prompt) => [...argv.slice(1), '-p', prompt, '--allow-all-tools'],
  },
  gemini: {
    program: 'gemini',
    store: '.gemini/tmp',
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'x' }),
    setUp: (home) =>
      write(home, '.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } }),
    ask: (prompt) => ['--skip-trust', '-m', 'gemini-2.5-pro', '-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '--skip-trust', '-m', 'gemini-2.5-pro', '-p', prompt],
  },
  grok: {
    program: 'grok',
    store: '.grok/sessions',
    env: () => ({ XAI_API_KEY: 'x', GROK_DISABLE_AUTOUPDATER: '1' }),
    setUp: (home, url) =>
      write(
        home,
        '.grok/config.toml',
        `[models]\ndefault = "${modelName}"\n[model.${modelName}]\nmodel = "${modelName}"\nbase_url = "${url}/v1"\napi_key = "x"\nname = "local"\ncontext_window = 100000\n`,
      ),
    ask: (prompt) => ['--always-approve', '-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '--always-approve', '-p', prompt],
  },
  kilo: runOpencode('kilo'),
  kimi: {
    program: 'kimi',
    store: '.kimi-code/sessions',
    env: (url) => ({
      ...{ KIMI_MODEL_NAME: modelName, KIMI_MODEL_API_KEY: 'x', KIMI_MODEL_BASE_URL: `${url}/v1` },
      ...{ KIMI_MODEL_PROVIDER_TYPE: 'openai', KIMI_CODE_NO_AUTO_UPDATE: '1' },
    }),
    setUp: nothing,
    ask: (prompt) => ['-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '-p', prompt],
  },
  omp: runPi('omp', '.omp/agent'),
  openclaw: {
    program: 'openclaw',
    store: null,
    env: () => ({}),
    setUp: (home, url) =>
      write(home, '.openclaw/openclaw.json', {
        agents: { defaults: { model: { primary: `local/${modelName}` }, workspace: `${home}/pantry` } },
        models: {
          providers: {
            local: {
              ...{ baseUrl: `${url}/v1`, apiKey: 'x', api: 'openai-completions' },
              models: [{ id: modelName, name: modelName, contextWindow: 100_000, maxTokens: 1000 }],
            },
          },
        },
      }),
    ask: (prompt) => ['agent', '--local', '--agent', 'main', '-m', prompt],
    // The same conversation without its screen.
    resume: (argv, prompt) => ['agent', '--local', '--session-key', argv.at(-1) ?? '', '-m', prompt],
  },
  opencode: runOpencode('opencode'),
  pi: runPi('pi', '.pi/agent'),
  qwen: {
    program: 'qwen',
    store: '.qwen/projects',
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: modelName }),
    setUp: nothing,
    ask: (prompt) => ['--auth-type', 'openai', '-p', prompt],
    resume: (argv, prompt) => [...argv.slice(1), '--auth-type', 'openai', '-p', prompt],
  },
};
