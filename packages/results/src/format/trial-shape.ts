/** Fields of a trial in `results.json`, in the order in which they are written. */

import { attackResults, type EvaluationSummary, indicatorResults, type Match, tiers } from '@joust/oatf'
import {
  defined,
  type ObjectShape,
  type OptionalField,
  type RequiredField,
  type Suggestion,
  shapes,
} from '@joust/source'
import { type ActorOutcome, actorStatuses, type PhaseVisit, phaseReasons } from '../model/actor-outcome.ts'
import {
  type Controls,
  lifeSigns,
  type PlaceboControl,
  proofs,
  type SensitivityControl,
  type Successes,
  stoppers,
} from '../model/controls.ts'
import type { RunDiagnostic } from '../model/diagnostics.ts'
import { type Flow, type FlowPlace, flowEncodings, flowExtents, flowKinds } from '../model/flow.ts'
import { type Assessment, type Exposure, outcomes } from '../model/outcome.ts'
import type { ResultIndicatorVerdict, ResultVerdict, Trial } from '../model/results.ts'
import { endReasons } from '../model/run-facts.ts'
import { type ThroughCall, throughAnswers, throughReads } from '../model/through.ts'
import type { Considered, DecidingEntry } from '../model/verdict.ts'

const { boolean, count, enumeration, list, number, optional, prose, required, text } = shapes

/** All fields of a type. Missing, unknown or wrongly optional fields are type errors. */
export type FieldsFor<T> = {
  readonly [key in keyof T]-?: T extends { readonly [field in key]: unknown } ? RequiredField : OptionalField
}

/** Creates the shape of a type that may have unknown fields. A named shape becomes a definition in the schema. */
export function object<T = never>(fields: FieldsFor<NoInfer<T>>, name?: string, about?: string): ObjectShape {
  return shapes.object(fields, 'later', defined({ name, about }))
}

export const amount = required(count())

export const tier = enumeration(tiers)

const diagnostic = object<RunDiagnostic>(
  {
    severity: required(enumeration(['error', 'warning'])),
    code: required(text),
    message: required(prose),
    path: optional(text),
    line: optional(count(1)),
    column: optional(count(1)),
    end_column: optional(count(1)),
    spec_ref: optional(text),
    suggestion: optional(
      object<Suggestion>({
        replace: required(enumeration(['key', 'value'])),
        part: optional(prose),
        with: required(prose),
      }),
    ),
    actor: optional(text),
    times: optional(count(1)),
    transient: optional(boolean),
  },
  'diagnostic',
  'A finding.',
)

/** `value` is not prose, because it is redacted together with its span. */
const match = object<Match>(
  {
    path: required(prose),
    value: required(text),
    span: optional(object<Required<Match>['span']>({ start: amount, end: amount })),
    offset: optional(count()),
  },
  'match',
  'A match: the resolved path, an excerpt of the text, and the span of the match in the excerpt.',
)

const indicatorVerdict = object<ResultIndicatorVerdict>(
  {
    indicator_id: required(text),
    result: required(enumeration(indicatorResults)),
    evidence: optional(prose),
    match: optional(match),
    entry: optional(
      object<DecidingEntry>({
        seq: required(count()),
        actor: required(text),
        phase: required(text),
        surface: required(text),
        flow: required(enumeration(['in', 'out'])),
        derived: optional(boolean),
      }),
    ),
    considered: optional(
      object<Considered>({ protocol: amount, surface: amount, actor: amount, direction: amount, evaluated: amount }),
    ),
    timestamp: optional(text),
    source: optional(text),
  },
  'indicator_verdict',
  'An indicator verdict, with the deciding message and the number of messages left after each filter step.',
)

const verdict = object<ResultVerdict>(
  {
    attack_id: optional(text),
    result: required(enumeration(attackResults)),
    max_tier: optional(tier),
    indicator_verdicts: required(list(indicatorVerdict)),
    evaluation_summary: required(
      object<EvaluationSummary>({ matched: amount, not_matched: amount, error: amount, skipped: amount }),
    ),
    timestamp: optional(text),
    source: optional(text),
    diagnostics: optional(list(diagnostic)),
  },
  'verdict',
  'The verdict on a trace (OATF §9.2).',
)

