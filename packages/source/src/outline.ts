import type { Path } from './path.ts'
import { afterIndicator, blockScalarStart } from './scan.ts'
import { COLLECTION_STYLE, EVENT_ID, readKeys, SCALAR_STYLE, type YamlEvent, type YamlScalar } from './yaml.ts'

/** Where a node and its key stand in the text, as offsets. */
export interface OutlineNode {
  readonly start: number
  end: number
  keyStart?: number
  keyEnd?: number
  readonly children?: Map<string, OutlineNode> | OutlineNode[]
  /** An alias stands for everything below it. */
  readonly alias?: true
}

/** A path resolved as far as the text goes. */
export interface Found {
  readonly node: OutlineNode
  /** Whether the whole path is there; if not, `node` is the nearest ancestor. */
  readonly whole: boolean
}

/** The tree of offsets behind the one document of an event list. Iterative, so that depth cannot exhaust the stack. */
export function buildOutline(events: YamlEvent[], text: string): OutlineNode {
  const builder = new OutlineBuilder(text, readKeys(events, text))
  for (const event of events) builder.take(event)
  return builder.root
}

/** Looks a path up in an outline. */
export function findNode(root: OutlineNode, path: Path): Found {
  let node = root
  for (const step of path) {
    if (node.alias) return { node, whole: true }
    const child = childOf(node, step)
    if (child === undefined) return { node, whole: false }
    node = child
  }
  return { node, whole: true }
}

function childOf({ children }: OutlineNode, step: string | number): OutlineNode | undefined {
  if (!Array.isArray(children)) return children?.get(String(step))
  return typeof step === 'number' ? children[step] : undefined
}

/** A collection whose children are being read. */
interface Open {
  readonly node: OutlineNode
  /** What comes before an item of a block sequence, what ends a flow collection: empty where there is nothing. */
  readonly before: '-' | ''
  readonly close: ']' | '}' | ''
  /** The keys of a mapping that are still to come, last one first. */
  readonly keys: string[] | undefined
  key: OutlineNode | undefined
}

class OutlineBuilder {
  root: OutlineNode = { start: 0, end: 0 }
  readonly #text: string
  readonly #keys: string[][]
  readonly #open: Open[] = []
  #mappings = 0
  /** Everything before this offset has been read. */
  #last = 0

  constructor(text: string, keys: string[][]) {
    this.#text = text
    this.#keys = keys
  }

  take(event: YamlEvent): void {
    if (event.type === EVENT_ID.SCALAR) this.#leaf(this.#scalar(event))
    else if (event.type === EVENT_ID.ALIAS) {
      this.#leaf({ start: event.anchorStart - 1, end: event.anchorEnd, alias: true })
    } else if (event.type === EVENT_ID.SEQUENCE) {
      this.#begin(event.start, [], event.style === COLLECTION_STYLE.BLOCK ? '-' : '')
    } else if (event.type === EVENT_ID.MAPPING) {
      this.#begin(event.start, new Map(), '', this.#keys[this.#mappings++]?.reverse())
    } else if (event.type === EVENT_ID.POP) this.#end()
  }

  #begin(start: number, children: Map<string, OutlineNode> | OutlineNode[], before: '-' | '', keys?: string[]): void {
    // A key is never a collection, so a bracket at the start is always this collection's own.
    const close = this.#text.startsWith('[', start) ? ']' : this.#text.startsWith('{', start) ? '}' : ''
    this.#last = close === '' ? start : start + 1
    const node: OutlineNode = { start, end: start, children }
    this.#attach(node)
    this.#open.push({ node, before, close, keys, key: undefined })
  }

  #end(): void {
    const open = this.#open.pop()
    if (open === undefined) return
    if (open.close !== '') {
      const last = afterIndicator(this.#text, this.#last, ',') ?? this.#last
      this.#last = afterIndicator(this.#text, last, open.close) ?? last
    }
    open.node.end = this.#last
  }

  #leaf(node: OutlineNode): void {
    this.#last = node.end
    this.#attach(node)
  }

  #attach(node: OutlineNode): void {
    const parent = this.#open.at(-1)
    if (parent === undefined) {
      this.root = node
      return
    }
    const { children } = parent.node
    if (Array.isArray(children)) children.push(node)
    else if (parent.key === undefined) parent.key = node
    else {
      node.keyStart = parent.key.start
      node.keyEnd = parent.key.end
      parent.key = undefined
      children?.set(parent.keys?.pop() ?? '', node)
    }
  }

  #scalar(event: YamlScalar): OutlineNode {
    const { valueStart, valueEnd, style, tagStart, tagEnd, anchorStart, anchorEnd } = event
    if (valueStart < 0) {
      if (tagStart < 0 && anchorStart < 0) return this.#empty()
      const start = anchorStart < 0 || (tagStart >= 0 && tagStart < anchorStart) ? tagStart : anchorStart - 1
      return { start, end: Math.max(tagEnd, anchorEnd) }
    }
    switch (style) {
      case SCALAR_STYLE.PLAIN:
        return { start: valueStart, end: valueEnd }
      case SCALAR_STYLE.SINGLE_QUOTED:
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return { start: valueStart - 1, end: valueEnd + 1 }
      default: {
        const from = Math.max(this.#last, tagEnd, anchorEnd)
        return { start: blockScalarStart(this.#text, from, valueStart), end: valueEnd }
      }
    }
  }

  /** A node without text stands after the `-` or `:` before it. */
  #empty(): OutlineNode {
    const parent = this.#open.at(-1)
    const indicator = parent?.key === undefined ? parent?.before : ':'
    const start = indicator ? (afterIndicator(this.#text, this.#last, indicator) ?? this.#last) : this.#last
    return { start, end: start }
  }
}
