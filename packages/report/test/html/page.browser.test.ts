/** Every page of the report in a real browser: keys, themes, hostile content, many messages, axe. */
import { expect } from 'vitest'
import { renderHtml } from '../../src/html/report.ts'
import { browserTests, type Page } from './browser.ts'
import { attack, entry, hardened, messages, opening, results, several, trial } from './sample.ts'

const inBrowser = await browserTests()
const usual = () => renderHtml(several, opening(messages))

inBrowser('the report works with the keyboard alone', usual, async (page) => {
  const focused = () =>
    page.evaluate<string>(`document.activeElement.closest('tr')?.querySelector('.attack-name').textContent ?? ''`)
  await page.press('/')
  expect(await page.evaluate<string>('document.activeElement.type')).toBe('search')
  await page.focus('tbody a')
  await page.press('ArrowDown')
  expect(await focused()).toBe('Attack loud')
  await page.press('ArrowRight')
  expect(await page.evaluate<string>('document.activeElement.className')).toBe('verdict')
  expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  expect(await page.count('tbody a[tabindex="0"]')).toBe(1)
  await page.press('Enter')
  await page.until(`document.querySelectorAll('.row').length === 7`)
  await page.focus('.virtual')
  await page.press('End')
  await page.press('ArrowUp')
  await page.press('Enter')
  expect(await page.text('.message h2')).toMatch(/^#5\s*tools\/call/)
  await page.press('ArrowUp')
  expect(await page.text('.message h2')).toMatch(/^#4/)
  await page.press('Escape')
  await page.until(`document.querySelector('.message') === null`)
  expect(await page.evaluate<string>(`document.activeElement.getAttribute('role')`)).toBe('listbox')
  await page.press('Escape')
  await page.until(`document.querySelector('.matrix') !== null`)
  expect(await focused()).toBe('Attack loud')
})

const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

inBrowser(
  'the theme follows the system or the choice of the user',
  usual,
  async (page) => {
    expect(await ground(page)).toBe('rgb(18, 19, 21)')
    await page.click('.theme')
    expect(await ground(page)).toBe('rgb(250, 250, 248)')
    await page.click('.theme')
    expect(await ground(page)).toBe('rgb(18, 19, 21)')
  },
  { colorScheme: 'dark' },
)

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser(
    `axe finds nothing, ${colorScheme}`,
    () => {
      const text = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n')
      const exposure = { ...trial(1).exposure, bait_seq: 3 }
      const one = attack('a', { trials: [trial(1, { exposure, answer: 'Done.' }), trial(2)] }, { text })
      return renderHtml([results([one]), results([one], 'other')], opening(messages))
    },
    async (page) => {
      expect(await page.axe()).toEqual([])
      await page.go('#/help-desk/a/1/5')
      await page.until(`document.querySelector('.message') !== null`)
      expect(await page.axe()).toEqual([])
      await page.click('.indicator .link')
      await page.until(`document.querySelector('.document') !== null`)
      expect(await page.axe()).toEqual([])
    },
    { colorScheme },
  )

inBrowser(
  'axe finds nothing on a phone with a deciding message far below',
  () => {
    const list = Array.from({ length: 200 }, (_, place) => entry(place + 1))
    const exposure = { ...trial(1).exposure, bait_seq: 180 }
    const verdict = { ...trial(1).verdict, indicator_verdicts: [] }
    return renderHtml(results([attack('a', { trials: [trial(1, { exposure, verdict })] })]), opening(list))
  },
  async (page) => {
    expect(await page.axe()).toEqual([])
    await page.go('#/help-desk/a/1')
    await page.until(`document.querySelectorAll('.row').length > 0`)
    expect(await page.axe()).toEqual([])
    await page.focus('.virtual')
    await page.press('ArrowUp')
    expect(
      await page.evaluate<string>(
        `document.getElementById(document.querySelector('.virtual').getAttribute('aria-activedescendant'))?.className`,
      ),
    ).toContain('row')
  },
  { viewport: { width: 390, height: 844 } },
)

const HOSTILE = [
  '<script>window.owned = 1</script>',
  '</script><script>window.owned = 1</script>',
  '<img src=x onerror="window.owned = 1">',
  '"><svg onload=window.owned=1>',
  'javascript:window.owned=1',
  '\u001b[31mred\u001b[0m \u0000\u0007\u009b',
  'good\u202eevil\u202c \u2066isolated\u2069 \u200b',
].join('\n')
const hostileVerdict = {
  ...trial(1).verdict,
  indicator_verdicts: [
    {
      indicator_id: HOSTILE,
      result: 'matched' as const,
      evidence: HOSTILE,
      match: { path: HOSTILE, value: HOSTILE, span: { start: 0, end: 30 } },
      entry: { seq: 1, actor: HOSTILE, phase: HOSTILE, surface: HOSTILE, flow: 'in' as const },
    },
  ],
}
const hostileTrial = trial(1, {
  reasons: [HOSTILE],
  answer: HOSTILE,
  printed: HOSTILE,
  exit_code: 3,
  verdict: hostileVerdict,
  actors: [
    {
      name: HOSTILE,
      mode: HOSTILE,
      status: 'serving',
      address: HOSTILE,
      error: HOSTILE,
      phases: [
        { phase: HOSTILE, elapsed_ms: 0, reason: 'start' },
        { phase: `${HOSTILE}2`, elapsed_ms: 11, reason: 'event_matched' },
      ],
    },
  ],
  diagnostics: [{ severity: 'error', code: HOSTILE, spec_ref: '', message: HOSTILE, path: HOSTILE, actor: HOSTILE }],
  wiring: [HOSTILE],
  approvals: [{ request: HOSTILE, approved: false }],
})
const hostileAttack = attack(
  'h',
  { file: HOSTILE, trials: [hostileTrial] },
  {
    id: HOSTILE,
    name: HOSTILE,
    description: HOSTILE,
    text: HOSTILE,
    tags: [HOSTILE],
    protocols: [HOSTILE, 'mcp'],
    mappings: [{ framework: HOSTILE, id: HOSTILE, name: HOSTILE }],
    indicators: [{ id: HOSTILE, description: HOSTILE, surface: HOSTILE, target: HOSTILE, method: 'pattern' }],
  },
)
const hostileEntries = [1, 2].map((seq) =>
  entry(seq, {
    actor: HOSTILE,
    mode: HOSTILE,
    phase: HOSTILE,
    surface: HOSTILE,
    session: HOSTILE,
    malformed: HOSTILE,
    content: { [HOSTILE]: HOSTILE, list: [HOSTILE] },
  }),
)

inBrowser(
  'hostile content stays text',
  () => renderHtml(hardened(results([hostileAttack], HOSTILE), HOSTILE), opening(hostileEntries)),
  async (page) => {
    const clean = async () => {
      expect(await page.evaluate('window.owned ?? null')).toBeNull()
      expect(
        await page.count('img, iframe, object, embed, link, main script, main style, svg[onload], [onerror]'),
      ).toBe(0)
      const shown = await page.evaluate<string>('document.body.innerText')
      for (const steering of '\u001b\u0000\u202e\u2066\u200b\u009b') expect(shown).not.toContain(steering)
      expect(shown).toContain('\\u202e')
      expect(shown).toContain('<script>window.owned = 1</script>')
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))`,
      )
      for (const link of links) expect(link).toMatch(/^#\//)
    }
    await clean()
    await page.click('tbody a')
    await page.until(`document.querySelectorAll('.row').length === 3`)
    await clean()
    await page.click('.pane-tabs button:nth-child(2)')
    await clean()
    await page.click('.open-message')
    await page.until(`document.querySelector('.message') !== null`)
    expect(await page.text('.message .json')).toContain('\\u001b[31m')
    await clean()
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('.json-string')).unicodeBidi`)).toBe(
      'isolate',
    )
  },
)

