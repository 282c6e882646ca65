import { type Assertion, expect, expectTypeOf, test } from 'vitest'
import * as api from '../src/index.ts'
import * as matchers from '../src/matchers.ts'

test('the public names', () => {
  expect(Object.keys(api)).toEqual(['toResist'])
  expect(Object.keys(matchers)).toEqual(['toResist'])
})

test('the matcher is typed in Vitest', () => {
  expectTypeOf<Assertion['toResist']>().parameter(0).toEqualTypeOf<api.AttackInput>()
})
