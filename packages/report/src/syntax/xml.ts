/** Writes well-formed XML 1.0 from arbitrary text. */
import { printableLines } from './printable-lines.ts'

/** An element, with text and attributes that are not escaped. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: { readonly [name: string]: string | number | undefined }
  readonly children?: readonly (XmlElement | string)[]
}

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
 * Escapes text. This includes `>`, because `]]>` must not occur in text, and the start of commands that a CI would
 * execute if the file were printed: `::error` at the start of a line, `##[error]` anywhere.
 */
function content(text: string): string {
  return legal(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('::', '&#58;&#58;')
    .replaceAll('##[', '&#35;&#35;[')
}

/** Escapes an attribute, including line breaks, which parsers normalize to spaces. */
function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}

/** Replaces characters that XML 1.0 does not allow, even as references. */
function legal(text: string): string {
  return printableLines(text).replaceAll(/[\ufffe\uffff]/g, '\ufffd')
}
