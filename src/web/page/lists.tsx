// Projects, the history of a file, and the state of the index.

import { useRef, useState } from 'preact/hooks';
import { formatBytes, formatCount, formatNumbered } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { Ago, SessionRows, shortenProject, Trouble, toSentence } from './sessions.tsx';
import { navigate, place, toAddress, useAnswer } from './state.ts';

type Project = Answers['projects']['projects'][number];

const orders: Readonly<Record<string, (a: Project, b: Project) => number>> = {
  recent: (a, b) => ((a.lastUsedAt ?? '') < (b.lastUsedAt ?? '') ? 1 : -1),
  sessions: (a, b) => b.sessions - a.sessions,
  messages: (a, b) => b.messages - a.messages,
  name: (a, b) => ((a.path ?? '') < (b.path ?? '') ? -1 : 1),
};

export function ProjectsView() {
  const { answer, error } = useAnswer('projects', {});
  const [text, setText] = useState('');
  const { given } = place.value;
  const order = Object.keys(orders).find((each) => each === given.get('sort')) ?? 'recent';
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return null;
  const projects = answer.projects
    .filter(({ path }) => shortenProject(path).toLowerCase().includes(text.toLowerCase()))
    .sort(orders[order]);
  const most = Math.max(1, ...projects.map(({ messages }) => messages));
  return (
    <div class="projects">
      <h1>Projects</h1>
      <div class="tools">
        <input
          type="search"
          aria-label="Projects whose name contains"
          placeholder="Part of a name"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <nav class="order" aria-label="Order">
          {Object.keys(orders).map((each) => (
            <a aria-current={each === order} href={toAddress('/projects', { sort: each })}>
              {each}
            </a>
          ))}
        </nav>
      </div>
      <table>
        <thead>
          <tr>
            {[
              ['Project', ''],
              ['Last used', 'wide'],
              ['Sessions', 'right'],
              ['Messages', 'right'],
              ['On disk', 'right wide'],
            ].map(([name, side]) => (
              <th scope="col" class={side}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <tr>
              <td>
                {project.path === null ? (
                  '(unknown)'
                ) : (
                  <a href={toAddress('/search', { project: project.path })}>{shortenProject(project.path)}</a>
                )}{' '}
                {project.exists === false && <span class="badge deleted">directory gone</span>}
              </td>
              <td class="wide">
                <Ago at={project.lastUsedAt} />
              </td>
              <td class="right">{formatCount(project.sessions)}</td>
              <td class="right share">
                <i style={{ width: `${(100 * project.messages) / most}%` }} />
                <span>{formatCount(project.messages)}</span>
              </td>
              <td class="right wide">{project.diskBytes === 0 ? '–' : formatBytes(project.diskBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function FilesView() {
  const path = place.value.given.get('path') ?? '';
  const box = useRef<HTMLInputElement>(null);
  const { answer, error } = useAnswer('files', path === '' ? null : { path });
  return (
    <div class="files">
      <h1>Files</h1>
      <form
        class="tools"
        aria-label="Files"
        onSubmit={(event) => {
          event.preventDefault();
          navigate(toAddress('/files', { path: box.current?.value ?? '' }));
        }}
      >
        <input
          ref={box}
          type="search"
          aria-label="A path, or the end of one"
          placeholder="A path, or the end of one: src/auth.ts"
          defaultValue={path}
        />
        <button type="submit">Who touched it?</button>
      </form>
      {error !== undefined && <Trouble error={error} />}
      {path !== '' && answer !== undefined && <Touches page={answer} />}
      {path === '' && (
        <p class="hint">Which sessions read or changed a file or a directory, the newest first.</p>
      )}
    </div>
  );
}

function Touches({ page }: { readonly page: Answers['files'] }) {
  const formatTools = (tools: Answers['files']['files'][number]['tools']) =>
    tools.map(({ name, calls }) => `${name} ×${formatCount(calls)}`).join(', ');
  if (page.total === 0)
    return (
      <div class="nothing" role="status">
        <p>No session read or changed {page.path}.</p>
        <p class="hint">Try: only the name of the file.</p>
      </div>
    );
  return (
    <>
      {page.files.length > 1 && (
        <ul class="plain">
          {page.files.slice(0, 12).map(({ path, sessions, tools }) => (
            <li>
              <a href={toAddress('/files', { path })}>{shortenProject(path)}</a>{' '}
              <small>
                {formatNumbered(sessions, 'session')}, {formatTools(tools)}
              </small>
            </li>
          ))}
        </ul>
      )}
      <p class="summary" role="status">
        <b>{formatNumbered(page.total, 'session')}</b>
      </p>
      <SessionRows
        rows={page.sessions.map((session) => ({
          session,
          extra: <p class="touched">{formatTools(session.tools)}</p>,
        }))}
      />
    </>
  );
}

export function HealthView() {
  const { answer, error } = useAnswer('doctor', {});
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return <p class="hint">Checking the index…</p>;
  return (
    <div class="health">
      <h1>Health</h1>
      <dl>
        {answer.facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <h2>Findings</h2>
      {answer.findings.length === 0 && <p>No problems found.</p>}
      <ul class="findings">
        {answer.findings.map(({ level, message, details, fix }) => (
          <li class={`finding-${level}`}>
            <b>{toSentence(message)}</b>
            <ul>
              {details.map((detail) => (
                <li>{detail}</li>
              ))}
            </ul>
            <p class="hint">{toSentence(fix)}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
