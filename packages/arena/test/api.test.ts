import { expect, test } from 'vitest'
import * as agent from '../src/agent.ts'
import * as harden from '../src/harden.ts'
import * as api from '../src/index.ts'
import * as prove from '../src/prove.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/arena', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ArenaError',
    'RESULTS_FILE',
    'RESULTS_VERSION',
    'TRACE_MARK',
    'adaptiveSummary',
    'amongEarlier',
    'arenaLimits',
    'checkFunction',
    'commandTarget',
    'compareOutcomes',
    'compareResults',
    'controlServer',
    'controls',
    'coverageOf',
    'createGateway',
    'createJudge',
    'createLedger',
    'createMemoryHttp',
    'createMemoryPipe',
    'createPool',
    'createRedactor',
    'createTraceAssessor',
    'decisiveMatch',
    'defaultRunLimits',
    'describeAttack',
    'diagnosticTable',
    'discriminationOf',
    'endpointTarget',
    'exposureText',
    'findPreset',
    'finishSuite',
    'frontDoorAbilities',
    'functionTarget',
    'hideSplitSecrets',
    'httpTarget',
    'installedVersion',
    'isJudged',
    'isTried',
    'joinResults',
    'judge',
    'judgeTask',
    'keyText',
    'knownShapes',
    'lackingOf',
    'loadResults',
    'lostTrial',
    'memoryTrace',
    'needsOf',
    'noOutcomes',
    'openFrontDoor',
    'openSuiteFolder',
    'openTrace',
    'outcomeCode',
    'outcomeCodes',
    'outcomes',
    'performRun',
    'placeholderFault',
    'presetShape',
    'presets',
    'proportionOf',
    'readPreset',
    'readResults',
    'readTrace',
    'redactControl',
    'redactEnding',
    'redactEntry',
    'redactMore',
    'redactResults',
    'redactingSink',
    'resultsSchema',
    'runAttack',
    'runControl',
    'runOptionsOf',
    'runSuite',
    'saveResults',
    'searchBait',
    'shortfallsOf',
    'skippedIndicators',
    'slotsFor',
    'splitCommand',
    'statisticsOf',
    'suiteCode',
    'suiteFingerprint',
    'suiteResults',
    'suiteStatistics',
    'summaryOf',
    'tierOf',
    'usageOf',
    'verdictCode',
    'verdictOutcomes',
    'wayOf',
    'withTrace',
    'worstCode',
    'worstOf',
    'writeResults',
    'writeTrace',
  ])
})

test('the names of @joust/arena/agent', () => {
  expect(Object.keys(agent).sort()).toEqual(['agentTarget', 'modelTarget'])
})

test('the names of @joust/arena/harden', () => {
  expect(Object.keys(harden).sort()).toEqual(['editAgent', 'hardenAgent', 'restraintTable'])
})

test('the names of @joust/arena/prove', () => {
  expect(Object.keys(prove).sort()).toEqual(['proveAttacks'])
})
