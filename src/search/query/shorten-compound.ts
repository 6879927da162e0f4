// What is left of a pasted path, address or name when what only its place adds is taken off: line and column, query string,
// arity, leading folders. The place may have changed since; the rest is what was talked about.

const lineNumber = /(?:[:#]L?\d+(?:[:-]L?\d+)?|\(\d+(?:,\d+)?\))$/;
const callOrArity = /(?:\(.*\)|\/\d{1,2})$/;
const queryString = /[?#].*$/;
/** Rather than two words with a slash between them: it has a start, an extension, or two folders. */
const path = /^(?:[~.]*|[A-Za-z]:)[\\/]|[\\/].*(?:\.\w{1,10}$|[\\/])/;
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** How many folders are taken off one by one; a path is rarely deeper. */
const maxFolders = 16;

/** Longest first, without the text itself; empty if nothing can be taken off. */
export function toShorter(text: string): string[] {
  const plain = text.replace(/^["'`([{<]+|["'`\]}>,;:.]+$/g, '');
  const shorter: string[] = [];
  const add = (next: string) => {
    if (next !== '' && next !== text && next !== shorter.at(-1)) shorter.push(next);
  };
  if (scheme.test(plain)) {
    const address = plain.replace(queryString, '').replace(/\/+$/, '');
    add(address);
    add(address.replace(scheme, ''));
    return shorter;
  }
  const place = plain.replace(lineNumber, '');
  add(place);
  const name = place.replace(callOrArity, '');
  add(name);
  if (!path.test(name)) return shorter;
  const [, ...folders] = name.split(/[\\/]+/);
  for (let i = Math.max(0, folders.length - maxFolders); i < folders.length; i++)
    add(folders.slice(i).join('/'));
  return shorter;
}
