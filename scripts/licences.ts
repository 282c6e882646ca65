import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputChunk } from 'rolldown'

/** Returns the licences of all bundled packages. Throws if a package has none. */
export function licences(owner: string, all: readonly OutputChunk[]): string {
  const folders = new Set(all.flatMap(({ moduleIds }) => moduleIds).flatMap(packageFolder))
  const sections = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    if (files.length === 0 && typeof license !== 'string') throw new Error(`${name} has no licence`)
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return `${name} ${version}: ${license}\n\n${texts.join('\n\n')}`
  })
  const head = `${owner} contains these packages, each under its own licence.`
  return `${[head, ...sections.sort()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function packageFolder(id: string): string[] {
  const [path] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []
  return path === undefined ? [] : [path]
}
