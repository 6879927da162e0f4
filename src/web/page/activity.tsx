// The figures of `recall stats` as pictures, of everything or of what the filters above them let through.

import type { ComponentChildren } from 'preact';
import { formatCount, formatNumbered } from '../../render/quantities.ts';
import { type BarRow, Bars, Calendar, DateInput, Hours } from './charts.tsx';
import { SessionRows, shortenProject, Trouble } from './sessions.tsx';
import { navigate, place, toAddress, useAnswer } from './state.ts';

const scopeNames = ['project', 'agent', 'since', 'until'] as const;
type Scope = Readonly<Record<(typeof scopeNames)[number], string | null>>;

export function ActivityView() {
  const { given } = place.value;
  const scope = Object.fromEntries(scopeNames.map((name) => [name, given.get(name)])) as Scope;
  const { answer, error } = useAnswer('stats', scope);
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return null;
  const { totals } = answer;
  const toSearch = (more: Record<string, string>) => toAddress('/search', scope, more);
  const toRow = (name: string, count: number, unit: string, more: Record<string, string> | null): BarRow => ({
    name,
    count,
    title: `${name}: ${formatNumbered(count, unit)}`,
    href: more === null ? null : toSearch(more),
  });
  return (
    <div class="figures">
      <h1>Activity</h1>
      <ScopeForm scope={scope} agents={answer.agents.map(({ value }) => value)} />
      <ul class="totals">
        {[
          ['sessions', totals.sessions],
          ['messages', totals.messages],
          ['prompts', totals.prompts],
          ['tool calls', totals.toolCalls],
          ['active days', totals.activeDays],
          ['projects', totals.projects],
        ].map(([name, count]) => (
          <li>
            <b>{formatCount(Number(count))}</b> {name}
          </li>
        ))}
      </ul>
      <Calendar
        days={answer.days}
        today={answer.today}
        toAddressOf={(day) => toSearch({ since: day, until: day })}
      />
      <div class="panels">
        <Panel title="Hours of the day">
          <Hours hours={answer.hours} />
        </Panel>
        <Figures
          title="Agents"
          rows={answer.agents.map(({ value, sessions }) =>
            toRow(value, sessions, 'session', { agent: value }),
          )}
        />
        <Figures
          title="Projects"
          rows={answer.projects.map(({ path, messages }) =>
            toRow(
              path === null ? '(unknown)' : shortenProject(path),
              messages,
              'message',
              path === null ? null : { project: path },
            ),
          )}
        />
        <Figures
          title="Models"
          rows={answer.models.map(({ model, sessions }) => toRow(model, sessions, 'session', { model }))}
        />
        <Figures
          title="Tools"
          rows={answer.tools.map(({ name, calls, failed }) => ({
            ...toRow(name, calls, 'call', { q: name, in: 'done' }),
            failed,
          }))}
        />
        <Panel title="Longest sessions">
          <SessionRows rows={answer.longest.map((session) => ({ session }))} />
        </Panel>
      </div>
    </div>
  );
}

function ScopeForm({ scope, agents }: { readonly scope: Scope; readonly agents: readonly string[] }) {
  const set = (name: string, value: string | null) =>
    navigate(toAddress('/activity', scope, { [name]: value }));
  const known = new Set([...agents, ...(scope.agent === null ? [] : [scope.agent])]);
  return (
    <form class="scope" onSubmit={(event) => event.preventDefault()}>
      <label>
        Project{' '}
        <input
          type="text"
          value={scope.project ?? ''}
          onChange={(event) => set('project', event.currentTarget.value)}
        />
      </label>
      <label>
        Agent{' '}
        <select value={scope.agent ?? ''} onChange={(event) => set('agent', event.currentTarget.value)}>
          <option value="">all</option>
          {[...known].map((agent) => (
            <option value={agent}>{agent}</option>
          ))}
        </select>
      </label>
      <span>
        Since <DateInput name="Since" value={scope.since ?? ''} onChoose={(day) => set('since', day)} />
      </span>
      <span>
        Until <DateInput name="Until" value={scope.until ?? ''} onChoose={(day) => set('until', day)} />
      </span>
    </form>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const shownRows = 12;

function Figures({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  return (
    <Panel title={title}>
      <Bars rows={rows.slice(0, shownRows)} />
    </Panel>
  );
}
