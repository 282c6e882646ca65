/** `joust search ATTACK --attacker MODEL`: searches for bait that succeeds and writes it as an attack. */
import { join, relative, resolve } from 'node:path'
import { type SearchResult, searchBait, searchTurns, type TurnSuccess } from '@joust/adaptive'
import type { Prover } from '@joust/adaptive/prover'
import { makeFolder, writeNew } from '@joust/io'
import { baitOf } from '@joust/oatf'
import { proportionOf, suiteCode } from '@joust/results'
import type { LanguageModel } from '@joust/runtime'
import { count, jsonText, printable } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { type SearchOwnOptions, searchOwnOptions } from '../options/adaptive.ts'
import { type GivenOptions, readOptions } from '../options/read.ts'
import { renderResults } from '../render/results-table.ts'
import { runBatch, type Search, searchInto } from '../run/batch.ts'
import { type PreparedRun, prepareGiven, tableOptions } from '../run/prepare.ts'
import { loudnessOf } from '../run/suite.ts'
import { besideActors, writeOutputs } from '../run/write-outputs.ts'
import { tryAddresses } from '../target/gateway.ts'
import { isAsked, openModel } from '../target/models.ts'
import { whileOpen } from '../target/target-plan.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'

const FOUND_FILE = 'found.oatf.yaml'

/** Prints the result to stdout and progress to stderr; writes files to the results folder. */
export async function search(path: string, given: GivenOptions, io: Io): Promise<number> {
  const own = await readOptions(searchOwnOptions, given)
  if (!own.ok) return wrongUsage(own.error, io)
  const ours = Object.entries(given).filter(([key]) => !Object.hasOwn(searchOwnOptions, key))
  const preparation = await prepareGiven([path], Object.fromEntries(ours), io)
  if (!preparation.ok) return preparation.error
  const prepared = preparation.value
  const [target, ...others] = prepared.targets
  const [attack, ...more] = prepared.selection.attacks
  if (prepared.selection.broken.length > 0) return exitCodes.inconclusive
  if (target === undefined || others.length > 0)
    return wrongUsage(['search supports a single target; select one from the project file with --on NAME'], io)
  if (attack === undefined || more.length > 0) return wrongUsage(['search supports a single attack'], io)
  const { attacker: model } = own.value
  const attacker = await openModel('--attacker', model, target.recordings?.attacker, isAsked(prepared.options), io)
  if (!attacker.ok) return wrongUsage([attacker.error], io)
  return searchInto(prepared.options, 'search-', io, async (word, signal) => {
    const job = { target, attack, own: own.value, attacker: attacker.value.bound, word, signal }
    const result = await (own.value.turns === undefined
      ? searchTarget(job, io)
      : talkToTarget(job, own.value.turns, io))
    if (typeof result === 'string') return wrongUsage([result], io)
    return conclude(result, prepared, word, signal, besideActors(prepared, io))
  }).finally(attacker.value.close)
}

interface SearchJob extends Search {
  readonly attack: SuiteAttack
  readonly own: SearchOwnOptions
  readonly attacker: LanguageModel
}

async function searchTarget(job: SearchJob, io: Io): Promise<SearchResult> {
  const { own, attack, signal, target } = job
  const { chosen, plan, suite } = target
  const [{ modelAttacker }, { slotsFor }] = await Promise.all([import('@joust/adaptive'), import('@joust/targets')])
  const say = (line: string) => chosen.options.quiet || tell(io, line)
  await tryAddresses([chosen.options])
  const options: Parameters<typeof searchBait>[1] = {
    ...own,
    attacker: modelAttacker(own.attacker, job.attacker),
    budget: suite.budget,
    redactor: suite.redactor,
    signal,
    onRefused: (reason) => say(`attacker: ${reason}`),
    onTried: ({ by, round, results }) => {
      if (round > 0) say(`round ${round}: ${by.join(' + ')}: ${results.outcome}`)
    },
    run: async ({ round, ...batch }, budget) => {
      // Results are kept for candidates. For repeated and shortened baits, only the document is kept.
      const isKept = round !== undefined
      const loudness = isKept ? loudnessOf(chosen.options) : 'quiet'
      return runBatch(job, { ...batch, isKept, loudness, budget }, io)
    },
  }
  return whileOpen(plan, slotsFor([attack.attack]), signal, () => searchBait(attack, options))
}

