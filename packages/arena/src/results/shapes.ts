/** `results.json`, field by field, in the order in which it is written. `model.ts` has the same as types. */

import {
  attackResults,
  categories,
  indicatorMethods,
  indicatorResults,
  relationships,
  severityLevels,
  tiers,
} from '@joust/oatf'
import { type ObjectShape, shapes } from '@joust/source'
import { outcomes } from '../model/outcome.ts'
import { RESULTS_VERSION } from './model.ts'

const { boolean, count, enumeration, exactly, list, map, number, optional, prose, required, text, time } = shapes

/** An object that later releases may add fields to; with a name, the schema defines it once. */
function object(fields: ObjectShape['fields'], name?: string, about?: string): ObjectShape {
  return shapes.object(fields, 'later', name === undefined ? {} : { name, ...(about === undefined ? {} : { about }) })
}

const tier = enumeration(tiers)

const diagnostic = object(
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
      object({ replace: required(enumeration(['key', 'value'])), part: optional(prose), with: required(prose) }),
    ),
    actor: optional(text),
    times: optional(count(1)),
  },
  'diagnostic',
  'A finding.',
)

/** `value` is not prose: what stands in it is redacted together with its span. */
const match = object(
  {
    path: required(prose),
    value: required(text),
    span: optional(object({ start: required(count()), end: required(count()) })),
    offset: optional(count()),
  },
  'match',
  'What matched and where: the resolved path, the text around it, the span in that text.',
)

const indicatorVerdict = object(
  {
    indicator_id: required(text),
    result: required(enumeration(indicatorResults)),
    evidence: optional(prose),
    match: optional(match),
    entry: optional(
      object({
        seq: required(count()),
        actor: required(text),
        phase: required(text),
        surface: required(text),
        flow: required(enumeration(['in', 'out'])),
      }),
    ),
    considered: optional(
      object({
        protocol: required(count()),
        surface: required(count()),
        actor: required(count()),
        direction: required(count()),
        evaluated: required(count()),
      }),
    ),
    timestamp: optional(text),
    source: optional(text),
  },
  'indicator_verdict',
  'The verdict of an indicator: the message that decided it, and how many messages each step of the filter left.',
)

const verdict = object(
  {
    attack_id: optional(text),
    result: required(enumeration(attackResults)),
    max_tier: optional(tier),
    indicator_verdicts: required(list(indicatorVerdict)),
    evaluation_summary: required(
      object({
        matched: required(count()),
        not_matched: required(count()),
        error: required(count()),
        skipped: required(count()),
      }),
    ),
    timestamp: optional(text),
    source: optional(text),
    diagnostics: optional(list(diagnostic)),
  },
  'verdict',
  'The verdict of the specification (§9.2) on a trace, and nothing more.',
)

const exposure = object(
  {
    planted: required(list(text)),
    delivered: required(list(text)),
    bait: required(list(text)),
    guessed: optional(boolean),
    bait_seq: optional(count()),
  },
  'exposure',
  'Which of the texts of the attacker the agent was sent, as paths of the document. `bait` is what it is to fall for.',
)

/** What Joust says of a trial, or of an attack: that of its worst trial. */
const assessment = {
  outcome: required(enumeration(outcomes)),
  reasons: required(list(prose)),
  verdict: required(verdict),
  exposure: required(exposure),
}

const actor = object(
  {
    name: required(text),
    mode: required(text),
    status: required(enumeration(['finished', 'serving', 'expired', 'stalled', 'failed', 'stopped', 'skipped'])),
    address: optional(prose),
    phases: required(
      list(
        object({
          phase: required(text),
          elapsed_ms: required(number),
          reason: required(enumeration(['start', 'event_matched', 'timeout'])),
        }),
      ),
    ),
    error: optional(prose),
  },
  'actor',
  'How an actor fared.',
)