const MANY = 10_000
const many = () => {
  const list = Array.from({ length: MANY }, (_, place) =>
    entry(place + 1, { content: { name: `tool-${place}`, arguments: { text: `${place} `.repeat(60) } } }),
  )
  return renderHtml(results([attack('big')]), opening(list))
}

inBrowser('ten thousand messages', many, async (page) => {
  const first = await page.evaluate<number>(`performance.getEntriesByName('joust-shown')[0].startTime`)
  const opened = await page.evaluate<number>(`new Promise((done) => {
    const start = performance.now()
    location.hash = '#/help-desk/big/1'
    const look = () => document.querySelector('#message-5') === null ? requestAnimationFrame(look) : done(performance.now() - start)
    look()
  })`)
  console.log(
    `report of ${MANY} messages: first view after ${Math.round(first)} ms, its sequence ${Math.round(opened)} ms after a click`,
  )
  expect(first).toBeLessThan(5000)
  expect(opened).toBeLessThan(5000)
  expect(await page.count('.row')).toBeLessThan(100)
  await page.focus('.virtual')
  await page.press('End')
  await page.until(`document.querySelector('#message-${MANY - 1}') !== null`)
  expect(await page.count('.row')).toBeLessThan(100)
  expect(await page.text('.lane-phase.lane-band-1')).toBe('armed')
  await page.type('.sequence-tools input', 'tool-4242"')
  await page.until(`document.querySelectorAll('.row').length === 1`)
})
