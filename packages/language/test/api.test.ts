import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import * as kind from '../src/kind.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual(['createLanguage'])
  expect(Object.keys(kind).sort()).toEqual(['kindOf', 'kindOfKeys'])
})
