// Runs before each test file.

import { restartCounter } from './home.ts';

restartCounter();
