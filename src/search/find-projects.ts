// Which projects a path or a name refers to. Pure.

export interface NamedProject {
  readonly id: number;
  readonly path: string;
}

/**
 * A path means that directory and everything below it, or the tail of a path. A name means a directory of
 * that name anywhere in the path; if there is none, any path that contains the name.
 */
export function findProjects<T extends NamedProject>(
  projects: readonly T[],
  text: string,
  cwd: string,
  homeDir: string,
): T[] {
  const wanted = normalise(text === '~' || /^~[\\/]/.test(text) ? homeDir + text.slice(1) : text);
  if (/^\.{1,2}(\/|$)/.test(wanted)) return below(projects, resolveDots(normalise(cwd), wanted));
  if (isAbsolute(wanted)) return below(projects, wanted);
  const lower = wanted.toLowerCase();
  const paths = projects.map((project) => ({ project, path: normalise(project.path).toLowerCase() }));
  const bySegment = paths.filter(({ path }) => `${path}/`.includes(`/${lower}/`));
  const found = bySegment.length > 0 ? bySegment : paths.filter(({ path }) => path.includes(lower));
  return found.map(({ project }) => project);
}

function below<T extends NamedProject>(projects: readonly T[], folder: string): T[] {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  return projects.filter(({ path }) => `${normalise(path)}/`.startsWith(prefix));
}

function normalise(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:(\/|$)/.test(path);
}

function resolveDots(cwd: string, relative: string): string {
  const parts = cwd.split('/');
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '/';
}
