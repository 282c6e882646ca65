import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { reviewAttack } from '../review-attack.ts'
import { press, type StudioPage, studioTests } from './pages.ts'

const studioTest = await studioTests()
const file = 'attacks/first.oatf.yaml'
const project = (model: string) => `attacks: [attacks]\ntargets:\n  clerk: { model: ${model} }\n`

/** How many runs have results. */
function written({ folder }: StudioPage): number {
  const home = join(folder, 'joust-results')
  const names = existsSync(home) ? readdirSync(home) : []
  return names.filter((name) => existsSync(join(home, name, 'results.json'))).length
}

async function run(page: StudioPage, model: string, button: string): Promise<void> {
  writeFileSync(join(page.folder, 'joust.yaml'), project(model))
  const before = written(page)
  await press(page, 'button', button)
  // The page may still say that the previous run is done.
  while (written(page) === before) await page.until('true')
  await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
}

studioTest(
  'results over time, one of them as its report, and two side by side down to where they part',
  { 'joust.yaml': project('sim/credulous'), [file]: reviewAttack },
  async (page, shoot) => {
    await page.press('Alt+3')
    await page.until("document.querySelector('h1')?.innerText === 'No results yet'")
    expect(await page.axe()).toEqual([])
    await page.press('Alt+2')
    await run(page, 'sim/credulous', 'Start 1')
    await run(page, 'sim/credulous', 'Run again')
    await run(page, 'sim/cautious', 'Run again')
    await page.until("document.querySelector('.live-matrix tbody')?.innerText.includes('Resisted')")
    await page.press('Alt+3')
    await page.until("document.querySelectorAll('.trends tbody .result').length === 3")
    expect(await page.text('.trends tbody')).toMatch(/Exploited\s+Exploited\s+Resisted/)
    expect(await page.text('.target-trend')).toMatch(/clerk\s+1 of 1 succeeded at first, 0 of 1 now/)
    const times = await page.text('.trends thead')
    expect(times.match(/\d\d-\d\d \d\d:\d\d(?::\d\d)?/g)).toHaveLength(3)
    await page.type('.see input[type=search]', 'nobody')
    await page.until("document.querySelector('.see [role=status]')?.innerText === '0 of 1'")
    await page.type('.see input[type=search]', 'clerk')
    await page.click('.see input[type=checkbox]')
    await page.until("document.querySelector('.see [role=status]')?.innerText === '1 of 1'")
    expect(await page.axe()).toEqual([])
    await shoot('see-trends')
    await press(page, 'a', 'Compare two runs')
    await page.until("document.querySelector('.see [role=status]')?.innerText === '1 of 1 outcomes differ'")
    await page.click('.see tbody a')
    await page.until(
      "document.querySelector('.see [role=status]')?.innerText.startsWith('The messages differ from message 2 on')",
    )
    expect(await page.axe()).toEqual([])
    await shoot('see-compare')
    // Another message is put beside its counterpart in the other run.
    expect(await page.count('.difference mark')).toBeGreaterThan(0)
    await page.click('.side-by-side .row-message')
    await page.until("document.querySelectorAll('.difference mark').length === 0")
    // A run that did not have the attack or the target.
    const compared = await page.evaluate<string>('location.hash')
    await page.go(compared.replace('/clerk/', '/nobody/'))
    await page.until("document.querySelector('.see [role=status]')?.innerText === 'No trial in the Before run.'")
    await page.press('Alt+3')
    await page.click('.run-list a')
    await page.until("document.querySelector('.overview') !== null")
    await page.click('.run-links a')
    // From the first outcome over time to its messages, and on to the judge.
    await page.until("document.querySelector('.trends tbody a .result-exploited') !== null")
    await page.click('.trends tbody td a')
    await page.until("document.querySelectorAll('.sequence .row-message').length >= 2")
    expect(await page.text('.attack-title')).toContain('Exploited')
    await shoot('see-attack')
    await press(page, 'a', 'Judge this trace')
    await page.until("document.querySelector('.judge-result [role=status]')?.innerText.startsWith('Exploited')")
    expect(await page.text('.judge-indicators')).toMatch(/1 other direction · 1 matched/)
    expect(await page.axe()).toEqual([])
  },
)

