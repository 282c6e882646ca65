import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { reviewAttack } from '../review-attack.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { press, studioTests } from './pages.ts'

const studioTest = await studioTests()

studioTest('from an empty folder to a run that is looked at, and to a mended agent', {}, async (page, shoot) => {
  await page.until("document.querySelector('h1')?.innerText === 'Nothing to run here yet'")
  expect(await page.axe()).toEqual([])
  await shoot('run-empty')
  await press(page, 'button', 'Create joust.yaml')
  await page.until("document.querySelectorAll('.targets label').length === 2")
  expect(existsSync(join(page.folder, 'joust.yaml'))).toBe(true)
  await press(page, 'button', 'Start 2')
  await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
  expect(await page.text('.live-matrix tbody')).toMatch(/High[\s\S]*Exploited[\s\S]*Resisted[\s\S]*Run again/)
  // The library is offered, but not selected.
  expect(await page.text('.attacks legend')).toMatch(/1 of \d\d/)
  expect(await page.text('.suite .spent')).toMatch(/[1-9]\d* model calls/)
  expect(await page.axe()).toEqual([])
  await shoot('run-done')
  await page.focus('.live-frame')
  await page.press('ArrowDown', 'ArrowRight', 'ArrowLeft', 'Enter')
  await page.until("document.querySelectorAll('.sequence .row-message').length >= 2")
  // The call of the model is read from the stored results.
  await page.until("document.querySelector('.why .call-parts') !== null")
  expect(await page.text('.why')).toMatch(
    /^Controls[\s\S]*read[\s\S]*Exposure[\s\S]*What the model read[\s\S]*Indicators[\s\S]*Matched/,
  )
  await page.click('.sequence .row-message')
  await page.until("document.querySelector('.message') !== null")
  expect(await page.axe()).toEqual([])
  await shoot('run-sequence')
  // The agent is fixed where joust.yaml defines it.
  await page.go('#/write/joust.yaml')
  await page.until("document.querySelector('.cm-content') !== null")
  await page.focus('.cm-content')
  await page.press('Control+a', 'Delete')
  await page.raw.keyboard.insertText('{ attacks: [attacks], targets: { naive: { model: sim/cautious } } }')
  await page.press('Control+s')
  await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('saved')")
  await page.press('Alt+2')
  await press(page, 'button', 'Start 1')
  // The previous run shows both.
  await page.until("/^(?!.*Exploited).*Resisted/s.test(document.querySelector('.live-matrix tbody')?.innerText ?? '')")
})

studioTest(
  'runs without the bait are beside the trials, which end when the question is decided',
  {
    'a.oatf.yaml': SERVER,
    'joust.yaml': `{ attacks: [a.oatf.yaml], trials: auto, max_trials: 2, arms: placebo, targets: { naive: { model: sim/credulous, prompt: ${JSON.stringify(PROMPT)} } } }`,
  },
  async (page) => {
    await page.until("document.querySelector('.start button') !== null")
    expect(await page.text('.choice')).toContain('Start 1 attack')
    expect(await page.axe()).toEqual([])
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
    expect(await page.text('.live-matrix tbody')).toMatch(/Exploited\s+2 of at most 2\s+without the bait 0 of 2/)
    expect(await page.text('.suite .standing')).toMatch(/^2 of 2 runs/)
    await page.click('.cell.muted')
    await page.until("document.querySelector('.crumbs')?.innerText.includes('without the bait, trial') === true")
    await page.until("document.querySelectorAll('.sequence .row-message').length >= 2")
    expect(await page.axe()).toEqual([])
  },
)

studioTest('what setting up has written is told, and can be undone', {}, async (page) => {
  await press(page, 'button', 'Create joust.yaml')
  await page.until("document.querySelector('.set-up')?.innerText.includes('wrote joust.yaml') === true")
  expect(await page.axe()).toEqual([])
  expect(existsSync(join(page.folder, '.joust/joust.schema.json'))).toBe(true)
  // The keyboard focus continues where the button was.
  await page.until("document.activeElement?.id === 'main'")
  // One Tab stop, however many attacks there are.
  await page.focus('.attack-list')
  await page.press('ArrowDown', 'Space')
  await page.until("document.querySelector('.start button').innerText === 'Start 0 runs'")
  await page.press('Space')
  await page.until("document.querySelector('.start button').innerText === 'Start 2 runs'")
  await press(page, 'button', 'Undo: delete these 3 files')
  await page.until("document.querySelector('h1')?.innerText === 'Nothing to run here yet'")
  const left = readdirSync(page.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(left).toEqual([])
})

const project = 'attacks: [attacks]\ntargets:\n  naive: { model: sim/credulous }\n'

studioTest(
  'what happens while the connection is cut is not missed',
  { 'joust.yaml': project, 'attacks/first.oatf.yaml': reviewAttack },
  async (page) => {
    await page.until("document.querySelector('.choice') !== null")
    page.cut()
    await page.until("document.querySelector('.trouble').innerText.startsWith('Connection lost')")
    const headers = {
      authorization: `Bearer ${new URL(page.address).searchParams.get('token')}`,
      'content-type': 'application/json',
    }
    const server = new URL(page.address).origin
    await fetch(`${server}/api/run`, { method: 'POST', headers, body: '{}' })
    const ended = async () => {
      const { suite } = JSON.parse(await (await fetch(`${server}/api/state`, { headers })).text())
      return suite.end === undefined ? undefined : suite.messages
    }
    await expect.poll(ended, { timeout: 30_000 }).toBeGreaterThan(1)
    page.mend()
    await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
    expect(await page.text('.suite .spent')).toContain(`${await ended()} messages`)
    await page.click('.live-matrix .cell')
    await page.until(`document.querySelector('.sequence [role=status]')?.innerText === '${await ended()} messages'`)
  },
)

studioTest(
  'a server that was started anew is told, and known again once its address was opened',
  { 'joust.yaml': project, 'attacks/first.oatf.yaml': reviewAttack },
  async (page) => {
    await page.until("document.querySelector('.choice') !== null")
    const address = await page.restart()
    await page.until("document.querySelector('.trouble').innerText.startsWith('missing token')")
    await page.evaluate(`fetch(${JSON.stringify(address)})`)
    await page.until("document.querySelector('.trouble').innerText === ''")
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
  },
)

studioTest('Alt and a number go to a view on keyboards that write something else with them', {}, async (page) => {
  const event = "new KeyboardEvent('keydown', { key: '¡', code: 'Digit1', altKey: true, bubbles: true })"
  await page.evaluate(`document.body.dispatchEvent(${event})`)
  await page.until("location.hash === '#/write'")
})

studioTest(
  'hostile names are text',
  {
    'joust.yaml': project.replace('naive', '"<img src=x onerror=document.title=1>"'),
    'attacks/<b>.oatf.yaml': reviewAttack.replace(
      'Review that gives orders',
      '"<img src=x onerror=document.title=1>\u202e"',
    ),
  },
  async (page) => {
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
    expect(await page.count('img, b.x')).toBe(0)
    expect(await page.text('.live-matrix tbody th')).toContain('<img src=x onerror')
  },
  { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
)
