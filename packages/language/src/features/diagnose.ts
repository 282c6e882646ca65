/** What is wrong with a file, or will not work: what the command says, as one types. */
import { loadAgent } from '@joust/agentformat'
import { lintOnDemand, loadOnDemand, loadSourceOnDemand } from '@joust/oatf/on-demand'
import {
  checkShape,
  type Diagnostic,
  formatPath,
  messageWithHint,
  readSource,
  type Source,
  type Span,
  sortByPosition,
  suggestion,
  toDoubles,
} from '@joust/source'
import { resolveName } from '../agents/files.ts'
import type { Context } from '../context.ts'
import type { Finding, LanguageOptions } from '../model.ts'
import { type Reading, textAt } from '../text/reading.ts'

/** Every finding, in the order of the text. */
export async function diagnose(context: Context): Promise<Finding[]> {
  const found = await diagnostics(context)
  const places = new Places(context)
  return sortByPosition(found).map((one) => findingOf(one, places))
}

async function diagnostics(context: Context): Promise<readonly Diagnostic[]> {
  if (context.kind === 'oatf') return ofAttack(context)
  if (context.kind === 'agent') return ofAgent(context)
  return context.kind === 'project' && context.options.project !== undefined
    ? ofProject(context, context.options.project)
    : []
}

/** Advice is for documents that are valid. */
async function ofAttack({ file, reading: { source } }: Context): Promise<readonly Diagnostic[]> {
  const loaded = await (source === undefined ? loadOnDemand(file.text) : loadSourceOnDemand(source))
  if (!loaded.ok) return loaded.error
  return [...loaded.value.warnings, ...(await lintOnDemand(loaded.value.written))]
}

/** An agent is checked with everything that it leads to; what is wrong elsewhere is reported there. */
async function ofAgent({ file, options }: Context): Promise<readonly Diagnostic[]> {
  const { read } = options
  const loaded = await loadAgent(file.name, {
    read: async ({ source, from }) => {
      if (from === undefined) return file.text
      const text = await read?.(resolveName(from, source))
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
  const found = loaded.ok ? loaded.value.warnings : loaded.error
  return found.filter((one) => one.file === file.name && (read !== undefined || one.code !== 'unresolvable_source'))
}

async function ofProject(
  { file, reading }: Context,
  { shape, check }: NonNullable<LanguageOptions['project']>,
): Promise<readonly Diagnostic[]> {
  const read = readSource(file.text)
  if (!read.ok) return read.error
  const value = toDoubles(read.value.value)
  const faults = checkShape(value, shape, 100).map(({ path, at, message, meant }): Diagnostic => {
    const place = at === 'key' ? read.value.locateKey(path) : read.value.locate(path)
    const part = at === 'key' ? undefined : textAt(reading.value, path)
    return {
      severity: 'error',
      code: 'project',
      message,
      path: formatPath(path),
      ...place,
      ...suggestion(at, meant, part),
    }
  })
  return faults.length > 0 ? faults : moreOfProject(read.value, file.name, check)
}

async function moreOfProject(
  source: Source,
  name: string,
  check: NonNullable<LanguageOptions['project']>['check'],
): Promise<readonly Diagnostic[]> {
  return check === undefined ? [] : check(source, name)
}

function findingOf(found: Diagnostic, places: Places): Finding {
  const { severity, code, path, spec_ref, suggestion: meant } = found
  return {
    severity,
    code,
    message: messageWithHint(found),
    range: places.rangeOf(found),
    ...(path === undefined ? {} : { path }),
    ...(spec_ref === undefined || spec_ref === '' ? {} : { section: spec_ref }),
    ...(meant === undefined ? {} : { suggestion: meant }),
  }
}

/** Lines and columns as offsets. */
class Places {
  readonly #text: string
  readonly #starts: number[]
  readonly #reading: Reading

  constructor({ file: { text }, reading }: Context) {
    this.#text = text
    this.#reading = reading
    this.#starts = [text.startsWith('\ufeff') ? 1 : 0]
    for (const { index, 0: feed } of text.matchAll(/\r\n|\n|\r/g)) this.#starts.push(index + feed.length)
  }

  /** A finding about a whole block stands at its key; another one without an end reaches to the end of its line. */
  rangeOf({ line = 1, column = 1, end_column }: Diagnostic): Span {
    const from = this.#starts[line - 1] ?? this.#text.length
    const start = Math.min(from + column - 1, this.#text.length)
    if (end_column !== undefined) return { start, end: Math.min(from + end_column - 1, this.#text.length) }
    const block = this.#reading.entries.find(({ form, key, value }) => form === 'block' && key && value.start === start)
    if (block?.key !== undefined) return block.key
    const rest = /^[^\r\n]*/.exec(this.#text.slice(start))?.[0].trimEnd() ?? ''
    return { start, end: start + rest.length }
  }
}
