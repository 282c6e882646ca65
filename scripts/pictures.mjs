/**
 * `npm run pictures`: creates the pictures in docs/images from a real run in an empty folder: the terminal session as
 * an SVG, the report's sequence view and the studio's Run view, light and dark. Requires Chromium.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = join(root, 'docs', 'images')
const joust = join(root, 'packages', 'cli', 'bin', 'joust.js')

/** Select Graphic Rendition codes of the command, and the styles that each end code resets. */
const codes = { 1: 'b', 2: 'd', 4: 'u', 31: 'r', 32: 'g', 33: 'y', 35: 'm', 36: 'c' }
const ends = { 22: ['b', 'd'], 24: ['u'], 39: ['r', 'g', 'y', 'm', 'c'], 0: Object.values(codes) }
const ESCAPE = String.fromCharCode(27)
const rendition = new RegExp(`${ESCAPE}\\[(\\d+)m`)

const browsers = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = browsers.find((file) => existsSync(file))
if (executablePath === undefined) {
  console.error('cannot find Chromium; install it, or set CHROMIUM to its path')
  process.exit(1)
}

const home = mkdtempSync(join(tmpdir(), 'joust-pictures-'))
// The studio shows the folder name.
const folder = join(home, 'my-agent')
try {
  mkdirSync(folder)
  mkdirSync(images, { recursive: true })
  const session = ['joust init', 'joust run'].map((command) => ({ command, output: run(command) }))
  writeFileSync(join(images, 'session.svg'), terminalSvg(session))
  run('joust run --arms placebo')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  await photographReport(browser)
  await photographStudio(browser)
  await browser.close()
  console.log('wrote docs/images/session.svg, report-light.png, report-dark.png, studio-light.png, studio-dark.png')
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Runs a command in a terminal of 100 columns. Returns its output. */
function run(command) {
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: '100' }
  delete env.NO_COLOR
  const words = [joust, ...command.split(' ').slice(1)]
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
  // A boundary breach exits with 3, because the obedient simulated agent is exploited.
  if (status !== 0 && status !== 3) throw new Error(`${command} exited with ${status}: ${stderr}`)
  return `${command === 'joust init' ? stderr : ''}${stdout}`.trimEnd()
}

async function photographReport(browser) {
  const results = join(folder, 'joust-results', readdirSync(join(folder, 'joust-results')).sort().at(-1) ?? '')
  await photograph(browser, 'report', async (page) => {
    await page.goto(pathToFileURL(join(results, 'report.html')).href)
    await page.locator('main a', { hasText: /\S/ }).and(page.locator('[href*="/"]:not([href*="?"])')).first().click()
    await page.getByText('What the model read').first().waitFor()
  })
}

/** Takes pictures of the Run view after a run on both simulated agents. */
async function photographStudio(browser) {
  const studio = spawn(process.execPath, [joust, 'studio', '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await new Promise((resolve) => studio.stdout.once('data', (text) => resolve(String(text).trim())))
    let isFirst = true
    await photograph(browser, 'studio', async (page) => {
      await page.goto(address)
      if (isFirst) await page.getByRole('button', { name: /^Start/ }).click()
      isFirst = false
      await page.getByRole('link', { name: 'Exploited' }).click()
      await page.getByText('What the model read').first().waitFor()
      await page.getByText('Controls').first().waitFor()
    })
  } finally {
    studio.kill('SIGTERM')
  }
}

/** Takes pictures of a page in both colour schemes. */
async function photograph(browser, name, show) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5, colorScheme })
    await show(page)
    await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`) })
    await page.close()
  }
}

/** Draws a terminal with the commands and their coloured output. */
function terminalSvg(session) {
  const lines = session.flatMap(({ command, output }) => [
    `${ESCAPE}[1m$ ${command}${ESCAPE}[22m`,
    ...output.split('\n'),
    '',
  ])
  const [lineHeight, margin] = [18, 16]
  const width = 2 * margin + Math.max(...lines.map((line) => stripVTControlCharacters(line).length)) * 8
  const rows = lines.map((line, index) => {
    const y = margin + 14 + index * lineHeight
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${lines.length * lineHeight + 2 * margin}" role="img"
  aria-label="Terminal session: ${session.map(({ command }) => command).join(', then ')}">
<style>text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #e6e6e6 } .b { font-weight: 700 } .d { opacity: .65 }
.u { text-decoration: underline } .r { fill: #ff7b72 } .g { fill: #7ee787 } .y { fill: #e3b341 } .m { fill: #d2a8ff } .c { fill: #79c0ff }</style>
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
${rows.join('\n')}
</svg>
`
}

/** Splits a line into spans with their active styles. */
function spans(line) {
  let active = []
  return line
    .split(rendition)
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : `<tspan class="${active.join(' ')}">${escaped(part)}</tspan>`
      active =
        codes[part] === undefined ? active.filter((name) => !ends[part]?.includes(name)) : [...active, codes[part]]
      return ''
    })
    .join('')
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
