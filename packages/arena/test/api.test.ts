import { expect, test } from 'vitest'
import * as agent from '../src/agent.ts'
import * as api from '../src/index.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/arena', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ArenaError',
    'RESULTS_FILE',
    'RESULTS_VERSION',
    'commandTarget',
    'compareOutcomes',
    'compareResults',
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
    'exposureText',
    'finishSuite',
    'isJudged',
    'joinResults',
    'judge',
    'judgeTask',
    'knownShapes',
    'loadResults',
    'openSuiteFolder',
    'openTrace',
    'outcomeCode',
    'outcomeCodes',
    'outcomes',
    'readResults',
    'readTrace',
    'redactEntry',
    'redactMore',
    'redactResults',
    'redactingSink',
    'resultsSchema',
    'runAttack',
    'runSuite',
    'saveResults',
    'shortfallsOf',
    'skippedIndicators',
    'splitCommand',
    'statisticsOf',
    'suiteCode',
    'suiteFingerprint',
    'suiteStatistics',
    'summaryOf',
    'tierOf',
    'verdictCode',
    'verdictOutcomes',
    'worstCode',
    'worstOf',
    'writeResults',
    'writeTrace',
  ])
})

test('the names of @joust/arena/agent', () => {
  expect(Object.keys(agent).sort()).toEqual(['agentTarget', 'modelTarget'])
})
