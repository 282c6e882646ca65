/** Messages that do not come from actors: about attack files, the agent's activity in its working folder, and apps. */
import { fileFaults, filesIn, MCP_APP, needsFolder, WORKSPACE, type WorkspaceFile } from '@joust/oatf'
import { diagnostic } from '@joust/results'
import { formatPath, type Value } from '@joust/source'
import type { RunContext } from './actors/context.ts'
import type { AppEvent, TargetSession } from './model/target.ts'

/** Reports invalid files. Returns undefined if the attack needs no folder. */
export function filesFor({ document, reports }: RunContext): readonly WorkspaceFile[] | undefined {
  const { attack } = document
  if (!needsFolder(attack)) return undefined
  for (const { path, message } of fileFaults(attack))
    reports.add(diagnostic('state-malformed', message, formatPath(path)))
  return filesIn(attack).map(({ path, text }) => ({ path, text }))
}

export function recordFiles(run: RunContext): void {
  for (const { path, text } of filesIn(run.document.attack)) record(run, WORKSPACE, 'out', 'file/laid', { path, text })
}

export async function inspectFolder(run: RunContext, session: TargetSession | undefined): Promise<void> {
  for (const { surface, content } of (await session?.inspectFolder?.()) ?? [])
    record(run, WORKSPACE, 'in', surface, content)
}

/** The app is part of the attack, so its messages are recorded under its actor. */
export function recordApp(run: RunContext, { actor, surface, content }: AppEvent): void {
  record(run, MCP_APP, surface === 'app/asked' ? 'out' : 'in', surface, content, actor)
}

function record(
  run: RunContext,
  protocol: string,
  flow: 'in' | 'out',
  surface: string,
  content: Value,
  actor = protocol,
): void {
  const place = { actor, mode: protocol, protocol, phase: protocol }
  run.recorder.record({ ...place, direction: flow === 'in' ? 'request' : 'response', flow, surface, content })
}
