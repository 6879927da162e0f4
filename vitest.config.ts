import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { textFiles } from './test/support/text-files.ts';

export default defineConfig({
  plugins: [textFiles],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts'],
    // One more than there are cores: many tests wait for programs they have started.
    maxWorkers: availableParallelism() + 1,
    // Files share the modules they import: loading these for each file anew takes a sixth of the suite's time.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { TZ: 'UTC' },
  },
});
