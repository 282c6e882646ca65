/** How an agent that a command starts is driven, as plain data: a row of the table, or a mapping of a project file. */
import { checkShape, err, type Field, formatPath, ok, type Result, type Shape, shapes, type Value } from '@joust/source'
import { type NeedName, needTable } from '../../model/needs/need.ts'

/** A file that an agent finds in its home. Texts are filled like the words of a command. */
export interface PresetFile {
  readonly path: string
  /** The text, followed by `each` for every MCP server; `{name}` and `{url}` are the server's. */
  readonly text?: string
  readonly each?: string
  /** As JSON, with `entry` for every MCP server in the mapping `servers`. */
  readonly json?: Value
  readonly servers?: string
  readonly entry?: Value
}

/** A row. Words may hold placeholders. */
export interface Preset {
  readonly name: string
  /** What it is, and where to get it. */
  readonly about: string
  /** The version that it was tried with; a row without one was written from public documentation. */
  readonly tried?: string
  /** The words that print the version. */
  readonly version?: readonly string[]
  /** The program and its words for the first turn. Without `{prompt}` the prompt goes to its standard input. */
  readonly command: readonly string[]
  /** The same for later turns, where they differ; an agent that has neither this nor `{session}` has only one turn. */
  readonly next?: readonly string[]
  /** Whether there is one process for a conversation: a line of JSON in for each turn, a line out. */
  readonly lines?: boolean
  readonly files?: readonly PresetFile[]
  readonly env?: Readonly<Record<string, string>>
  /** Variables that it gets from the environment where they are set: keys and addresses of its model. */
  readonly keys?: readonly string[]
  /** Files of the user's home that hold a login, for `--use-home`. */
  readonly logins?: readonly string[]
  /** The model, `{model}`, when nobody names another. */
  readonly model?: string
  /** A path into the JSON it prints, or the last of several JSON lines; without one, all it prints is the answer. */
  readonly answer?: string
  /** The words that make it speak the Agent Client Protocol. */
  readonly acp?: readonly string[]
  /** What it carries besides text. */
  readonly carries?: readonly NeedName[]
  /** What its MCP client lacks. */
  readonly without?: readonly NeedName[]
  /** The newest version of MCP that it accepts, if that is not the newest there is. */
  readonly mcp_version?: string
  /** Whether its model sees the tools of a server at once, or has to search for them. */
  readonly listing?: 'at_once' | 'on_request'
  /** How it comes to approve tool calls. */
  readonly approvals?: string
  /** What else there is to know. */
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

/** Reads a user's preset; reports everything that is wrong with it. */
export function readPreset(name: string, given: Value): Result<Preset, readonly string[]> {
  const faults = checkShape(given, presetShape)
  if (faults.length > 0) return err(faults.map(({ path, message }) => `${formatPath([name, ...path])}: ${message}`))
  // Checked above, field by field.
  const row = given as unknown as Omit<Preset, 'name' | 'about'>
  return row.command.length === 0
    ? err([`${name}.command: expected at least one word`])
    : ok({ about: '', ...row, name })
}