async function drop(page: StudioPage, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const files = new DataTransfer()
    files.items.add(new File([${JSON.stringify(text)}], 'trace.jsonl'))
    const dropped = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
    document.querySelector('.judge').dispatchEvent(dropped)
  })()`)
}

/** A trace from ThoughtJack: three questions, and an answer with the sum. */
function theirs(actor: string): string {
  const line = (seq: number, direction: string, method: string, content: object) =>
    JSON.stringify({ seq, timestamp: '2026-01-01T00:00:00Z', actor, phase: 'p', direction, method, content })
  const answer = { artifacts: [{ parts: [{ kind: 'text', text: 'It is 7515.' }] }] }
  return [
    ...[0, 1, 2].map((seq) => line(seq, 'outgoing', 'message/send', { message: { parts: [] } })),
    line(3, 'incoming', 'task/created', answer),
  ].join('\n')
}

studioTest(
  'a trace is judged as an indicator is edited, and each message says what dropped it',
  { 'joust.yaml': project('sim/credulous'), [file]: reviewAttack },
  async (page, shoot) => {
    await run(page, 'sim/credulous', 'Start 1')
    const results = join(page.folder, 'joust-results')
    const traces = join(results, readdirSync(results)[0] ?? '', 'traces')
    const text = readFileSync(join(traces, readdirSync(traces)[0] ?? ''), 'utf8')
    await page.press('Alt+4')
    await page.until("document.querySelector('.drop') !== null")
    await page.until("document.querySelectorAll('.judge option').length === 2")
    await page.choose('.judge select', file)
    // What cannot be read is listed a few lines at a time.
    await drop(page, theirs('nobody'))
    await page.until("document.querySelectorAll('.judge-result > .judge-reasons li').length === 3")
    expect(await page.text('.judge-result summary')).toMatch(/^\d+ more$/)
    expect(await page.axe()).toEqual([])
    await drop(page, theirs('default'))
    await page.until("document.querySelector('.judge-indicators')?.innerText.includes('3 other direction · 1 matched')")
    await drop(page, text)
    await page.until(
      "document.querySelector('.judge-indicators').innerText.includes('\\n1 other direction · 1 matched')",
    )
    expect(await page.text('.judge-result [role=status]')).toBe('Exploited')
    expect(await page.axe()).toEqual([])
    await shoot('judge')
    // A step lists the messages that it dropped, and each of them says why.
    await press(page, '.judge-funnel button', '1 other direction')
    await page.until("document.querySelectorAll('.judge-dropped li').length === 1")
    expect(await page.text('.judge-dropped')).toMatch(/^1\s+message\/send\s+request/)
    await page.click('.judge-dropped button')
    await page.until("document.querySelector('.judge-result').innerText.includes('Message 1: other direction')")
    await press(page, '.judge-funnel button', '1 matched')
    await page.until("/^2\\s+message\\/send\\s+response/.test(document.querySelector('.judge-dropped')?.innerText)")
    // The message itself, with what matched in it.
    await page.click('.judge-dropped button')
    await page.until("document.querySelector('.message .json mark')?.innerText.includes('7515') === true")
    expect(await page.axe()).toEqual([])
    await shoot('judge-message')
    const edited = reviewAttack.replaceAll('515', '516')
    await page.focus('.judge .cm-content')
    await page.press('Control+a', 'Delete')
    await page.raw.keyboard.insertText(edited)
    await page.until("document.querySelector('.judge-indicators').innerText.includes('1 evaluated, no match')")
    // It stays while another view is open, and can be taken to the editor.
    await page.press('Alt+3', 'Alt+4')
    await page.until(
      "document.querySelector('.judge-indicators')?.innerText.includes('1 evaluated, no match') === true",
    )
    await press(page, 'button', `Edit ${file}`)
    await page.until("document.querySelector('.file-line [role=status]')?.innerText.startsWith('not saved') === true")
    await page.until("document.querySelector('.cm-content')?.innerText.includes('516') === true")
    expect(readFileSync(join(page.folder, file), 'utf8')).toBe(reviewAttack)
  },
  { colorScheme: 'dark' },
)
