import { lightEntries } from '../layers.ts'
import { type Module, packageOf } from './modules.ts'
import type { Violation } from './violation.ts'

/** Finds entries that statically load a library reserved for `import()`. */
export function checkLightEntries(modules: readonly Module[]): Violation[] {
  const byFile = new Map(modules.map((module) => [module.file, module]))
  return lightEntries.flatMap(({ file, without }) => {
    const entry = byFile.get(file)
    if (entry === undefined) return []
    const route = routeTo(entry, without, byFile)
    if (route === undefined) return []
    const message = `is loaded with ${route.at(-1)}: ${route.join(' → ')}`
    return [{ file, line: 1, message, mend: 'load it with import(), or move the code that needs it' }]
  })
}

/** Returns the shortest chain of static imports from a module to one of the libraries. */
function routeTo(entry: Module, names: readonly string[], byFile: ReadonlyMap<string, Module>): string[] | undefined {
  const seen = new Set([entry.file])
  const queue: { module: Module; route: string[] }[] = [{ module: entry, route: [entry.file] }]
  for (const { module, route } of queue) {
    for (const { specifier, target, dynamic, typeOnly } of module.imports) {
      if (dynamic || typeOnly) continue
      if (!specifier.startsWith('.') && names.includes(packageOf(specifier))) return [...route, packageOf(specifier)]
      const next = target === undefined || seen.has(target) ? undefined : byFile.get(target)
      if (next === undefined) continue
      seen.add(next.file)
      queue.push({ module: next, route: [...route, next.file] })
    }
  }
  return undefined
}
