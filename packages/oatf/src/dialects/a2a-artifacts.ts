/** Artifacts of A2A that hold their content themselves, not in parts. */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import type { Site } from '../rules/walk.ts'
import { isPart } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import { freshId } from './places.ts'

/** What an artifact holds where it has no parts. */
const HELD: readonly string[] = ['content', 'text', 'data']

/** Makes parts of what the artifacts of a task hold, and gives an id to those that have none. */
export function artifactEdits(artifacts: readonly Site[]): Edit[] {
  const taken = new Set<unknown>(artifacts.map(({ value }) => own(value, 'artifactId')))
  return artifacts.flatMap((artifact, index) => {
    const { path, value } = artifact
    const keys = Object.keys(value).filter((key) => HELD.includes(key))
    const [first] = keys
    if (first === undefined || own(value, 'parts') !== undefined) return []
    const named = own(value, 'artifactId') !== undefined
    const id = named ? '' : freshId(`artifact-${index + 1}`, taken)
    return [
      ...(named ? [] : [{ op: 'set', path: [...path, 'artifactId'], value: id, from: path } as const]),
      ...partsOf(artifact, keys, first),
    ]
  })
}

/** A part to be made, where its content comes from, and where in the part that content goes. */
interface Made {
  readonly part: Value
  readonly from: Path
  readonly below: Path
}

function partsOf({ path, value }: Site, keys: readonly string[], first: string): Edit[] {
  const made = keys.flatMap((key) => madeOf(own(value, key), [...path, key]))
  const parts = [...path, 'parts']
  const [only] = made
  const single = made.length === 1 && isRecord(only?.part) ? [...parts, 0] : path
  return [
    { op: 'set', path: parts, value: made.map(({ part }) => part), before: first, from: [...path, first] },
    ...made.map(({ from, below }, index): Edit => ({ op: 'move', from, path: [...parts, index, ...below] })),
    ...keys.map((key): Edit => ({ op: 'remove', path: [...path, key] })),
    ...mimeEdits({ path, value }, single),
  ]
}

function madeOf(held: Value | undefined, from: Path): Made[] {
  if (isList(held) && held.every(isPart)) {
    return held.map((_, index) => ({ part: null, from: [...from, index], below: [] }))
  }
  const kind = typeof held === 'string' ? 'text' : 'data'
  return [{ part: { kind }, from, below: [kind] }]
}

/** `type` says what the one part is, or what they all are. */
function mimeEdits({ path, value }: Site, holder: Path): Edit[] {
  const from = [...path, 'type']
  const metadata = holder === path ? own(value, 'metadata') : undefined
  if (typeof own(value, 'type') !== 'string' || !canTakeType(metadata)) return []
  const at = [...holder, 'metadata']
  return [
    ...(metadata === undefined ? [{ op: 'set', path: at, value: {}, from } as const] : []),
    { op: 'move', from, path: [...at, 'mimeType'] },
  ]
}

function canTakeType(metadata: Value | undefined): metadata is ValueRecord | undefined {
  return metadata === undefined || (isRecord(metadata) && own(metadata, 'mimeType') === undefined)
}
