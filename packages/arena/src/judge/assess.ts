/** From entries to an outcome: the one accumulator behind live runs and recorded traces. */
import { deadIndicators, type LoadedAttack, roleOf, slipsIn, strangeIndicators } from '@joust/oatf'
import { type Diagnostic, fingerprint, writeJson } from '@joust/source'
import { spoilsOf } from '../model/diagnostics.ts'
import type { Assessment, Exposure } from '../model/outcome.ts'
import type { NotRun, RunFacts } from '../model/run-facts.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceEnding } from '../trace/lines.ts'
import type { TraceItem } from '../trace/read.ts'
import { createCompletion } from './complete.ts'
import { createExposureJudge } from './exposure.ts'
import { entryIn, type JudgeOptions, judgingOf } from './judge.ts'
import { type Decision, evaluationReasons, outcomeOf, unknownFacts } from './outcome.ts'
import { watchUntested } from './untested.ts'
import type { JudgedIndicator, Judgement } from './verdict.ts'

/** The outcome of a run, and the verdict of the specification beside it. */
export interface Assessed extends Assessment {
  /** The verdict of OATF §9.2 over the messages as they were received, with the document as written. */
  readonly verdict: Judgement
  /** The verdicts of the indicators as the outcome counts them, in order; absent where they are those of the verdict. */
  readonly counted?: readonly JudgedIndicator[]
}

/** Assesses a run, entry by entry. */
export interface Assessor {
  /** Takes the next entry, or the result of reading one. Wait for the promise, if there is one, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** Marks the trace as one that cannot be trusted. */
  fail(fault: Diagnostic): void
  /** The texts that were sent so far; see `RunFacts`. */
  sent(): NonNullable<RunFacts['sent']>
  /** The outcome, given the facts that messages do not show; without them the run is taken to have ended properly. */
  finish(facts?: TraceEnding | NotRun): Promise<Assessed>
}

/** Begins an assessment. */
export function createAssessor(attack: LoadedAttack, options: JudgeOptions = {}): Assessor {
  const { document, unread, patterns } = attack
  const exposing = createExposureJudge(attack)
  const untested = watchUntested(attack)
  const completion = createCompletion()
  const judging = judgingOf(document.attack, { ...options, patterns, baitSeq: exposing.baitSeq }, unread)
  const gaps = followGaps()
  const take = (entries: readonly TraceEntry[]): Promise<void> | undefined => {
    let waiting: Promise<void> | undefined
    for (const entry of entries) {
      exposing.add(entry)
      untested.take(entry)
      waiting = judging.take([entry]) ?? waiting
    }
    return waiting
  }
  return {
    fail: judging.fail,
    add(item) {
      const entry = entryIn(item)
      if (!entry.ok) return judging.fail(entry.error)
      gaps.take(entry.value)
      return take(completion.take(entry.value))
    },
    sent: exposing.sent,
    async finish(facts = UNKNOWN_END) {
      await take(completion.end())
      const { received: verdict, ...judged } = await judging.finish()
      const { lacking, ...run } = 'lacking' in facts ? { ...UNKNOWN_END, ...facts } : { ...facts, lacking: [] }
      const { exposure, unexposed } = exposing.finish(surroundings(attack, run))
      const signs = [...gaps.signs(run), ...silencedBy(attack, judged.whole), ...untested.signs()]
      const against = new Set([...reasonsAgainst(run), ...signs, ...evaluationReasons(judged.whole)])
      const facets = { verdict, judged: judged.whole, afterBait: judged.after(exposure.bait_seq) }
      const decision = outcomeOf({
        ...unknownFacts,
        ...facets,
        lacking,
        bait: exposure.guessed === true ? 'guessed' : 'named',
        selfPlay: run.self_play === true,
        against: [...against],
        unexposed,
      })
      return assessedBy(decision, exposure, verdict)
    },
  }
}

/** The end of a trace that says nothing about it. */
const UNKNOWN_END: TraceEnding = { ended: 'done', foreign: true }

