// The types of the package pgpass, which has none.

declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  }
  export default function pgpass(connection: Connection, done: (password: string | undefined) => void): void;
}
