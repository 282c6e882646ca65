import { documentSchema } from '@joust/agentformat'
import { editorSchema } from '@joust/oatf/vocabulary'
import { jsonSchemaOf, type Path, type Span, type Value } from '@joust/source'
import { kindOf } from './kind.ts'
import type { DocumentKind, LanguageOptions, TextFile } from './model.ts'
import type { Entry } from './text/entry.ts'
import { type Reading, readText } from './text/reading.ts'

/** The input of every language feature. */
export interface Context {
  readonly file: TextFile
  readonly kind: DocumentKind
  readonly reading: Reading
  /** The JSON Schema for the file; `true` if there is none. */
  readonly schema: Value
  readonly options: LanguageOptions
  entry(path: Path): Entry | undefined
}

export function openContext(file: TextFile, options: LanguageOptions): Context {
  const reading = readText(file.text)
  const kind = kindOf(reading, file.name)
  let entries: ReadonlyMap<string, Entry> | undefined
  return {
    file,
    kind,
    reading,
    options,
    schema: schemaOf(kind, options),
    entry(path) {
      entries ??= new Map(reading.entries.map((entry) => [JSON.stringify(entry.path), entry]))
      return entries.get(JSON.stringify(path))
    },
  }
}

function schemaOf(kind: DocumentKind, { project }: LanguageOptions): Value {
  if (kind === 'oatf') return editorSchema()
  if (kind === 'agent') return documentSchema
  if (kind !== 'project' || project === undefined) return true
  return jsonSchemaOf(project.shape, { title: '', description: '' })
}

export function insideQuotes(text: string, { start, end }: Span): Span {
  const quote = text.charAt(start)
  if ((quote !== '"' && quote !== "'") || end - start < 2) return { start, end }
  return { start: start + 1, end: text.charAt(end - 1) === quote ? end - 1 : end }
}

export function extentOf(context: Context, path: Path): Span | undefined {
  const first = context.entry(path)
  if (first === undefined) return undefined
  const { entries } = context.reading
  let end = Math.max(first.value.end, first.key?.end ?? 0)
  for (let index = entries.indexOf(first) + 1; index < entries.length; index++) {
    const entry = entries[index]
    if (entry === undefined || entry.path.length <= path.length) break
    end = Math.max(end, entry.value.end)
  }
  return { start: first.start, end }
}
