/** The Aim view: from a configuration of servers to a flow map and proven attacks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { press, type StudioPage, studioTests } from './pages.ts'

const studioTest = await studioTests()
const server = fileURLToPath(new URL('../../../authoring/test/aim/server.mjs', import.meta.url))
const tools = readFileSync(new URL('../../../../examples/aim/tools.json', import.meta.url), 'utf8')
const hostile = '<img src=x onerror=document.title=1>'
const files = {
  '.mcp.json': JSON.stringify({
    mcpServers: { [hostile]: { command: process.execPath, args: [server, 'plain'] } },
  }),
  'tools.json': tools,
  'joust.yaml': '# ours\nattacks: [attacks]\ntargets: { naive: { model: sim/credulous } }\n',
}
const rows = (page: StudioPage, label: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('table[aria-label=${label}] tbody tr')].map((row) => row.innerText.replaceAll(/\\s+/g, ' ').trim())`,
  )
const until = (page: StudioPage, label: string, count: number) =>
  page.until(`document.querySelectorAll('table[aria-label=${label}] tbody tr').length === ${count}`)

studioTest(
  'servers start after the user has seen their commands, and attacks are aimed at them',
  files,
  async (page) => {
    await page.press('Alt+5')
    await page.until(`document.querySelector('.starts') !== null`)
    expect(await page.text('.starts')).toBe(`${hostile} starts ${process.execPath} ${server} plain`)
    expect(await page.count('.flow-map')).toBe(0)
    await press(page, 'button', 'Start 1 server and list the tools')
    await until(page, 'Flows', 1)
    expect(await rows(page, 'Flows')).toEqual([
      `${hostile}/read_email → ${hostile}/send_email High sends data to others Write 3 attacks`,
    ])
    await press(page, '.live-matrix button', 'Write 3 attacks')
    await page.until(`document.querySelector('.aimed-files a') !== null`)
    const written = readdirSync(join(page.folder, 'attacks/aimed')).sort()
    expect(written).toHaveLength(3)
    expect(await page.count('img')).toBe(0)
    await press(page, '.aimed-files a', written[0] ?? '')
    await page.until(`document.querySelector('.picture-lanes') !== null`)
    // The map is still there.
    await page.press('Alt+5')
    await until(page, 'Flows', 1)
  },
)

studioTest('a tool shows its flows, and a corrected label is kept in joust.yaml', files, async (page) => {
  await page.go('#/aim')
  await page.until(`document.querySelector('.aim-input select') !== null`)
  await page.choose('.aim-input select', '1')
  expect(await page.count('.starts')).toBe(0)
  await press(page, 'button', 'Show the flows')
  await until(page, 'Flows', 3)
  expect(await page.evaluate<number>(`document.querySelectorAll('.flow-columns path').length`)).toBe(4)
  await press(page, '.flow-sink button', 'refund_order')
  await until(page, 'Flows', 1)
  expect(await page.count('.flow-columns path.on')).toBe(1)
  await press(page, '.flow-sink button', 'refund_order')
  await until(page, 'Flows', 3)
  // The search finds one tool; get_contacts becomes harmless.
  await page.type('.attack-tools input', 'get_contacts')
  await until(page, 'Tools', 1)
  await press(page, 'table[aria-label=Tools] label', 'private')
  await until(page, 'Flows', 2)
  expect(readFileSync(join(page.folder, 'joust.yaml'), 'utf8')).toMatch(/^# ours\n[\s\S]*mailbox\/get_contacts: none/)
  expect(existsSync(join(page.folder, 'attacks'))).toBe(false)
})

const many = { mcpServers: { many: { command: process.execPath, args: [server, 'many'] } } }

studioTest('a server with 5,000 tools can be used', { '.mcp.json': JSON.stringify(many) }, async (page) => {
  await page.go('#/aim')
  await press(page, 'button', 'Start 1 server and list the tools')
  await page.until(`document.querySelector('.flow-map') !== null`)
  expect(await page.text('.aim-line h2')).toMatch(/ between 5,?000 tools$/)
  expect(await page.count('.flow-columns li')).toBeLessThanOrEqual(60)
  await until(page, 'Flows', 20)
  await until(page, 'Tools', 200)
  await page.type('.attack-tools input', 'send_email_4999')
  await until(page, 'Tools', 1)
  await press(page, '.flow-source button', 'read_email_0')
  await page.until(`document.querySelector('.flow-columns path.on') !== null`)
})

studioTest('a folder without servers says what to do', {}, async (page) => {
  await page.go('#/aim')
  await page.until(`document.querySelector('.empty h1')?.innerText === 'No servers to aim at'`)
  expect(await page.axe()).toEqual([])
})

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)
  studioTest(
    `the flow map is clean at ${width} pixels, ${colorScheme}`,
    files,
    async (page, shoot) => {
      await page.go('#/aim')
      await page.until(`document.querySelector('.aim-input select') !== null`)
      expect(await page.axe()).toEqual([])
      await page.choose('.aim-input select', '1')
      await press(page, 'button', 'Show the flows')
      await until(page, 'Flows', 3)
      await press(page, '.flow-private button', 'get_contacts')
      expect(await page.axe()).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      await shoot(`aim-${width}-${colorScheme}`)
    },
    { viewport: { width, height: 844 }, colorScheme },
  )
