/** Presets: plain data about an agent started by a command, from the table or a project file. */

import { type NeedName, needTable } from '@joust/arena'
import { checkShape, err, type Field, formatPath, ok, type Result, type Shape, shapes, type Value } from '@joust/source'
import type { ModelProxySetting } from '../models/variables.ts'

/** A file in the home of an agent. Its strings may contain placeholders. */
export interface PresetFile {
  readonly path: string
  /** The text, followed by `each` for every MCP server with its `{name}` and `{url}`. */
  readonly text?: string
  readonly each?: string
  /** The JSON content, with `entry` for every MCP server in the mapping `servers`. */
  readonly json?: Value
  readonly servers?: string
  readonly entry?: Value
}

/** A preset. Words may contain placeholders. */
export interface Preset {
  readonly name: string
  /** A description, with the source of the agent. */
  readonly about: string
  /** The version that it was tested with; without it, the preset was written from public documentation. */
  readonly tried?: string
  /** The command that prints the version. */
  readonly version?: readonly string[]
  /** The command for the first turn. Without `{prompt}`, the prompt is its standard input. */
  readonly command: readonly string[]
  /** The command for later turns; without this and `{session}`, a conversation has only one turn. */
  readonly next?: readonly string[]
  /** Uses one process per conversation, with one line of JSON in and one line out per turn. @default false */
  readonly lines?: boolean
  readonly files?: readonly PresetFile[]
  readonly env?: Readonly<Record<string, string>>
  /** Environment variables that are passed on if set: keys and addresses of the agent's model. */
  readonly keys?: readonly string[]
  /** The variables of `keys` that hold the address of its model; they are set to the address of the model proxy. */
  readonly model_proxy?: ModelProxySetting
  /** Login files in the user's home, for `--use-home`. */
  readonly logins?: readonly string[]
  /** The default of `{model}`. */
  readonly model?: string
  /** The path of the answer in JSON output, or in the last of several JSON lines. @default the whole output */
  readonly answer?: string
  /** The command for the Agent Client Protocol. */
  readonly acp?: readonly string[]
  /** Parts of a request that the agent supports besides text. */
  readonly carries?: readonly NeedName[]
  /** Features that the MCP client of the agent lacks. */
  readonly without?: readonly NeedName[]
  /** The newest MCP version that the agent accepts, if not the latest. */
  readonly mcp_version?: string
  /** The discovery of a server's tools by its model: listed in the prompt, or found by search. */
  readonly listing?: 'at_once' | 'on_request'
  /** The reason why tool calls are approved. */
  readonly approvals?: string
  /** Other remarks about the preset. */
  readonly notes?: readonly string[]
}

const { text, prose, list, map, optional, required, value, boolean, enumeration } = shapes
const words = list(text)
const needs = list(enumeration(Object.keys(needTable)))

const fileShape = shapes.object({
  path: required(text),
  text: optional(prose),
  each: optional(prose),
  json: optional(value),
  servers: optional(text),
  entry: optional(value),
})

/** The shape of a preset in a project file, where its name is the key. */
export const presetShape: Shape = shapes.object(
  {
    about: optional(prose),
    tried: optional(text),
    version: optional(words),
    command: required(words),
    next: optional(words),
    lines: optional(boolean),
    files: optional(list(fileShape)),
    env: optional(map(text)),
    keys: optional(words),
    model_proxy: optional(shapes.object({ upstream: optional(text), env: optional(words) })),
    logins: optional(words),
    model: optional(text),
    answer: optional(text),
    acp: optional(words),
    carries: optional(needs),
    without: optional(needs),
    mcp_version: optional(text),
    listing: optional(enumeration(['at_once', 'on_request'])),
    approvals: optional(prose),
    notes: optional(list(prose)),
  } satisfies Record<keyof Omit<Preset, 'name'>, Field>,
  'none',
  { name: 'preset' },
)

/** Validates a preset of a project file; reports all errors. */
export function readPreset(name: string, source: Value): Result<Preset, readonly string[]> {
  const faults = checkShape(source, presetShape)
  if (faults.length > 0) return err(faults.map(({ path, message }) => `${formatPath([name, ...path])}: ${message}`))
  // Checked above, field by field.
  const row = source as unknown as Omit<Preset, 'name' | 'about'>
  return row.command.length === 0
    ? err([`${name}.command: expected at least one word`])
    : ok({ about: '', ...row, name })
}
