/** [OATF SDK §3.5](https://oatf.io/sdk/entry-points/), synchronous, with CEL and JSONPath always imported. */
import { checkTree, err, formatPath, messageOf, ok, type Path, type Result, type Value, writeJson } from '@joust/source'
import { libraries } from './adapters/libraries.ts'
import type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
import { checkAttack, readAttack } from './loading.ts'
import type { Document } from './model/document.ts'
import type { OatfError } from './model/errors.ts'

/**
 * Loads an attack from a text or a value, such as parsed JSON. On failure, returns all errors from the first failed
 * stage: structure or content. For a value, positions refer to the value as indented JSON.
 *
 * @example
 * const attack = unwrap(load(text), text)
 */
export function load(input: string | Document | Value, options: LoadOptions = {}): Result<LoadedAttack, OatfError[]> {
  const text = typeof input === 'string' ? ok(input) : textOf(input)
  if (!text.ok) return text
  const reading = readAttack(text.value, options)
  if (!reading.ok) return reading
  const loaded = checkAttack(reading.value, libraries)
  return loaded.ok ? loaded : err(loaded.error.errors)
}

function textOf(value: Document | Value): Result<string, OatfError[]> {
  try {
    return writtenText(value)
  } catch (thrown) {
    // Reading getters and proxies may throw.
    return refused(`the value cannot be read: ${messageOf(thrown)}`)
  }
}

function refused(message: string, path?: string): Result<never, OatfError[]> {
  return err([{ severity: 'error', kind: 'syntax', code: 'syntax', message, ...(path && { path }) } as const])
}

function writtenText(value: Document | Value): Result<string, OatfError[]> {
  const tree = checkTree(value)
  if (!tree.ok) return refused(tree.error)
  const foreign = foreignIn(value, [])
  if (foreign !== undefined) {
    const path = formatPath(foreign.path)
    const place = path === '' ? 'the document' : path
    return refused(`${place} is a ${typeof foreign.value}, which a document cannot contain`, path)
  }
  // A document is a tree of plain values. Values of other types are shape errors.
  return ok(writeJson((value ?? null) as Value, 2))
}

/** Returns the first function or symbol, which JSON would drop. The value must be a tree within the limits. */
function foreignIn(value: unknown, path: Path): { readonly value: unknown; readonly path: Path } | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return { value, path }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const foreign = foreignIn(item, [...path, Array.isArray(value) ? Number(key) : key])
    if (foreign !== undefined) return foreign
  }
  return undefined
}
