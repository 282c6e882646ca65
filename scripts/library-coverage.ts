/** `docs/coverage.md`: the techniques of known frameworks and the library attacks for each. */
import { library } from '@joust/library'
import { type AvailableAttack, frameworkCoverage, isTechnique } from '@joust/results'
import type { Page } from './render-tables.ts'

const INTRO = `# Coverage

The attacks in the [library](../library/README.md) by technique. Ids and titles are from the frameworks. "None" is a
gap in the library; "out of reach" is a technique that no attack over Joust's protocols can test. MITRE
ATLAS rows have an attack or a gap; all other techniques are out of reach. For results, \`joust coverage DIR\` shows which
techniques were tested, and which attacks the model read. Written by \`npm run generate\`.
`

/** Creates the page from the mappings in the documents. */
export function libraryCoverage(): Page {
  const sections = frameworkCoverage([], library).map(({ framework, title, version, techniques }) => {
    const isShort = techniques.length <= SHORT
    const rows = techniques.flatMap(({ id, title: name, state, reason }) => {
      const attacks = library.filter(({ mappings }) => maps(mappings, framework, id))
      if (!isShort && state === 'cannot_be_tried') return []
      const links = attacks.map((one) => `[${one.name}](../library/${one.file})`).join(', ')
      const none = state === 'cannot_be_tried' ? `out of reach: ${reason}` : 'none'
      return [`| ${id} | ${name} | ${links === '' ? none : links} |`]
    })
    const covered = rows.filter((row) => row.includes('](')).length
    const count = `${covered} of ${techniques.length} techniques have an attack.`
    return `\n## ${title}, ${version}\n\n${count}\n\n| id | technique | attacks |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return { file: 'docs/coverage.md', text: `${INTRO}${sections.join('')}` }
}

const SHORT = 20

function maps(mappings: AvailableAttack['mappings'], framework: string, id: string): boolean {
  return mappings.some((one) => one.framework === framework && isTechnique(one.id, id))
}
