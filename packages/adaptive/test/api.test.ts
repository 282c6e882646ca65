import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import * as prover from '../src/prover.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/adaptive', () => {
  expect(Object.keys(api).sort()).toEqual([
    'editAgent',
    'hardenAgent',
    'modelAttacker',
    'modelSynthesizer',
    'modelTalker',
    'proveAttacks',
    'restraintTable',
    'runPositiveControl',
    'searchBait',
    'searchTurns',
  ])
})

test('the names of @joust/adaptive/prover', () => {
  expect(Object.keys(prover).sort()).toEqual(['createProofCache', 'createProver'])
})
