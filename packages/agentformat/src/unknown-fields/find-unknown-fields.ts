/** The fields of a document that the format does not know: a walk along the document schema. */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { isStandardPolicyId } from '../model/policy.ts'
import { documentSchema, interfaceSchema } from '../schema/document/document-schema.ts'
import { policyConfigs } from '../schema/document/policies.ts'

/** A field that has no effect. */
export interface UnknownField {
  readonly name: string
  readonly path: Path
  /** The fields that its place has. */
  readonly known: readonly string[]
}

/** Every unknown field, whatever else is wrong with the document; what stands below one is not looked at. */
export function findUnknownFields(document: Value): UnknownField[] {
  const found: UnknownField[] = []
  walk(documentSchema, document, [], found)
  const policy = isRecord(document) ? own(document, 'execution_policy') : undefined
  if (isRecord(policy)) {
    const id = own(policy, 'id')
    // The schema of a configuration depends on the id beside it.
    const schema = typeof id === 'string' && isStandardPolicyId(id) ? policyConfigs[id] : {}
    walk(schema, own(policy, 'config'), ['execution_policy', 'config'], found)
  }
  return found
}

function walk(schema: ValueRecord, value: Value | undefined, path: Path, found: UnknownField[]): void {
  if (schema === interfaceSchema) return
  const { oneOf, items } = schema
  if (isList(oneOf)) for (const form of oneOf) if (isRecord(form) && takes(form, value)) walk(form, value, path, found)
  if (isList(value) && isRecord(items)) {
    for (const [index, item] of value.entries()) walk(items, item, [...path, index], found)
  }
  if (isRecord(value)) walkFields(schema, value, path, found)
}

function walkFields(schema: ValueRecord, value: ValueRecord, path: Path, found: UnknownField[]): void {
  const { properties, additionalProperties } = schema
  for (const [name, child] of Object.entries(value)) {
    const field = isRecord(properties) ? own(properties, name) : undefined
    if (isRecord(field)) walk(field, child, [...path, name], found)
    else if (isRecord(additionalProperties)) walk(additionalProperties, child, [...path, name], found)
    // A closed object is the schema's business, one without properties is anybody's.
    else if (isRecord(properties) && additionalProperties === undefined) {
      found.push({ name, path: [...path, name], known: Object.keys(properties) })
    }
  }
}

/** Whether a form is the one for this kind of value. */
function takes(form: ValueRecord, value: Value | undefined): boolean {
  return (form.type === 'object' && isRecord(value)) || (form.type === 'array' && isList(value))
}