const exposure = object<Exposure>(
  {
    planted: required(list(text)),
    delivered: required(list(text)),
    read: optional(list(text)),
    bait: required(list(text)),
    guessed: optional(boolean),
    bait_seq: optional(count()),
    bait_call: optional(count(1)),
  },
  'exposure',
  'Attack texts that were planted, delivered to the agent, and read by its model, as document paths. `read` is absent if requests to the model were not observed. `bait` lists the texts that carry the attack.',
)

export const usageShape = object<Required<Trial>['usage']>({
  calls: amount,
  input_tokens: amount,
  output_tokens: amount,
})

const throughCall = object<ThroughCall>(
  {
    server: required(text),
    method: optional(enumeration(throughReads)),
    tool: required(prose),
    decision: required(enumeration(['passed', 'held'])),
    answer: required(enumeration(throughAnswers)),
    reason: required(prose),
    calls: required(count(1)),
    overlaid: optional(count(1)),
    failed: optional(count(1)),
    may_change: optional(boolean),
  },
  'through_call',
  'Calls to a tool of a real server (`--through`), or reads of a resource or prompt (`method`), with the same decision: passed on, or held back and answered by Joust.',
)

const controls = object<Controls>(
  {
    proven: optional(enumeration(proofs)),
    unspecific: optional(boolean),
    placebo: optional(
      object<PlaceboControl>({
        fell: amount,
        of: amount,
        with_bait: optional(object<Successes>({ fell: amount, of: amount })),
        effect: optional(
          object<Required<PlaceboControl>['effect']>({
            difference: required(number),
            low: required(number),
            high: required(number),
          }),
        ),
        skipped: optional(prose),
      }),
    ),
    sensitivity: optional(
      object<SensitivityControl>({
        fell: amount,
        of: amount,
        skipped: optional(prose),
        through: optional(list(throughCall)),
      }),
    ),
    preflight: optional(enumeration(['reached', 'not_reached', 'declared', 'unknown'])),
    alive_by: optional(enumeration(lifeSigns)),
    filtered: optional(boolean),
    unread: optional(boolean),
    stopped_by: optional(enumeration(stoppers)),
  },
  'controls',
  'The evidence besides the verdict. A missing field was not measured.',
)

const place = { seq: amount, actor: required(text), name: required(prose) }

const flow = object<Flow>(
  {
    kind: required(enumeration(flowKinds)),
    from: required(object<FlowPlace>(place)),
    to: required(object<Flow['to']>({ ...place, argument: required(prose) })),
    encodings: optional(list(enumeration(flowEncodings))),
    extent: required(enumeration(flowExtents)),
    text: required(prose),
    times: optional(count(1)),
  },
  'flow',
  'A value that reached the agent and occurs in the arguments of a later call.',
)

/** Assessment fields of a trial or of an attack, which has the assessment of its worst trial. */
export const assessment = {
  outcome: required(enumeration(outcomes)),
  tier: optional(tier),
  reasons: required(list(prose)),
  verdict: required(verdict),
  exposure: required(exposure),
  flows: optional(list(flow)),
  controls: optional(controls),
  counted: optional(list(indicatorVerdict)),
} satisfies FieldsFor<Pick<Trial, keyof Assessment | 'verdict' | 'counted'>>

const actor = object<ActorOutcome>(
  {
    name: required(text),
    mode: required(text),
    status: required(enumeration(actorStatuses)),
    address: optional(prose),
    phases: required(
      list(
        object<PhaseVisit>({
          phase: required(text),
          elapsed_ms: required(number),
          reason: required(enumeration(phaseReasons)),
        }),
      ),
    ),
    unreached: optional(count()),
    error: optional(prose),
  },
  'actor',
  'The outcome of an actor.',
)

export const trialShape = object<Trial>(
  {
    trial: required(count(1)),
    ...assessment,
    trace: required(text),
    answer: optional(prose),
    printed: optional(prose),
    exit_code: optional(count()),
    usage: optional(usageShape),
    retries: optional(count()),
    duration_ms: required(number),
    ended: required(enumeration(endReasons)),
    actors: required(list(actor)),
    diagnostics: required(list(diagnostic)),
    wiring: optional(list(prose)),
    task: optional(verdict),
    through: optional(list(throughCall)),
    approvals: optional(
      list(object<Required<Trial>['approvals'][number]>({ request: required(prose), approved: required(boolean) })),
    ),
  },
  'trial',
  "One run. `trace` is relative to the folder of this file; `task` is the verdict on the user's task.",
)