export const trialShape = object(
  {
    trial: required(count(1)),
    ...assessment,
    trace: required(text),
    answer: optional(prose),
    printed: optional(prose),
    exit_code: optional(count()),
    usage: optional(
      object({ calls: required(count()), input_tokens: required(count()), output_tokens: required(count()) }),
    ),
    retries: optional(count()),
    duration_ms: required(number),
    ended: required(enumeration(['done', 'expired', 'interrupted', 'flooded', 'failed'])),
    actors: required(list(actor)),
    diagnostics: required(list(diagnostic)),
    wiring: optional(list(prose)),
    task: optional(verdict),
    approvals: optional(list(object({ request: required(prose), approved: required(boolean) }))),
  },
  'trial',
  'One run. `trace` is relative to the folder of this file; `task` says whether the agent did what the user wanted.',
)

const indicator = object(
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
    agreement: optional(object({ right: required(count()), of: required(count()) })),
  },
  'indicator',
  'An indicator as the document has it.',
)

const mapping = object(
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

const attack = object({
  id: optional(text),
  name: required(prose),
  severity: optional(enumeration(severityLevels)),
  confidence: optional(count()),
  category: optional(enumeration(categories)),
  protocols: required(list(text)),
  tags: optional(list(text)),
  mappings: optional(list(mapping)),
  description: optional(prose),
  text: optional(prose),
  adapted: optional(object({ parent: required(text), by: required(list(text)) })),
  indicators: required(list(indicator)),
  task: optional(list(indicator)),
})

const attackResult = object(
  {
    file: required(text),
    fingerprint: required(text),
    attack: required(attack),
    ...assessment,
    trials: required(list(trialShape)),
  },
  'attack',
  'One attack, all of its trials; what is said of it is what is said of the worst of them.',
)

/** What came of a control. */
export const controlShape = object({
  status: required(enumeration(['passed', 'failed', 'skipped'])),
  asked: optional(enumeration(['tool_call', 'answer'])),
  reasons: required(list(prose)),
  duration_ms: optional(number),
  answer: optional(prose),
  mcp_version: optional(prose),
})

const share = object({ done: required(count()), of: required(count()) })

export const hardeningShape = object(
  {
    restraints: required(
      list(object({ kind: required(text), file: required(prose), text: required(prose), weak: optional(boolean) })),
    ),
    attacks: required(
      list(
        object({
          file: required(text),
          status: required(enumeration(['stopped', 'harmless', 'open', 'undecided'])),
          before: required(enumeration(outcomes)),
          after: optional(enumeration(outcomes)),
          by: required(list(prose)),
          alternatives: required(list(prose)),
          task: optional(object({ before: required(share), after: optional(share) })),
          reason: optional(prose),
        }),
      ),
    ),
    diff: required(prose),
    cost: required(
      object({ sets: required(count()), runs: required(count()), calls: required(count()), tokens: required(count()) }),
    ),
    stopped: optional(prose),
  },
  'hardening',
  'What would have stopped the attacks: the smallest set of restraints, shown by runs.',
)

const modelCost = object({ calls: required(count()), tokens: required(count()) })

const search = object(
  {
    success: required(enumeration(['static', 'adaptive', 'none'])),
    tries: required(count()),
    rounds: required(count()),
    attacker: required(text),
    cost: required(object({ agent: required(modelCost), attacker: required(modelCost) })),
  },
  'search',
  'What an attacker who tries again needed: tries until success, and what models took.',
)

const target = object(
  {
    kind: required(
      enumeration(['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function', 'self-play', 'none']),
    ),
    name: required(prose),
    details: optional(map(prose)),
    judge: optional(object({ engine: required(text), model: required(text), version: optional(text) })),
    control: optional(controlShape),
    mcp_version: optional(prose),
    attacks: required(list(attackResult)),
    hardening: optional(hardeningShape),
    search: optional(search),
  },
  'target',
  'Who was attacked, and what came of it.',
)

/** The whole file. */
export const resultsShape = object({
  version: required(exactly(RESULTS_VERSION)),
  joust: required(text),
  started_at: required(time),
  finished_at: required(time),
  suite: required(object({ trials: required(count(1)), fingerprint: required(text) })),
  stopped: optional(
    object({
      reason: required(enumeration(['interrupted', 'budget', 'control', 'attacker'])),
      message: required(prose),
    }),
  ),
  targets: required(list(target)),
})
