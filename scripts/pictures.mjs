/**
 * `npm run pictures`: the pictures of the documentation in docs/images, from a real run in an empty folder: the sequence
 * view of the report, light and dark. Needs a Chromium.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = join(root, 'docs', 'images')
const commands = ['joust init', 'joust run --arms placebo']

const browsers = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = browsers.find((file) => existsSync(file))
if (executablePath === undefined) {
  console.error('pictures need a Chromium; the variable CHROMIUM names one that is installed elsewhere')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'joust-pictures-'))
try {
  mkdirSync(images, { recursive: true })
  for (const command of commands) run(command)
  await photograph(join(folder, 'joust-results', readdirSync(join(folder, 'joust-results')).sort().at(-1) ?? ''))
  console.log('wrote docs/images/report-light.png, report-dark.png')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command) {
  const words = [join(root, 'packages/cli/bin/joust.js'), ...command.split(' ').slice(1)]
  const { stderr, status } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  // A boundary breach exits with 3: the simulated agent that obeys everything is exploited.
  if (status !== 0 && status !== 3) throw new Error(`${command} exited with ${status}: ${stderr}`)
}

async function photograph(results) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5, colorScheme })
    await page.goto(pathToFileURL(join(results, 'report.html')).href)
    await page.locator('main a', { hasText: /\S/ }).and(page.locator('[href*="/"]:not([href*="?"])')).first().click()
    await page.getByText('What the model read').first().waitFor()
    await page.screenshot({ path: join(images, `report-${colorScheme}.png`) })
    await page.close()
  }
  await browser.close()
}
