/** The language behind a connection: answers an editor's questions, and sends findings after every change. */
import { presets } from '@joust/arena'
import { createLanguage, type FileSpan, type Finding, type Language, type TextFile } from '@joust/language'
import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  ErrorCodes,
  type InitializeResult,
  type Location,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { projectFaults } from '../project/read.ts'
import { projectShape } from '../project/shape.ts'
import { version } from '../terminal/assets.ts'
import type { Io } from '../terminal/io.ts'
import { actionOf, completionOf, diagnosticOf, editsOf, rangeOf, symbolOf } from './answers.ts'
import { type EditorFiles, editorFiles } from './files.ts'

/** Answers until the connection closes. */
export function serve(connection: Connection, io: Io): void {
  const documents = new TextDocuments(TextDocument)
  let folders: readonly string[] = []
  let askAgain: string | undefined
  const files = editorFiles(documents, () => folders, io)
  const language = createLanguage({
    read: files.read,
    list: files.list,
    project: { shape: projectShape, check: (source) => projectFaults(source, io), presets },
  })
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions }) => {
    folders = workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === 'string' ? [rootUri] : [])
    askAgain = typeof initializationOptions?.askAgain === 'string' ? initializationOptions.askAgain : undefined
    return abilities()
  })
  const desk = new Desk(connection, documents, language, files, () => askAgain)
  desk.answer()
  desk.watch()
  documents.listen(connection)
  connection.listen()
}

function abilities(): InitializeResult {
  return {
    serverInfo: { name: 'joust', version: version() },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: [':', ' ', '-', '.', '{', '/', '"', "'", '['] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentSymbolProvider: true,
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
      renameProvider: { prepareProvider: true },
      documentLinkProvider: {},
      documentFormattingProvider: true,
    },
  }
}

/** Whether an editor that asks for some kinds of action wants one; kinds are trees, with dots between their parts. */
function isWanted(only: readonly string[] | undefined): (action: CodeAction) => boolean {
  return ({ kind = '' }) => only === undefined || only.some((wanted) => `${kind}.`.startsWith(`${wanted}.`))
}

/** An open document, the place in it that is asked about, and the file that the language knows. */
interface Asked {
  readonly document: TextDocument
  readonly offset: number
  readonly file: TextFile
}

class Desk {
  readonly #connection: Connection
  readonly #documents: TextDocuments<TextDocument>
  readonly #language: Language
  readonly #files: EditorFiles
  /** The command of the editor that asks for completions again. */
  readonly #askAgain: () => string | undefined
  /** The last findings, and the version that they are for. */
  readonly #found = new WeakMap<TextDocument, { readonly version: number; readonly findings: readonly Finding[] }>()
  readonly #changed = new Set<string>()

  constructor(
    connection: Connection,
    documents: TextDocuments<TextDocument>,
    language: Language,
    files: EditorFiles,
    askAgain: () => string | undefined,
  ) {
    this.#connection = connection
    this.#documents = documents
    this.#language = language
    this.#files = files
    this.#askAgain = askAgain
  }

