export function toFunctionBody(text: string, imported: readonly string[]): string;
export function refuseCircles(importsOf: ReadonlyMap<string, readonly string[]>): void;
