import type { Path } from '../model/path.ts'
import { plainScalar } from './plain-value.ts'
import { afterIndicator, blockScalarStart, contentEnd, lineEnd } from './scan.ts'
import {
  COLLECTION_STYLE,
  EVENT_ID,
  KEEP,
  readKeys,
  SCALAR_STYLE,
  type YamlCollection,
  type YamlEvent,
  type YamlScalar,
} from './yaml.ts'

/** The style of a node. `empty` has no text. */
export type OutlineForm = 'block' | 'flow' | 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'empty' | 'alias'

/** The offsets of a node and its key. A block scalar ends with its last line of content. */
export interface OutlineNode {
  readonly start: number
  end: number
  readonly form: OutlineForm
  /** The offset of the node's anchor or tag. */
  readonly properties?: number
  /** The name of the node's anchor, or of the anchor that an alias refers to. */
  readonly anchor?: string
  /** The column of a block scalar's content. */
  readonly indent?: number
  keyStart?: number
  keyEnd?: number
  readonly children?: Map<string, OutlineNode> | OutlineNode[]
}

interface Match {
  readonly node: OutlineNode
  /** True if the path exists; otherwise `node` is the nearest ancestor that exists. */
  readonly whole: boolean
}

/**
 * Builds the tree of offsets for a document. Iterative, so that depth cannot exhaust the stack. A `plain` document has
 * no tags, anchors or aliases, so its keys can be taken from the text. `blocksOnly` skips the content of flow
 * collections.
 */
export function buildOutline(events: YamlEvent[], text: string, plain: boolean, blocksOnly = false): OutlineNode {
  const builder = new OutlineBuilder(text, plain ? undefined : readKeys(events, text), blocksOnly)
  for (const event of events) builder.add(event)
  return builder.root
}

export function findNode(root: OutlineNode, path: Path): Match {
  let node = root
  for (const step of path) {
    if (node.form === 'alias') return { node, whole: true }
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

interface Open {
  readonly node: OutlineNode
  /** The indicator before an item, and the closing bracket; empty if there is none. */
  readonly before: '-' | ''
  readonly close: ']' | '}' | ''
  /** The remaining keys of a mapping, in reverse order. */
  readonly keys: string[] | undefined
  key: OutlineNode | undefined
  /** The current key, if there is no list of keys. */
  name: string
}

class OutlineBuilder {
  root: OutlineNode = { start: 0, end: 0, form: 'empty' }
  readonly #text: string
  readonly #keys: string[][] | undefined
  readonly #blocksOnly: boolean
  readonly #open: Open[] = []
  #mappings = 0
  #last = 0

  constructor(text: string, keys: string[][] | undefined, blocksOnly: boolean) {
    this.#text = text
    this.#keys = keys
    this.#blocksOnly = blocksOnly
  }

  add(event: YamlEvent): void {
    if (event.type === EVENT_ID.SCALAR) this.#leaf(this.#scalar(event), event)
    else if (event.type === EVENT_ID.ALIAS) {
      const { anchorStart, anchorEnd } = event
      const anchor = this.#text.slice(anchorStart, anchorEnd)
      this.#leaf({ start: anchorStart - 1, end: anchorEnd, form: 'alias', anchor })
    } else if (event.type === EVENT_ID.SEQUENCE) {
      this.#begin(event, [], event.style === COLLECTION_STYLE.BLOCK ? '-' : '')
    } else if (event.type === EVENT_ID.MAPPING) {
      this.#begin(event, new Map(), '', this.#keys?.[this.#mappings++]?.reverse())
    } else if (event.type === EVENT_ID.POP) this.#end()
  }

  #begin(
    event: YamlCollection,
    children: Map<string, OutlineNode> | OutlineNode[],
    before: '-' | '',
    keys?: string[],
  ): void {
    const { start, style } = event
    // A key is never a collection, so a bracket at the start belongs to this collection.
    const close = this.#text.startsWith('[', start) ? ']' : this.#text.startsWith('{', start) ? '}' : ''
    this.#last = close === '' ? start : start + 1
    const form = style === COLLECTION_STYLE.BLOCK ? 'block' : 'flow'
    const node: OutlineNode = { start, end: start, form, children, ...this.#properties(event) }
    this.#attach(node)
    this.#open.push({ node, before, close, keys, key: undefined, name: '' })
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

  #leaf(node: OutlineNode, event?: YamlScalar): void {
    this.#last = node.end
    this.#attach(node, event)
  }

  #attach(node: OutlineNode, event?: YamlScalar): void {
    const parent = this.#open.at(-1)
    if (parent === undefined) {
      this.root = node
      return
    }
    const { children, form } = parent.node
    const skipped = this.#blocksOnly && form === 'flow'
    if (Array.isArray(children)) {
      if (!skipped) children.push(node)
    } else if (parent.key === undefined) {
      parent.key = node
      if (!skipped && parent.keys === undefined && event !== undefined)
        parent.name = String(plainScalar(event, this.#text))
    } else if (skipped) parent.key = undefined
    else {
      node.keyStart = parent.key.start
      node.keyEnd = parent.key.end
      parent.key = undefined
      children?.set(parent.keys?.pop() ?? parent.name, node)
    }
  }

  #scalar(event: YamlScalar): OutlineNode {
    const { valueStart, valueEnd, style, tagStart, tagEnd, anchorStart, anchorEnd } = event
    const properties = this.#properties(event)
    if (valueStart < 0) {
      if (properties.properties === undefined) return this.#empty()
      return { start: properties.properties, end: Math.max(tagEnd, anchorEnd), form: 'empty', ...properties }
    }
    switch (style) {
      case SCALAR_STYLE.PLAIN:
        return { start: valueStart, end: valueEnd, form: 'plain', ...properties }
      case SCALAR_STYLE.SINGLE_QUOTED:
        return { start: valueStart - 1, end: valueEnd + 1, form: 'single', ...properties }
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return { start: valueStart - 1, end: valueEnd + 1, form: 'double', ...properties }
      default: {
        const from = Math.max(this.#last, tagStart < 0 ? 0 : tagEnd, anchorStart < 0 ? 0 : anchorEnd)
        const start = blockScalarStart(this.#text, from, valueStart)
        const end = contentEnd(this.#text, lineEnd(this.#text, start), valueEnd, event.chomping === KEEP)
        const form = style === SCALAR_STYLE.LITERAL_BLOCK ? 'literal' : 'folded'
        return { start, end, form, indent: event.indent, ...properties }
      }
    }
  }

  #properties({ tagStart, anchorStart, anchorEnd }: YamlScalar | YamlCollection): {
    readonly properties?: number
    readonly anchor?: string
  } {
    if (anchorStart < 0) return tagStart < 0 ? {} : { properties: tagStart }
    const properties = tagStart >= 0 && tagStart < anchorStart ? tagStart : anchorStart - 1
    return { properties, anchor: this.#text.slice(anchorStart, anchorEnd) }
  }

  /** Returns a node without text, which starts directly after its `-` or `:`. */
  #empty(): OutlineNode {
    const parent = this.#open.at(-1)
    const indicator = parent?.key === undefined ? parent?.before : ':'
    const start = indicator ? (afterIndicator(this.#text, this.#last, indicator) ?? this.#last) : this.#last
    return { start, end: start, form: 'empty' }
  }
}
