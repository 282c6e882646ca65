/** `joust explain [WORD...]`: explains codes, mutations and terms. */
import { type DialectExplanation, type Explanation, explanations, type RuleExplanation } from '@joust/oatf/explain'
import { loadOnDemand } from '@joust/oatf/on-demand'
import { codeFrames, cut, type Diagnostic, didYouMean, messageWithHint } from '@joust/source'
import { findingSummaries } from '../render/finding-summaries.ts'
import { wrap } from '../render/fit.ts'
import { type GlossaryEntry, glossary, glossaryEntry } from '../render/glossary.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Prints one explanation or, without a word, the list of all explanations. */
export async function explain(words: readonly string[], io: Io): Promise<number> {
  const word = words.join(' ')
  const all = explanations()
  const { describeMutation, mutations } = await import('../render/mutation-text.ts')
  const colours = coloursFor(io, 'stdout')
  if (words.length === 0) {
    for (const row of all) io.stdout.write(`${colours.bold(row.code)}  ${levelOf(row).padEnd(7)}  ${row.summary}\n`)
    for (const [code, summary] of findingSummaries) io.stdout.write(`${colours.bold(code)}  ${summary}\n`)
    for (const { name, summary } of mutations()) io.stdout.write(`${colours.bold(name)}  mutation  ${summary}\n`)
    io.stdout.write(`${glossary.map(({ term }) => colours.bold(term)).join('\n')}\n`)
    return exitCodes.ok
  }
  const lower = word.trim().toLowerCase()
  const mutation = mutations().find(({ name }) => name === lower)
  const entry = glossaryEntry(word)
  const plain = findingSummaries.get(lower)
  const text =
    (mutation && describeMutation(mutation, colours)) ??
    (entry && describeTerm(entry, colours, io.stdout.columns)) ??
    (plain && `${colours.bold(lower)}\n${plain}\n`)
  if (text !== undefined) {
    io.stdout.write(text)
    return exitCodes.ok
  }
  const code = canonicalCode(word)
  const match = all.find((row) => row.code === code)
  if (match === undefined) {
    const codes = all.map((row) => row.code)
    const terms = glossary.map(({ term }) => term)
    const others = [...terms, ...findingSummaries.keys(), ...mutations().map(({ name }) => name)]
    const hint = didYouMean(code, codes) || didYouMean(word.toLowerCase(), others)
    return wrongUsage([`unknown code or term ${cut(word, 40)}.${hint} Run joust explain for the list.`], io)
  }
  io.stdout.write(`${colours.bold(match.code)}  ${levelOf(match)}  OATF ${match.section}\n${match.summary}\n`)
  io.stdout.write(await describe(match, colours))
  return exitCodes.ok
}

/** Renders a term. Piped output is not wrapped. */
function describeTerm({ term, meaning, see = [] }: GlossaryEntry, colours: Colours, columns?: number): string {
  const more = see.length === 0 ? '' : `\nSee also: ${see.join(', ')}\n`
  const lines = columns === undefined ? [meaning] : wrap(meaning, columns)
  return `${colours.bold(term)}\n${lines.join('\n')}\n${more}`
}

/** Normalizes a code: `v5`, `V005` and `v-5` all mean V-005. */
function canonicalCode(word: string): string {
  const parts = /^([a-z])[-_ ]?(\d{1,3})$/i.exec(word.trim())
  return parts === null ? word.toUpperCase() : `${parts[1]?.toUpperCase()}-${parts[2]?.padStart(3, '0')}`
}

function levelOf(row: Explanation): string {
  return row.kind === 'rule' ? row.level : row.kind
}

async function describe(row: Explanation, colours: Colours): Promise<string> {
  if (row.kind === 'rule') return describeRule(row, colours)
  return row.kind === 'step' ? describeStep(row, colours) : describeDialect(row, colours)
}

const dialectTexts: { readonly [does in DialectExplanation['does']]: string } = {
  reads:
    'The translation affects the outcome; the verdict is based on the document as written. With --strict, the document is not translated.',
  fills:
    'The translation adds a missing value that peers require. With x-joust-verbatim: true on the attack, or --strict, nothing is added.',
  replaces:
    'The translation changes an existing value, but only in a document that also needs other translations. In other documents, missing values may be added but existing values are sent unchanged; joust migrate makes the change.',
}

function describeDialect({ example, does }: DialectExplanation, colours: Colours): string {
  const { bad, good } = example
  return `${dialectTexts[does]}\n\n${colours.red('As written')}\n\n${indent(bad)}\n\n${colours.green('As translated')}\n\n${indent(good)}\n`
}

async function describeRule({ example, reported_as, code }: RuleExplanation, colours: Colours): Promise<string> {
  const alias =
    reported_as === undefined ? '' : `Findings have the code ${reported_as}: the rule is advice, not a requirement.\n`
  const good = `\n${colours.green('Good')}\n\n${indent(example.good)}\n`
  const finding = await findingOf(example, reported_as ?? code)
  const frame = finding === undefined ? indent(example.bad) : indent(codeFrames(example.bad.trim())(finding, 100))
  const message = finding === undefined ? '' : `\n${finding.code}: ${messageWithHint(finding)}\n`
  return `${alias}${good}\n${colours.red('Bad')}, at ${example.path}\n\n${frame}\n${message}`
}

/** Returns the finding in the bad example; `parse` may report that finding under a different code. */
async function findingOf({ bad, path }: RuleExplanation['example'], code: string): Promise<Diagnostic | undefined> {
  const loaded = await loadOnDemand(bad.trim(), { strict: true })
  const findings = loaded.ok ? [...loaded.value.warnings, ...loaded.value.lint] : loaded.error
  const there = findings.filter((one) => one.path === path)
  return there.find((one) => one.code === code) ?? there[0]
}

function describeStep({ example }: Explanation & { readonly kind: 'step' }, colours: Colours): string {
  return `\n${colours.bold('Before')}\n\n${indent(example.before)}\n\n${colours.bold('After this step')}\n\n${indent(example.after)}\n`
}

function indent(text: string): string {
  return text.replaceAll(/^\n+|\n+$/g, '').replaceAll(/^(?=.)/gm, '    ')
}
