/** `x-joust-overlay`: inserts a text into the response from a real tool. */
import { err, isList, ok, own, ownText, type Path, parsePath, type Result, type Value } from '@joust/source'

/** The extension on a tool's response entry. */
export const OVERLAY = 'x-joust-overlay'

/** The position of the text: after the real content, in place of that content, or in one of its fields. */
export type Overlay = { readonly how: 'append' | 'replace' } | { readonly how: 'field'; readonly path: Path }

/** Parses `x-joust-overlay`; undefined if it is missing. Returns a message if it is invalid. */
export function overlayOf(written: Value | undefined): Result<Overlay | undefined, string> {
  if (written === undefined) return ok(undefined)
  if (written === 'append' || written === 'replace') return ok({ how: written })
  const [, text] = typeof written === 'string' ? (/^field\s+(\S+)$/.exec(written) ?? []) : []
  const path = text === undefined ? undefined : parsePath(text)
  if (path !== undefined) return ok({ how: 'field', path })
  return err('expected append, replace, or field and a path such as issues[0].body')
}

/** Returns the content blocks of a response, which is a list of blocks or a result that contains one. */
export function blocksOf(content: Value | undefined): readonly Value[] {
  const blocks = isList(content) ? content : own(content ?? null, 'content')
  return isList(blocks) ? blocks : []
}

export function blockTexts(content: Value | undefined): { readonly at: Path; readonly text: string }[] {
  const above = isList(content) ? [] : ['content']
  return blocksOf(content).flatMap((block, index) => {
    const text = ownText(block, 'text') ?? ''
    return text.trim() === '' ? [] : [{ at: [...above, index, 'text'], text }]
  })
}
