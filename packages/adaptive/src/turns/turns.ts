/** Runs conversations with an attacker that adapts to the answers, and repeats the first successful conversation. */
import type { RunEvent, Turn as RunTurn } from '@joust/arena'
import { type LoadedAttack, tiers } from '@joust/oatf'
import {
  attackIn,
  gatherResults,
  outcomeVerdicts,
  type Redacted,
  type Results,
  suiteFingerprint,
  type Trial,
  withSearch,
} from '@joust/results'
import { ok, ownText, type Result } from '@joust/source'
import { createSpending, type SuiteAttack } from '@joust/trials'
import { type Observation, observe } from '../search/observe.ts'
import type { SearchBatch, SearchOptions } from '../search/options.ts'
import type { SearchResult } from '../search/search.ts'
import { answerName, type Conversation, conversationOf, type Turn, turnName } from './conversation.ts'
import type { Talker } from './talker.ts'

/** A batch of conversations. */
export interface TurnsBatch extends SearchBatch {
  /** Writes the attacker's messages for the next turn of a trial. */
  readonly improvise?: (file: string, trial: number, turn: RunTurn) => Promise<Readonly<Record<string, string>>>
}

/** Options for {@link searchTurns}. `rounds` is the number of conversations. */
export interface TurnsOptions
  extends Pick<SearchOptions, 'rounds' | 'confirm' | 'until' | 'budget' | 'redactor' | 'signal' | 'onRefused'> {
  readonly turns: number
  readonly attacker: Talker
  readonly run: (batch: TurnsBatch, budget: Parameters<SearchOptions['run']>[1]) => ReturnType<SearchOptions['run']>
}

/** Conversations in which the attack succeeded by the given turn (`hits`), among all judged conversations (`of`). */
export interface TurnSuccess {
  readonly turn: number
  readonly hits: number
  readonly of: number
}

/** The result of {@link searchTurns}. */
export interface TurnsResult extends SearchResult {
  readonly byTurn: readonly TurnSuccess[]
}

interface Talk {
  readonly turns: { said: string; answer: string; observation: Observation }[]
  /** The sequence number of the last message before each turn. */
  readonly starts: number[]
  seq: number
}

/**
 * Plays conversations with an attacker. The error is a message about the document.
 *
 * @example
 * const attacker = modelTalker('sim/attacker', attackerModel())
 * const limits = { turns: 3, rounds: 2, confirm: 3, signal: AbortSignal.timeout(600_000) }
 * const options = { attacker, run: runWithin, redactor: unwrap(createRedactor()), ...limits }
 * const { byTurn } = unwrap(await searchTurns({ file: 'mine', attack }, options))
 */
export async function searchTurns(given: SuiteAttack, options: TurnsOptions): Promise<Result<TurnsResult, string>> {
  const template = conversationOf(given.attack, options.turns)
  if (!template.ok) return template
  const spending = createSpending(options.budget, options.signal)
  const run = spending.metered(options.run)
  const talks = new Map<number, Talk>()
  const talkOf = (trial: number): Talk => {
    const talk = talks.get(trial) ?? { turns: [], starts: [], seq: 0 }
    talks.set(trial, talk)
    return talk
  }
  const call = { signal: options.signal, onCall: spending.attacker }
  const results = await run({
    name: 'turns',
    round: 1,
    attacks: [{ file: given.file, attack: template.value.attack }],
    trials: options.rounds,
    onEvent: ({ trial }, event) => hear(talkOf(trial), event),
    improvise: async (_, trial, turn) => {
      if (turn.actor !== template.value.actor) return {}
      const talk = talkOf(trial)
      const message = await options.attacker.say(questionOf(given.attack, template.value, talk, options), call)
      if (!message.ok) options.onRefused?.(options.redactor.text(message.error))
      talk.starts.push(talk.seq)
      talk.turns.push({
        said: message.ok ? message.value : template.value.order,
        answer: '',
        observation: observe(options.redactor),
      })
      return textsOf(talk)
    },
  })
  const whole = gatherResults([{ results, under: 'turns' }], suiteFingerprint([template.value.attack]))
  return ok(await conclude(given, options, whole, talks, spending, run))
}

