import type { OutlineNode } from '../outline.ts'
import type { TextEdit } from '../patch/draft.ts'
import type { OpenSource } from '../read-source.ts'
import { lineEnd } from '../scan.ts'
import { doubleQuoted, hidesText } from '../unseen.ts'
import { isList, isRecord, type Value } from '../value.ts'

/** Edits that write every scalar with characters that hide or reorder text in double quotes, with escapes for those. */
export function escapeHidden(source: OpenSource): TextEdit[] {
  const { text, value } = source
  if (!hidesText(text)) return []
  const edits: TextEdit[] = []
  const hides = (start: number, end: number): boolean => hidesText(text.slice(start, end))
  const pending: { readonly node: OutlineNode; readonly value: Value }[] = [{ node: source.outline(), value }]
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    const { node, value: held } = job
    if (node.children !== undefined) {
      for (const [key, child] of node.children.entries()) {
        const { keyStart = 0, keyEnd = 0 } = child
        if (hides(keyStart, keyEnd)) edits.push({ start: keyStart, end: keyEnd, text: doubleQuoted(String(key)) })
        const part = isList(held) ? held[Number(key)] : isRecord(held) ? held[key] : undefined
        pending.push({ node: child, value: part ?? null })
      }
    } else if (typeof held === 'string' && node.form !== 'alias' && hides(node.start, node.end)) {
      // A block scalar may have a comment beside its header.
      const header = node.indent === undefined ? '' : text.slice(node.start, lineEnd(text, node.start))
      const comment = /\s#.*$/.exec(header)?.[0] ?? ''
      edits.push({ start: node.start, end: node.end, text: `${doubleQuoted(held)}${comment}` })
    }
  }
  return edits
}
