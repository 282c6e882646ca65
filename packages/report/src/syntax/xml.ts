/** XML 1.0 that is well-formed whatever the texts contain. */
import { printableLines } from './printable-lines.ts'

/** An element; texts and attributes are given as they are. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: { readonly [name: string]: string | number | undefined }
  readonly children?: readonly (XmlElement | string)[]
}

/** A document with this root. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`
}

function write({ name, attributes = {}, children = [] }: XmlElement, indent: string): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attribute(String(value))}"`],
  )
  const open = `${indent}<${name}${list.join('')}`
  if (children.length === 0) return `${open}/>`
  if (children.every((child) => typeof child === 'string')) return `${open}>${children.map(content).join('')}</${name}>`
  const inner = children.map((child) => (typeof child === 'string' ? content(child) : write(child, `${indent}  `)))
  return `${open}>\n${inner.join('\n')}\n${indent}</${name}>`
}

/**
 * `>` as well: `]]>` must not occur in a text. What a CI would take for a command if it were printed is written as
 * references: `::error` at the beginning of a line, `##[error]` anywhere.
 */
function content(text: string): string {
  return legal(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('::', '&#58;&#58;')
    .replaceAll('##[', '&#35;&#35;[')
}

/** Line breaks would be read as spaces. */
function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}

/** XML 1.0 does not allow control characters, surrogates and these two, not even as references. */
function legal(text: string): string {
  return printableLines(text).replaceAll(/[\ufffe\uffff]/g, '\ufffd')
}
