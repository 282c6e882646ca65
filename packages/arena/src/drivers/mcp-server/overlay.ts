/** Overlays document text on the result of a real tool (`x-joust-overlay`). */
import type { Overlay } from '@joust/oatf'
import {
  isList,
  isRecord,
  mapScalars,
  own,
  ownList,
  type Path,
  parseJson,
  setOwn,
  type Value,
  writeJson,
} from '@joust/source'

/**
 * Adds the document blocks to both the content and the structured content, since clients show either. Returns
 * undefined if the field does not exist in the result.
 */
export function layOver(result: Value, blocks: readonly Value[], overlay: Overlay): Value | undefined {
  const real = own(result, 'content')
  const content = isList(real) ? real : []
  const structured = own(result, 'structuredContent')
  const text = blocks.flatMap((block) => textOf(block) ?? []).join('\n')
  const base = isRecord(result) ? result : {}
  if (overlay.how === 'field') return inField(base, content, structured, overlay.path, text)
  const old = content.flatMap((block) => textOf(block) ?? []).at(-1)
  const change = overlay.how === 'replace' ? () => text : (whole: string) => `${whole}\n\n${text}`
  const laid = structured === undefined ? {} : { structuredContent: inTexts(structured, old, change) }
  return { ...base, content: overlay.how === 'replace' ? blocks : [...content, ...blocks], ...laid }
}

/**
 * Adds the structured content that the output schema of a real tool requires, since clients reject a result without it.
 * This content repeats the text of the result, unless the text might violate the schema.
 */
export function inSchema(result: Value, schema: Value | undefined, fill: (schema: Value) => Value): Value {
  if (!isRecord(result) || !isRecord(schema)) return result
  if (Object.hasOwn(result, 'structuredContent') || own(result, 'isError') === true) return result
  const structuredContent = fill(schema)
  const blocks = ownList(result, 'content')
  const laid = LIMITS.test(writeJson(schema)) ? undefined : layOver({ structuredContent }, blocks, { how: 'replace' })
  return { ...result, structuredContent: own(laid, 'structuredContent') ?? structuredContent }
}

/** JSON Schema keywords that restrict strings. */
const LIMITS = /"(?:enum|const|pattern|format|maxLength)":/

function textOf(block: Value): string | undefined {
  const text = own(block, 'text')
  return typeof text === 'string' ? text : undefined
}

/**
 * Changes all strings that repeat the content, or else the longest string, so that the result still fits the output
 * schema.
 */
function inTexts(structured: Value, repeated: string | undefined, change: (text: string) => string): Value {
  const texts: string[] = []
  mapScalars(structured, (scalar) => {
    if (typeof scalar === 'string') texts.push(scalar)
    return scalar
  })
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most), '')
  const target = texts.find((text) => text === repeated) ?? longest
  return mapScalars(structured, (scalar) => (scalar === target && texts.length > 0 ? change(target) : scalar))
}

/** Also sets the field in text blocks that are JSON. */
function inField(
  result: Readonly<Record<string, Value>>,
  content: readonly Value[],
  structured: Value | undefined,
  path: Path,
  text: string,
): Value | undefined {
  const laid = structured === undefined ? undefined : withField(structured, path, text)
  let isLaid = laid !== undefined
  const blocks = content.map((block) => {
    const written = textOf(block)
    const value = written === undefined ? undefined : parseJson(written)
    const changed = value === undefined ? undefined : withField(value, path, text)
    if (!isRecord(block) || written === undefined || changed === undefined) return block
    isLaid = true
    return { ...block, text: writeJson(changed, written.includes('\n') ? 2 : undefined) }
  })
  return isLaid ? { ...result, content: blocks, ...(laid !== undefined && { structuredContent: laid }) } : undefined
}

/** Returns undefined if the field does not exist. */
function withField(value: Value, [step, ...rest]: Path, text: string): Value | undefined {
  if (step === undefined) return text
  const inner = typeof step === 'number' ? (isList(value) ? value[step] : undefined) : own(value, step)
  const changed = inner === undefined ? undefined : withField(inner, rest, text)
  if (changed === undefined) return undefined
  if (isList(value)) return value.map((item, index) => (index === step ? changed : item))
  const copy = isRecord(value) ? { ...value } : {}
  setOwn(copy, String(step), changed)
  return copy
}
