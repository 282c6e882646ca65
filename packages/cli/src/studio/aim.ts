/** `joust aim` for the studio: the inputs in a folder, and the flow map and documents of these inputs. */
import type { ClassifiedTool, Flow, FlowList, Session } from '@joust/authoring'
import { toolLabels } from '@joust/authoring/names'
import { err, ok, type Result } from '@joust/source'
import type { AimDocuments, AimInput, AimRequest, StudioWork, ToolMap } from '@joust/studio'
import { correctionsIn, keepCorrections } from '../aim/corrections.ts'
import { isOwnFile } from '../aim/find-config.ts'
import { type AimInputs, listInputs, readInputs } from '../aim/gather.ts'
import { startLines } from '../aim/permission.ts'
import { configPlaces } from '../options/authoring.ts'
import { type Project, readProject } from '../project/read.ts'
import type { Io } from '../terminal/io.ts'
import { type Capture, captureIo } from './capture.ts'

type Aim = StudioWork['aim']
type Place = Pick<AimInput, 'kind' | 'name'>

const MOST_INPUTS = 50

/**
 * Provides `joust aim` to the studio. Sessions are cached by input, so that changing labels or writing documents does
 * not restart servers.
 */
export function studioAim(io: Io): Aim {
  const sessions = new Map<string, Session>()
  return {
    inputs: (files) => inputsOf(files, io),
    async map(request, signal) {
      const capture = captureIo(io, signal)
      const project = await readProject(undefined, true, capture.io)
      if (!project.ok) return err(capture.text())
      const session = await sessionOf(request, sessions, project.value, signal, capture)
      if (!session.ok) return session
      if (request.labels !== undefined) {
        const labels = Object.entries(request.labels).map(([tool, words]) => [tool, knownLabels(words)] as const)
        const kept = keepCorrections(Object.fromEntries(labels), project.value, capture.io)
        if (!kept.ok) return kept
      }
      const { tools, list } = await flowsOf(session.value, io)
      return ok(await mapOf(tools, list, capture.text()))
    },
    async documents({ input, flows, max }, signal) {
      const session = sessions.get(keyOf(input))
      if (session === undefined) return err('list the tools first')
      const { list } = await flowsOf(session, io)
      const wanted = flows === undefined ? undefined : new Set(flows)
      const chosen = list.flows.filter(({ id }) => wanted === undefined || wanted.has(id))
      return ok(await documentsOf(session, chosen, max, signal))
    },
  }
}

function keyOf({ kind, name }: Place): string {
  return `${kind} ${name}`
}

function knownLabels(words: readonly string[]) {
  return toolLabels.filter((label) => words.includes(label))
}

/**
 * Lists configurations, sessions and tool lists in the folder, and targets in the project file whose tools are known.
 */
async function inputsOf(files: readonly string[], io: Io): Promise<AimInput[]> {
  const { io: quiet } = captureIo(io, new AbortController().signal)
  const project = await readProject(undefined, true, quiet)
  const known = project.ok ? project.value : undefined
  const places: Place[] = [
    ...configPlaces.filter((name) => isOwnFile(`${io.cwd}/${name}`)).map((name) => ({ kind: 'config' as const, name })),
    ...files.filter((name) => /(?:^|\/)session\.ya?ml$/.test(name)).map((name) => ({ kind: 'session' as const, name })),
    ...files
      .filter((name) => /(?:^|[/._-])tools\.(?:json|ya?ml)$/.test(name))
      .map((name) => ({ kind: 'tools' as const, name })),
    ...(known?.targets ?? []).map(({ name }) => ({ kind: 'target' as const, name })),
  ]
  const inputs = places.slice(0, MOST_INPUTS).map(async (place): Promise<AimInput[]> => {
    const read = await readPlace(place, known, quiet)
    if (!read.ok || read.value.servers.length + read.value.entries.length === 0) return []
    return [{ ...place, starts: startLines(read.value.entries, io) }]
  })
  return (await Promise.all(inputs)).flat()
}

function readPlace({ kind, name }: Place, project: Project | undefined, io: Io): Promise<Result<AimInputs, number>> {
  const none = { mcpConfig: [], tools: [], on: [] }
  if (kind === 'session') return readInputs([name], none, project, io)
  const option = ({ config: 'mcpConfig', tools: 'tools', target: 'on' } as const)[kind]
  return readInputs([], { ...none, [option]: [name] }, project, io)
}

/** Returns the cached session if only labels changed; otherwise lists the tools of the servers shown on the page. */
async function sessionOf(
  { input, labels }: AimRequest,
  sessions: Map<string, Session>,
  project: Project | undefined,
  signal: AbortSignal,
  capture: Capture,
): Promise<Result<Session, string>> {
  const kept = sessions.get(keyOf(input))
  if (labels !== undefined) return kept === undefined ? err('list the tools first') : ok(kept)
  const read = await readPlace(input, project, capture.io)
  if (!read.ok) return err(capture.text())
  // A changed configuration could start commands that the user has not agreed to.
  if (JSON.stringify(startLines(read.value.entries, capture.io)) !== JSON.stringify(input.starts))
    return err(`${input.name} has changed since its servers were shown; reload the page to see them`)
  const session = await listInputs(read.value, { call: [], quiet: true }, signal, capture.io)
  if (!session.ok) return err(capture.text())
  sessions.set(keyOf(input), session.value)
  return session
}

/** Finds the flows, with labels from the rules and the current corrections in the project file. */
async function flowsOf(session: Session, io: Io) {
  const { classifySession, findFlows } = await import('@joust/authoring')
  const { io: quiet } = captureIo(io, new AbortController().signal)
  const project = await readProject(undefined, true, quiet)
  const tools = classifySession(session, correctionsIn(project.ok ? project.value : undefined))
  return { tools, list: findFlows(session, tools) }
}

async function mapOf(tools: readonly ClassifiedTool[], { flows, total }: FlowList, notes: string): Promise<ToolMap> {
  const { effectOf, toolKey } = await import('@joust/authoring')
  return {
    tools: tools.map((tool) => ({ name: toolKey(tool), labels: tool.labels })),
    flows: flows.map((flow) => ({
      id: flow.id,
      source: toolKey(flow.source),
      ...(flow.private && { private: toolKey(flow.private) }),
      sink: toolKey(flow.sink),
      severity: flow.severity,
      effect: effectOf(flow),
    })),
    total,
    notes,
  }
}

async function documentsOf(
  session: Session,
  flows: readonly Flow[],
  max: number,
  signal: AbortSignal,
): Promise<AimDocuments> {
  const { aimAttacks } = await import('@joust/authoring')
  const { documents, rejected } = await aimAttacks(session, flows, { max, signal })
  return {
    documents: documents.map(({ file, text, flow, technique }) => ({ file, text, flow: flow.id, technique })),
    rejected: rejected.map(({ flow, technique, reason }) => `${technique} for ${flow.id}: ${reason}`),
  }
}
