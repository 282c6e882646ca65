/** `joust aim [INPUT…]`: labels an agent's tools, finds data flows and writes proven attacks that use these flows. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Aimed, AimedDocument, ClassifiedTool, Corrections, FlowList, Session } from '@joust/authoring'
import { withTimeout, writeNew } from '@joust/io'
import { count, err, firstFew, jsonText, messageOf, ok, printable, type Result } from '@joust/source'
import { correctionsIn, keepCorrections, readLabels } from '../aim/corrections.ts'
import { gatherSession } from '../aim/gather.ts'
import type { AimOptions } from '../options/authoring.ts'
import { type Project, readProject } from '../project/read.ts'
import { openModel } from '../target/models.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

export async function aim(paths: readonly string[], options: AimOptions, io: Io): Promise<number> {
  const labels = readLabels(options.label)
  if (!labels.ok) return wrongUsage(labels.error, io)
  const project = await readProject(options.config, options.quiet, io)
  if (!project.ok) return project.error
  return io.stoppable(async (signal) => {
    const session = await gatherSession(paths, options, project.value, signal, io)
    if (signal.aborted) return exitCodeOf(signal)
    if (!session.ok) return session.error
    const inventory = await inventoryOf(session.value, labels.value, project.value, options, signal, io)
    if (!inventory.ok) return inventory.error
    const { findFlows, flowMapText } = await import('@joust/authoring')
    const list = findFlows(session.value, inventory.value)
    if (options.flows) {
      io.stdout.writeData(flowMapText({ tools: inventory.value, ...list }, options.format))
      return list.flows.length > 0 ? exitCodes.ok : exitCodes.findings
    }
    if (list.flows.length === 0) return giveUp(noFlows(inventory.value), io, exitCodes.findings)
    const aimed = await proveAll(session.value, list, options, signal, io)
    if (signal.aborted) return exitCodeOf(signal)
    return write(aimed, options, io)
  })
}

/** Labels tools by rules, then by a model, then by the user's corrections. */
async function inventoryOf(
  session: Session,
  labels: Corrections,
  project: Project | undefined,
  options: AimOptions,
  signal: AbortSignal,
  io: Io,
): Promise<Result<readonly ClassifiedTool[], number>> {
  const { classifySession, corrected, unknownCorrections } = await import('@joust/authoring')
  const kept = correctionsIn(project)
  const ruled = classifySession(session)
  const [unknown] = unknownCorrections(ruled, labels)
  if (unknown !== undefined)
    return err(wrongUsage([`--label ${unknown}: no such tool; use SERVER/TOOL as printed by joust aim --flows`], io))
  // Corrections of other servers may belong to other inputs.
  const servers = new Set(ruled.map(({ server }) => server))
  for (const name of unknownCorrections(ruled, kept))
    if (servers.has(name.slice(0, name.lastIndexOf('/'))))
      tell(io, `${project?.name}: aim.tools: no such tool: ${printable(name)}`)
  const refined = options.by === undefined ? ok(ruled) : await refine(session, ruled, options.by, signal, io)
  if (!refined.ok) return refined
  if (Object.keys(labels).length > 0) {
    const written = keepCorrections(labels, project, io)
    if (!written.ok) return err(giveUp(written.error, io))
    tell(io, `${count(Object.keys(labels).length, 'correction')} saved in ${written.value}`)
  }
  return ok(corrected(refined.value, { ...kept, ...labels }, 'set in joust.yaml or with --label'))
}

const MODEL_MS = 120_000

async function refine(
  session: Session,
  tools: readonly ClassifiedTool[],
  name: string,
  signal: AbortSignal,
  io: Io,
): Promise<Result<readonly ClassifiedTool[], number>> {
  const model = await openModel('--by', name, undefined, true, io)
  if (!model.ok) return err(wrongUsage([model.error], io))
  const { refineInventory } = await import('@joust/authoring')
  const { bound, close } = model.value
  const ask = async (system: string, data: string): Promise<Result<string, string>> => {
    const limited = withTimeout(signal, MODEL_MS)
    try {
      const { content } = await bound.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: data }] },
        ],
        abortSignal: limited.signal,
      })
      return ok(content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
    } finally {
      limited.close()
    }
  }
  const refined = await refineInventory(session, tools, ask).finally(close)
  if (refined.ok) return refined
  tell(io, `--by ${name}: ${refined.error}; using rule-based labels only`)
  return ok(tools)
}

function noFlows(tools: readonly ClassifiedTool[]): string {
  const has = (wanted: string) => tools.some(({ labels }) => labels.some(({ label }) => label === wanted))
  const missing = ['source', 'sink'].filter((label) => !has(label)).join(' and no ')
  return `no flows: ${missing === '' ? 'one tool is both the only source and the only sink' : `there is no ${missing}`}; joust aim --flows prints the labels, --label corrects them`
}

async function proveAll(
  session: Session,
  { flows, total }: FlowList,
  options: AimOptions,
  signal: AbortSignal,
  io: Io,
): Promise<Aimed> {
  const { aimAttacks } = await import('@joust/authoring')
  if (!options.quiet) tell(io, `${count(total, 'flow')}; writing and proving documents`)
  return aimAttacks(session, flows, {
    max: options.max,
    signal,
    ...(options.technique.length > 0 && { techniques: options.technique }),
  })
}

function write({ documents, rejected }: Aimed, options: AimOptions, io: Io): number {
  const folder = resolve(io.cwd, options.out)
  const colours = coloursFor(io, 'stdout')
  const files: { document: AimedDocument; path: string; state: string }[] = []
  try {
    if (documents.length > 0) mkdirSync(folder, { recursive: true })
    for (const document of documents) {
      const path = join(folder, document.file)
      const state = writeOne(path, document.text)
      files.push({ document, path: relative(io.cwd, path), state })
    }
  } catch (thrown) {
    return giveUp(messageOf(thrown), io)
  }
  if (options.json) {
    const written = files.map(({ document: { text: _, file: __, ...rest }, path, state }) => ({
      file: path,
      state,
      ...rest,
    }))
    io.stdout.write(jsonText({ documents: written, rejected }))
  } else
    io.stdout.write(
      `${[...files.map((file) => fileLine(file, colours)), ...rejectedLines(rejected, colours)].join('\n')}\n`,
    )
  if (!options.quiet) tell(io, `${count(documents.length, 'proven document')} in ${options.out}`)
  return documents.length > 0 ? exitCodes.ok : exitCodes.findings
}

/** Writes a document unless its file exists, so that edited documents are preserved. */
function writeOne(path: string, text: string): string {
  if (!existsSync(path)) {
    writeNew(path, text)
    return 'wrote'
  }
  return readFileSync(path, 'utf8') === text ? 'same' : 'kept'
}

function fileLine(
  { document, path, state }: { document: AimedDocument; path: string; state: string },
  colours: Colours,
): string {
  const { flow } = document
  return `${colours.green(state.padEnd(5))}  ${flow.severity.padEnd(8)}  ${printable(path)}`
}

const SHOWN = 10

function rejectedLines(rejected: Aimed['rejected'], colours: Colours): string[] {
  const lines = rejected.map(({ flow, technique, reason }) => `not written: ${technique} for ${flow.id}: ${reason}`)
  return firstFew(lines, SHOWN).map((line) => colours.dim(printable(line)))
}
