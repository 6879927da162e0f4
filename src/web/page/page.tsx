// The page: the bar with the box and the views, the view that the address names, and the keys.

import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ActivityView } from './activity.tsx';
import { DialogView } from './dialogs.tsx';
import { Home } from './home.tsx';
import { obey, showHelp } from './keys.tsx';
import { FilesView, HealthView, ProjectsView } from './lists.tsx';
import { Search } from './search.tsx';
import { SessionView } from './session.tsx';
import { chosen, openChosen } from './sessions.tsx';
import { activity, follow, message, navigate, place, problem, toAddress, unlock } from './state.ts';

const views = [
  ['/', 'Home'],
  ['/activity', 'Activity'],
  ['/projects', 'Projects'],
  ['/files', 'Files'],
  ['/health', 'Health'],
] as const;

function App() {
  useEffect(() => {
    document.addEventListener('keydown', obey);
    return () => document.removeEventListener('keydown', obey);
  }, []);
  const { path } = place.value;
  const view = path.split('/')[1] ?? '';
  useEffect(() => {
    if (view !== 'session') document.title = 'recall';
    chosen.value = 0;
  }, [view, place.value.given.toString()]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="name" href="/" aria-label="recall, home">
          recall
        </a>
        <Box isSearch={view === 'search'} />
        <nav aria-label="Views">
          {views.map(([address, name]) => (
            <a href={address} aria-current={path === address ? 'page' : undefined}>
              {name}
            </a>
          ))}
          <button type="button" class="help" aria-label="Keys" onClick={showHelp}>
            ?
          </button>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {problem.value === null ? <View name={view} /> : <Problem />}
      </main>
      <p class="activity" aria-live="off">
        {activity.value}
      </p>
      <p class="message" role="status">
        {message.value}
      </p>
      <DialogView />
    </>
  );
}

function View({ name }: { readonly name: string }) {
  switch (name) {
    case 'session':
      return <SessionView key={place.value.path} id={readId(place.value.path)} />;
    case 'activity':
      return <ActivityView />;
    case 'projects':
      return <ProjectsView />;
    case 'files':
      return <FilesView />;
    case 'health':
      return <HealthView />;
    case 'search':
      return <Search />;
    default:
      return <Home />;
  }
}

function readId(path: string): string {
  const text = path.split('/')[2] ?? '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Problem() {
  const isLocked = problem.value === 'locked';
  return (
    <div class="locked" role="alert">
      <h1>{isLocked ? 'This page needs a token' : 'recall web has ended'}</h1>
      <p>
        Run <code>recall web</code> in a terminal: it opens the page {isLocked ? 'with a token' : 'again'}.
      </p>
    </div>
  );
}

/** Typing anywhere but in a search starts one; the address follows what is typed. */
function Box({ isSearch }: { readonly isSearch: boolean }) {
  const box = useRef<HTMLInputElement>(null);
  const { given } = place.value;
  const words = given.get('q') ?? '';
  const typed = useRef(words);
  useEffect(() => {
    // Back and forward lead to other words; what is being typed is in the box already. Asked now: more may have been typed
    // since this was drawn.
    const current = place.peek().given.get('q') ?? '';
    if (box.current !== null && current !== typed.current) box.current.value = current;
    typed.current = current;
  }, [words, place.value]);
  useEffect(() => {
    if (place.value.path.startsWith('/session')) return;
    box.current?.focus();
  }, []);
  const type = (text: string) => {
    typed.current = text;
    if (text === '' && [...given.keys()].every((name) => name === 'q' || name === 'sort'))
      navigate('/', isSearch);
    else navigate(toAddress('/search', isSearch ? given : {}, { q: text }), isSearch);
  };
  return (
    <form
      aria-label="Search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = box.current?.value ?? '';
        if (isSearch || text === '') openChosen();
        else type(text);
      }}
    >
      <input
        ref={box}
        id="box"
        type="search"
        aria-label="Search all sessions"
        placeholder="Search all sessions"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={1000}
        defaultValue={words}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </form>
  );
}

/** Links inside the page change the address only; links out of it open elsewhere. */
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) && !(link instanceof SVGAElement)) return;
  const address = new URL(link.getAttribute('href') ?? '', window.location.href);
  if (address.origin !== window.location.origin) {
    link.setAttribute('target', '_blank');
    return;
  }
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!isPlain || link.getAttribute('href') === '#main' || link.hasAttribute('download')) return;
  if (event.defaultPrevented) return;
  event.preventDefault();
  navigate(`${address.pathname}${address.search}${address.hash}`);
});

unlock().then(() => {
  render(<App />, document.body);
  if (!place.value.path.startsWith('/session')) follow('');
});
