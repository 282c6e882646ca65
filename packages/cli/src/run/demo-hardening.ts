/** The end of the demo: a credulous agent, and what its file has to declare. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { knownShapes } from '@joust/arena'
import type { Hardened } from '@joust/arena/harden'
import { printable } from '@joust/source'
import { defaultsOf } from '../options/read.ts'
import { runOptions } from '../options/run.ts'
import { coloursFor } from '../render/colours.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { selectAttacks } from './attacks.ts'
import { hardenTarget } from './harden.ts'
import { renderHardening } from './harden-table.ts'
import type { SuitePlan } from './plan.ts'
import { planTarget } from './target.ts'
import { writeOutputs } from './write-outputs.ts'

/** Three that can be stopped although the work needs the very tools that they abuse, and one that nothing in a file stops. */
const attacks = ['forwarded-minutes', 'handbook-page', 'bill-note', 'signed-answer']

/** Hardens it; the table, the diff and the file. Fails when nothing was found, which would be a story without an end. */
export async function demoHardening(home: string, plan: SuitePlan, signal: AbortSignal, io: Io): Promise<number> {
  // Files of the demo go by their places in it.
  const inside = { ...io, cwd: assets.root }
  const paths = attacks.map((name) => join(assets.hardening, `${name}.oatf.yaml`))
  const selected = await selectAttacks(paths, {}, inside)
  if (!selected.ok) return selected.error
  const agent = join(assets.hardening, 'clerk.agf.yaml')
  const here = { home: assets.root, project: undefined }
  const options = { ...defaultsOf(runOptions), agent, inProcess: true, quiet: true }
  const given = { options, ...here, secrets: [], draft: { given: {}, ...here } }
  const target = await planTarget(given, inside)
  if (!target.ok) return target.error
  io.stderr.write(`joust: hardening the agent "clerk" against ${attacks.length} attacks\n`)
  // The agent runs in this process: once it has answered, nothing more is to come.
  const bounds = { ...plan, observeMs: 0 }
  const planned = { given, plan: bounds, target: target.value, cassettes: undefined, judge: undefined, under: '' }
  const word = join(home, 'hardening')
  const prepared = { options, redactor: knownShapes() }
  const job = { prepared, target: planned, attacks: selected.value.attacks, own: { by: [], confirm: 1 }, word, signal }
  const done = await hardenTarget(job, inside)
  if (signal.aborted) return exitCodeOf(signal)
  await writeOutputs(done.results, word, [], io)
  const names = new Map(selected.value.attacks.map(({ file, attack }) => [file, attack.document.attack.name]))
  io.stdout.write(`\n${INTRO}\n\n${renderHardening(done.hardening, names, coloursFor(io, 'stdout'))}\n`)
  io.stdout.write(`${done.hardening.diff}\n`)
  const written = writeAgents(done, word)
  for (const file of written) io.stdout.write(`Hardened agent: ${printable(relative(io.cwd, file) || file)}\n`)
  return written.length > 0 ? exitCodes.ok : exitCodes.failure
}

const INTRO = `The clerk is as credulous, and its work needs the very tools that these attacks abuse. joust harden looks for the smallest change of
its file that stops them and leaves the work done.`

function writeAgents({ files }: Hardened, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return files.map(({ source, after }) => {
    const path = join(folder, basename(source))
    writeFileSync(path, after)
    return path
  })
}
