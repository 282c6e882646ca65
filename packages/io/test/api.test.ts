import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'abortable',
    'accessFault',
    'base64Of',
    'beginsWith',
    'bracketed',
    'childEnvironment',
    'createBoundedBytes',
    'createLineSplitter',
    'deferred',
    'endsWithin',
    'isLoopback',
    'isSameSecret',
    'keepTail',
    'linkSignals',
    'listedOrigin',
    'makeFolder',
    'onAbort',
    'openRunFolders',
    'openToRead',
    'openToWrite',
    'pause',
    'readBounded',
    'refuseLink',
    'replaceOwn',
    'startProcess',
    'startWithin',
    'strictText',
    'systemClock',
    'tokenFault',
    'unlimited',
    'within',
    'writeAll',
  ])
})