  answer(): void {
    const language = this.#language
    const connection = this.#connection
    connection.onCompletion((params) =>
      this.#ask(params, async ({ document, offset, file }) => {
        const found = await language.complete(file, offset)
        return found.map((one, index) => completionOf(document, offset, one, index, this.#askAgain()))
      }),
    )
    connection.onHover((params) =>
      this.#ask(params, async ({ document, offset, file }) => {
        const found = await language.hover(file, offset, this.#known(document))
        if (found === undefined) return null
        return { range: rangeOf(document, found.range), contents: { kind: 'markdown' as const, value: found.text } }
      }),
    )
    connection.onDefinition((params) =>
      this.#ask(params, async ({ file, offset }) => this.#places(await language.definition(file, offset))),
    )
    connection.onReferences((params) =>
      this.#ask(params, async ({ file, offset }) => {
        const defined = params.context.includeDeclaration ? [] : await language.definition(file, offset)
        const found = await language.references(file, offset)
        const isDefinition = (one: FileSpan) =>
          defined.some(({ name, start }) => name === one.name && start === one.start)
        return this.#places(found.filter((one) => !isDefinition(one)))
      }),
    )
    connection.onDocumentSymbol((params) =>
      this.#ask(params, ({ document, file }) => language.outline(file).map((item) => symbolOf(document, item))),
    )
    connection.onDocumentLinks((params) =>
      this.#ask(params, ({ document, file }) =>
        language
          .links(file)
          .map(({ range, target }) => ({ range: rangeOf(document, range), target: this.#files.uriOf(target) })),
      ),
    )
    connection.onDocumentFormatting((params) =>
      this.#ask(params, ({ document, file }) => editsOf(document, language.format(file))),
    )
    this.#answerChanges()
  }

  #answerChanges(): void {
    const language = this.#language
    this.#connection.onCodeAction((params) =>
      this.#ask(params, async ({ document, file }) => {
        const { start, end } = params.range
        const span = { start: document.offsetAt(start), end: document.offsetAt(end) }
        const found = await language.fixes(file, span, this.#known(document))
        return found.map((fix) => actionOf(document, fix)).filter(isWanted(params.context.only))
      }),
    )
    this.#connection.onPrepareRename((params) =>
      this.#ask(params, ({ document, offset, file }) => {
        const span = language.renamable(file, offset)
        return span === undefined ? null : rangeOf(document, span)
      }),
    )
    this.#connection.onRenameRequest((params) =>
      this.#ask(params, ({ document, offset, file }) => {
        const edits = language.rename(file, offset, params.newName)
        if (!edits.ok) throw new ResponseError(ErrorCodes.InvalidRequest, edits.error)
        return { changes: { [document.uri]: editsOf(document, edits.value) } }
      }),
    )
  }

  /** Sends findings when all changes so far have been applied; what a change overtakes is dropped. */
  watch(): void {
    this.#documents.onDidChangeContent(({ document }) => this.#schedule(document.uri))
    const again = () => {
      for (const { uri } of this.#documents.all()) this.#schedule(uri)
    }
    this.#documents.onDidClose(({ document: { uri } }) => {
      void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
      // What others lead to is now the file on disk.
      again()
    })
    this.#connection.onDidChangeWatchedFiles(again)
  }

  #schedule(uri: string): void {
    if (this.#changed.size === 0) setImmediate(() => void this.#diagnoseChanged())
    this.#changed.add(uri)
  }

  async #diagnoseChanged(): Promise<void> {
    const open = this.#documents.all()
    const changed = open.filter(({ uri }) => this.#changed.has(uri))
    this.#changed.clear()
    const isAgent = (document: TextDocument) => this.#language.kind(this.#fileOf(document)) === 'agent'
    // Findings about an agent may come from the files that it leads to.
    const agents = changed.some(isAgent) ? open.filter(isAgent) : []
    for (const document of new Set([...changed, ...agents])) await this.#diagnose(document)
  }

  async #diagnose(document: TextDocument): Promise<void> {
    const { uri, version } = document
    const findings = await this.#language.diagnose(this.#fileOf(document))
    // A document that was closed and opened again is another one, and its versions start over.
    if (this.#documents.get(uri) !== document || document.version !== version) return
    this.#found.set(document, { version, findings })
    const diagnostics = findings.map((finding) => diagnosticOf(document, finding))
    await this.#connection.sendDiagnostics({ uri, version, diagnostics })
  }

  #known(document: TextDocument): readonly Finding[] | undefined {
    const found = this.#found.get(document)
    return found?.version === document.version ? found.findings : undefined
  }

  #fileOf(document: TextDocument): TextFile {
    return { name: this.#files.nameOf(document.uri), text: document.getText() }
  }

  /** Nothing is known about a document that is not open. */
  async #ask<T>(
    {
      textDocument,
      ...params
    }: Partial<TextDocumentPositionParams> & { readonly textDocument: { readonly uri: string } },
    answer: (asked: Asked) => T | Promise<T>,
  ): Promise<T | null> {
    const document = this.#documents.get(textDocument.uri)
    if (document === undefined) return null
    const offset = params.position === undefined ? 0 : document.offsetAt(params.position)
    return answer({ document, offset, file: this.#fileOf(document) })
  }

  /** Places in files, including files that are not open. */
  async #places(found: readonly FileSpan[]): Promise<Location[]> {
    return Promise.all(
      found.map(async ({ name, ...span }) => {
        const uri = this.#files.uriOf(name)
        const text = (await this.#files.read(name)) ?? ''
        const document = this.#documents.get(uri) ?? TextDocument.create(uri, 'yaml', 0, text)
        return { uri, range: rangeOf(document, span) }
      }),
    )
  }
}
