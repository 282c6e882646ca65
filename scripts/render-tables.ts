/** Renders the tables of this repository as Markdown. */

import { rowsIn } from './checks/rule-files.ts'
import { formattedJson, limitDescriptions, wrappedPage } from './generated-text.ts'
import { folderLayers, libraries, packageLayers } from './layers.ts'
import { renderCommands } from './render-commands.ts'
import type { Tables } from './tables.ts'

/** A page in docs/generated. */
export interface Page {
  readonly file: string
  readonly text: string
}

type PageTables = Pick<
  Tables,
  | 'rules'
  | 'lints'
  | 'agentRules'
  | 'steps'
  | 'dialects'
  | 'bindings'
  | 'limits'
  | 'diagnostics'
  | 'glossary'
  | 'modelClients'
  | 'program'
>

/** Renders every generated page. `read` returns the text of a file, for the sentence about each limit. */
export function renderPages(tables: PageTables, read: (file: string) => string): Page[] {
  return [
    page('rules.md', 'Validation rules', RULES, renderRules(tables, filesOf(RULES, read))),
    page('lint.md', 'Lint rules', LINT, renderLint(tables, filesOf(LINT, read))),
    page('agent-rules.md', 'Checks of agents', AGENT_RULES, renderAgentRules(tables, filesOf(AGENT_RULES, read))),
    page('steps.md', 'Normalization steps', STEPS, renderSteps(tables, filesOf(STEPS, read))),
    page('dialects.md', 'Dialects', DIALECTS, renderDialects(tables, filesOf(DIALECTS, read))),
    page(
      'limits.md',
      'Limits',
      tables.limits.map(({ file }) => file),
      renderLimits(tables, read),
    ),
    page('layers.md', 'Import rules', 'scripts/layers.ts', renderLayers()),
    page('bindings.md', 'Protocol bindings', 'packages/oatf/src/bindings', renderBindings(tables)),
    page('diagnostics.md', 'Run diagnostics', 'packages/results/src/model/diagnostics.ts', renderDiagnostics(tables)),
    page('model-clients.md', 'Model addresses of agents', MODEL_CLIENTS, renderModelClients(tables)),
    { file: 'docs/glossary.md', text: renderGlossary(tables) },
    { file: 'docs/commands.md', text: renderCommands(tables.program) },
  ]
}

function renderGlossary({ glossary }: PageTables): string {
  const entries = glossary.map(({ term, meaning, see = [] }) => {
    const more = see.map((other) => `[${other}](#${other.replaceAll(' ', '-')})`).join(', ')
    return `## ${term}\n\n${meaning}${more === '' ? '' : `\n\nSee also ${more}.`}\n`
  })
  const intro = 'The words of Joust. `joust explain WORD` prints the same entries. Written by `npm run generate`.'
  return wrappedPage(`# Glossary\n\n${intro}\n\n${entries.join('\n')}`)
}

const MODEL_CLIENTS = 'packages/targets/src/models/clients.ts'
const RULES = 'packages/oatf/src/rules/table.ts'
const LINT = 'packages/oatf/src/lint/table.ts'
const AGENT_RULES = 'packages/agentformat/src/rules/table.ts'
const STEPS = 'packages/oatf/src/steps/table.ts'
const DIALECTS = 'packages/oatf/src/dialects/table.ts'

/** Returns the file of each table row, as a link from docs/generated. */
function filesOf(path: string, read: (file: string) => string): Files {
  return rowsIn(read(path), path).map(({ file }) => {
    return file === undefined ? '' : `[${file.split('/').slice(-2).join('/')}](../../${file})`
  })
}

/** Renders every schema in docs/schemas. */
export function renderSchemas({ schemas }: Pick<Tables, 'schemas'>): Page[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    file: `docs/schemas/${name}.schema.json`,
    text: formattedJson(schema),
  }))
}

/** Renders the import rules as tables. */
function renderLayers(): string {
  const packages = packageLayers.map(({ name, folder, is, imports, peers, node }) => [
    `\`${name}\``,
    `\`packages/${folder}\``,
    is,
    peers === undefined ? code(imports) : `${code(imports)}; ${code(peers.imports)} in ${code(peers.only)}`,
    typeof node === 'boolean' ? (node ? 'yes' : 'no') : `in ${code(node)}`,
  ])
  const folders = folderLayers.map(({ package: owner, name, is, imports }) => [
    `${owner}: ${name}`,
    is,
    imports.join(', ') || 'nothing',
  ])
  return [
    table(['package', 'folder', 'is', 'may import', '`node:*`'], packages),
    table(['layer', 'is', 'may import'], folders),
    table(
      ['library', 'imported only by'],
      libraries.map(({ name, only }) => [`\`${name}\``, code([only].flat())]),
    ),
  ].join('\n\n')
}

type Files = readonly string[]

