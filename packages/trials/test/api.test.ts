import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/trials', () => {
  expect(Object.keys(api).sort()).toEqual([
    'armSuffix',
    'arms',
    'attackOptionsOf',
    'checkNames',
    'createArms',
    'createLedger',
    'createPool',
    'createSpending',
    'finishSuite',
    'firstTrials',
    'isSemantic',
    'keyText',
    'lostTrial',
    'mostTrials',
    'noOutcomes',
    'openSuiteFolder',
    'plannedRuns',
    'runSuite',
    'runTrial',
    'suiteResults',
    'suiteTrials',
    'trialLimits',
    'wantedRuns',
  ])
})
