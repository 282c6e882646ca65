/** The language service for all editors, with one function per feature. */
import { versionFirst } from '@joust/oatf/on-demand'
import { formatText, lineEdits, type Result, type Span, type TextEdit, withLineBreaksOf } from '@joust/source'
import { type Context, openContext } from './context.ts'
import { complete } from './features/complete.ts'
import { definition, references } from './features/definition.ts'
import { diagnose } from './features/diagnose.ts'
import { fixes } from './features/fixes.ts'
import { hover } from './features/hover.ts'
import { links } from './features/links.ts'
import { outline } from './features/outline.ts'
import { type AgentPicture, type AttackPicture, picture } from './features/picture.ts'
import { renamable, rename } from './features/rename.ts'
import type {
  Completion,
  DocumentKind,
  FileSpan,
  Finding,
  Fix,
  Hover,
  LanguageOptions,
  Link,
  OutlineItem,
  TextFile,
} from './model.ts'

/** Language features, asynchronous if they may read other files. The last parsed text is cached. */
export interface Language {
  readonly kind: (file: TextFile) => DocumentKind
  readonly diagnose: (file: TextFile) => Promise<readonly Finding[]>
  readonly complete: (file: TextFile, offset: number) => Promise<readonly Completion[]>
  /** Returns hover information. Passing `findings` avoids a second diagnosis. */
  readonly hover: (file: TextFile, offset: number, findings?: readonly Finding[]) => Promise<Hover | undefined>
  readonly definition: (file: TextFile, offset: number) => Promise<readonly FileSpan[]>
  readonly references: (file: TextFile, offset: number) => Promise<readonly FileSpan[]>
  readonly outline: (file: TextFile) => readonly OutlineItem[]
  readonly fixes: (file: TextFile, range: Span, findings?: readonly Finding[]) => Promise<readonly Fix[]>
  /** Returns the range that `rename` would replace. */
  readonly renamable: (file: TextFile, offset: number) => Span | undefined
  readonly rename: (file: TextFile, offset: number, name: string) => Result<readonly TextEdit[], string>
  readonly links: (file: TextFile) => readonly Link[]
  /** Formats the text, keeping its comments. */
  readonly format: (file: TextFile) => readonly TextEdit[]
  readonly picture: (file: TextFile) => Promise<AttackPicture | AgentPicture | undefined>
}

/**
 * Creates the language service.
 *
 * @example
 * const findings = await createLanguage().diagnose({ name: 'a.oatf.yaml', text })
 */
export function createLanguage(options: LanguageOptions = {}): Language {
  let last: Context | undefined
  const open = (file: TextFile) => {
    if (last?.file.text !== file.text || last.file.name !== file.name) last = openContext(file, options)
    return last
  }
  return {
    kind: (file) => open(file).kind,
    diagnose: (file) => diagnose(open(file)),
    complete: (file, offset) => complete(open(file), offset),
    hover: (file, offset, findings) => hover(open(file), offset, findings),
    definition: (file, offset) => definition(open(file), offset),
    references: (file, offset) => references(open(file), offset),
    outline: (file) => outline(open(file)),
    fixes: (file, range, findings) => fixes(open(file), range, findings),
    renamable: (file, offset) => renamable(open(file), offset),
    rename: (file, offset, name) => rename(open(file), offset, name),
    links: (file) => links(open(file)),
    format: (file) => format(open(file)),
    picture: (file) => picture(open(file)),
  }
}

function format({ file, kind }: Context): readonly TextEdit[] {
  const formatted = kind === 'unknown' ? undefined : formatText(versionFirst(file.text))
  return formatted?.ok ? lineEdits(file.text, withLineBreaksOf(file.text, formatted.value)) : []
}
