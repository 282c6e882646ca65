/** `joust mutate ATTACK… --by NAME…`: writes attacks with mutated bait. */
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { type RuleText, readRuleTexts } from '@joust/authoring'
import { writeNew } from '@joust/io'
import { mutations } from '@joust/oatf'
import { count, err, jsonText, messageOf, ok, printable, type Result } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { readText } from '../input/read.ts'
import type { MutateOptions } from '../options/adaptive.ts'
import { selectAttacks } from '../run/attacks.ts'
import { type Rewriting, rewriteAll, waysOf, withBaits, withPlacebos } from '../run/mutants.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints or writes mutants; mutations that do not apply are reported on stderr. */
export async function mutate(paths: readonly string[], options: MutateOptions, io: Io): Promise<number> {
  if (options.list) return list(options.json, io)
  if (paths.length === 0) return wrongUsage(['missing attack documents; put them before --by NAME…'], io)
  const listed = options.baits ?? options.placebos
  if (options.by.length === 0 && listed === undefined) {
    const message =
      'missing --by NAME, --by all, --baits or --placebos; run joust mutate --list for the list of mutations'
    return wrongUsage([message], io)
  }
  const ways = waysOf(options.by, '--by')
  if (!ways.ok) return wrongUsage([ways.error], io)
  const selected = await selectAttacks(paths, { quiet: true }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  const chosen = listed === undefined ? ok([]) : await readTexts(listed, options.max, io)
  if (!chosen.ok) return wrongUsage([chosen.error], io)
  const rewritings = listed === undefined ? rewriteAll(attacks, ways.value) : rewrite(attacks, chosen.value, options)
  for (const { file, by, mutant } of rewritings)
    if (!mutant.ok) tell(io, `${file}: ${by} does not apply: ${mutant.error}`)
  const mutants = rewritings.flatMap(({ mutant, ...one }) => (mutant.ok ? [{ ...one, text: mutant.value.text }] : []))
  const fault = options.out === undefined ? print(mutants, io) : write(mutants, options.out, io)
  if (fault !== undefined) return fault
  return broken.length === 0 && mutants.length > 0 ? exitCodes.ok : exitCodes.findings
}

function rewrite(attacks: readonly SuiteAttack[], chosen: readonly RuleText[], options: MutateOptions): Rewriting[] {
  return options.baits === undefined ? withPlacebos(attacks, chosen) : withBaits(attacks, chosen)
}

async function readTexts(path: string, max: number, io: Io): Promise<Result<readonly RuleText[], string>> {
  const file = await readText(resolve(io.cwd, path), io)
  if (!file.ok) return err(`${path}: ${file.error.message}`)
  const all = readRuleTexts(file.value)
  if (!all.ok) return err(`${path}: ${all.error}; expected a list from joust import agent-threat-rules`)
  const step = Math.max(1, all.value.length / max)
  const places = Array.from({ length: Math.min(max, all.value.length) }, (_, index) => Math.floor(index * step))
  return ok(places.flatMap((place) => all.value[place] ?? []))
}

function list(json: boolean, io: Io): number {
  const rows = mutations()
  if (json) {
    io.stdout.write(jsonText(rows))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const kindWidth = Math.max(...rows.map(({ kind }) => kind.length))
  for (const { name, kind, summary } of rows)
    io.stdout.write(`${colours.bold(name.padEnd(nameWidth))}  ${kind.padEnd(kindWidth)}  ${summary}\n`)
  return exitCodes.ok
}

type Mutant = Pick<Rewriting, 'file' | 'by'> & { readonly text: string }

/** Prints a single mutant unchanged, so that it can be piped, and several mutants as documents of one stream. */
function print(mutants: readonly Mutant[], io: Io): undefined {
  const [only] = mutants
  if (mutants.length === 1 && only !== undefined) io.stdout.writeData(only.text)
  else
    for (const { file, by, text } of mutants)
      io.stdout.writeData(`--- # ${printable(file)} by ${by}\n${text.trimEnd()}\n`)
}

function write(mutants: readonly Mutant[], out: string, io: Io): number | undefined {
  const folder = resolve(io.cwd, out)
  const names = new Set<string>()
  const files = mutants.map(({ file, by, text }) => ({ path: join(folder, nameFor(file, by, names)), text }))
  const existing = files.find(({ path }) => existsSync(path))
  // Existing files are never overwritten.
  if (existing !== undefined)
    return wrongUsage([`${relative(io.cwd, existing.path)} already exists; use another folder for --out`], io)
  try {
    mkdirSync(folder, { recursive: true })
    for (const { path, text } of files) {
      writeNew(path, text)
      io.stdout.write(`${printable(relative(io.cwd, path))}\n`)
    }
  } catch (thrown) {
    return giveUp(messageOf(thrown), io)
  }
  tell(io, `${count(mutants.length, 'mutant')} in ${out}`)
  return undefined
}

/** Returns a unique name, because files in different folders may have the same name. */
function nameFor(file: string, by: string, taken: Set<string>): string {
  const base = file === '<stdin>' ? 'attack' : basename(file).replace(/\.(?:oatf\.)?(?:yaml|yml|json)$/i, '')
  const ending = /\.json$/.test(file) ? 'json' : 'yaml'
  let name = `${base}.${by}.oatf.${ending}`
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}.${by}.oatf.${ending}`
  taken.add(name)
  return name
}
