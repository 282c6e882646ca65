import { writeJson } from '../json/write-json.ts'
import { isList, isRecord, type Value } from '../model/value.ts'
import { doubleQuoted, hidesText } from '../text/printable.ts'
import type { OutlineForm } from '../yaml/outline.ts'
import { resolvePlain, writeYaml } from '../yaml/yaml.ts'
import type { Layout } from './layout.ts'

type Scalar = Exclude<Value, readonly Value[] | { readonly [key: string]: Value }>

/** Returns the text after the colon of a key at `column`, without the last line break: ` value` or indented lines. */
export function afterKey(value: Value, column: number, layout: Layout): string {
  const inline = inlineText(value, column, layout)
  if (inline !== undefined) return ` ${inline}`
  const indent = isList(value) && !layout.listsIndented ? column : column + layout.unit
  return `${layout.lineBreak}${' '.repeat(indent)}${blockText(value, indent, layout)}`
}

/** Returns the text after a `-`. `column` is the column of the dash. */
export function afterDash(value: Value, column: number, layout: Layout): string {
  return ` ${inlineText(value, column, layout) ?? blockText(value, column + 2, layout)}`
}

/** Writes a value whose first line starts at `column`. The other lines are indented. */
export function blockText(value: Value, column: number, layout: Layout): string {
  const separator = `${layout.lineBreak}${' '.repeat(column)}`
  if (isList(value) && value.length > 0)
    return value.map((item) => `-${afterDash(item, column, layout)}`).join(separator)
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, child]) => `${keyText(key, 'plain')}:${afterKey(child, column, layout)}`)
      .join(separator)
  }
  return inlineText(value, column, layout) ?? ''
}

/** Returns a scalar or empty collection; undefined for a value that needs several lines. */
function inlineText(value: Value, column: number, layout: Layout): string | undefined {
  if (isList(value)) return value.length === 0 ? '[]' : undefined
  if (isRecord(value)) return Object.keys(value).length === 0 ? '{}' : undefined
  return scalarText(value, 'plain', column + layout.unit, layout)
}

/** Writes a scalar in a block, in the requested style if the value allows that. `indent` is for literal blocks. */
export function scalarText(value: Scalar, form: OutlineForm, indent: number, layout: Layout): string {
  if (typeof value !== 'string') return otherText(value)
  if (form === 'double' || hidesText(value)) return doubleQuoted(value)
  if (form === 'single' && !/[\r\n]/.test(value)) return `'${value.replaceAll("'", "''")}'`
  if (value.includes('\n')) return literalText(value, indent, layout) ?? doubleQuoted(value)
  return plainText(value)
}

export function keyText(key: string, form: OutlineForm): string {
  if (form === 'double' || hidesText(key) || /[\r\n]/.test(key)) return doubleQuoted(key)
  return form === 'single' ? `'${key.replaceAll("'", "''")}'` : plainText(key)
}

export function flowText(value: Value, form: OutlineForm, layout: Layout): string {
  if (isList(value)) return `[${value.map((item) => flowText(item, 'plain', layout)).join(', ')}]`
  if (isRecord(value)) {
    const fields = Object.entries(value).map(
      ([key, child]) => `${flowText(key, 'plain', layout)}: ${flowText(child, 'plain', layout)}`,
    )
    return `{${fields.join(', ')}}`
  }
  if (typeof value !== 'string') return otherText(value)
  return !layout.json && form !== 'double' && form !== 'single' && isPlainWord(value)
    ? value
    : doubleQuoted(value, layout.json)
}

/** Returns a value as multi-line JSON. `margin` starts every line except the first. */
export function jsonLines(value: Value, margin: string, layout: Layout): string {
  return writeJson(value, layout.unit).replaceAll('\n', `${layout.lineBreak}${margin}`)
}

/** True for a string that never needs quotes, even in a flow collection or for YAML 1.1 parsers. */
export function isPlainWord(value: string): boolean {
  return PLAIN_WORD.test(value) && resolvePlain(value) === value
}

const PLAIN_WORD = /^(?!(?:y|n|yes|no|on|off)$)[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/i

function otherText(value: Exclude<Scalar, string>): string {
  if (typeof value !== 'number') return String(value)
  if (Object.is(value, -0)) return '-0'
  // A double beyond the safe integers gets an exponent, because otherwise it would be parsed as an exact integer.
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential().replace(/^(-?[0-9])e/, '$1.0e')
  return String(value)
}

/** Returns a string with as few quotes as possible. Document markers are always quoted. */
function plainText(value: string): string {
  if (/^(?:---|\.\.\.)/.test(value)) return doubleQuoted(value)
  const text = writeYaml({ k: value })
  return text.slice('k: '.length, text.endsWith('\n') ? -1 : undefined)
}

/** Returns a literal block; undefined for a string that would need an indentation indicator. */
function literalText(value: string, indent: number, { lineBreak }: Layout): string | undefined {
  const content = value.replace(/\n+$/, '')
  if (content === '' || content.includes('\r') || /^\s/.test(content) || /^[ \t]+$/m.test(content)) return undefined
  const ends = value.length - content.length
  const margin = ' '.repeat(indent)
  const lines = content.split('\n').map((line) => (line === '' ? '' : `${margin}${line}`))
  const header = ends === 0 ? '|-' : ends === 1 ? '|' : '|+'
  return [header, ...lines, ...Array.from({ length: Math.max(0, ends - 1) }, () => '')].join(lineBreak)
}
