/** Requests and responses of language features, as plain data that can be sent to a worker. All ranges are offsets. */
import type { Diagnostic, ObjectShape, Source, Span, TextEdit } from '@joust/source'

export type DocumentKind = 'oatf' | 'agent' | 'project' | 'unknown'

/** A text and its name, with `/` between folders. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

export interface FileSpan extends Span {
  readonly name: string
}

/** A diagnostic with its range in the text. */
export interface Finding extends Pick<Diagnostic, 'severity' | 'code' | 'message' | 'path' | 'suggestion'> {
  readonly range: Span
  /** The section of the specification. */
  readonly section?: string
}

export interface Completion {
  readonly label: string
  readonly kind: 'key' | 'value' | 'name' | 'path' | 'file'
  readonly detail?: string
  /** Documentation in Markdown. */
  readonly about?: string
  readonly edit: TextEdit
  /** True if the editor can offer the next completion immediately. */
  readonly goesOn?: true
}

export interface Hover {
  readonly range: Span
  readonly text: string
}

/** An outline item, with its children. */
export interface OutlineItem {
  readonly name: string
  readonly detail?: string
  readonly kind: OutlineKind
  readonly range: Span
  /** The range of the item name. */
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

export interface Fix {
  readonly title: string
  /** The finding that the edits fix, if any. */
  readonly finding?: Finding
  readonly edits: readonly TextEdit[]
  /** True if this is the most likely fix. */
  readonly preferred: boolean
}

export interface Link {
  readonly range: Span
  readonly target: string
}

interface Preset {
  readonly name: string
  readonly about: string
  /** The Agent Client Protocol command; present if the agent supports the protocol. */
  readonly acp?: unknown
}

/** Options for {@link createLanguage}. */
export interface LanguageOptions {
  /** Reads another file; undefined if it does not exist. @default none: files are checked in isolation */
  readonly read?: (name: string) => Promise<string | undefined>
  /** Lists the files that may refer to each other. @default none */
  readonly list?: () => Promise<readonly string[]>
  /** Support for `joust.yaml` files. @default none: such files are ignored */
  readonly project?: {
    readonly shape: ObjectShape
    /** A check to run in place of the shape check. @default the shape check */
    readonly check?: (source: Source, name: string) => Promise<readonly Diagnostic[]>
    /** @default [] */
    readonly presets?: readonly Preset[]
  }
}
