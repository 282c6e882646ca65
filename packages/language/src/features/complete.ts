/** What could be typed at a place. */
import { walkValue } from '@joust/oatf/vocabulary'
import { isRecord, type Span } from '@joust/source'
import { agentKeys, agentValues, expressionOptions } from '../completion/agent-options.ts'
import { oatfKeys, oatfValues, templateOptions } from '../completion/oatf-options.ts'
import type { Option } from '../completion/option.ts'
import { keyEdit, partEdit, type Style, valueEdit } from '../completion/write.ts'
import type { Context } from '../context.ts'
import { sentenceAbout, typeText } from '../grammar/about.ts'
import { allowedAt, type KeyRule } from '../grammar/grammar.ts'
import type { Completion } from '../model.ts'
import { lineStart } from '../text/exact-entries.ts'
import { type Place, placeAt } from '../text/place.ts'
import { valueAt } from '../text/reading.ts'

/** Everything that fits, the likeliest first; editors sift it by what is typed. */
export async function complete(context: Context, offset: number): Promise<Completion[]> {
  if (context.kind === 'unknown' || isComment(context.file.text, offset)) return []
  const found = await fitting(context, placeAt(context.reading, offset), offset)
  return found.map((one) => ({ ...one, edit: aroundCursor(one.edit, context.file.text, offset) }))
}

async function fitting(context: Context, place: Place, offset: number): Promise<Completion[]> {
  const part = await partial(context, place, offset)
  if (part !== undefined) return part
  if (place.kind === 'value') return values(context, place)
  return [...(await keys(context, place)), ...(await itemValues(context, place))]
}

/** Editors want edits that the cursor stands in, also where it stands in the gap before a value or after it. */
function aroundCursor({ start, end, text: written }: Completion['edit'], text: string, offset: number) {
  const before = text.slice(Math.min(offset, start), start)
  const after = text.slice(end, Math.max(offset, end))
  return { start: Math.min(start, offset), end: Math.max(end, offset), text: `${before}${written}${after}` }
}

function isComment(text: string, offset: number): boolean {
  return /(?:^|\s)#/.test(text.slice(lineStart(text, offset), offset))
}

/** A value of which only a part is being typed: a template, or the next name of a path expression. */
async function partial(context: Context, place: Place, offset: number): Promise<Completion[] | undefined> {
  const { text } = context.file
  const before = text.slice(Math.max(0, offset - 500), offset)
  const template = context.kind === 'oatf' ? /(?<!\\)\{\{([\w.]*)$/.exec(before) : null
  if (template !== null) {
    const span = { start: offset - (template[1]?.length ?? 0), end: offset + wordAfter(text, offset, /^[\w.]*/) }
    const close = text.startsWith('}}', span.end) ? '' : '}}'
    const options = templateOptions(walkValue(context.reading.value), place.path)
    return options.map((option) => completion(option, partEdit(span, `${option.label}${close}`)))
  }
  const expression = expressionPlace(context, place, offset)
  if (expression === undefined) return undefined
  const written = text.slice(expression.start, offset)
  const start = expression.start + written.lastIndexOf('.') + 1
  const span = { start, end: offset + wordAfter(text, offset, /^\w*/) }
  const options = await expressionOptions(context, written)
  return options.map((option) => {
    const dot = option.goesOn && text.charAt(span.end) !== '.' ? '.' : ''
    const gap = text.charAt(span.start - 1) === ':' ? ' ' : ''
    return completion(option, partEdit(span, `${gap}${option.label}${dot}`))
  })
}

function wordAfter(text: string, offset: number, word: RegExp): number {
  return word.exec(text.slice(offset, offset + 200))?.[0].length ?? 0
}

/** Values of mappings and keys of conditions are path expressions. */
function expressionPlace({ kind, file }: Context, { path, range, kind: at }: Place, offset: number): Span | undefined {
  if (kind !== 'agent') return undefined
  const isMapped = at === 'value' && path.at(-2) === 'input_mapping'
  const isCondition =
    at === 'key' && path.at(-1) === 'args_match' && (path[0] === 'execution_policy' || path[1] === 'local_agents')
  if (!isMapped && !isCondition) return undefined
  const quoted = /["']/.test(file.text.charAt(range.start)) ? 1 : 0
  return { start: Math.min(range.start + quoted, offset), end: range.end }
}

async function keys(context: Context, place: Place): Promise<Completion[]> {
  const { reading, schema, kind, file } = context
  const here = valueAt(reading.value, place.path)
  const typed = file.text.slice(place.range.start, place.range.end).replaceAll(/["']/g, '')
  const used = new Set(isRecord(here) ? Object.keys(here).filter((key) => key !== typed) : [])
  const style = styleAt(context, place)
  const allowed = allowedAt(schema, place.path, reading.value)
  const ruled = allowed.keys.filter(({ name }) => !used.has(name))
  const order = [...ruled.filter(({ required }) => required), ...ruled.filter(({ required }) => !required)]
  const more =
    kind === 'oatf'
      ? oatfKeys(walkValue(reading.value), place.path)
      : kind === 'agent'
        ? await agentKeys(context, place.path)
        : []
  const known = new Set(ruled.map(({ name }) => name))
  return [
    ...order.map((rule) => keyCompletion(rule, context, place, style)),
    ...more
      .filter(({ label }) => !used.has(label) && !known.has(label))
      .map((option) => completion(option, keyEdit(file.text, place, plainKey(option.label), style))),
  ]
}

function keyCompletion(rule: KeyRule, { kind, file }: Context, place: Place, style: Style): Completion {
  const about = sentenceAbout(rule, kind)
  const detail = `${typeText(rule)}${rule.required ? ' · required' : ''}`
  const option: Option = { label: rule.name, kind: 'key', detail, ...(about === '' ? {} : { about }) }
  return completion(option, keyEdit(file.text, place, rule, style))
}

function plainKey(name: string): KeyRule {
  return { name, required: false, id: name, types: [], choices: [] }
}

/** An item that is a word may still become a key; until then, it may be a value. */
async function itemValues(context: Context, place: Place): Promise<Completion[]> {
  return typeof place.path.at(-1) === 'number' ? values(context, place) : []
}

async function values(context: Context, place: Place): Promise<Completion[]> {
  const { reading, schema, kind, file } = context
  const special =
    kind === 'oatf'
      ? oatfValues(walkValue(reading.value), place.path)
      : kind === 'agent'
        ? await agentValues(context, place.path)
        : projectValues(context, place)
  const choices = allowedAt(schema, place.path, reading.value).choices.map(
    (label): Option => ({ label, kind: 'value' }),
  )
  const seen = new Set<string>()
  const style = styleAt(context, place)
  return [...special, ...choices].flatMap((option) => {
    if (seen.has(option.label)) return []
    seen.add(option.label)
    return [completion(option, valueEdit(file.text, place, option.label, style))]
  })
}

function projectValues({ reading }: Context, { path }: Place): Option[] {
  if (path[0] !== 'targets' || path.at(-1) !== 'preset') return []
  const presets = valueAt(reading.value, ['presets'])
  return Object.keys(isRecord(presets) ? presets : {}).map((label) => ({
    label,
    kind: 'name',
    detail: 'preset of this file',
  }))
}

function styleAt({ reading, entry }: Context, { path }: Place): Style {
  if (/^\s*[[{]/.test(reading.text)) return 'json'
  return path.some((_, index) => entry(path.slice(0, index + 1))?.form === 'flow') ? 'flow' : 'block'
}

function completion(option: Option, edit: Completion['edit']): Completion {
  return { ...option, edit }
}
