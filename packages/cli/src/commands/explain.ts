/** `joust explain [CODE]` */
import { type DialectExplanation, type Explanation, explanations, type RuleExplanation } from '@joust/oatf/explain'
import { lintOnDemand, parse, validateOnDemand } from '@joust/oatf/on-demand'
import { codeFrames, cut, type Diagnostic, didYouMean, messageWithHint } from '@joust/source'
import { type Colours, coloursFor } from '../render/colours.ts'
import { findingSummaries } from '../render/finding-summaries.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Prints what is known about a code or a mutation, or the list of all. */
export async function explain(word: string | undefined, io: Io): Promise<number> {
  const all = explanations()
  const { describeMutation, mutations } = await import('../render/mutation-text.ts')
  const colours = coloursFor(io, 'stdout')
  if (word === undefined) {
    for (const row of all) io.stdout.write(`${colours.bold(row.code)}  ${levelOf(row).padEnd(7)}  ${row.summary}\n`)
    for (const [code, summary] of findingSummaries) io.stdout.write(`${colours.bold(code)}  ${summary}\n`)
    for (const { name, summary } of mutations()) io.stdout.write(`${colours.bold(name)}  mutation  ${summary}\n`)
    return exitCodes.ok
  }
  const mutation = mutations().find(({ name }) => name === word.trim().toLowerCase())
  if (mutation !== undefined) {
    io.stdout.write(describeMutation(mutation, colours))
    return exitCodes.ok
  }
  const plain = findingSummaries.get(word.trim().toLowerCase())
  if (plain !== undefined) {
    io.stdout.write(`${colours.bold(word.trim().toLowerCase())}\n${plain}\n`)
    return exitCodes.ok
  }
  const code = canonicalCode(word)
  const found = all.find((row) => row.code === code)
  if (found === undefined) {
    const codes = all.map((row) => row.code)
    const words = [...findingSummaries.keys(), ...mutations().map(({ name }) => name)]
    const hint = didYouMean(code, codes) || didYouMean(word.toLowerCase(), words)
    return wrongUsage([`there is no code or mutation ${cut(word, 40)}.${hint} joust explain lists them all.`], io)
  }
  io.stdout.write(`${colours.bold(found.code)}  ${levelOf(found)}  ${found.section}\n${found.summary}\n`)
  io.stdout.write(await describe(found, colours))
  return exitCodes.ok
}

/** `v5`, `V005` and `v-5` all mean V-005. */
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
    'It informs the outcome; the verdict is about the document as written. With --strict, the document is left as written.',
  fills:
    'It adds an absent value that peers demand. With x-joust-verbatim: true on the attack, or --strict, nothing is added.',
  replaces:
    'It changes a written value, and only in a document that also needs a reading of its words. In any other document absent values are at most added, and written ones are sent as written; joust migrate makes the change.',
}

function describeDialect({ example, does }: DialectExplanation, colours: Colours): string {
  const { bad, good } = example
  return `${dialectTexts[does]}\n\n${colours.red('As written')}\n\n${indent(bad)}\n\n${colours.green('As it is read')}\n\n${indent(good)}\n`
}

async function describeRule({ example, reported_as, code }: RuleExplanation, colours: Colours): Promise<string> {
  const alias =
    reported_as === undefined ? '' : `Findings carry the code ${reported_as}: this is advice, not a requirement.\n`
  const good = `\n${colours.green('Good')}\n\n${indent(example.good)}\n`
  const finding = await findingOf(example, reported_as ?? code)
  const frame = finding === undefined ? indent(example.bad) : indent(codeFrames(example.bad.trim())(finding, 100))
  const message = finding === undefined ? '' : `\n${finding.code}: ${messageWithHint(finding)}\n`
  return `${alias}${good}\n${colours.red('Bad')}, at ${example.path}\n\n${frame}\n${message}`
}

/** The finding for the bad example; `parse` may have reported it under another code. */
async function findingOf({ bad, path }: RuleExplanation['example'], code: string): Promise<Diagnostic | undefined> {
  const parsed = parse(bad.trim())
  const { errors, warnings } = parsed.ok ? await validateOnDemand(parsed.value) : { errors: parsed.error, warnings: [] }
  const advice = parsed.ok ? await lintOnDemand(parsed.value) : []
  const there = [...errors, ...warnings, ...advice].filter((found) => found.path === path)
  return there.find((found) => found.code === code) ?? there[0]
}

function describeStep({ example }: Explanation & { readonly kind: 'step' }, colours: Colours): string {
  return `\n${colours.bold('Before')}\n\n${indent(example.before)}\n\n${colours.bold('After this step')}\n\n${indent(example.after)}\n`
}

function indent(text: string): string {
  return text.replaceAll(/^\n+|\n+$/g, '').replaceAll(/^(?=.)/gm, '    ')
}
