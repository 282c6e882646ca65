import type { Result, Value } from '@joust/source'
import { expect, expectTypeOf, test } from 'vitest'
import * as api from '../src/index.ts'

// The public API: names are added or removed only on purpose.
test('the names of @joust/agentformat', () => {
  expect(Object.keys(api).sort()).toEqual([
    'InvalidInput',
    'agentCodeSummaries',
    'agentCodes',
    'agentPaths',
    'batchShape',
    'checkAgent',
    'compileCondition',
    'compileSchema',
    'declaredFields',
    'declaresPath',
    'documentSchema',
    'graph',
    'isStandardPolicyId',
    'loadAgent',
    'locate',
    'mapInput',
    'mapItems',
    'matchCondition',
    'originOf',
    'outputStrategies',
    'parseAgent',
    'parsePathExpression',
    'planOf',
    'renderMermaid',
    'renderTree',
    'resolveExpression',
    'resolvePath',
    'selectOutput',
    'standardPolicy',
    'standardPolicyIds',
    'templateParts',
    'unwrap',
    'validateValue',
  ])
})

// Checked by the compiler: the signatures of the public functions.
test('signatures', () => {
  const value: Value = {}
  expectTypeOf(api.parsePathExpression('')).toExtend<Result<api.PathExpression, api.AgentDiagnostic>>()
  expectTypeOf(api.parseAgent('')).toEqualTypeOf<Result<api.AgentDocument, api.AgentDiagnostic[]>>()
  expectTypeOf(api.checkAgent('')).toEqualTypeOf<api.CheckedAgent>()
  expectTypeOf(api.loadAgent('a', { read: async () => '' })).toExtend<
    Promise<Result<{ agent: api.Agent; warnings: api.AgentDiagnostic[] }, api.AgentDiagnostic[]>>
  >()
  expectTypeOf(api.matchCondition({}, () => undefined)).toEqualTypeOf<api.ConditionOutcome>()
  expectTypeOf(api.validateValue({}, value)).toEqualTypeOf<Result<void, api.SchemaProblem[]>>()
  expectTypeOf<api.AgentDiagnostic['code']>().toEqualTypeOf<keyof typeof api.agentCodes>()
})
