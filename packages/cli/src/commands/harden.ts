/** `joust harden AGENT --against ATTACK…`: finds the smallest change to an agent file that stops the attacks. */
import { join, relative, resolve } from 'node:path'
import type { Hardened } from '@joust/adaptive'
import { count, jsonText, printable, unifiedDiff } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { STDIN } from '../input/read.ts'
import { rewriteFile } from '../input/rewrite-files.ts'
import { type HardenOwnOptions, hardenOwnOptions } from '../options/harden.ts'
import { type GivenOptions, readOptions } from '../options/read.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { renderHardening } from '../render/hardening-table.ts'
import { searchInto } from '../run/batch.ts'
import { hardenTarget } from '../run/harden.ts'
import { type PreparedRun, type PreparedTarget, prepareGiven } from '../run/prepare.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { fittingAttacks } from '../target/target-plan.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints the table and the diff to stdout and progress to stderr; writes files to the results folder. */
export async function harden(path: string, given: GivenOptions, io: Io): Promise<number> {
  const own = await readOptions(hardenOwnOptions, given)
  if (!own.ok) return wrongUsage(own.error, io)
  const { against, by, write } = own.value
  if (write && path === STDIN) return wrongUsage(['--write needs a file, not standard input'], io)
  const unknown = await unknownKind(by)
  if (unknown !== undefined) return wrongUsage([unknown], io)
  const ours = Object.entries(given).filter(([key]) => !Object.hasOwn(hardenOwnOptions, key))
  const preparation = await prepareGiven(against, { ...Object.fromEntries(ours), agent: [path] }, io)
  if (!preparation.ok) return preparation.error
  const prepared = preparation.value
  const [target] = prepared.targets
  if (prepared.selection.broken.length > 0) return exitCodes.inconclusive
  if (target === undefined) return wrongUsage(['missing agent file'], io)
  if (by.includes('governance') && (target.plan.policies ?? []).length === 0) return wrongUsage([NO_POLICY], io)
  const attacks = attacksOn(prepared, target, io)
  const fault = attacksFault(attacks)
  if (fault !== undefined) return wrongUsage([fault], io)
  return searchInto(prepared.options, 'harden-', io, async (word, signal) => {
    const job = { prepared, target, attacks, own: own.value, word, signal }
    return conclude(await hardenTarget(job, io), job, io)
  })
}

const NO_POLICY =
  '--by governance needs policies in a folder: bindings: { governance: { folder: ./policies } } in joust.yaml'

async function unknownKind(by: readonly string[]): Promise<string | undefined> {
  if (by.length === 0) return undefined
  const { restraintTable } = await import('@joust/adaptive')
  const available = restraintTable.map(({ name }) => name)
  const unknown = by.find((name) => !available.includes(name))
  if (unknown === undefined) return undefined
  const message = `--by: unknown restraint ${JSON.stringify(unknown)}`
  return unknownWord(message, unknown, available, `available: ${available.join(', ')}`)
}

function attacksOn({ selection, options }: PreparedRun, { plan }: PreparedTarget, io: Io): readonly SuiteAttack[] {
  const attacks = fittingAttacks(selection.attacks, plan)
  const skipped = selection.attacks.length - attacks.length
  if (skipped > 0 && !options.quiet) tell(io, `${count(skipped, 'attack')} skipped: not attacks on an agent`)
  return attacks
}

/** Requires an attack with a user task. Otherwise, an agent that does nothing would be the best result. */
function attacksFault(attacks: readonly SuiteAttack[]): string | undefined {
  if (attacks.length === 0) return '--against selects no attack on an agent'
  if (attacks.some(({ attack }) => attack.task?.ok === true)) return undefined
  return 'no attack has a user task (x-joust-task); without one, an agent that does nothing would be the best result (see docs/writing-attacks.md)'
}

interface Finished {
  readonly prepared: PreparedRun
  readonly attacks: readonly SuiteAttack[]
  readonly own: Pick<HardenOwnOptions, 'write'>
  readonly word: string
  readonly signal: AbortSignal
}

async function conclude(done: Hardened, { prepared, attacks, own, word, signal }: Finished, io: Io): Promise<number> {
  const { options } = prepared
  const { results, after, hardening, files } = done
  const home = resolve(io.cwd, word)
  const written = await writeOutputs(results, home, options.report, io)
  if (after !== undefined) await writeOutputs(after.results, join(home, after.under), [], io)
  const complete = !signal.aborted && hardening.stopped === undefined
  const faults = own.write && complete ? files.flatMap((file) => replace(file, io)) : []
  if (options.json) io.stdout.write(jsonText({ ...hardening, written: own.write && complete && faults.length === 0 }))
  else {
    const names = new Map(attacks.map(({ file, attack }) => [file, attack.document.attack.name]))
    io.stdout.write(renderHardening(hardening, names, coloursFor(io, 'stdout'), io.stdout.columns))
    // The user's own file is not redacted: otherwise the diff would not apply.
    const diff = files.map((file) => unifiedDiff(file.before, file.after, printable(file.source))).join('')
    if (diff !== '') io.stdout.write(`\n${diff}`)
  }
  for (const fault of faults) tell(io, fault)
  if (!options.quiet) for (const one of written) tell(io, relative(io.cwd, one) || one)
  if (signal.aborted) return exitCodeOf(signal)
  if (written.length === 0 || faults.length > 0) return exitCodes.failure
  const isDone = hardening.attacks.every(({ status }) => status === 'stopped' || status === 'harmless')
  return isDone && complete ? exitCodes.ok : exitCodes.findings
}

function replace({ source, after }: Hardened['files'][number], io: Io): string[] {
  const fault = rewriteFile(resolve(io.cwd, source), after)
  return fault === undefined ? [] : [`${source}: cannot be written: ${fault}`]
}
