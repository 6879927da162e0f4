export function installDemoHome(target: string): void;
