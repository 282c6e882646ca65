import { walkValue } from '@joust/oatf/vocabulary'
import { isRecord, type Path, type TextEdit, valueAt } from '@joust/source'
import { agentKeys, agentValues, expressionOptions, promptOptions } from '../completion/agent-options.ts'
import { oatfKeys, oatfValues, templateOptions } from '../completion/oatf-options.ts'
import { distinct, keyOption, type Option, optionsOf } from '../completion/option.ts'
import { keyEdit, type Style, valueEdit } from '../completion/write.ts'
import type { Context } from '../context.ts'
import { isCondition, isMapped } from '../documents/agent-files.ts'
import { isCommand } from '../documents/names.ts'
import { keyType, sentenceAbout } from '../grammar/about.ts'
import { allowedAt } from '../grammar/grammar.ts'
import type { Completion } from '../model.ts'
import { type CursorPlace, placeAt } from '../text/place.ts'

/** Returns all completions, most likely first. Editors filter the list by the typed text. */
export async function complete(context: Context, offset: number): Promise<Completion[]> {
  const place = placeAt(context.reading, offset)
  if (context.kind === 'unknown' || place.kind === 'nothing') return []
  const completions = await completionsAt(context, place, offset)
  return completions.map((item) => ({ ...item, edit: aroundCursor(item.edit, context.file.text, offset) }))
}

async function completionsAt(context: Context, place: CursorPlace, offset: number): Promise<Completion[]> {
  const part = inTemplate(context, place, offset) ?? (await inExpression(context, place, offset))
  if (part !== undefined) return part
  if (place.kind === 'value') return values(context, place)
  // A word in a list may be a value or become a key.
  const isItem = typeof place.path.at(-1) === 'number'
  return [...(await keys(context, place)), ...(isItem ? await values(context, place) : [])]
}

/** Extends an edit to include the cursor, as editors require, even in the gap before or after a value. */
function aroundCursor({ start, end, text: written }: TextEdit, text: string, offset: number): TextEdit {
  const before = text.slice(Math.min(offset, start), start)
  const after = text.slice(end, Math.max(offset, end))
  return { start: Math.min(start, offset), end: Math.max(end, offset), text: `${before}${written}${after}` }
}

function inTemplate(context: Context, place: CursorPlace, offset: number): Completion[] | undefined {
  const { kind, reading } = context
  const { text } = context.file
  const typed = /(?<!\\)\{\{([\w.]*)$/.exec(text.slice(Math.max(0, offset - 500), offset))?.[1]
  const isPrompt = kind === 'agent' && place.path.at(-1) === 'user_prompt_template'
  if (typed === undefined || (kind !== 'oatf' && !isPrompt)) return undefined
  const start = offset - typed.length
  const end = offset + wordAfter(text, offset, /^[\w.]*/)
  const close = text.startsWith('}}', end) ? '' : '}}'
  const options = isPrompt ? promptOptions(context) : templateOptions(walkValue(reading.value), place.path, typed)
  return options.map((option) => ({ ...option, edit: { start, end, text: `${option.label}${close}` } }))
}

/** Returns completions for the next segment of a path expression, in a mapping value or a condition key. */
async function inExpression(context: Context, place: CursorPlace, offset: number): Promise<Completion[] | undefined> {
  const { text } = context.file
  const isExpression = place.kind === 'value' ? isMapped(place.path) : isCondition(place.path)
  if (context.kind !== 'agent' || !isExpression) return undefined
  const quoted = /["']/.test(text.charAt(place.range.start)) ? 1 : 0
  const from = Math.min(place.range.start + quoted, offset)
  const written = text.slice(from, offset)
  const start = from + written.lastIndexOf('.') + 1
  const end = offset + wordAfter(text, offset, /^\w*/)
  const options = await expressionOptions(context, written)
  return options.map((option) => {
    const dot = option.goesOn && text.charAt(end) !== '.' ? '.' : ''
    const gap = text.charAt(start - 1) === ':' ? ' ' : ''
    return { ...option, edit: { start, end, text: `${gap}${option.label}${dot}` } }
  })
}

function wordAfter(text: string, offset: number, word: RegExp): number {
  return word.exec(text.slice(offset, offset + 200))?.[0].length ?? 0
}

async function keys(context: Context, place: CursorPlace): Promise<Completion[]> {
  const { reading, kind, file } = context
  const here = valueAt(reading.value, place.path)
  const typed = file.text.slice(place.range.start, place.range.end).replaceAll(/["']/g, '')
  const done = new Set(isRecord(here) ? Object.keys(here).filter((key) => key !== typed) : [])
  const style = styleAt(context, place)
  const rules = allowedAt(context, place.path).keys
  const types = new Map(rules.map((rule) => [rule.name, rule.types]))
  const ruled = rules
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .map((rule) => keyOption(rule.name, keyType(rule), sentenceAbout(rule, kind)))
  return distinct([...ruled, ...(await moreKeys(context, place))])
    .filter(({ label }) => !done.has(label))
    .map((option) => ({
      ...option,
      edit: keyEdit(file.text, place, option.label, style, types.get(option.label) ?? []),
    }))
}

async function moreKeys(context: Context, { path }: CursorPlace): Promise<Option[]> {
  if (context.kind === 'oatf') return oatfKeys(walkValue(context.reading.value), path)
  return context.kind === 'agent' ? agentKeys(context, path) : []
}

async function values(context: Context, place: CursorPlace): Promise<Completion[]> {
  const { choices } = allowedAt(context, place.path)
  const all = [...(await moreValues(context, place)), ...optionsOf(choices, 'value')]
  const style = styleAt(context, place)
  return distinct(all).map((option) => ({ ...option, edit: valueEdit(context.file.text, place, option.label, style) }))
}

async function moreValues(context: Context, { path }: CursorPlace): Promise<Option[]> {
  if (context.kind === 'oatf') return oatfValues(walkValue(context.reading.value), path)
  if (context.kind === 'agent') return agentValues(context, path)
  return isCommand(path) ? presetOptions(context, path) : []
}

function presetOptions({ reading, options }: Context, path: Path): Option[] {
  const own = valueAt(reading.value, ['presets'])
  const presets = options.project?.presets?.filter(({ acp }) => path.at(-1) !== 'acp' || acp !== undefined) ?? []
  return [
    ...optionsOf(Object.keys(isRecord(own) ? own : {}), 'name', 'preset in this file'),
    ...presets.flatMap(({ name, about }) => optionsOf([name], 'name', about)),
  ]
}

function styleAt({ reading, entry }: Context, { path }: CursorPlace): Style {
  if (/^\s*[[{]/.test(reading.text)) return 'json'
  return path.some((_, index) => entry(path.slice(0, index + 1))?.form === 'flow') ? 'flow' : 'block'
}
