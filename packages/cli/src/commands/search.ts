/** `joust search ATTACK --attacker MODEL`: looks for a bait that gets through, and writes it as an attack. */
import { join, relative, resolve } from 'node:path'
import { type SearchResult, type SuiteAttack, searchBait, suiteCode } from '@joust/arena'
import { makeFolder, writeNew } from '@joust/io'
import { baitOf } from '@joust/oatf'
import type { LanguageModel } from '@joust/runtime'
import { count, jsonText, printable } from '@joust/source'
import { type SearchOwnOptions, searchOwnOptions } from '../options/adaptive.ts'
import { type GivenOptions, readOptions } from '../options/read.ts'
import { coloursFor } from '../render/colours.ts'
import { renderResults } from '../render/results-table.ts'
import { attackBatch, type Search, searchInto } from '../run/batch.ts'
import { type PreparedRun, prepareGiven, tableOptions } from '../run/prepare.ts'
import { controlSkipped, loudnessOf } from '../run/suite.ts'
import { besideActors, writeOutputs } from '../run/write-outputs.ts'
import { tryAddresses } from '../target/gateway.ts'
import { isAsked, openModel } from '../target/models.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'

const FOUND_FILE = 'found.oatf.yaml'

/** Searches for a bait; the findings go to stdout, progress to stderr, files to the folder of the results. */
export async function search(path: string, given: GivenOptions, io: Io): Promise<number> {
  const own = await readOptions(searchOwnOptions, given)
  if (!own.ok) return wrongUsage(own.error, io)
  const ours = Object.entries(given).filter(([key]) => !Object.hasOwn(searchOwnOptions, key))
  const made = await prepareGiven([path], Object.fromEntries(ours), io)
  if (!made.ok) return made.error
  const prepared = made.value
  const [target, ...others] = prepared.targets
  const [attack, ...more] = prepared.selection.attacks
  if (prepared.selection.broken.length > 0) return exitCodes.inconclusive
  if (target === undefined || others.length > 0)
    return wrongUsage(['a search attacks one target; --on NAME picks one of the project file'], io)
  if (attack === undefined || more.length > 0) return wrongUsage(['a search takes one attack'], io)
  const { attacker: model } = own.value
  const found = await openModel('--attacker', model, target.cassettes?.attacker, isAsked(prepared.options), io)
  if (!found.ok) return wrongUsage([found.error], io)
  return searchInto(prepared.options, 'search-', io, async (word, signal) => {
    const job = { prepared, target, attack, own: own.value, attacker: found.value.bound, word, signal }
    return conclude(await searchTarget(job, io), prepared, word, signal, besideActors(prepared, io))
  }).finally(found.value.close)
}

interface SearchJob extends Search {
  readonly attack: SuiteAttack
  readonly own: SearchOwnOptions
  readonly attacker: LanguageModel
}

/** What is kept of each batch is below the folder of the results. */
async function searchTarget(job: SearchJob, io: Io): Promise<SearchResult> {
  const { prepared, own, attack, signal, target } = job
  const { modelAttacker } = await import('@joust/arena/attacker')
  const say = (line: string) => prepared.options.quiet || tell(io, line)
  const { gateway } = target.target
  await tryAddresses([target.given.options])
  await gateway?.open()
  return searchBait(attack, {
    ...own,
    attacker: modelAttacker(own.attacker, job.attacker),
    budget: target.plan.budget,
    redactor: prepared.redactor,
    signal,
    onRefused: (reason) => say(`attacker: ${reason}`),
    onTried: ({ by, round, results }) => {
      if (round > 0) say(`round ${round}: ${by.join(' + ')}: ${results.outcome}`)
    },
    run: ({ round, ...batch }, left) => {
      // Candidates are kept; of repeated and shortened baits, only the document is.
      const isKept = round !== undefined
      const skipControl = round === 0 ? controlSkipped(target.given.options) : 'it was done before the first attempt'
      const loudness = isKept ? loudnessOf(prepared.options) : 'quiet'
      return attackBatch(job, target.target, { ...batch, isKept, skipControl, loudness }, left, io)
    },
  }).finally(() => gateway?.close())
}

async function conclude(
  result: SearchResult,
  prepared: PreparedRun,
  word: string,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { options } = prepared
  const { results } = result
  const home = resolve(io.cwd, word)
  // What was found is written first, so that it survives whatever goes wrong after that.
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

function asJson({ found, results: _, cost, ...result }: SearchResult, file: string | undefined) {
  if (found === undefined) return { ...result, cost }
  const { attack, ...rest } = found
  return { ...result, found: { file, ...rest, bait: baitOf(attack).texts }, cost }
}

function story({ success, found, tries, rounds, stopped, cost }: SearchResult, file: string | undefined): string {
  const took = `${count(tries, 'try', 'tries')} in ${count(rounds, 'round')}`
  const ending = stopped === undefined ? '' : ` (${stopped})`
  const lines =
    success === 'static'
      ? ['static success: the attack gets through as it is, so there was nothing to search for']
      : success === 'none' || found === undefined
        ? [`no success: nothing got through after ${took}${ending}`]
        : [
            `adaptive success after ${took}, by ${found.by.join(' + ')}`,
            `it worked in ${found.worked.hits} of ${count(found.worked.of, 'more run')}${found.minimized ? ', and a shorter bait does as well' : ''}`,
            ...baitOf(found.attack).texts.map(({ path, text }) => `  ${path}: ${JSON.stringify(text)}`),
            `written as ${file}`,
          ]
  const { agent, attacker } = cost
  const spent = `cost: ${agent.tokens} tokens of the agent in ${count(agent.calls, 'call')}, ${attacker.tokens} of the attacker in ${count(attacker.calls, 'call')}`
  return [...lines, spent].map((line) => `${printable(line)}\n`).join('')
}
