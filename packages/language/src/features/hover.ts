/** What is known about the place under the cursor: the findings there, the field, the name, the event. */
import { agentCodeSummaries } from '@joust/agentformat'
import { explanations } from '@joust/oatf/explain'
import { bindings, extractProtocol, findMode, messageAt, surfaceFacts, walkValue } from '@joust/oatf/vocabulary'
import type { Path, ValueRecord } from '@joust/source'
import { phaseOf } from '../completion/oatf-options.ts'
import type { Context } from '../context.ts'
import { aboutKey } from '../grammar/about.ts'
import { keyRuleAt } from '../grammar/grammar.ts'
import { messageText, SCHEMA_KEYS, schemaText } from '../grammar/message-texts.ts'
import { stateText } from '../grammar/state-texts.ts'
import type { Finding, Hover } from '../model.ts'
import { nameAt, namesOf } from '../names/names.ts'
import type { Entry } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'

/** Markdown, or nothing where nothing is known. The findings are those of `diagnose`. */
export function hover(context: Context, offset: number, findings: readonly Finding[]): Hover | undefined {
  const found = findings.filter(({ range }) => range.start <= offset && offset <= range.end)
  const told = found.map(explained)
  const entry = entryUnder(context, offset)
  const parts = [...told, ...(entry === undefined ? [] : aboutEntry(context, entry, offset))]
  const range = found[0]?.range ?? (entry === undefined ? undefined : partOf(entry, offset))
  return parts.length === 0 || range === undefined ? undefined : { range, text: parts.join('\n\n---\n\n') }
}

/** What `joust explain` says about a finding, below what the finding says. */
function explained({ code, message }: Finding): string {
  const head = `**${code}** ${message}`
  const known = explanations().find((row) => row.code === code)
  if (known === undefined) {
    const summary = Object.entries(agentCodeSummaries).find(([name]) => name === code)?.[1]
    return summary === undefined ? head : `${head}\n\n${summary}`
  }
  const example =
    known.kind === 'step' || known.example === undefined
      ? ''
      : `\n\nFor example:\n\n\`\`\`yaml\n${known.example.good.trim()}\n\`\`\``
  return `${head}\n\n${known.summary} (${known.section})${example}`
}

/** The innermost entry whose key or scalar stands there. */
function entryUnder({ reading }: Context, offset: number): Entry | undefined {
  return reading.entries.findLast((entry) => {
    const { key, value, form } = entry
    if (key !== undefined && key.start <= offset && offset <= key.end) return true
    return form === 'scalar' && value.start <= offset && offset <= value.end
  })
}

function partOf({ key, value }: Entry, offset: number) {
  return key !== undefined && offset <= key.end ? key : value
}

function aboutEntry(context: Context, entry: Entry, offset: number): string[] {
  const { kind, reading, schema } = context
  const rule = keyRuleAt(schema, entry.path, reading.value)
  const field = rule !== undefined ? [aboutKey(rule, kind)] : kind === 'oatf' ? aboutState(context, entry.path) : []
  const more = kind === 'agent' && rule === undefined ? aboutAgent(entry.path) : field
  const isKey = entry.key !== undefined && offset <= entry.key.end
  return isKey
    ? more
    : [...aboutName(context, offset), ...(kind === 'oatf' ? aboutValue(context, entry.path) : []), ...more]
}

/** Where the document is open: what mappings fill, and schemas. */
function aboutAgent(path: Path): string[] {
  if (path.at(-2) === 'input_mapping')
    return [`**${path.at(-1)}** · field\n\nA field of the sub-agent's input; the path expression fills it.`]
  return path[0] === 'interface' ? aboutSchema(path.slice(2)) : []
}

/** What a state holds is up to the mode of its phase; below that, to the messages of the protocol and their schemas. */
function aboutState({ reading }: Context, path: Path): string[] {
  const phase = phaseOf(walkValue(reading.value), path)
  if (phase?.mode === undefined) return []
  const below = path.slice(phase.path.length)
  const told = below[0] === 'state' ? stateText(phase.mode, below.slice(1)) : undefined
  if (told !== undefined) return [`**${path.at(-1)}** · ${told.section}\n\n${told.text}`]
  const schema = below.findIndex((key) => SCHEMA_KEYS.has(key))
  return schema >= 0 && schema < below.length - 1
    ? aboutSchema(below.slice(schema + 1))
    : aboutMessage(phase.mode, phase.value, below)
}

function aboutMessage(mode: string, phase: ValueRecord, below: Path): string[] {
  const message = messageAt(mode, phase, below.slice(0, -1))
  const field = message?.fields.find(({ name }) => name === below.at(-1))
  if (message === undefined || field === undefined) return []
  const protocol = extractProtocol(mode)
  const section = bindings.find((one) => one.protocol === protocol)?.section ?? ''
  const type = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : field.type
  const head = [`**${field.name}**`, type, ...(field.required ? ['required'] : []), section].join(' · ')
  const text = messageText(protocol, field.name)
  return [[head, text, `In a ${message.direction} of ${message.surface}.`].filter((part) => part !== '').join('\n\n')]
}

function aboutSchema(keys: Path): string[] {
  const text = schemaText(keys)
  return text === undefined ? [] : [`**${keys.at(-1)}** · JSON Schema\n\n${text}`]
}

function aboutName(context: Context, offset: number): string[] {
  const names = namesOf(context)
  const found = nameAt(names, offset)
  if (found === undefined) return []
  const same = names.filter(({ id }) => id === found.id)
  const defined = same.filter(({ role }) => role === 'definition').length
  const uses = same.length - defined
  return [
    `${found.kind} **${found.name}**: ${defined === 0 ? 'not defined' : uses === 1 ? 'used once' : `used ${uses} times`}`,
  ]
}

/** Modes, events and surfaces, as their binding has them. */
function aboutValue({ reading }: Context, path: Path): string[] {
  const key = path.at(-1)
  const value = textAt(reading.value, path)
  if (value === undefined) return []
  if (key === 'mode') return aboutMode(value)
  if (key !== 'surface' && key !== 'event' && key !== 'method') return []
  const walk = walkValue(reading.value)
  const modes = walk.actors.flatMap(({ mode }) => mode ?? [])
  const protocol = modes.map(extractProtocol).find((one) => surfaceFacts(one, value) !== undefined)
  const facts = protocol === undefined ? undefined : surfaceFacts(protocol, value)
  if (facts === undefined) return []
  const by = facts.by === 'either' ? 'either side' : `the ${facts.by}`
  const holds = (name: string, keys: readonly string[]) =>
    keys.length === 0 ? [] : [`${name}: ${keys.map((one) => `\`${one}\``).join(', ')}`]
  return [
    [
      `**${value}** (${protocol}), sent by ${by}`,
      ...holds('request', facts.request),
      ...holds('response', facts.response),
    ].join('\n\n'),
  ]
}

function aboutMode(mode: string): string[] {
  const known = findMode(mode)
  if (known === undefined) return []
  const keys = known.stateKeys.map((key) => `\`${key}\``).join(', ')
  return [`**${mode}**: the attacker is the ${known.role}.\n\nA state has ${keys}.`]
}
