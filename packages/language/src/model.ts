/** What editors ask and get: plain data, so that it can be sent to another thread. All places are offsets in a text. */
import type { Diagnostic, DiagnosticSeverity, ObjectShape, Source, Span, Suggestion, TextEdit } from '@joust/source'

/** What a text is. */
export type DocumentKind = 'oatf' | 'agent' | 'project' | 'unknown'

/** A text and its name, with `/` between folders. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** A stretch of some file. */
export interface FileSpan extends Span {
  readonly name: string
}

/** Something to tell the author, and where. */
export interface Finding {
  readonly severity: DiagnosticSeverity
  readonly code: string
  readonly message: string
  readonly range: Span
  readonly path?: string
  /** The clause of the specification behind it. */
  readonly section?: string
  readonly suggestion?: Suggestion
}

/** Something that could be typed. */
export interface Completion {
  readonly label: string
  readonly kind: 'key' | 'value' | 'name' | 'path' | 'file'
  readonly detail?: string
  /** Markdown. */
  readonly about?: string
  readonly edit: TextEdit
  /** Whether more can be completed right after it. */
  readonly goesOn?: true
}

/** What is known about a place, as Markdown. */
export interface Hover {
  readonly range: Span
  readonly text: string
}

/** A part of a document, with its parts. */
export interface OutlineItem {
  readonly name: string
  readonly detail?: string
  readonly kind: OutlineKind
  readonly range: Span
  /** The stretch that names it. */
  readonly selection: Span
  readonly children: readonly OutlineItem[]
}

export type OutlineKind =
  | 'attack'
  | 'actor'
  | 'phase'
  | 'extractor'
  | 'indicator'
  | 'agent'
  | 'policy'
  | 'interface'
  | 'callable'
  | 'target'
  | 'key'

/** A change that an editor can offer. */
export interface Fix {
  readonly title: string
  /** The finding that it fixes; one that only adds something has none. */
  readonly finding?: Finding
  readonly edits: readonly TextEdit[]
  /** Whether it is the one that was most likely meant. */
  readonly preferred: boolean
}

/** A part of a document that leads to another file. */
export interface Link {
  readonly range: Span
  readonly target: string
}

/** What a language knows about the world around a file. */
export interface LanguageOptions {
  /** The text of another file; undefined when there is none. Without it, every file stands alone. */
  readonly read?: (name: string) => Promise<string | undefined>
  /** The names of the files that may refer to each other. */
  readonly list?: () => Promise<readonly string[]>
  /** `joust.yaml`. Without it such files are not looked at. */
  readonly project?: {
    readonly shape: ObjectShape
    /** What is wrong with one, where more can be told than the shape does. */
    readonly check?: (source: Source, name: string) => Promise<readonly Diagnostic[]>
    /** The agents that are known by name; `acp` is there where one speaks that protocol. */
    readonly presets?: readonly { readonly name: string; readonly about: string; readonly acp?: unknown }[]
  }
}
