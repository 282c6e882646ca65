import { EVENT_ID, type YamlEvent } from './yaml.ts'

/** What the aliases of a text amount to, found over the events, before anything is built. */
export type AliasUse =
  | { readonly kind: 'expands'; readonly nodes: number }
  | { readonly kind: 'cycle'; readonly name: string; readonly offset: number }

interface Open {
  readonly anchor: string | undefined
  size: number
}

/** Counts the nodes that aliases would add when expanded, and finds an alias inside its own anchor. Linear. */
export function measureAliases(events: readonly YamlEvent[], text: string): AliasUse {
  const sizes = new Map<string, number | 'open'>()
  const open: Open[] = [{ anchor: undefined, size: 0 }]
  let own = 0
  let total = 0

  const close = (node: Open): void => {
    if (node.anchor !== undefined) sizes.set(node.anchor, node.size)
    const parent = open.at(-1)
    if (parent === undefined) total += node.size
    else parent.size += node.size
  }

  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) {
      open.push({ anchor: undefined, size: 0 })
    } else if (event.type === EVENT_ID.POP) {
      const node = open.pop()
      if (node !== undefined) close(node)
    } else if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd)
      const size = sizes.get(name) ?? 1
      if (size === 'open') return { kind: 'cycle', name, offset: event.anchorStart - 1 }
      close({ anchor: undefined, size })
      own++
    } else {
      own++
      const anchor = event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd)
      if (event.type === EVENT_ID.SCALAR) close({ anchor, size: 1 })
      else {
        if (anchor !== undefined) sizes.set(anchor, 'open')
        open.push({ anchor, size: 1 })
      }
    }
  }
  for (const node of open) total += node.size
  return { kind: 'expands', nodes: total - own }
}
