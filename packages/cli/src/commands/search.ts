/** `joust search ATTACK --attacker MODEL`: looks for a bait that gets through, and writes it as an attack. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ArenaError, RESULTS_FILE, type SearchResult, suiteCode } from '@joust/arena'
import { baitOf } from '@joust/oatf'
import { jsonText, printable } from '@joust/source'
import { searchOwnOptions } from '../options/adaptive.ts'
import { type GivenOptions, readOptions } from '../options/read.ts'
import { runOptions } from '../options/run.ts'
import { chooseTargets } from '../project/choose.ts'
import { readProject } from '../project/read.ts'
import { coloursFor } from '../render/colours.ts'
import { count } from '../run/count.ts'
import { findModel } from '../run/find-model.ts'
import { type PreparedRun, prepareRun } from '../run/prepare.ts'
import { searchTarget } from '../run/search.ts'
import { freshFolder } from '../run/suite.ts'
import { renderResults } from '../run/table.ts'
import { tableOptions } from '../run/table-options.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

const FOUND_FILE = 'found.oatf.yaml'

/** Searches; a table and what was found on stdout, progress on stderr, files in the folder of the results. */
export async function search(path: string, given: GivenOptions, io: Io): Promise<number> {
  const own = await readOptions(searchOwnOptions, given)
  if (!own.ok) return wrongUsage(own.error, io)
  const ours = Object.entries(given).filter(([key]) => !Object.hasOwn(searchOwnOptions, key))
  const prepared = await prepare(path, Object.fromEntries(ours), io)
  if (typeof prepared === 'number') return prepared
  const [target, ...others] = prepared.targets
  const [attack, ...more] = prepared.selection.attacks
  if (prepared.selection.broken.length > 0) return exitCodes.errorVerdict
  if (target === undefined || others.length > 0)
    return wrongUsage(['a search attacks one target; --on NAME picks one of the project file'], io)
  if (attack === undefined || more.length > 0) return wrongUsage(['a search takes one attack'], io)
  const { attacker: model } = own.value
  const found = await findModel(model, target.cassettes?.attacker, io)
  if (!found.ok) return wrongUsage([`--attacker ${model}: ${found.error}`], io)
  const word = prepared.options.out ?? freshFolder(io.cwd, 'search-')
  if (existsSync(join(resolve(io.cwd, word), RESULTS_FILE)))
    return wrongUsage([`${word}: the folder holds results already; --out names another folder`], io)
  return io.stoppable(async (signal) => {
    try {
      const job = { prepared, target, attack, own: own.value, attacker: found.value.bound, word, signal }
      return await conclude(await searchTarget(job, io), prepared, word, signal, io)
    } catch (thrown) {
      if (!(thrown instanceof ArenaError)) throw thrown
      io.stderr.write(`joust: ${printable(thrown.message)}\n`)
      return exitCodes.failure
    } finally {
      found.value.close()
    }
  })
}

async function prepare(path: string, given: GivenOptions, io: Io): Promise<PreparedRun | number> {
  const config = given.config === undefined ? undefined : await runOptions.config.value.read(given.config, '--config')
  if (config?.ok === false) return wrongUsage([config.error], io)
  const project = await readProject(config?.value, given.quiet !== undefined, io)
  if (!project.ok) return project.error
  const chosen = await chooseTargets(project.value, given, io)
  if (!chosen.ok) return chosen.error
  const prepared = await prepareRun([path], chosen.value, io)
  return prepared.ok ? prepared.value : prepared.error
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
  // First what was found: whatever goes wrong after that, it is there.
  const file = result.found === undefined ? undefined : join(home, FOUND_FILE)
  if (file !== undefined && result.found !== undefined) {
    mkdirSync(home, { recursive: true })
    writeFileSync(file, result.found.attack.text, { flag: 'wx' })
  }
  const name = file === undefined ? undefined : relative(io.cwd, file) || file
  const written = results === undefined ? [] : await writeOutputs(results, home, options.report, io)
  if (options.json) io.stdout.write(jsonText(asJson(result, name)))
  else {
    if (results !== undefined)
      io.stdout.write(`${renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io))}\n`)
    io.stdout.write(story(result, name))
  }
  if (!options.quiet) for (const one of written) io.stderr.write(`joust: ${printable(relative(io.cwd, one) || one)}\n`)
  if (signal.aborted) return exitCodeOf(signal)
  if (results === undefined) return exitCodes.errorVerdict
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
