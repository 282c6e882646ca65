/** A parsed element. */
export interface XmlNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

/**
 * Reads XML 1.0 without document types, comments and sections, as strictly as the standard demands (2.2 characters, 2.4
 * text, 2.3 attributes, 3.1 tags). Throws when it is not well-formed.
 */
export function readXml(text: string): XmlNode {
  const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text)
  if (illegal !== null) throw new Error(`an illegal character at ${illegal.index}`)
  const reader = new Reader(text)
  reader.take(/<\?xml version="1\.0" encoding="UTF-8"\?>\n/y)
  const root = reader.element()
  reader.take(/\s*$/y)
  return root
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  take(pattern: RegExp): RegExpExecArray {
    const found = this.maybe(pattern)
    if (found === undefined) throw new Error(`expected ${pattern} at ${this.#text.slice(this.#at, this.#at + 40)}`)
    return found
  }

  maybe(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }

  element(): XmlNode {
    const [, name = ''] = this.take(/<([A-Za-z][\w.-]*)/y)
    const attributes: Record<string, string> = {}
    for (let one = this.#attribute(); one !== undefined; one = this.#attribute()) {
      const [, key = '', value = ''] = one
      if (Object.hasOwn(attributes, key)) throw new Error(`${key} stands twice`)
      attributes[key] = decoded(value)
    }
    if (this.maybe(/\s*\/>/y) !== undefined) return { name, attributes, children: [], text: '' }
    this.take(/\s*>/y)
    const children: XmlNode[] = []
    let content = ''
    for (;;) {
      content += this.take(/[^<]*/y)[0]
      if (this.maybe(new RegExp(`</${name}\\s*>`, 'y')) !== undefined) break
      children.push(this.element())
    }
    if (content.includes(']]>')) throw new Error(']]> in a text')
    return { name, attributes, children, text: decoded(content) }
  }

  #attribute(): RegExpExecArray | undefined {
    return this.maybe(/\s+([A-Za-z][\w.-]*)="([^"<]*)"/y)
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(/&([^;]*);|&/g, (all, word: string | undefined) => {
    const number = /^#(\d+)$/.exec(word ?? '')?.[1]
    const character = number === undefined ? named[word ?? ''] : String.fromCodePoint(Number(number))
    if (character === undefined) throw new Error(`${all} is not a reference`)
    return character
  })
}
