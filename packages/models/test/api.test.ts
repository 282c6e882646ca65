import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ModelsError',
    'bodyText',
    'createReader',
    'createReplay',
    'createUpstreamPool',
    'modelDiagnostics',
    'openLocalRun',
    'openRecording',
    'openRunRecording',
    'readCall',
    'readRecording',
    'simulated',
    'startModelProxy',
    'wireOf',
    'writeAnswer',
    'writeError',
  ])
})
