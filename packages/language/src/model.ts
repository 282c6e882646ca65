/** Requests and responses of the features: plain data, which can be sent to a worker. All ranges are offsets. */
import type { Diagnostic, DiagnosticSeverity, ObjectShape, Source, Span, Suggestion, TextEdit } from '@joust/source'

/** The kind of a file. */
export type DocumentKind = 'oatf' | 'agent' | 'project' | 'unknown'

/** A text and its name, with `/` between folders. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** A range in a file. */
export interface FileSpan extends Span {
  readonly name: string
}

/** A diagnostic with its range. */
export interface Finding {
  readonly severity: DiagnosticSeverity
  readonly code: string
  readonly message: string
  readonly range: Span
  readonly path?: string
  /** The section of the specification. */
  readonly section?: string
  readonly suggestion?: Suggestion
}

/** A completion item. */
export interface Completion {
  readonly label: string
  readonly kind: 'key' | 'value' | 'name' | 'path' | 'file'
  readonly detail?: string
  /** Documentation in Markdown. */
  readonly about?: string
  readonly edit: TextEdit
  /** True if the next completion can follow immediately. */
  readonly goesOn?: true
}

/** Information about a position, as Markdown. */
export interface Hover {
  readonly range: Span
  readonly text: string
}

/** A part of a document, with its children. */
export interface OutlineItem {
  readonly name: string
  readonly detail?: string
  readonly kind: OutlineKind
  readonly range: Span
  /** The range of its name. */
  readonly selection: Span
  readonly children: readonly OutlineItem[]
}

/** The kind of an outline item. */
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

/** A quick fix. */
export interface Fix {
  readonly title: string
  /** The finding that it fixes, if any. */
  readonly finding?: Finding
  readonly edits: readonly TextEdit[]
  /** True for the most likely fix. */
  readonly preferred: boolean
}

/** A link to another file. */
export interface Link {
  readonly range: Span
  readonly target: string
}

/** A preset for completion. */
interface Preset {
  readonly name: string
  readonly about: string
  /** Command for the Agent Client Protocol; present if the agent supports it. */
  readonly acp?: unknown
}

/** Options of {@link createLanguage}. */
export interface LanguageOptions {
  /**
   * Reads another file; undefined when it does not exist. Without `read`, files are checked in isolation.
   * @default none: files are checked in isolation
   */
  readonly read?: (name: string) => Promise<string | undefined>
  /** Lists the files that may refer to each other. @default none */
  readonly list?: () => Promise<readonly string[]>
  /** Support for `joust.yaml`; without it, such files are ignored. @default none: such files are ignored */
  readonly project?: {
    readonly shape: ObjectShape
    /** A check that replaces the check of the shape. @default the check of the shape */
    readonly check?: (source: Source, name: string) => Promise<readonly Diagnostic[]>
    /** The built-in presets. @default [] */
    readonly presets?: readonly Preset[]
  }
}
