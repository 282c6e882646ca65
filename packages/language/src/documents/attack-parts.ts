/** The parts of an attack that several features need. */
import { type IndicatorSite, indicatorSites, type PhaseSite, TASK, type Walk } from '@joust/oatf/vocabulary'
import { isRecord, own, ownText, type Path, type Value, valueAt } from '@joust/source'
import { startsWith } from '../text/entry.ts'
import { itemsAt } from '../text/reading.ts'

/** Every indicator, those of the task included. */
export function indicatorsOf({ attack, execution, indicators }: Walk): readonly IndicatorSite[] {
  const task = own(attack, TASK)
  return isRecord(task) ? [...indicators, ...indicatorSites(task, execution, ['attack', TASK])] : indicators
}

/** The phase that a path leads into; in the single-phase form, the execution itself. */
export function phaseOf(walk: Walk, path: Path): PhaseSite | undefined {
  const found = walk.phases.find((phase) => startsWith(path, phase.path))
  return found !== undefined && (path.includes('phases') || path[2] === 'state') ? found : beingWritten(walk, path)
}

/** The phase, where a key without a value hides it from the walk. */
function beingWritten({ actors }: Walk, path: Path): PhaseSite | undefined {
  const at = path.lastIndexOf('phases')
  const index = path[at + 1]
  if (at < 0 || typeof index !== 'number') return undefined
  const owner = actors.find((actor) => startsWith(path.slice(0, at), actor.path))
  return { path: path.slice(0, at + 2), value: {}, index, mode: owner?.mode }
}

/** The names under which a phase captures values from messages. */
export function extractorNames({ value }: Pick<PhaseSite, 'value'>): string[] {
  return itemsAt(value, ['extractors']).flatMap((one) => ownText(one, 'name') ?? [])
}

/** The arguments that tools or prompts of some phases take, as far as these declare them and a path can name them. */
export function argumentNames(phases: readonly Pick<PhaseSite, 'value'>[], surface: string): string[] {
  const key = surface === 'tools/call' ? 'tools' : surface === 'prompts/get' ? 'prompts' : undefined
  const entries = key === undefined ? [] : phases.flatMap(({ value }) => itemsAt(value, ['state', key]))
  return [...new Set(entries.flatMap(declaredArguments))]
}

/** The arguments of one tool, or of one prompt. */
export function declaredArguments(entry: Value = null): string[] {
  const properties = valueAt(entry, ['inputSchema', 'properties'])
  const names = [
    ...Object.keys(isRecord(properties) ? properties : {}),
    ...itemsAt(entry, ['arguments']).flatMap((one) => ownText(one, 'name') ?? []),
  ]
  return names.filter((name) => /^[\w-]+$/.test(name))
}

/** What ends a phase, in a few words; undefined for a phase that never ends. */
export function triggerText({ value }: Pick<PhaseSite, 'value'>): string | undefined {
  const trigger = own(value, 'trigger')
  if (!isRecord(trigger)) return undefined
  const { event, count, after, match } = trigger
  const times = typeof count === 'number' && count > 1 ? ` × ${count}` : ''
  const waits = typeof event === 'string' ? [`${event}${times}${isRecord(match) ? ' that matches' : ''}`] : []
  return [...waits, ...(typeof after === 'string' ? [`after ${after}`] : [])].join(' or ')
}
