// Calls the tools of `recall mcp` in a demo home, as an agent would, and gives back what it would read.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { asShown, toSurroundings } from './demo-runs.mjs';

/** A block of lines `→ tool {arguments}`, each with its answer below. */
export async function toToolCalls(home, block) {
  const { cwd, env } = toSurroundings(home);
  const transport = new StdioClientTransport({ command: `${home}/bin/recall`, args: ['mcp'], cwd, env });
  const client = new Client({ name: 'screens', version: '1.0.0' });
  await client.connect(transport);
  try {
    const answers = [];
    for (const [line, name, args] of block.matchAll(/^→ (\w+) (\{.*\})$/gm)) {
      const { content } = await client.callTool({ name, arguments: JSON.parse(args) });
      answers.push(`${line}\n${asShown(home, content[0].text)}`);
    }
    return `${answers.join('\n\n')}\n`;
  } finally {
    await client.close();
  }
}
