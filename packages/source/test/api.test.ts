import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'cloneValue',
    'codeFrame',
    'codeFrames',
    'compactJson',
    'compareCodePoints',
    'compileRegex',
    'containsText',
    'deepEqual',
    'defaultLimits',
    'didYouMean',
    'err',
    'exceeded',
    'findText',
    'formatPath',
    'invariant',
    'isList',
    'isRecord',
    'jsonText',
    'kindOf',
    'ok',
    'own',
    'printable',
    'readJson',
    'readSource',
    'regexSyntax',
    'setOwn',
    'sortByPosition',
    'suggest',
    'suggestions',
    'valueToText',
    'withLimits',
    'writeYaml',
  ])
})
