/** The language behind a connection: answers an editor's questions, and sends findings after every change. */
import { setImmediate } from 'node:timers/promises'
import { presets } from '@joust/arena'
import { createLanguage, type FileSpan, type Finding, type TextFile } from '@joust/language'
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type Connection,
  ErrorCodes,
  type InitializeResult,
  type Location,
  LSPErrorCodes,
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
import { editorFiles } from './files.ts'

/** Answers until the connection closes. */
export function serve(connection: Connection, io: Io): void {
  const desk = openDesk(connection, io)
  answerQuestions(desk)
  answerChanges(desk)
  sendFindings(desk)
  desk.documents.listen(connection)
  connection.listen()
}

type Desk = ReturnType<typeof openDesk>

/** What every answer needs. */
function openDesk(connection: Connection, io: Io) {
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
  return {
    connection,
    documents,
    language,
    files,
    /** The command of the editor that asks for completions again. */
    askAgain: () => askAgain,
    /** The last findings, and the version that they are for. */
    found: new WeakMap<TextDocument, { readonly version: number; readonly findings: readonly Finding[] }>(),
    changed: new Set<string>(),
  }
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

function answerQuestions(desk: Desk): void {
  const { connection, language } = desk
  connection.onCompletion((params, token) =>
    ask(desk, params, token, async ({ document, offset, file }) => {
      const found = await language.complete(file, offset)
      return found.map((one, index) => completionOf(document, offset, one, index, desk.askAgain()))
    }),
  )
  connection.onHover((params, token) =>
    ask(desk, params, token, async ({ document, offset, file }) => {
      const found = await language.hover(file, offset, knownFor(desk, document))
      if (found === undefined) return null
      return { range: rangeOf(document, found.range), contents: { kind: 'markdown' as const, value: found.text } }
    }),
  )
  connection.onDefinition((params, token) =>
    ask(desk, params, token, async ({ file, offset }) => placesOf(desk, await language.definition(file, offset))),
  )
  connection.onReferences((params, token) =>
    ask(desk, params, token, async ({ file, offset }) => {
      const defined = params.context.includeDeclaration ? [] : await language.definition(file, offset)
      const found = await language.references(file, offset)
      const isDefinition = (one: FileSpan) =>
        defined.some(({ name, start }) => name === one.name && start === one.start)
      return placesOf(
        desk,
        found.filter((one) => !isDefinition(one)),
      )
    }),
  )
  connection.onDocumentSymbol((params, token) =>
    ask(desk, params, token, ({ document, file }) => language.outline(file).map((item) => symbolOf(document, item))),
  )
  connection.onDocumentLinks((params, token) =>
    ask(desk, params, token, ({ document, file }) =>
      language
        .links(file)
        .map(({ range, target }) => ({ range: rangeOf(document, range), target: desk.files.uriOf(target) })),
    ),
  )
  connection.onDocumentFormatting((params, token) =>
    ask(desk, params, token, ({ document, file }) => editsOf(document, language.format(file))),
  )
}

function answerChanges(desk: Desk): void {
  const { connection, language } = desk
  connection.onCodeAction((params, token) =>
    ask(desk, params, token, async ({ document, file }) => {
      const { start, end } = params.range
      const span = { start: document.offsetAt(start), end: document.offsetAt(end) }
      const found = await language.fixes(file, span, knownFor(desk, document))
      return found.map((fix) => actionOf(document, fix)).filter(isWanted(params.context.only))
    }),
  )
  connection.onPrepareRename((params, token) =>
    ask(desk, params, token, ({ document, offset, file }) => {
      const span = language.renamable(file, offset)
      return span === undefined ? null : rangeOf(document, span)
    }),
  )
  connection.onRenameRequest((params, token) =>
    ask(desk, params, token, ({ document, offset, file }) => {
      const edits = language.rename(file, offset, params.newName)
      if (!edits.ok) throw new ResponseError(ErrorCodes.InvalidRequest, edits.error)
      return { changes: { [document.uri]: editsOf(document, edits.value) } }
    }),
  )
}

/** Sends findings when all changes so far have been applied; what a change overtakes is dropped. */
function sendFindings(desk: Desk): void {
  desk.documents.onDidChangeContent(({ document }) => schedule(desk, document.uri))
  const again = () => {
    for (const { uri } of desk.documents.all()) schedule(desk, uri)
  }
  desk.documents.onDidClose(({ document: { uri } }) => {
    void desk.connection.sendDiagnostics({ uri, diagnostics: [] })
    // What others lead to is now the file on disk.
    again()
  })
  desk.connection.onDidChangeWatchedFiles(again)
}

function schedule(desk: Desk, uri: string): void {
  if (desk.changed.size === 0) void setImmediate().then(() => diagnoseChanged(desk))
  desk.changed.add(uri)
}

async function diagnoseChanged(desk: Desk): Promise<void> {
  const open = desk.documents.all()
  const changed = open.filter(({ uri }) => desk.changed.has(uri))
  desk.changed.clear()
  const isAgent = (document: TextDocument) => desk.language.kind(fileOf(desk, document)) === 'agent'
  // Findings about an agent may come from the files that it leads to.
  const agents = changed.some(isAgent) ? open.filter(isAgent) : []
  for (const document of new Set([...changed, ...agents])) await diagnose(desk, document)
}

async function diagnose(desk: Desk, document: TextDocument): Promise<void> {
  const { uri, version } = document
  const findings = await desk.language.diagnose(fileOf(desk, document))
  // A document that was closed and opened again is another one, and its versions start over.
  if (desk.documents.get(uri) !== document || document.version !== version) return
  desk.found.set(document, { version, findings })
  const diagnostics = findings.map((finding) => diagnosticOf(document, finding))
  await desk.connection.sendDiagnostics({ uri, version, diagnostics })
}

function knownFor(desk: Desk, document: TextDocument): readonly Finding[] | undefined {
  const found = desk.found.get(document)
  return found?.version === document.version ? found.findings : undefined
}

function fileOf(desk: Desk, document: TextDocument): TextFile {
  return { name: desk.files.nameOf(document.uri), text: document.getText() }
}

/** Nothing is known about a document that is not open. A question that is cancelled is not answered. */
async function ask<T>(
  desk: Desk,
  {
    textDocument,
    ...params
  }: Partial<TextDocumentPositionParams> & { readonly textDocument: { readonly uri: string } },
  token: CancellationToken,
  answer: (asked: Asked) => T | Promise<T>,
): Promise<T | null> {
  const open = desk.documents.get(textDocument.uri)
  if (open === undefined) return null
  const snapshot = TextDocument.create(open.uri, open.languageId, open.version, open.getText())
  const offset = params.position === undefined ? 0 : snapshot.offsetAt(params.position)
  await readArrived(token)
  // It may have been changed meanwhile.
  const document = open.version === snapshot.version ? open : snapshot
  const work = async () => answer({ document, offset, file: fileOf(desk, document) })
  const result = await unlessCancelled(token, work)
  await readArrived(token)
  return result
}

/** Turns of the event loop in which a message that has arrived is read. */
const TURNS = 3

/** Lets messages in that arrived while this process was busy; rejects when one of them has cancelled the question. */
async function readArrived(token: CancellationToken): Promise<void> {
  for (let turn = 0; turn < TURNS && !token.isCancellationRequested; turn++) await setImmediate()
  if (token.isCancellationRequested) throw cancelled()
}

/** The result of work, or an error as soon as the editor no longer wants it. */
function unlessCancelled<T>(token: CancellationToken, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listening = token.onCancellationRequested(() => reject(cancelled()))
    work()
      .then(resolve, reject)
      .finally(() => listening.dispose())
  })
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'the request was cancelled')
}

/** Places in files, including files that are not open. */
async function placesOf(desk: Desk, found: readonly FileSpan[]): Promise<Location[]> {
  return Promise.all(
    found.map(async ({ name, ...span }) => {
      const uri = desk.files.uriOf(name)
      const text = (await desk.files.read(name)) ?? ''
      const document = desk.documents.get(uri) ?? TextDocument.create(uri, 'yaml', 0, text)
      return { uri, range: rangeOf(document, span) }
    }),
  )
}
