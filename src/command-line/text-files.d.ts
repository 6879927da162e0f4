// Files that are built into the program as text.

declare module '*.bash' {
  const text: string;
  export default text;
}

declare module '*.zsh' {
  export { default } from '*.bash';
}

declare module '*.fish' {
  export { default } from '*.bash';
}

declare module '*.ps1' {
  export { default } from '*.bash';
}

declare module '*.css' {
  export { default } from '*.bash';
}

declare module '*.txt' {
  export { default } from '*.bash';
}
