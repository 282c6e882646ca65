/** Loads local tools, transforms and policies from modules. Tools are exported functions or objects with `call`. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileSchema } from '@joust/agentformat'
import {
  isRecord,
  messageOf,
  messageWithHint,
  setOwn,
  suggest,
  suggestion,
  type Value,
  type ValueRecord,
} from '@joust/source'
import type { LocalTool } from '../model/bindings.ts'
import { toValue } from '../model/json-value.ts'
import type { Findings } from './findings.ts'
import type { ToolSource } from './read-bindings.ts'

/** Loads modules and collects their tools. An entry for one tool overrides an entry for its whole module. */
export async function loadTools(
  sources: readonly ToolSource[],
  findings: Findings,
): Promise<Readonly<Record<string, LocalTool>>> {
  const tools = {}
  for (const source of sources) {
    const exported = await importModule(source, findings)
    if (exported === undefined) continue
    const { alias, name } = source
    if (alias === undefined || name === undefined) {
      for (const [key, value] of exported) if (isTool(value)) setOwn(tools, key, toTool(value, key, source, findings))
    } else if (isTool(exported.get(name))) {
      setOwn(tools, alias, toTool(exported.get(name), name, source, findings))
    } else reportMissing('function or tool', name, exported, source, findings)
  }
  return tools
}

/** Loads one function per source, keyed by its bound name. */
export async function loadFunctions<T>(
  sources: readonly ToolSource[],
  findings: Findings,
): Promise<Readonly<Record<string, T>>> {
  const functions = {}
  for (const source of sources) {
    const exported = await importModule(source, findings)
    const { alias = '', name = alias } = source
    const value = exported?.get(name)
    if (typeof value === 'function') setOwn(functions, alias, value)
    else if (exported !== undefined) reportMissing('function', name, exported, source, findings)
  }
  return functions
}

function reportMissing(
  kind: string,
  name: string,
  exported: ReadonlyMap<string, unknown>,
  { path }: ToolSource,
  findings: Findings,
): void {
  const message = `the module exports no ${kind} ${JSON.stringify(name)}.`
  findings.report('module_failed', path, message, 'key', suggestion('value', suggest(name, exported.keys()), name))
}

async function importModule(
  { module, path }: ToolSource,
  findings: Findings,
): Promise<Map<string, unknown> | undefined> {
  try {
    const exported: unknown = await import(pathToFileURL(module).href)
    return new Map(Object.entries(exported ?? {}).filter(([name]) => name !== 'default'))
  } catch (thrown) {
    findings.report('module_failed', path, `cannot load the module: ${withoutImporter(messageOf(thrown))}`)
    return undefined
  }
}

/** Removes the importing file from an error message of Node. */
function withoutImporter(message: string): string {
  return message.replace(` imported from ${fileURLToPath(import.meta.url)}`, '')
}

function isTool(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'function'
}

function toTool(value: unknown, name: string, source: ToolSource, findings: Findings): LocalTool {
  // Checked by `isTool`.
  const call = (typeof value === 'function' ? value : (value as LocalTool).call.bind(value)) as LocalTool['call']
  if (typeof value === 'function') return { call }
  const { description, inputSchema, repeatable } = value as { readonly [key: string]: unknown }
  const report = (message: string) =>
    findings.report('module_failed', source.path, `tool ${JSON.stringify(name)}: ${message}`)
  if (description !== undefined && typeof description !== 'string') report('description must be a string')
  if (repeatable !== undefined && typeof repeatable !== 'boolean') report('repeatable must be a boolean')
  const schema = inputSchema === undefined ? undefined : toSchema(inputSchema)
  if (typeof schema === 'string') report(`inputSchema is not a valid JSON Schema: ${schema}`)
  return {
    call,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isRecord(schema) ? { inputSchema: schema } : {}),
    ...(repeatable === true ? { repeatable } : {}),
  }
}

function toSchema(input: unknown): ValueRecord | string {
  const value = toValue(input)
  const schema: Value | undefined = value.ok ? value.value : undefined
  if (!isRecord(schema)) return 'expected an object'
  const compiled = compileSchema(schema)
  return compiled.ok ? schema : messageWithHint(compiled.error[0] ?? { message: 'invalid schema' })
}
