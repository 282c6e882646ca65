import type { Path } from './path.ts'
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type YamlEvent, type YamlScalar } from './yaml.ts'

/** Where a node and its key stand in the text, as offsets. */
export interface OutlineNode {
  start: number
  end: number
  keyStart?: number
  keyEnd?: number
  children?: Map<string, OutlineNode> | OutlineNode[]
}

/** A path resolved as far as the text goes. */
export interface Found {
  readonly node: OutlineNode
  /** Whether the whole path is there; if not, `node` is the nearest ancestor. */
  readonly whole: boolean
}

/** The tree of offsets behind the first document of an event list. */
export function buildOutline(events: readonly YamlEvent[], text: string): OutlineNode {
  return new OutlineBuilder(events, text).document()
}

/** Looks a path up in an outline. */
export function findNode(root: OutlineNode, path: Path): Found {
  let node = root
  for (const step of path) {
    const { children } = node
    const child = Array.isArray(children)
      ? typeof step === 'number'
        ? children[step]
        : undefined
      : children?.get(String(step))
    if (child === undefined) return { node, whole: false }
    node = child
  }
  return { node, whole: true }
}

class OutlineBuilder {
  readonly #events: readonly YamlEvent[]
  readonly #text: string
  #index = 0
  #last = 0

  constructor(events: readonly YamlEvent[], text: string) {
    this.#events = events
    this.#text = text
  }

  document(): OutlineNode {
    this.#index = 1 // the DOCUMENT event
    return this.#node()
  }

  #node(): OutlineNode {
    const event = this.#events[this.#index++]
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event)
      case EVENT_ID.ALIAS:
        return this.#ends({ start: event.anchorStart - 1, end: event.anchorEnd })
      case EVENT_ID.SEQUENCE:
        return this.#sequence(event.start)
      case EVENT_ID.MAPPING:
        return this.#mapping(event.start)
      default:
        return { start: this.#last, end: this.#last }
    }
  }

  #scalar(event: YamlScalar): OutlineNode {
    if (event.valueStart < 0) return { start: this.#last, end: this.#last }
    const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
    if (quoted) return this.#ends({ start: event.valueStart - 1, end: event.valueEnd + 1 })
    if (event.style === SCALAR_STYLE.PLAIN) return this.#ends({ start: event.valueStart, end: event.valueEnd })
    const indicator = event.style === SCALAR_STYLE.LITERAL_BLOCK ? '|' : '>'
    return this.#ends({ start: this.#text.lastIndexOf(indicator, event.valueStart - 1), end: event.valueEnd })
  }

  #sequence(start: number): OutlineNode {
    this.#last = start + 1
    const children: OutlineNode[] = []
    while (!this.#pop()) children.push(this.#node())
    return { start, end: this.#last, children }
  }

  #mapping(start: number): OutlineNode {
    this.#last = start
    const children = new Map<string, OutlineNode>()
    while (!this.#pop()) {
      const event = this.#events[this.#index]
      const key = this.#node()
      this.#last = key.end
      const value = this.#node()
      value.keyStart = key.start
      value.keyEnd = key.end
      if (event?.type === EVENT_ID.SCALAR) children.set(scalarText(this.#text, event), value)
    }
    return { start, end: this.#last, children }
  }

  #pop(): boolean {
    const event = this.#events[this.#index]
    if (event !== undefined && event.type !== EVENT_ID.POP) return false
    this.#index++
    return true
  }

  #ends(node: OutlineNode): OutlineNode {
    this.#last = node.end
    return node
  }
}

function scalarText(text: string, event: YamlScalar): string {
  return event.valueStart < 0 ? '' : getScalarValue(text, event)
}
