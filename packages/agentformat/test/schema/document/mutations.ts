/** Nearly valid documents: a valid one with a few fields deleted, changed, renamed or added. */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import fc from 'fast-check'
import type { StandardPolicyId } from '../../../src/index.ts'
import { edited, validDocuments } from '../../valid-documents.ts'

/** Values for mutations: every type, and the boundaries of the format. */
const replacements: readonly Value[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  3,
  '',
  'text',
  'a-b',
  'A.b',
  '1.0',
  '10.20.30',
  'agf.loop',
  'last',
  'none',
  [],
  {},
  ['text'],
  [1],
  [{}],
  { alias: 'x', source: 'y' },
  { agent: 'x' },
  { agent: 'x', strategy: 'last' },
  { args_match: { a: {} } },
  { args_match: { a: { eq: 1 } } },
  { args_match: { a: null } },
]

const names = ['name', 'type', 'agent', 'approval', 'strategy', 'extra', 'x-extra', '__proto__', 'toString']

/** The paths of all values below the root. */
export function pathsIn(value: Value, path: Path = []): Path[] {
  const entries: [string | number, Value][] = isList(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([step, child]) => [[...path, step], ...pathsIn(child, [...path, step])])
}

type Mutation = (document: ValueRecord, path: Path) => ValueRecord

const remove: Mutation = (document, path) => edited(document, path, undefined)

const retype =
  (value: Value): Mutation =>
  (document, path) =>
    edited(document, path, value)

/** Renames a field. */
const rename =
  (name: string): Mutation =>
  (document, path) => {
    const value = valueAt(document, path)
    return typeof path.at(-1) === 'number' || value === undefined
      ? document
      : edited(edited(document, path, undefined), [...path.slice(0, -1), name], value)
  }

/** Adds a field to a mapping. */
const add =
  (name: string, value: Value): Mutation =>
  (document, path) =>
    isRecord(valueAt(document, path)) ? edited(document, [...path, name], value) : document

const mutation = fc.oneof(
  fc.constant(remove),
  fc.constantFrom(...replacements).map(retype),
  fc.constantFrom(...names).map(rename),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...replacements)).map(([name, value]) => add(name, value)),
)

// The keys are those of the record.
const ids = Object.keys(validDocuments) as StandardPolicyId[]

/** A document of any policy with up to three mutations. */
export const mutatedDocuments: fc.Arbitrary<ValueRecord> = fc
  .tuple(fc.constantFrom(...ids), fc.array(fc.tuple(mutation, fc.nat()), { minLength: 1, maxLength: 3 }))
  .map(([id, mutations]) =>
    mutations.reduce((document, [mutate, index]) => {
      const paths = pathsIn(document)
      const path = paths[index % paths.length]
      return path === undefined ? document : mutate(document, path)
    }, validDocuments[id]),
  )

function valueAt(document: ValueRecord, path: Path): Value | undefined {
  let value: Value | undefined = document
  for (const step of path) {
    if (isList(value)) value = value[Number(step)]
    else value = isRecord(value) ? own(value, String(step)) : undefined
  }
  return value
}

/** Every type, and the bounds of every number and pattern of the format. */
const edges: readonly Value[] = [null, true, -1, 0, 0.5, 1, 1.5, 2, 3, '', 'a.b', 'a-b', 'A', '1.0', [], {}, [{}], ['']]

/** Every document that differs from a valid one in one place. */
export function* singleChanges(): Generator<ValueRecord> {
  for (const [id, document] of Object.entries(validDocuments)) {
    for (const path of pathsIn(document)) {
      // The documents differ in their policies; one of them has everything else.
      if (id !== 'agf.react' && path[0] !== 'execution_policy') continue
      yield remove(document, path)
      for (const value of edges) yield retype(value)(document, path)
    }
  }
}
