import { describe, expect, expectTypeOf, test } from 'vitest'
import * as explain from '../src/explain.ts'
import * as api from '../src/index.ts'
import * as enumerations from '../src/model/enumerations.ts'
import * as onDemand from '../src/on-demand.ts'
import * as vocabulary from '../src/vocabulary.ts'

// A promise to users: names are added or removed here on purpose, or not at all.
test('the names of @joust/oatf', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ADDRESS',
    'APPS_EXTENSION',
    'APP_TYPE',
    'DEFAULT_MCP_VERSION',
    'DEFAULT_THRESHOLD',
    'HEADERS',
    'InvalidInput',
    'MCP_APP',
    'MUTATIONS',
    'NotATree',
    'OVERLAY',
    'PARENT',
    'PUSH_SURFACE',
    'STATUS',
    'WORKSPACE',
    'appOfTool',
    'applyEdits',
    'attackResults',
    'baitOf',
    'blocksOf',
    'carriersIn',
    'categories',
    'compileIndicator',
    'computeEffectiveState',
    'computeVerdict',
    'contentRoot',
    'correlationLogics',
    'createCelEvaluator',
    'cvssOf',
    'directions',
    'documentSchema',
    'elicitationActions',
    'elicitationModes',
    'evaluateAttack',
    'evaluateCondition',
    'evaluateExpression',
    'evaluateExtractor',
    'evaluateIndicator',
    'evaluateIndicatorAsync',
    'evaluatePattern',
    'evaluatePredicate',
    'evaluateTrigger',
    'extractProtocol',
    'extractorSources',
    'extractorTypes',
    'fileFaults',
    'filesIn',
    'findMode',
    'flowPatternOf',
    'frameworks',
    'freshCanaries',
    'headerFault',
    'impacts',
    'indicatorMethods',
    'indicatorPaths',
    'indicatorResults',
    'interpolateTemplate',
    'interpolateValue',
    'isListing',
    'isPlaceboDerived',
    'isReplacement',
    'isTranslation',
    'knownModes',
    'knownProtocols',
    'lint',
    'load',
    'logLevels',
    'mutate',
    'mutations',
    'needsFolder',
    'normalize',
    'overlayOf',
    'parse',
    'parseDuration',
    'placeboOf',
    'rebait',
    'relationships',
    'remediationOf',
    'replacePlacebo',
    'requireLoaded',
    'resolveSimplePath',
    'resolveWildcardPath',
    'roleOf',
    'selectResponse',
    'semanticIntentClasses',
    'serialize',
    'severityLevels',
    'severityRank',
    'statusOf',
    'statuses',
    'synthesisRequests',
    'synthesize',
    'tiers',
    'translateDialects',
    'unwrap',
    'validate',
    'watchExposure',
    'withCanaries',
    'withSynthesized',
  ])
})

test('the names of @joust/oatf/on-demand', () => {
  expect(Object.keys(onDemand).sort()).toEqual([
    'isTranslation',
    'loadOnDemand',
    'serialize',
    'translateSource',
    'versionFirst',
  ])
})

