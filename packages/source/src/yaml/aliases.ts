import { EVENT_ID, type YamlEvent } from './yaml.ts'

/** The size of a node with aliases expanded: nodes, characters in scalars, nesting of collections. */
interface Size {
  nodes: number
  characters: number
  depth: number
  /** True until the node ends. An alias to an open node is circular. */
  open: boolean
}

/** The size of a document with aliases expanded (`nodes` counts only those that aliases add), or a circular alias. */
export type AliasUse =
  | ({ readonly kind: 'expands' } & Readonly<Size>)
  | { readonly kind: 'cycle'; readonly name: string; readonly offset: number }

/** Measures a document with aliases expanded, before the value is built, in linear time. */
export function measureAliases(events: readonly YamlEvent[], text: string): AliasUse {
  const anchors = new Map<string, Size>()
  const open: Size[] = []
  let root = scalar(0)
  let own = 0
  const add = (node: Size): void => {
    const parent = open.at(-1)
    if (parent === undefined) root = node
    else grow(parent, node)
  }

  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue
    if (event.type === EVENT_ID.POP) {
      const node = open.pop()
      if (node === undefined) continue // the end of the document
      node.open = false
      add(node)
      continue
    }
    own++
    const name = event.anchorStart < 0 ? '' : text.slice(event.anchorStart, event.anchorEnd)
    if (event.type === EVENT_ID.ALIAS) {
      const target = anchors.get(name)
      if (target?.open) return { kind: 'cycle', name, offset: event.anchorStart - 1 }
      add(target ?? scalar(0)) // an alias without an anchor is rejected when the value is built
      continue
    }
    const node =
      event.type === EVENT_ID.SCALAR
        ? scalar(event.valueEnd - event.valueStart)
        : { nodes: 1, characters: 0, depth: 1, open: true }
    if (name !== '') anchors.set(name, node)
    if (node.open) open.push(node)
    else add(node)
  }
  return { ...root, kind: 'expands', nodes: root.nodes - own }
}

function scalar(characters: number): Size {
  return { nodes: 1, characters, depth: 0, open: false }
}

function grow(parent: Size, child: Size): void {
  parent.nodes += child.nodes
  parent.characters += child.characters
  parent.depth = Math.max(parent.depth, child.depth + 1)
}
