/**
 * `npm run pictures`: the pictures of the documentation in docs/images, from a real run in an empty folder: the sequence
 * view of the report, light and dark, and the terminal session as an SVG. Needs a Chromium.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = join(root, 'docs', 'images')
const commands = ['joust init', 'joust run --arms placebo']

/** Select Graphic Rendition: the codes of the colours that the command uses, and what each end code ends. */
const codes = { 1: 'b', 2: 'd', 7: 'i', 31: 'r', 32: 'g', 33: 'y' }
const ends = { 22: ['b', 'd'], 27: ['i'], 39: ['r', 'g', 'y'], 0: ['b', 'd', 'i', 'r', 'g', 'y'] }
const ESCAPE = String.fromCharCode(27)
const rendition = new RegExp(`${ESCAPE}\\[(\\d+)m`)

const browsers = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = browsers.find((file) => existsSync(file))
if (executablePath === undefined) {
  console.error('pictures need a Chromium; the variable CHROMIUM names one that is installed elsewhere')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'joust-pictures-'))
try {
  mkdirSync(images, { recursive: true })
  const session = commands.map((command) => ({ command, output: run(command) }))
  writeFileSync(join(images, 'session.svg'), terminalSvg(session))
  await photograph(join(folder, 'joust-results', readdirSync(join(folder, 'joust-results')).sort().at(-1) ?? ''))
  console.log('wrote docs/images/session.svg, report-light.png, report-dark.png')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command) {
  const words = [join(root, 'packages/cli/bin/joust.js'), ...command.split(' ').slice(1)]
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: '100' }
  delete env.NO_COLOR
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
  // A boundary breach exits with 3: the simulated agent that obeys everything is exploited.
  if (status !== 0 && status !== 3) throw new Error(`${command} exited with ${status}: ${stderr}`)
  return `${command.startsWith('joust init') ? stderr : ''}${stdout}`.trimEnd()
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

/** A terminal with the commands and their coloured output. */
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
.i { text-decoration: underline } .r { fill: #ff7b72 } .g { fill: #7ee787 } .y { fill: #e3b341 }</style>
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
${rows.join('\n')}
</svg>
`
}

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
