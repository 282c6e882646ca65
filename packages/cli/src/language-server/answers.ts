/** Converts results of the language package to types of the Language Server Protocol. */
import type { Completion, Finding, Fix, OutlineItem, OutlineKind, Span, TextEdit } from '@joust/language'
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextMode,
  type TextEdit as LspEdit,
  type Range,
  SymbolKind,
} from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'

export function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) }
}

export function diagnosticOf(document: TextDocument, { severity, code, message, range }: Finding): Diagnostic {
  const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning
  return { range: rangeOf(document, range), severity: level, source: 'joust', code, message }
}

export function editsOf(document: TextDocument, edits: readonly TextEdit[]): LspEdit[] {
  return edits.map(({ text, ...span }) => ({ range: rangeOf(document, span), newText: text }))
}

const completionKinds: { readonly [kind in Completion['kind']]: CompletionItemKind } = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  name: CompletionItemKind.Variable,
  path: CompletionItemKind.Field,
  file: CompletionItemKind.File,
}

/** Converts a completion. As the protocol requires, the edit contains the cursor and is within one line. */
export function completionOf(
  document: TextDocument,
  offset: number,
  { label, kind, detail, about, edit, goesOn }: Completion,
  index: number,
  askAgain: string | undefined,
): CompletionItem {
  const text = document.getText()
  const line = text.slice(offset, edit.end).search(/[\r\n]/)
  const span = { start: Math.min(edit.start, offset), end: line < 0 ? Math.max(edit.end, offset) : offset + line }
  const quote = /^["']/.exec(text.slice(span.start, span.end))?.[0] ?? ''
  return {
    label,
    kind: completionKinds[kind],
    sortText: String(index).padStart(5, '0'),
    filterText: `${quote}${label}`,
    // The lines of the edit are already indented.
    insertTextMode: InsertTextMode.asIs,
    textEdit: { range: rangeOf(document, span), newText: edit.text },
    ...(detail === undefined ? {} : { detail }),
    ...(about === undefined ? {} : { documentation: { kind: 'markdown', value: about } }),
    ...(goesOn && askAgain !== undefined ? { command: { title: 'more', command: askAgain } } : {}),
  }
}

const symbolKinds: { readonly [kind in OutlineKind]: SymbolKind } = {
  attack: SymbolKind.Module,
  actor: SymbolKind.Class,
  phase: SymbolKind.Event,
  extractor: SymbolKind.Variable,
  indicator: SymbolKind.Boolean,
  agent: SymbolKind.Module,
  policy: SymbolKind.Function,
  interface: SymbolKind.Interface,
  callable: SymbolKind.Method,
  target: SymbolKind.Class,
  key: SymbolKind.Property,
}

export function symbolOf(document: TextDocument, item: OutlineItem): DocumentSymbol {
  const { name, detail, kind, range, selection, children } = item
  return {
    name,
    kind: symbolKinds[kind],
    range: rangeOf(document, range),
    selectionRange: rangeOf(document, selection),
    children: children.map((child) => symbolOf(document, child)),
    ...(detail === undefined ? {} : { detail }),
  }
}

export function actionOf(document: TextDocument, { title, finding, edits, preferred }: Fix): CodeAction {
  return {
    title,
    kind: finding === undefined ? CodeActionKind.RefactorRewrite : CodeActionKind.QuickFix,
    edit: { changes: { [document.uri]: editsOf(document, edits) } },
    ...(finding === undefined ? {} : { diagnostics: [diagnosticOf(document, finding)] }),
    ...(preferred ? { isPreferred: true } : {}),
  }
}
