import { expect, test } from 'vitest'
import * as agent from '../src/agent.ts'
import * as api from '../src/index.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/arena', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ArenaError',
    'RESULTS_VERSION',
    'commandTarget',
    'compareResults',
    'compareVerdicts',
    'controls',
    'coverageOf',
    'createJudge',
    'createMemoryHttp',
    'createMemoryPipe',
    'createRedactor',
    'createTraceAssessor',
    'defaultRunLimits',
    'describeAttack',
    'diagnosticTable',
    'discriminationOf',
    'endpointTarget',
    'finishSuite',
    'judge',
    'judgeTask',
    'knownShapes',
    'loadResults',
    'openSuiteFolder',
    'openTrace',
    'outcomes',
    'readResults',
    'readTrace',
    'redactEntry',
    'redactMore',
    'redactResults',
    'redactingSink',
    'resultsSchema',
    'resultsWorstFirst',
    'runAttack',
    'runSuite',
    'saveResults',
    'splitCommand',
    'statisticsOf',
    'suiteCode',
    'suiteFingerprint',
    'suiteStatistics',
    'summaryOf',
    'verdictCode',
    'worstCode',
    'writeResults',
    'writeTrace',
  ])
})

test('the names of @joust/arena/agent', () => {
  expect(Object.keys(agent).sort()).toEqual(['agentTarget', 'modelTarget'])
})
