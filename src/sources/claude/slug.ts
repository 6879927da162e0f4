// The name of the folder under projects/ in which Claude Code keeps the sessions of a directory.

/** Every character but ASCII letters and digits becomes a dash, so a name cannot be turned back into its path. */
export function toSlug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}