// Checked by the compiler: called as the design says, they return what the design says.
describe('signatures', () => {
  const document: api.Document = { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: {} } } }
  const indicator: api.Indicator = { id: 'i', target: 'a', pattern: { contains: 'x' } }
  const message: api.Value = { a: 'x' }

  test('entry points', () => {
    expectTypeOf(api.parse('')).toEqualTypeOf<api.Result<api.Document, api.ParseError[]>>()
    expectTypeOf(api.validate(document)).toEqualTypeOf<api.ValidationResult>()
    expectTypeOf(api.lint(document)).toEqualTypeOf<api.Diagnostic[]>()
    expectTypeOf(api.normalize(document)).toEqualTypeOf<api.NormalDocument>()
    expectTypeOf<NonNullable<api.NormalAttack['indicators']>[number]['id']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<api.NormalAttack['indicators']>[number]['protocol']>().toEqualTypeOf<api.Protocol>()
    expectTypeOf(api.serialize(document)).toEqualTypeOf<string>()
    expectTypeOf(api.load('')).toEqualTypeOf<api.Result<api.LoadedAttack, api.OatfError[]>>()
    expectTypeOf<api.LoadedAttack['document']>().toExtend<api.Document>()
    expectTypeOf<api.ValidationResult['errors']>().toEqualTypeOf<readonly api.ValidationError[]>()
    expectTypeOf(onDemand.loadOnDemand('')).toEqualTypeOf<
      Promise<api.Result<api.LoadedAttack, (api.OatfError | api.Diagnostic)[]>>
    >()
  })

  test('evaluation', () => {
    const evaluators: api.Evaluators = {
      cel: api.createCelEvaluator(),
      semantic: { evaluate: (_text, _intent, _intentClass, _threshold, _examples) => ({ ok: true, value: 0.5 }) },
    }
    expectTypeOf(api.evaluatePattern({ target: 'a', condition: 'x' }, message)).toEqualTypeOf<
      api.Result<boolean, api.EvaluationError>
    >()
    expectTypeOf(api.evaluateExpression({ cel: 'true' }, message, evaluators.cel)).toEqualTypeOf<
      api.Result<boolean, api.EvaluationError>
    >()
    expectTypeOf(api.evaluateIndicator(indicator, message, evaluators)).toEqualTypeOf<api.IndicatorVerdict>()
    expectTypeOf(api.evaluateIndicatorAsync(indicator, message, evaluators)).toEqualTypeOf<
      Promise<api.IndicatorVerdict>
    >()
    expectTypeOf(api.compileIndicator(indicator, evaluators)).toEqualTypeOf<
      (message: api.Value) => api.IndicatorVerdict
    >()
    const verdicts: ReadonlyMap<string, api.IndicatorVerdict> = new Map()
    expectTypeOf(api.computeVerdict(document.attack, verdicts)).toEqualTypeOf<api.AttackVerdict>()
    expectTypeOf<api.AttackVerdict['max_tier']>().toEqualTypeOf<api.Tier | undefined>()
    expectTypeOf(api.createCelEvaluator()).toExtend<api.CelEvaluator>()
  })

  test('primitives', () => {
    const event: api.ProtocolEvent | undefined = undefined
    const entries: api.ResponseEntry[] = [{ when: { a: 'x' }, content: 1 }]
    expectTypeOf(api.resolveSimplePath('a', message)).toEqualTypeOf<api.Value | undefined>()
    expectTypeOf(api.resolveWildcardPath('a', message)).toEqualTypeOf<api.Value[]>()
    expectTypeOf(api.parseDuration('5s')).toEqualTypeOf<api.Result<number, api.ParseError>>()
    expectTypeOf(api.evaluateCondition({ gt: 1 }, message)).toEqualTypeOf<boolean>()
    expectTypeOf(api.evaluatePredicate({ a: 'x' }, message)).toEqualTypeOf<boolean>()
    expectTypeOf(api.interpolateTemplate('', {})).toEqualTypeOf<{ value: string; diagnostics: api.Diagnostic[] }>()
    expectTypeOf(api.interpolateValue(message, new Map(), message, message)).toEqualTypeOf<{
      value: api.Value
      diagnostics: api.Diagnostic[]
    }>()
    const extractor: api.Extractor = { name: 'a', source: 'request', type: 'regex', selector: '(a)' }
    expectTypeOf(api.evaluateExtractor(extractor, message, 'request')).toEqualTypeOf<string | undefined>()
    expectTypeOf(api.selectResponse(entries, message)).toEqualTypeOf<api.ResponseEntry | undefined>()
    expectTypeOf(api.evaluateTrigger({ after: '5s' }, event, 0, { event_count: 0 })).toEqualTypeOf<api.TriggerResult>()
    expectTypeOf<api.TriggerResult>().toExtend<{ advanced: true; reason: api.AdvanceReason } | { advanced: false }>()
    expectTypeOf(api.extractProtocol('mcp_server')).toEqualTypeOf<string>()
    expectTypeOf(api.computeEffectiveState([{ state: {} }], 0)).toEqualTypeOf<api.Value>()
    expectTypeOf(api.knownModes()).toEqualTypeOf<readonly string[]>()
    expectTypeOf(api.knownProtocols()).toEqualTypeOf<readonly string[]>()
  })

  test('findings have the fields of a diagnostic', () => {
    expectTypeOf<api.ParseError>().toExtend<{
      kind: api.ParseErrorKind
      message: string
      path?: string
      line?: number
      column?: number
      rule?: string
    }>()
    expectTypeOf<api.ValidationError>().toExtend<{ rule: string; spec_ref: string; message: string; path: string }>()
    expectTypeOf<api.EvaluationError>().toExtend<{
      kind: api.EvaluationErrorKind
      message: string
      indicator_id?: string
    }>()
    expectTypeOf<api.Diagnostic['severity']>().toEqualTypeOf<api.DiagnosticSeverity>()
  })
})

test('the names of @joust/oatf/explain', () => {
  expect(Object.keys(explain).sort()).toEqual(['explanations'])
})

test('the names of @joust/oatf/enumerations', () => {
  expect(Object.keys(enumerations).sort()).toEqual([
    'attackResults',
    'categories',
    'correlationLogics',
    'directions',
    'elicitationActions',
    'elicitationModes',
    'extractorSources',
    'extractorTypes',
    'frameworks',
    'impacts',
    'indicatorMethods',
    'indicatorResults',
    'logLevels',
    'relationships',
    'responseListKeys',
    'semanticIntentClasses',
    'severityLevels',
    'severityRank',
    'statuses',
    'tiers',
  ])
})

test('the names of @joust/oatf/vocabulary', () => {
  expect(Object.keys(vocabulary).sort()).toEqual([
    'BAIT',
    'CANARIES',
    'FLOW',
    'OVERLAY',
    'PLACEBO',
    'TASK',
    'crossActorReference',
    'editorSchema',
    'eventPaths',
    'extractProtocol',
    'findBinding',
    'findMode',
    'flowOrigins',
    'indicatorId',
    'indicatorSites',
    'isMessageReference',
    'messageAt',
    'plantsIn',
    'possibleCanaries',
    'requestPaths',
    'stateKeysAt',
    'surfaceFacts',
    'surfacesOf',
    'targetsFor',
    'walkValue',
  ])
})
