/** Presets: data about agents started by a command, from the table or a project file. */

import { type NeedName, needTable } from '@joust/arena'
import { checkShape, err, type Field, formatPath, ok, type Result, type Shape, shapes, type Value } from '@joust/source'
import type { ModelProxySetting } from '../models/variables.ts'

/** A file in the agent's home directory. Its strings may contain placeholders. */
export interface PresetFile {
  readonly path: string
  /** The text, followed by `each` for every MCP server; `{name}` and `{url}` are those of the server. */
  readonly text?: string
  readonly each?: string
  /** The JSON content. The object at the key `servers` contains `entry` for every MCP server. */
  readonly json?: Value
  readonly servers?: string
  readonly entry?: Value
}

/** A preset. Its words may contain placeholders. */
export interface Preset {
  readonly name: string
  /** A description that includes where to get the agent. */
  readonly about: string
  /** The tested version. If absent, the preset is based on public documentation. */
  readonly tried?: string
  readonly version?: readonly string[]
  /** The command for the first turn. If it lacks `{prompt}`, the prompt is written to its standard input. */
  readonly command: readonly string[]
  /** The command for later turns. If absent, and `command` lacks `{session}`, conversations have only one turn. */
  readonly next?: readonly string[]
  /** Uses one process per conversation, which reads and writes one line of JSON per turn. @default false */
  readonly lines?: boolean
  readonly files?: readonly PresetFile[]
  readonly env?: Readonly<Record<string, string>>
  /** Environment variables that are passed on if set: keys and URLs for the agent's model. */
  readonly keys?: readonly string[]
  /** The variables in `keys` that contain the model's URL; they are set to the URL of the model proxy. */
  readonly model_proxy?: ModelProxySetting
  /** Login files in the user's home directory, for `--use-home`. */
  readonly logins?: readonly string[]
  /** Default value of `{model}`. */
  readonly model?: string
  /** Path to the answer in JSON output or in the last JSON line that has one. @default the entire output */
  readonly answer?: string
  /** Command for the Agent Client Protocol. */
  readonly acp?: readonly string[]
  /** Request parts that the agent supports in addition to text. */
  readonly carries?: readonly NeedName[]
  /** Features that the agent's MCP client lacks. */
  readonly without?: readonly NeedName[]
  /** The newest MCP version that the agent accepts, if not the latest. */
  readonly mcp_version?: string
  /** The way the model discovers a server's tools: all are in the prompt, or the model searches for them. */
  readonly listing?: 'at_once' | 'on_request'
  /** The reason why tool calls need no approval. */
  readonly approvals?: string
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

/** Shape of a preset in a project file, where the preset's name is the key. */
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

/** Validates a preset in a project file; reports all errors. */
export function readPreset(name: string, source: Value): Result<Preset, readonly string[]> {
  const faults = checkShape(source, presetShape)
  if (faults.length > 0) return err(faults.map(({ path, message }) => `${formatPath([name, ...path])}: ${message}`))
  // The shape was checked above.
  const row = source as unknown as Omit<Preset, 'name' | 'about'>
  return row.command.length === 0
    ? err([`${name}.command: expected at least one word`])
    : ok({ about: '', ...row, name })
}
