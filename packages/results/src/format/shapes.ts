/** Fields of `results.json`, in the order in which they are written. `model` contains their types. */
import { categories, type FrameworkMapping, indicatorMethods, relationships, severityLevels } from '@joust/oatf'
import {
  isList,
  isRecord,
  type ObjectShape,
  own,
  type Shape,
  setOwn,
  shapes,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { type AivssProfile, aivssMitigations } from '../model/aivss.ts'
import { channelStates, channels, type MainCalls } from '../model/controls.ts'
import { outcomes } from '../model/outcome.ts'
import {
  type AttackResults,
  answers,
  type HardenedAttack,
  type ModelCost,
  memories,
  type Price,
  preflightSteps,
  RESULTS_VERSION,
  type ResultAttack,
  type ResultDecision,
  type ResultHardening,
  type ResultIndicator,
  type ResultPreflight,
  type ResultRestraint,
  type ResultSearch,
  type ResultSuite,
  type Results,
  stopReasons,
  type TargetResults,
  targetKinds,
  toolListings,
  type UtilityShare,
} from '../model/results.ts'
import { amount, assessment, object, tier, trialShape, usageShape } from './trial-shape.ts'

const { boolean, count, enumeration, exactly, list, map, number, optional, prose, required, text, time } = shapes

const indicator = object<ResultIndicator>(
  {
    id: required(text),
    protocol: optional(text),
    surface: optional(text),
    actor: optional(text),
    direction: optional(text),
    target: required(text),
    method: required(enumeration(indicatorMethods)),
    tier: optional(tier),
    severity: optional(enumeration(severityLevels)),
    confidence: optional(count()),
    description: optional(prose),
    line: optional(count(1)),
    agreement: optional(object<Required<ResultIndicator>['agreement']>({ right: amount, of: amount })),
  },
  'indicator',
  'An indicator in the document.',
)

const mapping = object<FrameworkMapping>(
  {
    framework: required(text),
    id: required(text),
    name: optional(text),
    url: optional(text),
    relationship: optional(enumeration(relationships)),
  },
  'mapping',
  'A technique of a framework.',
)

const attack = object<ResultAttack>({
  id: optional(text),
  name: required(prose),
  severity: optional(enumeration(severityLevels)),
  confidence: optional(count()),
  category: optional(enumeration(categories)),
  protocols: required(list(text)),
  tags: optional(list(text)),
  mappings: optional(list(mapping)),
  description: optional(prose),
  remediation: optional(prose),
  cvss: optional(number),
  text: optional(prose),
  adapted: optional(object<Required<ResultAttack>['adapted']>({ parent: required(text), by: required(list(text)) })),
  indicators: required(list(indicator)),
  task: optional(list(indicator)),
})

export const attackShape = object<AttackResults>(
  {
    file: required(text),
    fingerprint: required(text),
    attack: required(attack),
    ...assessment,
    decision: optional(
      object<ResultDecision>({
        question: required(text),
        answer: required(enumeration(answers)),
        trials: amount,
        more: amount,
      }),
    ),
    cost_usd: optional(number),
    trials: required(list(trialShape)),
    placebo_trials: optional(list(trialShape)),
  },
  'attack',
  'An attack with its trials. The worst trial and the comparison with runs without the bait decide its outcome.',
)

export const preflightShape = object<ResultPreflight>({
  status: required(enumeration(['passed', 'failed', 'skipped'])),
  asked: optional(enumeration(['tool_call', 'answer'])),
  reasons: required(list(prose)),
  missing: optional(enumeration(preflightSteps)),
  duration_ms: optional(number),
  answer: optional(prose),
  mcp_version: optional(prose),
  channels: optional(map(enumeration(channelStates))),
  unfetched: optional(list(enumeration(channels))),
  remembers: optional(enumeration(memories)),
  lists_tools: optional(enumeration(toolListings)),
  main: optional(object<MainCalls>({ prompts: required(list(text)), tools: optional(boolean) })),
  usage: optional(usageShape),
})

const share = object<UtilityShare>({ done: amount, of: amount })

export const hardeningShape = object<ResultHardening>(
  {
    restraints: required(
      list(
        object<ResultRestraint>({
          kind: required(text),
          file: required(prose),
          text: required(prose),
          weak: optional(boolean),
        }),
      ),
    ),
    attacks: required(
      list(
        object<HardenedAttack>({
          file: required(text),
          status: required(enumeration(['stopped', 'harmless', 'open', 'undecided'])),
          before: required(enumeration(outcomes)),
          after: optional(enumeration(outcomes)),
          by: required(list(prose)),
          alternatives: required(list(prose)),
          task: optional(object<Required<HardenedAttack>['task']>({ before: required(share), after: optional(share) })),
          reason: optional(prose),
        }),
      ),
    ),
    diff: required(prose),
    cost: required(object<ResultHardening['cost']>({ sets: amount, runs: amount, calls: amount, tokens: amount })),
    stopped: optional(prose),
  },
  'hardening',
  'The smallest set of restraints that stops the attacks, verified by runs.',
)

type TurnCount = NonNullable<ResultSearch['turns']>[number]

const modelCost = object<ModelCost>({ calls: amount, tokens: amount })

const search = object<ResultSearch>(
  {
    success: required(enumeration(['static', 'adaptive', 'none'])),
    tries: required(count()),
    rounds: required(count()),
    attacker: required(text),
    cost: required(object<ResultSearch['cost']>({ agent: required(modelCost), attacker: required(modelCost) })),
    turns: optional(
      list(object<TurnCount>({ turn: required(count()), hits: required(count()), of: required(count()) })),
    ),
  },
  'search',
  'The outcome of an adaptive attacker: tries until the first success, and model usage.',
)

const target = object<TargetResults>(
  {
    kind: required(enumeration(targetKinds)),
    name: required(prose),
    details: optional(map(prose)),
    place: optional(object<Required<TargetResults>['place']>({ file: required(text), line: optional(count()) })),
    judge: optional(
      object<Required<TargetResults>['judge']>({
        engine: required(text),
        model: required(text),
        version: optional(text),
      }),
    ),
    aivss: optional(
      object<AivssProfile>({ factors: required(map(number)), mitigation: optional(enumeration(aivssMitigations)) }),
    ),
    price: optional(object<Price>({ input: required(number), output: required(number) })),
    preflight: optional(preflightShape),
    mcp_version: optional(prose),
    cost_usd: optional(number),
    attacks: required(list(attackShape)),
    hardening: optional(hardeningShape),
    search: optional(search),
  },
  'target',
  'A target with the results of its attacks.',
)

export const resultsShape = object<Results>({
  version: required(exactly(RESULTS_VERSION)),
  joust: required(text),
  started_at: required(time),
  finished_at: required(time),
  suite: required(
    object<ResultSuite>({ trials: required(count(1)), fingerprint: required(text), decide: optional(text) }),
  ),
  stopped: optional(
    object<Required<Results>['stopped']>({
      reason: required(enumeration(stopReasons)),
      message: required(prose),
    }),
  ),
  targets: required(list(target)),
})

/** Results with `T` in place of the attacks. */
export type ResultsWith<T> = Omit<Results, 'targets'> & {
  readonly targets: readonly (Omit<TargetResults, 'attacks'> & { readonly attacks: readonly T[] })[]
}

/** The shape of results with a number in place of each attack. */
export const frameShape: ObjectShape = {
  ...resultsShape,
  fields: {
    ...resultsShape.fields,
    targets: required(list({ ...target, fields: { ...target.fields, attacks: required(list(count())) } })),
  },
}

type Rewrite = (text: string) => string

/** Copies the known fields of a value. `prose` rewrites text that may quote the agent or the attacker. */
export function pick(value: Value, shape: Shape, prose: Rewrite = (text) => text): Value {
  if (shape.kind === 'prose') return typeof value === 'string' ? prose(value) : value
  if (shape.kind === 'list' && isList(value)) return value.map((item) => pick(item, shape.item, prose))
  if (shape.kind === 'map' && isRecord(value)) return pickAll(value, shape.item, prose)
  if (shape.kind === 'object' && isRecord(value)) return pickFields(value, shape, prose)
  return value
}

function pickFields(record: ValueRecord, { fields }: ObjectShape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const [name, { shape }] of Object.entries(fields)) {
    const value = own(record, name)
    if (value !== undefined) setOwn(picked, name, pick(value, shape, prose))
  }
  return picked
}

function pickAll(record: ValueRecord, item: Shape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const name of Object.keys(record).sort()) setOwn(picked, name, pick(record[name] ?? null, item, prose))
  return picked
}