function renderRules({ rules }: PageTables, files: Files): string {
  const rows = rules.map((row, at) => [row.code, row.level, row.section, row.summary, files[at] ?? ''])
  const note = 'V-002 has no row, because the specification reports it as the warning W-001.'
  return `${table(['code', 'level', 'OATF clause', 'what must hold', 'file'], rows)}\n\n${note}`
}

function renderLint({ lints }: PageTables, files: Files): string {
  const rows = lints.map((row, at) => [row.code, row.level, row.section, row.summary, files[at] ?? ''])
  return `Beyond conformance: what \`joust lint\` reports.\n\n${table(['code', 'level', 'OATF clause', 'what should hold', 'file'], rows)}`
}

function renderAgentRules({ agentRules }: PageTables, files: Files): string {
  const rows = agentRules.map((row, at) => [row.rule, `\`${row.code}\``, row.severity, row.summary, files[at] ?? ''])
  const note =
    'Findings in a graph of agents beyond the schema. [0019](../decisions/0019-agent-format.md) describes each rule and decision.'
  return `${note}\n\n${table(['rule', 'code', 'severity', 'what must hold', 'file'], rows)}`
}

function renderSteps({ steps }: PageTables, files: Files): string {
  const rows = steps.map((row, at) => [row.code, row.section, row.summary, files[at] ?? ''])
  return `They run in this order.\n\n${table(['code', 'OATF clause', 'what it does', 'file'], rows)}`
}

function renderDialects({ dialects }: PageTables, files: Files): string {
  const note =
    'Dialects of documents and their translations. Translations are made in this order when a document is loaded, and each is reported once, as a warning. A row that `reads` informs the outcome, never the verdict. A row that `fills` adds absent values to any document. A row that `replaces` written values applies only to a document that also needs a reading; any other document is sent as written, and the warning says what that leads to. `--strict` leaves the document as written; `x-joust-verbatim: true` on the attack leaves sent messages as written. `joust explain` has a document for each.'
  const rows = dialects.map((row, at) => [row.code, row.section, row.does, row.summary, files[at] ?? ''])
  return `${note}\n\n${table(['code', 'OATF clause', 'does', 'reading', 'file'], rows)}`
}

function renderLimits({ limits }: PageTables, read: (file: string) => string): string {
  return limits
    .map(({ package: name, file, limits: values }) => {
      const descriptions = limitDescriptions(read(file))
      const rows = Object.entries(values).map(([limit, value]) => [
        `\`${limit}\``,
        value.toLocaleString('en-US'),
        descriptions.get(limit) ?? untold(limit, file),
      ])
      return `## ${name}\n\n\`${file}\`\n\n${table(['limit', 'default', 'what it bounds'], rows)}`
    })
    .join('\n\n')
}

function untold(limit: string, file: string): never {
  throw new Error(`${file}: ${limit} has no one-line comment above it`)
}

function renderBindings({ bindings }: PageTables): string {
  return bindings
    .flatMap(({ title, protocol, section, modes, surfaces }) => [
      `## ${title} (\`${protocol}\`, ${section})`,
      ...modes.flatMap(({ mode, events, stateTexts, entryActions }) => [
        `### \`${mode}\``,
        table(
          ['key of `state`', 'what it is for'],
          Object.entries(stateTexts).map(([key, text]) => [`\`${key}\``, text]),
        ),
        `- entry actions: ${code(entryActions)}\n- events: ${code(events)}`,
      ]),
      `### Surfaces of \`${protocol}\``,
      code(surfaces),
    ])
    .join('\n\n')
}

const takesBack = { always: 'always', clients: 'about a client', never: '' } as const

function renderDiagnostics({ diagnostics }: PageTables): string {
  const rows = Object.entries(diagnostics).map(([name, { code: own = name, severity, spec_ref, revokes, meaning }]) => [
    own === name ? name : `${own} (${name})`,
    severity,
    spec_ref,
    takesBack[revokes],
    meaning,
  ])
  const note =
    'A diagnostic that takes a pass back makes the outcome `inconclusive`: the run does not show that the agent resisted.'
  return `${note}\n\n${table(['code', 'severity', 'OATF clause', 'takes a pass back', 'meaning'], rows)}`
}

function page(name: string, title: string, source: string | readonly string[], body: string): Page {
  const notice = `Written by \`npm run generate\` from ${code([source].flat())}; edit that instead.`
  return { file: `docs/generated/${name}`, text: wrappedPage(`# ${title}\n\n${notice}\n\n${body}\n`) }
}

/** Renders a table with columns padded as the formatter does. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  const [titles = [], ...body] = cells
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

function code(words: readonly string[]): string {
  return words.length === 0 ? 'nothing' : words.map((word) => `\`${word}\``).join(', ')
}

function renderModelClients({ modelClients }: PageTables): string {
  const rows = modelClients.map(({ name, setting, appends, tried = 'no', remark = '' }) => {
    return [name, setting, appends.replaceAll(/\/\S*[^,\s]/g, '`$&`'), tried, remark]
  })
  return table(['agent or framework', 'setting', 'appends', 'tested', 'remark'], rows)
}
