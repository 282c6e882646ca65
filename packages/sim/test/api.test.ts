import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'attackerModel',
    'cautiousModel',
    'credulousModel',
    'readScript',
    'scriptedModel',
    'silentModel',
    'simulationVersion',
  ])
})
