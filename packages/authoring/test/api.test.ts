import { expect, test } from 'vitest'
import * as authoring from '../src/index.ts'

test('the public names', () => {
  expect(Object.keys(authoring).sort()).toEqual(['importers'])
})
