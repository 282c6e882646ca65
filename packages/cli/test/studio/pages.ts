/** The command's studio in a real browser, if there is one. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStudio, type StudioWork } from '@joust/studio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { drive, type Page, type RawPage, startBrowser } from '../../../report/test/html/browser.ts'
import { init } from '../../src/commands/init.ts'
import { prove } from '../../src/commands/prove.ts'
import { studioWork } from '../../src/studio/work.ts'
import { memoryIo } from '../world.ts'

const root = repositoryRoot()

/** The current page: built once, for all test files that want it. */
export function builtClient(): string {
  const sources = ['studio', 'language', 'report', 'oatf', 'agentformat', 'source', 'arena'].flatMap((name) => {
    const folder = join(root, 'packages', name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => statSync(join(folder, file)).mtimeMs,
    )
  })
  const cache = join(root, 'node_modules/.cache/joust')
  const folder = join(cache, `studio-${Math.max(...sources)}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const making = mkdtempSync(join(cache, 'making-'))
  execFileSync(process.execPath, [join(root, 'scripts/dist/studio-client.js'), making], { stdio: 'pipe' })
  // Another process may have been faster.
  if (existsSync(folder)) rmSync(making, { recursive: true })
  else renameSync(making, folder)
  return folder
}

export interface StudioPage extends Page {
  readonly raw: RawPage
  readonly folder: string
  /** The address of the page, with the token, through the line that can be cut. */
  readonly address: string
  /** Cuts the page off from the server, or lets it come back. */
  cut(): void
  mend(): void
  /**
   * Ends the server and starts another one behind the page's address; returns that server's own address, with its
   * token.
   */
  restart(): Promise<string>
}

interface Options {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /** Replaces what the command does; created when the test begins. */
  readonly work?: () => Promise<Partial<StudioWork>>
}

/**
 * Returns a function for tests with a folder and a page of their own. A test fails when its page throws or complains.
 */
export async function studioTests() {
  const browser = await startBrowser()
  if (typeof browser === 'string') console.warn(`\nSKIPPED: the studio was not opened in a browser: ${browser}\n`)
  const home = mkdtempSync(join(tmpdir(), 'joust-studio-'))
  const shots = process.env.JOUST_SCREENSHOTS
  let client = ''
  beforeAll(() => {
    if (typeof browser !== 'string') client = builtClient()
    // The first test that needs it builds it, which takes a while on a busy machine.
  }, 120_000)
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close()
    rmSync(home, { recursive: true, force: true })
  })
  return (
    name: string,
    files: Readonly<Record<string, string>>,
    work: (page: StudioPage, shoot: (name: string) => Promise<void>) => Promise<void>,
    { work: other, ...options }: Options = {},
  ) => {
    test.skipIf(typeof browser === 'string')(
      name,
      async () => {
        if (typeof browser === 'string') return
        const folder = mkdtempSync(join(home, 'folder-'))
        for (const [path, text] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, path)), { recursive: true })
          writeFileSync(join(folder, path), text)
        }
        const { io } = memoryIo({ cwd: folder })
        const doing = { ...studioWork(io, { init, prove }), ...(await other?.()) }
        const start = async () => {
          const opened = await openStudio({ folder, client, work: doing })
          if (!opened.ok) throw new Error(opened.error)
          return opened.value
        }
        let studio = await start()
        const raw = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
        const line = await openLine(() => studio.port)
        const restart = async () => {
          await studio.close()
          studio = await start()
          return pageAddress()
        }
        const pageAddress = () => studio.address.replace(`:${studio.port}`, `:${line.port}`)
        const complaints: string[] = []
        raw.on('pageerror', (error) => complaints.push(String(error)))
        raw.on('console', (message) => complaints.push(message.text?.() ?? ''))
        const shoot = async (shot: string) => {
          if (shots !== undefined) await raw.screenshot({ path: join(shots, `${shot}.png`) })
        }
        try {
          await raw.goto(pageAddress())
          const page = drive(raw)
          await page.until("document.querySelector('main') !== null")
          const { cut, mend } = line
          await work({ ...page, raw, folder, address: studio.address, cut, mend, restart }, shoot)
          expect(complaints.filter((text) => !/Failed to load resource|ERR_/.test(text))).toEqual([])
        } finally {
          await raw.close()
          line.close()
          await studio.close()
        }
      },
      150_000,
    )
  }
}

/** A line to a port; it can be cut, and the port may change. */
async function openLine(port: () => number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((here) => {
    if (isCut) {
      here.destroy()
      return
    }
    const there = connect(port(), '127.0.0.1')
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    // A server that listens on a port has an address of this type.
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    close() {
      server.close()
      drop()
    },
  }
}

/** Clicks the button, link or tab whose text begins like this. */
export async function press(page: Page, selector: string, text: string): Promise<void> {
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.innerText.trim().startsWith(${JSON.stringify(text)}))`
  await page.until(`${found} !== undefined`)
  await page.evaluate(`${found}.setAttribute('data-test', 'pressed')`)
  await page.click('[data-test=pressed]')
  await page.evaluate(`document.querySelector('[data-test=pressed]')?.removeAttribute('data-test')`)
}
