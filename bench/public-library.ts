/**
 * `node bench/dist/public-library.js LIBRARY COMMIT TOOL COMMIT`: runs a third-party collection of documents against
 * the simulated agents and without an agent, compares the verdicts with those of another tool, migrates all documents,
 * and writes docs/public-library.md. Only names and outcomes are kept, no document text.
 */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { outcomesOf, root } from './joust-command.ts'
import { type Migrated, migrate } from './migrated.ts'
import { type Comparison, compareEvidence } from './peer-evidence.ts'
import { compareFixtures, type Fixture } from './peer-fixtures.ts'
import { asked, evidence, fixtures, left, spared } from './public-library-words.ts'

const closed = ['ag_ui', 'a2a', 'mcp'].flatMap((protocol) => ['--target', `${protocol}=http://127.0.0.1:9/`])
const agents: Readonly<Record<string, readonly string[]>> = {
  credulous: ['--model', 'sim/credulous'],
  cautious: ['--model', 'sim/cautious'],
  silent: ['--model', 'sim/silent'],
  absent: closed,
}

const [library, commit = 'unknown', tool, toolCommit = 'unknown'] = process.argv.slice(2)
if (library === undefined || tool === undefined) {
  console.error('usage: node bench/dist/public-library.js LIBRARY COMMIT TOOL COMMIT')
  process.exit(64)
}
const page = [
  '# A public library',
  '',
  'Written by `node bench/dist/public-library.js LIBRARY COMMIT TOOL COMMIT`; run that instead of editing.',
  '',
  ...librarySection(library),
  ...evidenceSection(await compareEvidence(tool, library)),
  ...fixtureSection(compareFixtures(tool)),
  ...migrationSection(migrate([library, join(tool, 'tests/e2e/fixtures')])),
]
writeFileSync(join(root, 'docs/public-library.md'), page.join('\n'))

function librarySection(documents: string): string[] {
  const columns = Object.entries(agents).map(([name, target]) => {
    const found = outcomesOf(documents, target)
    return {
      name,
      outcomes: new Map(found.map(({ file, outcome }) => [basename(file).replace(/\.ya?ml$/, ''), outcome])),
    }
  })
  const names = [...(columns[0]?.outcomes.keys() ?? [])].sort()
  const counts = columns.map(({ name, outcomes }) => {
    const count = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length
    return `- ${name}: ${['exploited', 'resisted', 'inconclusive'].map((outcome) => `${count(outcome)} ${outcome}`).join(', ')}`
  })
  const [credulous, cautious] = columns
  const why = (reasons: typeof spared, name: string) => reasons[/^[A-Z]+-\d+/.exec(name)?.[0] ?? ''] ?? 'not examined'
  return [
    `The ${names.length} scenarios of [oatf-spec/scenarios](https://github.com/oatf-spec/scenarios), as published:`,
    `folder \`library\` at commit \`${commit}\`.`,
    '"Absent" means closed ports and no agent that connects.',
    '',
    ...counts,
    '',
    table(
      ['document', ...columns.map(({ name }) => name)],
      names.map((name) => [name, ...columns.map(({ outcomes }) => outcomes.get(name) ?? '')]),
    ),
    '',
    '## Documents that do not exploit the credulous agent',
    '',
    table(
      ['document', 'why'],
      names.filter((name) => credulous?.outcomes.get(name) !== 'exploited').map((name) => [name, why(spared, name)]),
    ),
    '',
    '## Documents that exploit the cautious agent',
    '',
    'It does what its user asks for and nothing else. In these documents that is enough for an indicator, and one match',
    'decides:',
    '',
    table(
      ['document', 'why'],
      names.filter((name) => cautious?.outcomes.get(name) === 'exploited').map((name) => [name, why(asked, name)]),
    ),
    '',
    'Where it is inconclusive, it never fetched the guessed bait, or only messages of the attacker matched. No document',
    'declares its bait. The guess prefers an answer that contains the text of an indicator to a listing that contains it. A',
    'poisoned description therefore does not count as delivered while the file that it refers to is unread: the guess',
    'errs towards "not delivered". The silent agent resists only where the bait is in a listing, an agent card or the',
    'shared state, and was sent.',
    '',
  ]
}

function evidenceSection(found: readonly Comparison[]): string[] {
  const other = found.filter(({ expected, ours }) => expected !== ours)
  return [
    '## Recorded messages of thoughtjack',
    '',
    'The messages of `tests/integration/scenario_indicators.rs` in [thoughtjack](https://github.com/thoughtgate/thoughtjack)',
    `at commit \`${toolCommit}\`,`,
    `judged by the documents above: ${found.length - other.length} of ${found.length} verdicts agree.`,
    '',
    table(
      ['example', 'expected', 'here', 'correct'],
      other.map(({ name, expected, ours }) => [`\`${name}\``, expected, ours, evidence[name] ?? 'not examined']),
    ),
    '',
  ]
}

function fixtureSection(found: readonly Fixture[]): string[] {
  const rows = found.flatMap(({ name, expected, ours }) =>
    Object.entries(expected).map(([id, result]) => ({ name, id, result, here: ours[id] ?? 'none' })),
  )
  const other = rows.filter(({ result, here }) => result !== here)
  return [
    '## The end-to-end documents of thoughtjack',
    '',
    `The ${found.length} documents below \`tests/e2e/fixtures\` at the same commit, as published. Those with a client and a`,
    'server of their own are run with `--wire`, the others with `sim/credulous` between the two. Of the expected verdicts',
    `of attacks and indicators, ${rows.length - other.length} of ${rows.length} agree.`,
    '',
    table(
      ['document', 'of', 'expected', 'here', 'correct'],
      other.map(({ name, id, result, here }) => [name, id, result, here, fixtures[name] ?? 'not examined']),
    ),
    '',
    'Joust reports an outcome beside the verdict. `mcp-tool-invocation` and `a2a-task-delegation` have the verdict',
    '`exploited` and the outcome `inconclusive`: their patterns match only messages of the attacker, which say nothing',
    'about the agent. The same holds for `error-graceful-degradation`, where one client has its own address.',
    '`cel-indicators` with a model as target is inconclusive: the model serves no tool `echo`, its answer is an error',
    'without `content`, and the size of a missing value is an evaluation error (OATF SDK §4.1, §4.3). With `--wire` it matches.',
    '',
  ]
}

function migrationSection({
  documents,
  changed,
  unstable,
  comments,
  lost,
  counts,
  levels,
  findings,
}: Migrated): string[] {
  return [
    '## After `joust migrate`',
    '',
    `Of ${documents} documents ${changed} are rewritten; a second run changes ${unstable}. Of ${comments} comments ${lost} are lost.`,
    'Afterwards `validate --strict` and `lint --strict` report the following. An error (exit code 1) means that a part of',
    'the document can have no effect by the specification.',
    '',
    table(
      ['code', 'level', 'findings', 'documents', 'reason'],
      [...findings].map(([code, names]) => {
        const listed = names.size > 20 ? String(names.size) : [...names].sort().join(', ')
        return [code, levels.get(code) ?? '', String(counts.get(code)), listed, left[code] ?? 'not examined']
      }),
    ),
    '',
  ]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
