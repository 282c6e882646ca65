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

/** Describes the findings, field, name and event at an offset as Markdown; undefined if there are none. */
export async function hover(context: Context, offset: number, all?: readonly Finding[]): Promise<Hover | undefined> {
  const findings = (all ?? (await diagnose(context))).filter(({ range }) => contains(range, offset))
  const name = nameAt(context, offset)
  const entry = entryUnder(context, offset)
  const parts = [
    ...findings.map(explain),
    ...(name === undefined ? [] : aboutName(name)),
    ...(entry === undefined ? [] : aboutEntry(context, entry, offset)),
    ...(context.kind === 'agent' ? await aboutField(context, offset) : []),
  ]
  const range = findings[0]?.range ?? (entry === undefined ? name?.range : partOf(entry, offset))
  return parts.length === 0 || range === undefined ? undefined : { range, text: parts.join('\n\n---\n\n') }
}

function explain({ code, message }: Finding): string {
  const head = `**${code}** ${plain(message)}`
  const explanation = explanations().find((row) => row.code === code)
  if (explanation === undefined) return [head].concat(ownText(agentCodeSummaries, code) ?? []).join('\n\n')
  const text = `${head}\n\n${explanation.summary} (OATF ${explanation.section})`
  if (explanation.kind === 'step') return text
  return `${text}\n\nFor example:\n\n\`\`\`yaml\n${explanation.example.good.trim()}\n\`\`\``
}

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

function aboutOpen(context: Context, path: Path): string[] {
  if (context.kind === 'oatf') return aboutState(context, path)
  return context.kind === 'agent' ? aboutAgent(path) : []
}

function aboutAgent(path: Path): string[] {
  if (path.at(-2) === 'input_mapping')
    return [`**${plain(path.at(-1))}** · field\n\nAn input field of the sub-agent, set by the path expression.`]
  if (isCondition(path.slice(0, -1))) return [`**${plain(path.at(-1))}** · path expression\n\nThe value to match.`]
  return path[0] === 'interface' ? aboutSchema(path.slice(2)) : []
}

async function aboutField(context: Context, offset: number): Promise<string[]> {
  const field = await fieldAt(context, offset)
  const at = field === undefined ? undefined : declarationOf(field)?.path
  if (field === undefined || at === undefined) return []
  const { owner, direction, segments } = field
  const schema = valueAt(owner.reading.value, at)
  const property = (key: string) => plain(textAt(schema ?? null, [key]))
  const file = plain(relativeName(context.file.name, owner.file.name))
  const head = `**${plain(segments.join('.'))}** · ${property('type') || 'field'}, ${direction} of ${file}`
  return [[head].concat(property('description') || []).join('\n\n')]
}

function aboutState({ reading }: Context, path: Path): string[] {
  const phase = phaseOf(walkValue(reading.value), path)
  if (phase?.mode === undefined) return []
  const below = path.slice(phase.path.length)
  const schema = belowSchema(below)
  if (schema !== undefined && schema.length > 0) return aboutSchema(schema)
  const keys = below[0] === 'state' ? stateKeysAt(phase.mode, below.slice(1, -1)) : undefined
  return aboutMessage(phase.mode, phase.value, below, keys?.get(String(below.at(-1))))
}

/** Documents a message field, unless the state key has its own description. */
function aboutMessage(mode: string, phase: ValueRecord, below: Path, stateText: string | undefined): string[] {
  const message = messageAt(mode, phase, below.slice(0, -1))
  const field = message?.fields.find(({ name }) => name === below.at(-1))
  const section = `OATF ${findBinding(extractProtocol(mode))?.section ?? '§7'}`
  if (message === undefined || field === undefined)
    return stateText === undefined ? [] : [`**${plain(below.at(-1))}** · ${section}\n\n${stateText}`]
  const type = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : field.type
  const head = [`**${field.name}**`, type, ...(field.required ? ['required'] : []), section].join(' · ')
  const text = stateText ?? field.about ?? []
  return [[head].concat(text, `In a ${message.direction} of ${message.surface}.`).join('\n\n')]
}

function aboutSchema(keys: Path): string[] {
  const text = schemaText(keys)
  return text === undefined ? [] : [`**${plain(keys.at(-1))}** · JSON Schema\n\n${text}`]
}

function aboutName({ kind, name, same }: Named): string[] {
  if (kind === 'phase' || kind === 'callable' || kind === 'target') return []
  const uses = same.filter(({ role }) => role === 'reference').length
  const times = uses === same.length ? 'not defined' : uses === 1 ? 'used once' : `used ${uses} times`
  return [`${kind} **${plain(name)}**: ${times}`]
}

/** Escapes document text for Markdown on one line, without links, images or HTML. */
function plain(text: string | number = ''): string {
  return String(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\](?=[([:])|</g, '\\$&')
}

function aboutValue({ reading }: Context, path: Path): string[] {
  const key = path.at(-1)
  const value = textAt(reading.value, path)
  if (value === undefined) return []
  if (key === 'mode') return aboutMode(value)
  if (key !== 'surface' && key !== 'event' && key !== 'method') return []
  const walk = walkValue(reading.value)
  const modes = walk.actors.flatMap(({ mode }) => mode ?? [])
  const protocol = modes.map(extractProtocol).find((name) => surfaceFacts(name, value) !== undefined)
  const facts = protocol === undefined ? undefined : surfaceFacts(protocol, value)
  if (facts === undefined) return []
  const by = facts.by === 'either' ? 'either side' : `the ${facts.by}`
  const fields = (name: string, keys: readonly string[]) =>
    keys.length === 0 ? [] : [`${name}: ${keys.map((key) => `\`${key}\``).join(', ')}`]
  const head = `**${value}** (${protocol}), sent by ${by}`
  return [[head, ...fields('request', facts.request), ...fields('response', facts.response)].join('\n\n')]
}

function aboutMode(mode: string): string[] {
  const binding = findMode(mode)
  if (binding === undefined) return []
  const keys = binding.stateKeys.map((key) => `\`${key}\``).join(', ')
  return [`**${mode}**: the attacker is the ${binding.role}.\n\nState keys: ${keys}.`]
}
