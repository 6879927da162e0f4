// Scripts of shells as text for the tests, as the build takes them.

export const textFiles = {
  name: 'text-files',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    return /\.(bash|zsh|fish|ps1)$/.test(id)
      ? { code: `export default ${JSON.stringify(code)};`, map: null }
      : undefined;
  },
};
