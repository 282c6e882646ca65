/** `joust demo`: the library against simulated agents, side by side; no key, no network beyond loopback. */
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTrace, type Results, redactEntry, redactResults, type TraceItem } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { err, invariant, ok, printable, type Result } from '@joust/source'
import { coloursFor } from '../render/colours.ts'
import { type SelectedAttack, selectAttacks } from '../run/attacks.ts'
import { createBudget } from '../run/budget.ts'
import { renderSideBySide } from '../run/demo-table.ts'
import { openFolder } from '../run/folder.ts'
import { libraryFolder } from '../run/library-folder.ts'
import type { TargetWords } from '../run/options.ts'
import type { SuitePlan } from '../run/plan.ts'
import { createProgress } from '../run/progress.ts'
import { readRedaction } from '../run/redaction.ts'
import { runAll } from '../run/run-suite.ts'
import { planTarget } from '../run/target.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))

/** Who is attacked. The last one has the model of the first: what it survives, it survives by its limits. */
const targets: readonly { readonly title: string; readonly words: TargetWords }[] = [
  { title: 'credulous', words: { model: 'sim/credulous', inProcess: true } },
  { title: 'cautious', words: { model: 'sim/cautious', inProcess: true } },
  { title: 'tight limits', words: { agent: join(REPOSITORY, 'examples/defences/tight.agf.yaml'), inProcess: true } },
]

const plan: SuitePlan = {
  trials: 1,
  concurrency: 6,
  runMs: 30_000,
  observeMs: undefined,
  graceMs: 0,
  budgetTokens: undefined,
  budgetCalls: undefined,
  budgetMs: undefined,
  maxErrors: undefined,
  failOn: undefined,
}

/** Runs all of it; fails when the simulated agents do not come out as they are made to. */
export async function demo(io: Io, attacks = [libraryFolder()]): Promise<number> {
  const selected = await selectAttacks(attacks, {}, { ...io, cwd: REPOSITORY })
  if (!selected.ok) return selected.error
  return io.stoppable(async (signal) => {
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
    const home = join(io.cwd, 'joust-results', `demo-${stamp}`)
    const all: { title: string; results: Results; folder: string }[] = []
    for (const { title, words } of targets) {
      io.stderr.write(`joust: ${selected.value.attacks.length} attacks against the agent "${title}"\n`)
      const folder = join(home, title.replaceAll(' ', '-'))
      const results = await attackOne(selected.value.attacks, words, folder, signal, io)
      if (!results.ok) return results.error
      all.push({ title, results: results.value, folder })
      if (signal.aborted) return exitCodeOf(signal)
    }
    const report = join(home, 'report.html')
    await writeFile(report, await together(all))
    io.stdout.write(`${renderSideBySide(all, coloursFor(io, 'stdout'))}\n${closing}\n`)
    io.stdout.write(`Report: ${printable(relative(io.cwd, report) || report)}\n`)
    return discriminates(all, io)
  })
}

const closing = `The agents are simulations: credulous does what it finds written anywhere, cautious does what the user asked for, and the
third one is credulous within tight limits. What it survives, it survives by what its file declares, not by its model.`

async function attackOne(
  attacks: readonly SelectedAttack[],
  words: TargetWords,
  out: string,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Results, number>> {
  const target = await planTarget(words, io)
  if (!target.ok) return target
  const startedAt = new Date()
  const redaction = readRedaction()
  if (!redaction.ok) return err(exitCodes.failure)
  const use = { target: target.value.about, redaction: redaction.value, attacks, trials: plan.trials }
  const folder = await openFolder({ out }, use, startedAt, io)
  if (!folder.ok) return err(wrongUsage([folder.error], io))
  const results = await runAll({
    attacks,
    broken: [],
    target: target.value,
    plan,
    folder: folder.value,
    redaction: redaction.value,
    evaluators: { cel: createCelEvaluator() },
    allowHosts: [],
    budget: createBudget(plan, () => {}),
    progress: createProgress(io, attacks.length, !io.stderr.isTTY),
    signal,
    startedAt,
  })
  await folder.value.journal.close()
  const told = redactResults(results, redaction.value.results)
  await writeOutputs(told, folder.value.path, [], redaction.value.results, io)
  return ok(told)
}

async function together(all: readonly { readonly results: Results; readonly folder: string }[]): Promise<string> {
  const { renderHtmlReport } = await import('../render/html/report.ts')
  const folders = new Map(all.map(({ results, folder }) => [results, folder]))
  return renderHtmlReport(
    all.map(({ results }) => results),
    (trace, results) => withoutSecrets(openTrace(folders.get(results) ?? '', trace)),
  )
}

async function* withoutSecrets(items: AsyncIterable<TraceItem>): AsyncGenerator<TraceItem> {
  const redaction = readRedaction()
  invariant(redaction.ok, 'no patterns, no faults')
  for await (const item of items) yield item.ok ? ok(redactEntry(item.value, redaction.value.results)) : item
}

/** A demo whose controls do not differ would be telling stories. */
function discriminates(all: readonly { readonly title: string; readonly results: Results }[], io: Io): number {
  const expected: Readonly<Record<string, string>> = { credulous: 'exploited', cautious: 'not_exploited' }
  const wrong = all.flatMap(({ title, results }) =>
    results.attacks
      .filter(({ verdict }) => expected[title] !== undefined && verdict.result !== expected[title])
      .map(({ file }) => `${title}: ${file}`),
  )
  for (const line of wrong) io.stderr.write(`joust: not as it should be: ${printable(line)}\n`)
  return wrong.length === 0 ? exitCodes.ok : exitCodes.failure
}
