/** Completions for agent files that are not in the schema: aliases, files, fields and path expressions. */
import { declaredFields, outputStrategies, parsePathExpression, standardPolicyIds } from '@joust/agentformat'
import { type Path, type ValueRecord, valueAt } from '@joust/source'
import type { Context } from '../context.ts'
import { agentFiles, interfaceSchema, localAgents, openLocalAgent, propertyPath } from '../documents/agent-files.ts'
import { isSchema, jsonTypes } from '../grammar/json-schema.ts'
import { textAt } from '../text/reading.ts'
import { keyOption, type Option, optionsOf, schemaOptions } from './option.ts'

export async function agentValues(context: Context, path: Path): Promise<Option[]> {
  const key = path.at(-1)
  if (path[0] === 'execution_policy') {
    if (key === 'id') return optionsOf(standardPolicyIds, 'value')
    if (key === 'output_from') return [...aliases(context), ...optionsOf(outputStrategies, 'value', 'strategy')]
    const names = key === 'agent' || key === 'default_agent'
    return names && path.at(-2) !== 'input_mapping' ? aliases(context) : []
  }
  if (path[1] === 'local_agents' && key === 'source') return optionsOf(await agentFiles(context), 'file')
  return key === 'type' && path[0] === 'interface' ? optionsOf(jsonTypes, 'value') : []
}

export async function agentKeys(context: Context, path: Path): Promise<Option[]> {
  if (path[0] === 'execution_policy' && path.at(-1) === 'input_mapping') return mappedFields(context, path)
  return path[0] === 'interface' && path.length >= 2 && isSchema(path.slice(2)) ? schemaOptions() : []
}

/** Returns completions for the next segment of a path expression. */
export async function expressionOptions(context: Context, written: string): Promise<Option[]> {
  const parts = written.split('.')
  const [source = '', direction, ...segments] = parts
  if (parts.length === 1) {
    const agents = aliases(context).map((option): Option => ({ ...option, goesOn: true }))
    return [{ label: 'parent', kind: 'name', detail: 'this agent', goesOn: true }, ...agents]
  }
  if (parts.length === 2) {
    const sides = source === 'parent' ? ['input'] : ['output', 'input']
    return sides.map((label) => ({ label, kind: 'name', goesOn: true }))
  }
  if (direction !== 'input' && direction !== 'output') return []
  const owner = source === 'parent' ? context : await openLocalAgent(context, source)
  return fieldOptions(interfaceSchema(owner, direction), segments.slice(0, -1))
}

function aliases(context: Context): Option[] {
  return localAgents(context).flatMap(({ alias, file }) => optionsOf([alias], 'name', file))
}

export function promptOptions(context: Context): Option[] {
  return fieldOptions(interfaceSchema(context, 'input'), [])
}

/** Returns the schema fields at a path, if their names are valid in a path expression. */
function fieldOptions(schema: ValueRecord, segments: readonly string[]): Option[] {
  const fields = declaredFields(schema, segments).filter((name) => parsePathExpression(`parent.input.${name}`).ok)
  return [
    ...fields.map((label): Option => ({ label, kind: 'path', detail: typeAt(schema, [...segments, label]) })),
    ...(segments.length > 0 && typeAt(schema, segments) === 'array' ? optionsOf(['[]'], 'path', 'each item') : []),
  ]
}

function typeAt(schema: ValueRecord, segments: readonly string[]): string {
  return textAt(schema, [...propertyPath(segments), 'type']) ?? 'field'
}

async function mappedFields(context: Context, path: Path): Promise<Option[]> {
  const alias = textAt(context.reading.value, [...path.slice(0, -1), 'agent'])
  const owner = alias === undefined ? undefined : await openLocalAgent(context, alias)
  const schema = interfaceSchema(owner, 'input')
  const required = valueAt(schema, ['required'])
  return declaredFields(schema, []).map((label) => {
    const isRequired = Array.isArray(required) && required.includes(label)
    return keyOption(label, `${typeAt(schema, [label])}${isRequired ? ' · required' : ''}`)
  })
}
