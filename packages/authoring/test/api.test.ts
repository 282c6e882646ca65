import { expect, test } from 'vitest'
import * as authoring from '../src/index.ts'

test('the public names', () => {
  expect(Object.keys(authoring).sort()).toEqual([
    'SESSION_FILE',
    'SESSION_MARK',
    'TRACE_FILE',
    'importers',
    'recoverConfig',
    'replaceConfig',
    'rewriteConfig',
    'startAgent',
    'startRecorder',
    'writeSession',
  ])
})