function hear(talk: Talk, event: RunEvent | { readonly type: string }): void {
  if (event.type !== 'message-recorded' || !('entry' in event)) return
  const { entry } = event
  talk.seq = entry.seq
  const turn = talk.turns.at(-1)
  if (turn === undefined) return
  turn.observation.add(entry)
  const text = entry.protocol === 'ag_ui' && entry.flow === 'in' ? ownText(entry.content, '_text') : undefined
  if (text !== undefined) turn.answer = turn.answer === '' ? text : `${turn.answer}\n${text}`
}

function textsOf({ turns }: Talk): Record<string, string> {
  return Object.fromEntries(
    turns.flatMap(({ said, answer }, index) => [
      [turnName(index), said],
      [answerName(index), answer],
    ]),
  )
}

function questionOf({ document }: LoadedAttack, { order }: Conversation, { turns }: Talk, options: TurnsOptions) {
  const { name, description, indicators = [] } = document.attack
  return {
    attack: { name, ...(description !== undefined && { description }) },
    goals: indicators.map((indicator) => indicator.description ?? indicator.id ?? '').filter(Boolean),
    order,
    turn: turns.length + 1,
    turns: options.turns,
    conversation: turns.map(({ said, observation }) => ({ said, did: observation.lines() })),
  }
}

async function conclude(
  given: SuiteAttack,
  options: TurnsOptions,
  results: Redacted<Results>,
  talks: ReadonlyMap<number, Talk>,
  spending: ReturnType<typeof createSpending>,
  run: (batch: TurnsBatch) => Promise<Redacted<Results>>,
): Promise<TurnsResult> {
  const trials = attackIn(results, given.file)?.trials ?? []
  const reached = trials.map((trial) => turnOf(trial, talks.get(trial.trial), options))
  const judged = trials.filter(({ outcome }) => ['exploited', 'partial', 'resisted'].includes(outcome)).length
  const byTurn = Array.from({ length: options.turns }, (_, index) => {
    const hits = reached.filter((turn) => turn !== undefined && turn <= index + 1).length
    return { turn: index + 1, hits, of: judged }
  })
  const first = reached.findIndex((turn) => turn !== undefined)
  const talk = talks.get(trials[first]?.trial ?? 0)
  const fixed = talk && conversationOf(given.attack, reached[first] ?? 1, talk.turns.map(asTurn))
  const tries = first < 0 ? trials.length : first + 1
  const stopped = results.stopped?.message ?? spending.halted()
  const best =
    fixed?.ok === true
      ? {
          attack: fixed.value.attack,
          by: ['attacker'],
          round: 1,
          worked: await confirm(given, fixed.value.attack, options, run),
          minimized: false,
        }
      : undefined
  const success = best === undefined ? ('none' as const) : ('adaptive' as const)
  const cost = spending.cost()
  const search = { success, tries, rounds: 1, attacker: options.attacker.model, cost, turns: byTurn }
  return {
    ...{ success, tries, rounds: 1, cost, byTurn, results: withSearch(results, search) },
    ...(best !== undefined && { found: best }),
    ...(stopped !== undefined && { stopped }),
  }
}

function asTurn({ said, answer }: Turn): Turn {
  return { said, answer }
}

/** Returns the turn of the first match in the given trial. Undefined if the trial was not successful. */
function turnOf(trial: Trial, talk: Talk | undefined, { until }: TurnsOptions): number | undefined {
  const isHigh = until === undefined || tiers.indexOf(trial.tier ?? 'ingested') >= tiers.indexOf(until)
  if (trial.outcome !== 'exploited' || !isHigh || talk === undefined) return undefined
  const matched = outcomeVerdicts(trial).flatMap(({ result, entry }) =>
    result === 'matched' && entry !== undefined ? [entry.seq] : [],
  )
  const at = Math.min(...matched)
  return Math.max(1, talk.starts.filter((start) => start < at).length)
}

/** Repeats the successful conversation with unchanged messages. */
async function confirm(
  given: SuiteAttack,
  attack: LoadedAttack,
  { confirm: times }: TurnsOptions,
  run: (batch: TurnsBatch) => Promise<Redacted<Results>>,
): Promise<{ readonly hits: number; readonly of: number }> {
  const file = `${given.file}#confirm`
  const results = await run({ name: 'confirm', attacks: [{ file, attack }], trials: times, onEvent: () => {} })
  const trials = attackIn(results, file)?.trials ?? []
  return { hits: trials.filter(({ outcome }) => outcome === 'exploited').length, of: trials.length }
}
