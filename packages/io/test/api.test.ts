import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'abortable',
    'beginsWith',
    'createBoundedBytes',
    'createLineSplitter',
    'endsWithin',
    'keepTail',
    'linkSignals',
    'makeFolder',
    'onAbort',
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
    'unlimited',
    'within',
    'writeAll',
  ])
})
