import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const folder = mkdtempSync(join(tmpdir(), 'joust-vsix-'))
const installed = existsSync(join(root, 'editors/vscode/node_modules/vscode-languageclient'))
if (!installed) console.error('SKIPPED: npm ci --prefix editors/vscode was not run, so the extension is not built')

/** What another program finds in the archive; it reads every file and verifies its checksum. */
const unpack = `
import sys, zipfile
import xml.dom.minidom
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for name in ['[Content_Types].xml', 'extension.vsixmanifest']:
        xml.dom.minidom.parseString(archive.read(name))
    archive.extractall(sys.argv[2])
    print('\\n'.join(archive.namelist()))
`

describe.skipIf(!installed)('the VS Code extension', () => {
  let names: string[] = []

  beforeAll(() => {
    const archive = join(folder, 'joust.vsix')
    execFileSync(process.execPath, [join(root, 'scripts/dist/package-vscode.js'), archive])
    names = execFileSync('python3', ['-c', unpack, archive, folder], { encoding: 'utf8' }).trim().split('\n')
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true }))

  test('has what its lists name, and every kind of file a type', () => {
    const manifest = readFileSync(join(folder, 'extension.vsixmanifest'), 'utf8')
    const assets = [...manifest.matchAll(/<Asset [^>]*Path="([^"]+)"/g)].map((match) => match[1])
    expect(assets).toHaveLength(3)
    for (const asset of assets) expect(names).toContain(asset)
    const types = readFileSync(join(folder, '[Content_Types].xml'), 'utf8')
    for (const name of names.slice(1)) expect(types).toContain(`Extension=".${name.split('.').at(-1)}"`)
    const { main, version } = JSON.parse(readFileSync(join(folder, 'extension/package.json'), 'utf8'))
    expect(names).toContain(join('extension', main))
    expect(manifest).toContain(`Version="${version}"`)
  })

  test('has an extension that loads with nothing but the editor and Node.js beside it', () => {
    const file = join(folder, 'extension/dist/extension.cjs')
    const node = createRequire(pathToFileURL(file))
    // A stub of an editor in which everything exists and does nothing.
    const editor: unknown = new Proxy(class {}, {
      get: (target, key) => (key === 'prototype' ? target.prototype : editor),
    })
    const load = (name: string): unknown => {
      if (name === 'vscode') return editor
      expect(isBuiltin(name), name).toBe(true)
      return node(name)
    }
    const module = { exports: {} }
    const code = readFileSync(file, 'utf8')
    runInThisContext(`(function (exports, require, module, __filename, __dirname) {${code}\n})`)(
      module.exports,
      load,
      module,
      file,
      join(file, '..'),
    )
    expect(Object.keys(module.exports).sort()).toEqual(['activate', 'deactivate'])
  })

  test('has a language server that answers', async () => {
    const server = join(folder, 'extension/dist/server.cjs')
    const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'], cwd: folder })
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
    const client = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
    client.listen()
    const answer = await client.sendRequest(InitializeRequest.type, {
      processId: null,
      rootUri: null,
      capabilities: {},
    })
    expect(answer.serverInfo).toEqual({ name: 'joust', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    const told = new Promise<PublishDiagnosticsParams>((resolve) => {
      client.onNotification(PublishDiagnosticsNotification.type, resolve)
    })
    // Lint rules and expressions are loaded when a document needs them.
    const text = readFileSync(join(root, 'library/agent-card-spoofing.oatf.yaml'), 'utf8')
    const broken = text.replace(/^ {2}indicators:\n/m, '$&    - { target: "", expression: { cel: "1 ==" } }\n')
    const textDocument = { uri: 'untitled:a', languageId: 'yaml', version: 1, text: broken }
    await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
    expect((await told).diagnostics.map(({ code }) => code)).toContain('V-014')
    await client.sendRequest(ShutdownRequest.type)
    await client.sendNotification(ExitNotification.type)
    expect(await closed).toBe(0)
  })
})
