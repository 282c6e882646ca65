/** The working folder of an agent in a run: files of the attack, and the activity of the agent there. */
import { fileFaults, filesIn, needsFolder, WORKSPACE, type WorkspaceFile } from '@joust/oatf'
import { diagnostic } from '@joust/results'
import { formatPath, type Value } from '@joust/source'
import type { RunContext } from './actors/context.ts'
import type { TargetSession } from './model/target.ts'

/** The files of the attack; undefined if it needs no folder. Invalid ones are reported. */
export function filesFor({ document, reports }: RunContext): readonly WorkspaceFile[] | undefined {
  const { attack } = document
  if (!needsFolder(attack)) return undefined
  for (const at of fileFaults(attack))
    reports.add(diagnostic('state-malformed', 'not written: expected a relative path and a text', formatPath(at)))
  return filesIn(attack).map(({ path, text }) => ({ path, text }))
}

/** Records the files that the target has written. */
export function recordFiles(run: RunContext): void {
  for (const { path, text } of filesIn(run.document.attack)) record(run, 'out', 'file/laid', { path, text })
}

/** Records the activity of the agent in its working folder. */
export async function inspectFolder(run: RunContext, session: TargetSession | undefined): Promise<void> {
  for (const { surface, content } of (await session?.inspectFolder?.()) ?? []) record(run, 'in', surface, content)
}

function record(run: RunContext, flow: 'in' | 'out', surface: string, content: Value): void {
  const place = { actor: WORKSPACE, mode: WORKSPACE, protocol: WORKSPACE, phase: WORKSPACE }
  run.recorder.record({ ...place, direction: flow === 'in' ? 'request' : 'response', flow, surface, content })
}
