/** Local tools from modules: exports that are functions, or objects with a `call`. */
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

/** Loads the modules and takes the tools from them; an entry for a single tool goes before one for the whole module. */
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
      for (const [key, thing] of exported) if (isTool(thing)) setOwn(tools, key, toTool(thing, key, source, findings))
    } else if (isTool(exported.get(name))) {
      setOwn(tools, alias, toTool(exported.get(name), name, source, findings))
    } else {
      const message = `the module exports no function or tool ${JSON.stringify(name)}.`
      findings.report(
        'module_failed',
        source.path,
        message,
        'key',
        suggestion('value', suggest(name, exported.keys()), name),
      )
    }
  }
  return tools
}

async function importModule(
  { module, path }: ToolSource,
  findings: Findings,
): Promise<Map<string, unknown> | undefined> {
  try {
    const exported: unknown = await import(pathToFileURL(module).href)
    return new Map(Object.entries(exported ?? {}).filter(([name]) => name !== 'default'))
  } catch (thrown) {
    findings.report('module_failed', path, `the module cannot be loaded: ${withoutUs(messageOf(thrown))}`)
    return undefined
  }
}

/** Node names the importing file; when that is this one, it tells nobody anything. */
function withoutUs(message: string): string {
  return message.replace(` imported from ${fileURLToPath(import.meta.url)}`, '')
}

function isTool(thing: unknown): boolean {
  if (typeof thing === 'function') return true
  return typeof thing === 'object' && thing !== null && 'call' in thing && typeof thing.call === 'function'
}

function toTool(thing: unknown, name: string, source: ToolSource, findings: Findings): LocalTool {
  // `isTool` has checked it.
  const call = (typeof thing === 'function' ? thing : (thing as LocalTool).call.bind(thing)) as LocalTool['call']
  if (typeof thing === 'function') return { call }
  const { description, inputSchema, repeatable } = thing as { readonly [key: string]: unknown }
  const fault = (message: string) =>
    findings.report('module_failed', source.path, `the tool ${JSON.stringify(name)}: ${message}`)
  if (description !== undefined && typeof description !== 'string') fault('its description is not text')
  if (repeatable !== undefined && typeof repeatable !== 'boolean') fault('its repeatable is neither true nor false')
  const schema = inputSchema === undefined ? undefined : toSchema(inputSchema)
  if (typeof schema === 'string') fault(`its inputSchema is not a JSON Schema: ${schema}`)
  return {
    call,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isRecord(schema) ? { inputSchema: schema } : {}),
    ...(repeatable === true ? { repeatable } : {}),
  }
}

/** The schema, or what is wrong with it. */
function toSchema(thing: unknown): ValueRecord | string {
  const value = toValue(thing)
  const schema: Value | undefined = value.ok ? value.value : undefined
  if (!isRecord(schema)) return 'it is not an object'
  const compiled = compileSchema(schema)
  return compiled.ok ? schema : messageWithHint(compiled.error[0] ?? { message: 'it cannot be used' })
}
