import { type IndicatorSite, indicatorSites, type PhaseSite, TASK, type Walk } from '@joust/oatf/vocabulary'
import { isRecord, own, ownText, type Path, type Value, valueAt } from '@joust/source'
import { startsWith } from '../text/entry.ts'
import { itemsAt } from '../text/reading.ts'

/** Returns all indicators, including those of the task. */
export function indicatorsOf({ attack, execution, indicators }: Walk): readonly IndicatorSite[] {
  const task = own(attack, TASK)
  return isRecord(task) ? [...indicators, ...indicatorSites(task, execution, ['attack', TASK])] : indicators
}

/** Returns the phase that contains a path. In the single-phase form, this is the execution itself. */
export function phaseOf(walk: Walk, path: Path): PhaseSite | undefined {
  const phase = walk.phases.find((candidate) => startsWith(path, candidate.path))
  return phase !== undefined && (path.includes('phases') || path[2] === 'state') ? phase : incompletePhase(walk, path)
}

/** Returns a phase that the walk skips because one of its keys has no value yet. */
function incompletePhase({ actors }: Walk, path: Path): PhaseSite | undefined {
  const at = path.lastIndexOf('phases')
  const index = path[at + 1]
  if (at < 0 || typeof index !== 'number') return undefined
  const owner = actors.find((actor) => startsWith(path.slice(0, at), actor.path))
  return { path: path.slice(0, at + 2), value: {}, index, mode: owner?.mode }
}

export function extractorNames({ value }: Pick<PhaseSite, 'value'>): string[] {
  return itemsAt(value, ['extractors']).flatMap((item) => ownText(item, 'name') ?? [])
}

/** Returns the declared arguments of tools or prompts whose names are valid in a path. */
export function argumentNames(phases: readonly Pick<PhaseSite, 'value'>[], surface: string): string[] {
  const key = surface === 'tools/call' ? 'tools' : surface === 'prompts/get' ? 'prompts' : undefined
  const entries = key === undefined ? [] : phases.flatMap(({ value }) => itemsAt(value, ['state', key]))
  return [...new Set(entries.flatMap(declaredArguments))]
}

export function declaredArguments(entry: Value = null): string[] {
  const properties = valueAt(entry, ['inputSchema', 'properties'])
  const names = [
    ...Object.keys(isRecord(properties) ? properties : {}),
    ...itemsAt(entry, ['arguments']).flatMap((item) => ownText(item, 'name') ?? []),
  ]
  return names.filter((name) => /^[\w-]+$/.test(name))
}

export function triggerText({ value }: Pick<PhaseSite, 'value'>): string | undefined {
  const trigger = own(value, 'trigger')
  if (!isRecord(trigger)) return undefined
  const { event, count, after, match } = trigger
  const times = typeof count === 'number' && count > 1 ? ` × ${count}` : ''
  const events = typeof event === 'string' ? [`${event}${times}${isRecord(match) ? ' that matches' : ''}`] : []
  return [...events, ...(typeof after === 'string' ? [`after ${after}`] : [])].join(' or ')
}
