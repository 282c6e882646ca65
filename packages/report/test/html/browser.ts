/** A real browser, if installed: `playwright-core` and the system's Chromium. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

/** The parts of Playwright that need no code from strings in this process, which the test command forbids. */
export interface RawPage {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  evaluate<T>(work: string): Promise<T>
  screenshot(options: { path: string }): Promise<unknown>
  emulateMedia(options: { readonly media: 'print' | null }): Promise<unknown>
  on(event: 'pageerror' | 'console' | 'request', listener: (event: { text?(): string; url?(): string }) => void): void
  readonly keyboard: Record<'press' | 'insertText' | 'down' | 'up', (text: string) => Promise<void>>
  readonly mouse: Record<'click' | 'move', (x: number, y: number) => Promise<void>>
  /** Runs before the scripts of the page. */
  addInitScript(script: { readonly content: string }): Promise<unknown>
  context(): { newCDPSession(page: RawPage): Promise<DevTools> }
  close(): Promise<void>
}

interface DevTools {
  send(method: 'Performance.enable', options: { readonly timeDomain: 'threadTicks' }): Promise<unknown>
  send(method: 'Performance.getMetrics'): Promise<{ metrics: readonly { name: string; value: number }[] }>
}

interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

interface Browser {
  newPage(options?: PageOptions): Promise<RawPage>
  close(): Promise<void>
}

/** A page as the tests use it. */
export interface Page {
  evaluate<T>(work: string): Promise<T>
  /** Waits until an expression is true; the timeout error contains it. */
  until(condition: string): Promise<void>
  /** Clicks the middle of an element, which must not be covered. */
  click(selector: string): Promise<void>
  /** Replaces the content of a field, as if it were typed. */
  type(selector: string, text: string): Promise<void>
  choose(selector: string, value: string): Promise<void>
  focus(selector: string): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  /** The visible text of an element; empty if it does not exist. */
  text(selector: string): Promise<string>
  count(selector: string): Promise<number>
  /** Navigates within the page, or reloads it. */
  go(hash: string): Promise<void>
  reload(): Promise<void>
  /** Shows the page as it would be printed; `null` ends that. */
  show(media: 'print' | null): Promise<unknown>
  /** The accessibility violations that axe finds. */
  axe(): Promise<string[]>
}

/**
 * Returns a function for tests with their own page; such a test fails if its page throws, logs an error or uses the
 * network. Skipped with a warning if no browser is installed.
 */
export async function browserTests(): Promise<
  (name: string, html: () => Promise<string>, work: (page: Page) => Promise<void>, options?: PageOptions) => void
> {
  const browser = await startBrowser()
  if (typeof browser === 'string') console.warn(`\nSKIPPED: the HTML report was not opened in a browser: ${browser}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'joust-report-'))
  const shots = process.env.JOUST_SCREENSHOTS
  if (shots !== undefined) mkdirSync(shots, { recursive: true })
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return (name, html, work, options = {}) => {
    test.skipIf(typeof browser === 'string')(name, async () => {
      if (typeof browser === 'string') return
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.html`)
      writeFileSync(file, await html())
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => complaints.push(message.text?.() ?? ''))
      page.on('request', (request) => {
        if (request.url?.().startsWith('file:') !== true) complaints.push(request.url?.() ?? '')
      })
      await page.goto(pathToFileURL(file).href)
      const driven = drive(page)
      await driven.until(
        `document.getElementById('report') === null || performance.getEntriesByName('joust-shown').length > 0`,
      )
      await work(driven)
      if (shots !== undefined) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}.png`) })
      await page.close()
      expect(complaints).toEqual([])
    })
  }
}

interface Playwright {
  readonly chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> }
}

/** Headless Chromium takes half the CPU time of the full browser and renders the same page. */
const BROWSERS = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Starts the browser, or returns the missing dependency. */
export async function startBrowser(): Promise<Browser | string> {
  const executablePath = BROWSERS.find((file) => existsSync(file))
  if (executablePath === undefined)
    return `there is no Chromium at ${BROWSERS.slice(1).join(' or ')} (CHROMIUM names one)`
  const playwright = await loadPlaywright()
  if (playwright === undefined) return 'playwright-core is not installed'
  return playwright.chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

async function loadPlaywright(): Promise<Playwright | undefined> {
  try {
    // PLAYWRIGHT_CORE may name a package file outside this repository.
    const require = createRequire(process.env.PLAYWRIGHT_CORE ?? import.meta.url)
    const loaded: { default: Playwright } = await import(pathToFileURL(require.resolve('playwright-core')).href)
    return loaded.default
  } catch {
    return undefined
  }
}

/** Timeout for a busy machine. */
const UNTIL_MS = 60_000

/** Drives a page. */
export function drive(page: RawPage): Page {
  const element = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`
  const until = async (condition: string) => {
    const late = `performance.now() > begun + ${UNTIL_MS} ? fail(new Error(${JSON.stringify(`never: ${condition}`)}))`
    const look = `(${condition}) ? done() : ${late} : requestAnimationFrame(look)`
    await page.evaluate(
      `new Promise((done, fail) => { const begun = performance.now(); const look = () => ${look}; look() })`,
    )
  }
  /** The address changes before the page is notified. */
  const settle = async () => {
    await page.evaluate<void>(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
    )
    // Traces are decompressed when their page is opened.
    await until(`document.querySelector('main > .empty')?.textContent !== 'Loading …'`)
  }
  const focus = (selector: string) => page.evaluate<void>(`${element(selector)}.focus()`)
  return {
    evaluate: (work) => page.evaluate(work),
    until,
    focus,
    async click(selector) {
      await until(`${element(selector)} !== null`)
      const { x, y, reached } = await page.evaluate<{ x: number; y: number; reached: boolean }>(`(() => {
        const wanted = ${element(selector)}
        wanted.scrollIntoView({ block: 'nearest' })
        const box = wanted.getClientRects()[0]
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        return { x, y, reached: wanted.contains(document.elementFromPoint(x, y)) }
      })()`)
      if (!reached) throw new Error(`something lies over ${selector}`)
      await page.mouse.click(x, y)
      await settle()
    },
    async type(selector, text) {
      await page.evaluate(`${element(selector)}.select()`)
      await focus(selector)
      await page.keyboard.press('Delete')
      if (text !== '') await page.keyboard.insertText(text)
    },
    async choose(selector, value) {
      const set = `found.value = ${JSON.stringify(value)}; found.dispatchEvent(new Event('change', { bubbles: true }))`
      await page.evaluate(`(() => { const found = ${element(selector)}; ${set} })()`)
    },
    text: (selector) => page.evaluate(`${element(selector)}?.innerText ?? ''`),
    count: (selector) => page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`),
    async go(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await settle()
    },
    async reload() {
      await page.reload()
      await settle()
    },
    show: (media) => page.emulateMedia({ media }),
    async axe() {
      await page.evaluate(`${axeSource()}; undefined`)
      const found = "violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)))"
      return page.evaluate<string[]>(`axe.run().then(({ violations }) => ${found})`)
    },
    async press(...keys) {
      for (const key of keys) {
        await page.keyboard.press(key)
        await settle()
      }
    },
  }
}

function axeSource(): string {
  const require = createRequire(import.meta.url)
  return readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
}
