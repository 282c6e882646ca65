import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import type { Site } from '../walk/walk.ts'
import { isPart } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import { freshId } from './places.ts'

const CONTENT_KEYS: readonly string[] = ['content', 'text', 'data']

/** Moves the content of task artifacts to parts, and adds missing ids. */
export function artifactEdits(artifacts: readonly Site[]): Edit[] {
  const ids = new Set<unknown>(artifacts.map(({ value }) => own(value, 'artifactId')))
  return artifacts.flatMap((artifact, index) => {
    const { path, value } = artifact
    const keys = Object.keys(value).filter((key) => CONTENT_KEYS.includes(key))
    const [first] = keys
    if (first === undefined || own(value, 'parts') !== undefined) return []
    const named = own(value, 'artifactId') !== undefined
    const id = named ? '' : freshId(`artifact-${index + 1}`, ids)
    return [
      ...(named ? [] : [{ op: 'set', path: [...path, 'artifactId'], value: id, from: path } as const]),
      ...partsOf(artifact, keys, first),
    ]
  })
}

/** A new part, the path to its content in the document, and the path to the content in the part. */
interface NewPart {
  readonly part: Value
  readonly from: Path
  readonly below: Path
}

function partsOf({ path, value }: Site, keys: readonly string[], first: string): Edit[] {
  const newParts = keys.flatMap((key) => newPartsOf(own(value, key), [...path, key]))
  const parts = [...path, 'parts']
  const [only] = newParts
  const single = newParts.length === 1 && isRecord(only?.part) ? [...parts, 0] : path
  return [
    { op: 'set', path: parts, value: newParts.map(({ part }) => part), before: first, from: [...path, first] },
    ...newParts.map(({ from, below }, index): Edit => ({ op: 'move', from, path: [...parts, index, ...below] })),
    ...keys.map((key): Edit => ({ op: 'remove', path: [...path, key] })),
    ...mimeEdits({ path, value }, single),
  ]
}

function newPartsOf(held: Value | undefined, from: Path): NewPart[] {
  if (isList(held) && held.every(isPart))
    return held.map((_, index) => ({ part: null, from: [...from, index], below: [] }))
  const kind = typeof held === 'string' ? 'text' : 'data'
  return [{ part: { kind }, from, below: [kind] }]
}

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
