import type { Module } from './modules.ts'
import type { Violation } from './violation.ts'

/** A directed graph: the successors of each node. */
type Graph = Map<string, Set<string>>

/** Finds cycles between files, and between sibling folders. */
export function checkCycles(modules: readonly Module[]): Violation[] {
  const files: Graph = new Map()
  const folders: Graph = new Map()
  for (const module of modules) {
    for (const { target } of module.imports) {
      if (target === undefined) continue
      connect(files, module.file, target)
      const [from, to] = siblings(module.file, target)
      if (from !== undefined && to !== undefined) connect(folders, from, to)
    }
  }
  const inFiles = findCycles(files).map((cycle) => cycleViolation(cycle[0] ?? '', cycle))
  const inFolders = findCycles(folders).map((cycle) => {
    const [first = '', second = ''] = cycle
    const culprit = modules.find(
      ({ file, imports }) =>
        file.startsWith(`${first}/`) && imports.some(({ target }) => target?.startsWith(`${second}/`)),
    )
    return cycleViolation(culprit?.file ?? first, cycle)
  })
  return [...inFiles, ...inFolders]
}

function cycleViolation(file: string, cycle: readonly string[]): Violation {
  const message = `a cycle: ${[...cycle, cycle[0]].join(' → ')}`
  return { file, line: 1, message, mend: 'move shared code to a module that both may import' }
}

/** Returns the folders just below the deepest common folder of two files. Undefined for a file directly in it. */
function siblings(from: string, to: string): [string | undefined, string | undefined] {
  const [a, b] = [from.split('/'), to.split('/')]
  let depth = 0
  while (a[depth] === b[depth] && depth < a.length) depth += 1
  const folder = (parts: string[]) => (depth < parts.length - 1 ? parts.slice(0, depth + 1).join('/') : undefined)
  return [folder(a), folder(b)]
}

function connect(graph: Graph, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

/** Finds cycles in a graph, at least one per strongly connected component. The first node is not repeated. */
function findCycles(graph: Graph): string[][] {
  const settled = new Set<string>()
  const found: string[][] = []
  const visit = (node: string, trail: string[]): void => {
    const seen = trail.indexOf(node)
    if (seen >= 0) {
      found.push(trail.slice(seen))
      return
    }
    if (settled.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    settled.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