async function talkToTarget(job: SearchJob, turns: number, io: Io): Promise<Outcome | string> {
  const { own, attack, signal, target } = job
  const { chosen, plan, suite } = target
  const [{ modelTalker }, { slotsFor }] = await Promise.all([import('@joust/adaptive'), import('@joust/targets')])
  const say = (line: string) => chosen.options.quiet || tell(io, line)
  await tryAddresses([chosen.options])
  const options: Parameters<typeof searchTurns>[1] = {
    ...own,
    turns,
    attacker: modelTalker(own.attacker, job.attacker),
    budget: suite.budget,
    redactor: suite.redactor,
    signal,
    onRefused: (reason) => say(`attacker: ${reason}`),
    run: async ({ round, improvise, ...batch }, budget) => {
      const isKept = round !== undefined
      const loudness = isKept ? loudnessOf(chosen.options) : 'quiet'
      const run: typeof suite.run = async (which) => {
        const options = (await suite.run?.(which)) ?? {}
        const { file, trial, isPreflight } = which
        if (improvise === undefined || isPreflight === true) return options
        return { ...options, improvise: (turn) => improvise(file, trial, turn) }
      }
      const prover = improvise === undefined ? suite.prover : proverOf(attack, suite.prover)
      return runBatch(job, { ...batch, run, prover, isKept, loudness, budget }, io)
    },
  }
  const result = await whileOpen(plan, slotsFor([attack.attack]), signal, () => searchTurns(attack, options))
  return result.ok ? result.value : result.error
}

/** Uses the proof of the original attack, because the texts of a conversation do not exist before the run. */
function proverOf(attack: SuiteAttack, prover: Prover): Prover {
  return {
    ...prover,
    async prove(conversations, options) {
      const proof = (await prover.prove([attack], options)).get(attack.attack.fingerprint)
      return new Map(proof && conversations.map((one) => [one.attack.fingerprint, proof]))
    },
  }
}

type Outcome = SearchResult & { readonly byTurn?: readonly TurnSuccess[] }

async function conclude(
  result: Outcome,
  prepared: PreparedRun,
  word: string,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { options } = prepared
  const { results } = result
  const home = resolve(io.cwd, word)
  // Written first, so that later errors cannot lose it.
  const file = result.found === undefined ? undefined : join(home, FOUND_FILE)
  if (file !== undefined && result.found !== undefined) {
    makeFolder(home)
    writeNew(file, result.found.attack.text, 0o600)
  }
  const name = file === undefined ? undefined : relative(io.cwd, file) || file
  const written = results === undefined ? [] : await writeOutputs(results, home, options.report, io)
  if (options.json) io.stdout.write(jsonText(asJson(result, name)))
  else {
    if (results !== undefined)
      io.stdout.write(`${renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io))}\n`)
    io.stdout.write(story(result, name))
  }
  if (!options.quiet) for (const one of written) tell(io, relative(io.cwd, one) || one)
  if (signal.aborted) return exitCodeOf(signal)
  if (results === undefined) return exitCodes.inconclusive
  return written.length === 0 ? exitCodes.failure : suiteCode(results, {})
}

function asJson({ found, results: _, cost, ...result }: Outcome, file: string | undefined) {
  if (found === undefined) return { ...result, cost }
  const { attack, ...rest } = found
  return { ...result, found: { file, ...rest, bait: baitOf(attack).texts }, cost }
}

function story({ success, found, tries, rounds, stopped, cost, byTurn }: Outcome, file: string | undefined): string {
  const effort =
    byTurn === undefined
      ? `${count(tries, 'try', 'tries')} in ${count(rounds, 'round')}`
      : `${count(tries, 'conversation')} of ${count(byTurn.length, 'turn')}`
  const ending = stopped === undefined ? '' : ` (${stopped})`
  const lines =
    success === 'static'
      ? ['static success: the attack succeeds unchanged; no search needed']
      : success === 'none' || found === undefined
        ? [`no success after ${effort}${ending}`]
        : [
            `adaptive success after ${effort}, by ${found.by.join(' + ')}`,
            `confirmed in ${found.worked.hits} of ${count(found.worked.of, 'run')}${found.minimized ? ', with a shortened bait' : ''}`,
            ...baitOf(found.attack).texts.map(({ path, text }) => `  ${path}: ${JSON.stringify(text)}`),
            `written to ${file}`,
          ]
  for (const { turn, hits, of } of byTurn ?? []) {
    const rate = proportionOf(hits, of)
    const share = (value: number) => `${Math.round(100 * value)} %`
    const interval = rate === undefined ? '' : ` (95 %: ${share(rate.low)} to ${share(rate.high)})`
    lines.push(`  up to turn ${turn}: ${hits} of ${of} succeeded${interval}`)
  }
  const { agent, attacker } = cost
  const spent = `cost: agent ${agent.tokens} tokens in ${count(agent.calls, 'call')}, attacker ${attacker.tokens} tokens in ${count(attacker.calls, 'call')}`
  return [...lines, spent].map((line) => `${printable(line)}\n`).join('')
}
