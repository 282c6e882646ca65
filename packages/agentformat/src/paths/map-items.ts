/** Evaluates the `input_mapping` of a batch: one input per list element (Agent Format P-09, P-12, OPEN-32). */
import { err, ok, type Result, type ValueRecord } from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import type { InputMapping } from '../model/policy.ts'
import { declaresPath } from './declares-path.ts'
import {
  buildInput,
  findSource,
  type MappingFault,
  resolveExpression,
  type SourceFault,
  type SourceLookup,
  type SourceOutcome,
} from './map-input.ts'
import { EACH } from './path-expression.ts'
import { type PathOutcome, resolveItems } from './resolve-path.ts'

/** The inputs of a batch and the length of its list. */
export interface BatchInputs {
  readonly inputs: readonly ValueRecord[]
  readonly total: number
}

/** A field of the input, with one outcome per element (`Column`) or one for all elements (`Shared`). */
type Column = { readonly field: string; readonly items: readonly PathOutcome[] }
type Shared = { readonly field: string; readonly outcome: SourceOutcome }

/**
 * Creates at most `most` inputs of a batch in list order, or returns all errors.
 *
 * @example
 * const source = { value: { towns: ['Oslo', 'Bergen'] }, schema: {} }
 * const batch = mapItems({ town: 'parent.input.towns.[]' }, () => source, { type: 'object' })
 */
export function mapItems(
  mapping: InputMapping,
  lookup: SourceLookup,
  target: JsonSchema,
  most: number = Number.POSITIVE_INFINITY,
): Result<BatchInputs, MappingFault[]> {
  const errors: MappingFault[] = []
  const fields = Object.entries(mapping).flatMap(([field, text]): (Column | Shared)[] => {
    if (!text.split('.').includes(EACH)) return [{ field, outcome: resolveExpression(text, lookup) }]
    const outcome = resolveList(text, lookup)
    if (outcome.ok && outcome.value !== undefined) return [{ field, items: outcome.value }]
    const missing = { code: 'missing_value', message: `${text}: the list is missing` } as const
    errors.push({ ...(outcome.ok ? missing : outcome.error), field })
    return []
  })
  if (errors.length > 0) return err(errors)
  const columns = fields.filter((field): field is Column => 'items' in field)
  const total = commonLength(columns)
  return total.ok ? buildInputs(fields, target, total.value, most) : err([total.error])
}

function resolveList(text: string, lookup: SourceLookup): Result<readonly PathOutcome[] | undefined, SourceFault> {
  const source = findSource(text, lookup)
  if (!source.ok) return source
  const { expression, value, schema } = source.value
  const { segments } = expression
  const list = declaresPath(schema, segments.slice(0, segments.indexOf(EACH)))
  return resolveItems(expression, value, { list, item: declaresPath(schema, segments) })
}

/**
 * Returns the common length of all lists (P-10). In loaded documents, all fields iterate over the same list; other
 * callers may pass several lists.
 */
function commonLength([first, ...others]: readonly Column[]): Result<number, MappingFault> {
  if (first === undefined)
    return err({ code: 'batch_without_iteration', message: 'no field iterates over a list', field: '' })
  const total = first.items.length
  const uneven = others.find((column) => column.items.length !== total)
  if (uneven === undefined) return ok(total)
  const message = `the lists differ in length: ${first.field} has ${total} elements, ${uneven.field} has ${uneven.items.length}`
  return err({ code: 'length_mismatch', message, field: uneven.field })
}

function buildInputs(
  fields: readonly (Column | Shared)[],
  target: JsonSchema,
  total: number,
  most: number,
): Result<BatchInputs, MappingFault[]> {
  const inputs: ValueRecord[] = []
  const errors: MappingFault[] = []
  for (let item = 0; item < Math.min(total, most); item++) {
    const sources = fields.map((field): [string, SourceOutcome] => [
      field.field,
      'items' in field ? (field.items[item] ?? ok(undefined)) : field.outcome,
    ])
    const built = buildInput(sources, target)
    if (built.ok) inputs.push(built.value)
    else for (const error of built.error) errors.push({ ...error, item })
  }
  return errors.length === 0 ? ok({ inputs, total }) : err(errors)
}
