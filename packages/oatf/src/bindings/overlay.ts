/** `x-joust-overlay`: lays the text of a response into the real answer of a real tool. */
import { err, ok, own, type Path, parsePath, type Result, type Value } from '@joust/source'

/** The extension on a response entry of a tool. */
export const OVERLAY = 'x-joust-overlay'

/** The place of the text: after the real content, in place of it, or in a field of it. */
export type Overlay = { readonly how: 'append' | 'replace' } | { readonly how: 'field'; readonly path: Path }

/** The overlay of a response entry; undefined without one. The error is a message. */
export function overlayOf(entry: Value | undefined): Result<Overlay | undefined, string> {
  const written = own(entry ?? null, OVERLAY)
  if (written === undefined) return ok(undefined)
  if (written === 'append' || written === 'replace') return ok({ how: written })
  const [, text] = typeof written === 'string' ? (/^field\s+(\S+)$/.exec(written) ?? []) : []
  const path = text === undefined ? undefined : parsePath(text)
  if (path !== undefined) return ok({ how: 'field', path })
  return err('expected append, replace, or field and a path such as issues[0].body')
}

/** The content blocks of a response entry: a list, or the list in a result. */
export function blocksOf(content: Value | undefined): { readonly at: Path; readonly blocks: readonly Value[] } {
  const inner = own(content ?? null, 'content')
  if (Array.isArray(inner)) return { at: ['content', 'content'], blocks: inner }
  return { at: ['content'], blocks: Array.isArray(content) ? content : [] }
}
