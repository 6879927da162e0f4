// Transcripts bent in every way: every good line is found.

import { test } from 'vitest';
import { bentTranscripts, hugeTranscripts } from '../../torture/lines.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('bent lines cost themselves', () => expectNothingFound(bentTranscripts, 60));

test('very many lines of one byte', () => expectNothingFound(hugeTranscripts, 1));
