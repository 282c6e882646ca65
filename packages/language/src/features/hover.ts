/** What is known about the place under the cursor: the findings there, the field, the name, the event. */
import { agentCodeSummaries } from '@joust/agentformat'
import { explanations } from '@joust/oatf/explain'
import {
  extractProtocol,
  findBinding,
  findMode,
  messageAt,
  stateKeysAt,
  surfaceFacts,
  walkValue,
} from '@joust/oatf/vocabulary'
import { ownText, type Path, type ValueRecord, valueAt } from '@joust/source'
import type { Context } from '../context.ts'
import { declarationOf, fieldAt } from '../documents/agent-fields.ts'
import { isCondition, relativeName } from '../documents/agent-files.ts'
import { phaseOf } from '../documents/attack-parts.ts'
import { type Named, nameAt } from '../documents/names.ts'
import { aboutKey } from '../grammar/about.ts'
import { keyRuleAt } from '../grammar/grammar.ts'
import { belowSchema, schemaText } from '../grammar/json-schema.ts'
import type { Finding, Hover } from '../model.ts'
import { contains, type Entry } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { diagnose } from './diagnose.ts'

/** Markdown, or nothing where nothing is known. */
export async function hover(context: Context, offset: number, known?: readonly Finding[]): Promise<Hover | undefined> {
  const found = (known ?? (await diagnose(context))).filter(({ range }) => contains(range, offset))
  const name = nameAt(context, offset)
  const entry = entryUnder(context, offset)
  const parts = [
    ...found.map(explained),
    ...(name === undefined ? [] : aboutName(name)),
    ...(entry === undefined ? [] : aboutEntry(context, entry, offset)),
    ...(context.kind === 'agent' ? await aboutField(context, offset) : []),
  ]
  const range = found[0]?.range ?? (entry === undefined ? name?.range : partOf(entry, offset))
  return parts.length === 0 || range === undefined ? undefined : { range, text: parts.join('\n\n---\n\n') }
}

/** What `joust explain` says about a finding, below the finding itself. */
function explained({ code, message }: Finding): string {
  const head = `**${code}** ${plain(message)}`
  const known = explanations().find((row) => row.code === code)
  if (known === undefined) return [head].concat(ownText(agentCodeSummaries, code) ?? []).join('\n\n')
  const said = `${head}\n\n${known.summary} (${known.section})`
  if (known.kind === 'step') return said
  return `${said}\n\nFor example:\n\n\`\`\`yaml\n${known.example.good.trim()}\n\`\`\``
}

/** The innermost entry whose key or scalar is there. */
function entryUnder({ reading }: Context, offset: number): Entry | undefined {
  return reading.entries.findLast(
    ({ key, value, form }) =>
      (key !== undefined && contains(key, offset)) || (form === 'scalar' && contains(value, offset)),
  )
}

function partOf({ key, value }: Entry, offset: number) {
  return key !== undefined && offset <= key.end ? key : value
}

function aboutEntry(context: Context, entry: Entry, offset: number): string[] {
  const { kind } = context
  const { path } = entry
  const rule = keyRuleAt(context, path)
  const about = rule === undefined ? aboutOpen(context, path) : [aboutKey(rule, kind, path)]
  const isKey = entry.key !== undefined && offset <= entry.key.end
  return isKey || kind !== 'oatf' ? about : [...aboutValue(context, path), ...about]
}

/** Where the schema of the document leaves open what there is. */
function aboutOpen(context: Context, path: Path): string[] {
  if (context.kind === 'oatf') return aboutState(context, path)
  return context.kind === 'agent' ? aboutAgent(path) : []
}

/** What mappings fill, what conditions look at, and schemas. */
function aboutAgent(path: Path): string[] {
  if (path.at(-2) === 'input_mapping')
    return [`**${plain(path.at(-1))}** · field\n\nA field of the sub-agent's input; the path expression fills it.`]
  if (isCondition(path.slice(0, -1))) return [`**${plain(path.at(-1))}** · path expression\n\nWhat is looked at.`]
  return path[0] === 'interface' ? aboutSchema(path.slice(2)) : []
}

/** What the schema says about the field that an expression or a mapping names. */
async function aboutField(context: Context, offset: number): Promise<string[]> {
  const field = await fieldAt(context, offset)
  const at = field === undefined ? undefined : declarationOf(field)?.path
  if (field === undefined || at === undefined) return []
  const { owner, direction, segments } = field
  const schema = valueAt(owner.reading.value, at)
  const says = (key: string) => plain(textAt(schema ?? null, [key]))
  const file = plain(relativeName(context.file.name, owner.file.name))
  const head = `**${plain(segments.join('.'))}** · ${says('type') || 'field'}, ${direction} of ${file}`
  return [[head].concat(says('description') || []).join('\n\n')]
}

/** What a state holds depends on its phase's mode, and below that on the protocol's messages and their schemas. */
function aboutState({ reading }: Context, path: Path): string[] {
  const phase = phaseOf(walkValue(reading.value), path)
  if (phase?.mode === undefined) return []
  const below = path.slice(phase.path.length)
  const schema = belowSchema(below)
  if (schema !== undefined && schema.length > 0) return aboutSchema(schema)
  const keys = below[0] === 'state' ? stateKeysAt(phase.mode, below.slice(1, -1)) : undefined
  return aboutMessage(phase.mode, phase.value, below, keys?.get(String(below.at(-1))))
}

/** A field of a message; what the state says about it takes precedence. */
function aboutMessage(mode: string, phase: ValueRecord, below: Path, told: string | undefined): string[] {
  const message = messageAt(mode, phase, below.slice(0, -1))
  const field = message?.fields.find(({ name }) => name === below.at(-1))
  const section = findBinding(extractProtocol(mode))?.section ?? ''
  if (message === undefined || field === undefined)
    return told === undefined ? [] : [`**${plain(below.at(-1))}** · ${section}\n\n${told}`]
  const type = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : field.type
  const head = [`**${field.name}**`, type, ...(field.required ? ['required'] : []), section].join(' · ')
  const text = told ?? field.about ?? []
  return [[head].concat(text, `In a ${message.direction} of ${message.surface}.`).join('\n\n')]
}

function aboutSchema(keys: Path): string[] {
  const text = schemaText(keys)
  return text === undefined ? [] : [`**${plain(keys.at(-1))}** · JSON Schema\n\n${text}`]
}

/** How often a name is used; phases and the like are used nowhere else. */
function aboutName({ kind, name, same }: Named): string[] {
  if (kind === 'phase' || kind === 'callable' || kind === 'target') return []
  const uses = same.filter(({ role }) => role === 'reference').length
  const times = uses === same.length ? 'not defined' : uses === 1 ? 'used once' : `used ${uses} times`
  return [`${kind} **${plain(name)}**: ${times}`]
}

/** Text of a document in Markdown, on one line: no link, no picture, no HTML. */
function plain(text: string | number = ''): string {
  return String(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\](?=[([:])|</g, '\\$&')
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