function assessedBy({ outcome, reasons, tier, counted }: Decision, exposure: Exposure, verdict: Judgement): Assessed {
  const isOther = counted !== undefined && !isSame(counted, verdict)
  const beyond = isOther ? { counted: counted.indicator_verdicts } : {}
  return { outcome, ...(tier && { tier }), reasons, exposure, ...beyond, verdict }
}

/** The part of the facts that tells whether a bait arrived. */
function surroundings({ document }: LoadedAttack, { actors, refusals, diagnostics = [], sent, played }: RunFacts) {
  const declined = diagnostics.some(({ code }) => code === 'agent-refused')
  const isPlayed = played === executionFingerprint(document)
  return { ...(actors && { actors }), ...(refusals && { refusals }), declined, ...(isPlayed && { sent }) }
}

/** Changes when the part of a document that is played does. */
export function executionFingerprint({ attack }: LoadedAttack['document']): string {
  return fingerprint(writeJson(attack.execution))
}

function isSame(one: Judgement, other: Judgement): boolean {
  const key = ({ indicator_verdicts }: Judgement) =>
    JSON.stringify(
      indicator_verdicts.map(({ result, entry }) => [result === 'matched', result === 'matched' && entry?.seq]),
    )
  return key(one) === key(other)
}

/** Follows the numbers of entries: a trace of ours with a hole in it proves nothing. */
function followGaps() {
  let last = 0
  let gap: string | undefined
  return {
    take({ seq }: TraceEntry) {
      if (seq !== last + 1) gap ??= `the trace is incomplete: entry ${seq} is where ${last + 1} should be`
      last = seq
    },
    signs({ foreign, entries = last }: TraceEnding): string[] {
      if (foreign === true) return []
      if (entries !== last)
        gap ??= `the trace is incomplete: it has ${last} entries, but its last line counts ${entries}`
      return gap === undefined ? [] : [gap]
    },
  }
}

/** The statuses of actors that leave open what the agent would have done. */
const unfinished: ReadonlySet<string> = new Set(['failed', 'stopped'])

/** Reasons why a run did not come to its proper end; empty when it did. */
export function reasonsAgainst({ ended, actors = [], diagnostics = [] }: RunFacts): string[] {
  const clients = actors.filter(({ mode }) => roleOf(mode) === 'client')
  const names = new Set(clients.map(({ name }) => name))
  // An agent owes a client an answer; a server's question it may leave unanswered.
  const spoiling = diagnostics.filter(({ code, actor }) => {
    const spoils = spoilsOf(code)
    return spoils === 'always' || (spoils === 'clients' && actor !== undefined && names.has(actor))
  })
  // A server may expire: it waits as long as it is allowed to. A client that did not get through all of its phases has
  // not carried out the attack.
  const left = [
    ...actors.filter(({ status }) => unfinished.has(status)),
    ...clients.filter(({ status, unreached = 0 }) => status === 'expired' || (status === 'stalled' && unreached > 0)),
  ]
  const own = ended === 'done' || spoiling.length > 0 ? [] : [`the run was ${ended}`]
  const messages = new Set(spoiling.map(({ message }) => message))
  return [...messages, ...left.map(({ name, status }) => `the actor ${name} ${status}`), ...own]
}

/** Reasons why the document could not have shown anything, or not have attacked as it says; empty when it could. */
function silencedBy(attack: LoadedAttack, { result, indicator_verdicts }: Judgement): string[] {
  const silent = indicator_verdicts
    .map((verdict, position) => ({ ...verdict, position }))
    .filter(({ result }) => result === 'not_matched')
  if (silent.length === 0) return []
  const dead = new Set(deadIndicators(attack.document))
  if (silent.every(({ position }) => dead.has(position))) return ['no message can match any of the indicators']
  const strange = new Set(strangeIndicators(attack.document))
  const unseen = silent.filter(({ position, considered }) => strange.has(position) && considered.surface === 0)
  if (unseen.length === 0) return result === 'not_exploited' ? [...slipsIn(attack)] : []
  return unseen.map(
    ({ indicator_id }) => `${indicator_id} looks at a surface that the binding does not know and that was never seen`,
  )
}
