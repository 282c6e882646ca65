/** A trial in `results.json`, field by field, in the order in which it is written. */

import { attackResults, indicatorResults, tiers } from '@joust/oatf'
import { type ObjectShape, shapes } from '@joust/source'
import { actorStatuses, phaseReasons } from '../model/actor-outcome.ts'
import { endReasons } from '../model/options.ts'
import { outcomes } from '../model/outcome.ts'

const { boolean, count, enumeration, list, number, optional, prose, required, text } = shapes

/** An object that later releases may add fields to; with a name, the schema defines it once. */
export function object(fields: ObjectShape['fields'], name?: string, about?: string): ObjectShape {
  return shapes.object(fields, 'later', name === undefined ? {} : { name, ...(about === undefined ? {} : { about }) })
}

/** An object of nothing but counts, all of them required. */
export function counts(...names: readonly string[]): ObjectShape {
  return object(Object.fromEntries(names.map((name) => [name, required(count())])))
}

export const tier = enumeration(tiers)

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

/** `value` is not prose: it is redacted together with its span. */
const match = object(
  {
    path: required(prose),
    value: required(text),
    span: optional(counts('start', 'end')),
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
        derived: optional(boolean),
      }),
    ),
    considered: optional(counts('protocol', 'surface', 'actor', 'direction', 'evaluated')),
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
    evaluation_summary: required(counts('matched', 'not_matched', 'error', 'skipped')),
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
  'Which of the texts of the attacker the agent was sent, as paths of the document. `bait` is what it is meant to fall for.',
)

/** What Joust says about a trial or, by its worst trial, about an attack. */
export const assessment = {
  outcome: required(enumeration(outcomes)),
  tier: optional(tier),
  reasons: required(list(prose)),
  verdict: required(verdict),
  exposure: required(exposure),
  counted: optional(list(indicatorVerdict)),
}

const actor = object(
  {
    name: required(text),
    mode: required(text),
    status: required(enumeration(actorStatuses)),
    address: optional(prose),
    phases: required(
      list(
        object({
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
  'How an actor fared.',
)

/** One run. */
export const trialShape = object(
  {
    trial: required(count(1)),
    ...assessment,
    trace: required(text),
    answer: optional(prose),
    printed: optional(prose),
    exit_code: optional(count()),
    usage: optional(counts('calls', 'input_tokens', 'output_tokens')),
    retries: optional(count()),
    duration_ms: required(number),
    ended: required(enumeration(endReasons)),
    actors: required(list(actor)),
    diagnostics: required(list(diagnostic)),
    wiring: optional(list(prose)),
    task: optional(verdict),
    approvals: optional(list(object({ request: required(prose), approved: required(boolean) }))),
  },
  'trial',
  'One run. `trace` is relative to the folder of this file; `task` says whether the agent did what the user wanted.',
)
