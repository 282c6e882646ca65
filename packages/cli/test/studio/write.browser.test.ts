import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { reviewAttack } from '../review-attack.ts'
import { press, studioTests } from './pages.ts'

const studioTest = await studioTests()
const file = 'attacks/first.oatf.yaml'

studioTest(
  'a mistake is shown and fixed, the diagram links to its line, and saving can be undone',
  { [file]: reviewAttack.replace('severity: medium', 'severity: medum') },
  async (page, shoot) => {
    const disk = () => readFileSync(join(page.folder, file), 'utf8')
    await page.press('Alt+1')
    await press(page, '.files a', 'first.oatf.yaml')
    await page.until("document.querySelector('.cm-lintRange-error') !== null")
    expect(await page.axe()).toEqual([])
    await shoot('write-error')
    await page.click('.problems .fix')
    await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('not saved · 0 errors')")
    expect(disk()).toContain('medum')
    await press(page, 'button', 'Save')
    await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('saved')")
    expect(disk()).toContain('severity: medium')
    await page.click('.picture .band')
    const line = "document.querySelector('.cm-activeLine').innerText"
    await page.until(`/mode: a2a_client|state:|execution:/.test(${line})`)
    await press(page, 'button', 'Prove')
    await page.until("document.querySelector('.proven') !== null")
    expect(await page.axe()).toEqual([])
    await shoot('write-proven')
    await page.focus('.cm-content')
    await page.press('Control+End', 'Enter')
    await page.until("document.querySelector('.file-bar').innerText.includes('Outdated')")
    expect(await page.count('.proven')).toBe(0)
    await page.press('Control+z')
    await page.until("document.querySelector('.proven') !== null")
    await press(page, 'button', 'Undo save')
    await page.until("document.querySelector('.cm-content').innerText.includes('medum')")
    expect(disk()).toContain('medum')
  },
)

studioTest(
  'one hover card explains a finding and its key, in at most 40 % of the height',
  { [file]: reviewAttack.replace('severity: medium', 'severity: medum') },
  async (page, shoot) => {
    await page.go(`#/write/${file}`)
    await page.until("document.querySelector('.cm-lintRange-error') !== null")
    const [x, y] = await page.evaluate<[number, number]>(
      "(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector('.cm-lintRange-error').getBoundingClientRect())",
    )
    await page.raw.mouse.move(x, y)
    await page.until("document.querySelector('.cm-tooltip-hover .hover-box') !== null")
    await page.until("document.querySelector('.cm-tooltip-hover .cm-diagnostic') !== null")
    expect(await page.count('.cm-tooltip-hover')).toBe(1)
    const card = "document.querySelector('.cm-tooltip-hover')"
    expect(await page.evaluate<number>(`${card}.getBoundingClientRect().height / innerHeight`)).toBeLessThanOrEqual(0.4)
    expect(await page.text('.cm-tooltip-hover')).not.toMatch(/^-{3}$|\*\*/m)
    await shoot('write-hover')
  },
)

studioTest('the first keystroke moves nothing, and the keys are listed', { [file]: reviewAttack }, async (page) => {
  await page.go(`#/write/${file}`)
  await page.until("document.querySelector('.picture .band') !== null")
  const places =
    "['.editor', '.file-buttons', '.files a', '.problems summary'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"
  const before = await page.evaluate(places)
  await page.focus('.cm-content')
  await page.press('Control+End', 'x')
  await page.until("document.querySelector('.cm-lint-marker-error') !== null")
  await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('not saved · ')")
  expect(await page.evaluate(places)).toEqual(before)
  // Nor does the first one after a proof.
  await page.press('Backspace', 'Control+s')
  await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('saved · 0 errors')")
  await press(page, 'button', 'Prove')
  await page.until("document.querySelector('.proven') !== null")
  const proven = await page.evaluate(places)
  await page.focus('.cm-content')
  await page.press('Control+End', 'x')
  await page.until("document.querySelector('.file-bar').innerText.includes('Outdated')")
  await page.until("document.querySelector('.cm-lint-marker-error') !== null")
  expect(await page.evaluate(places)).toEqual(proven)
  await page.focus('main')
  await page.press('?')
  await page.until("document.querySelector('dialog').open")
  expect(await page.text('dialog')).toMatch(/Alt\+1[\s\S]*open a view/)
  expect(await page.axe()).toEqual([])
})

studioTest(
  'changes by another program are not overwritten',
  { [file]: reviewAttack },
  async (page) => {
    await page.go(`#/write/${file}`)
    await page.until("document.querySelector('.cm-content') !== null")
    writeFileSync(join(page.folder, file), '# theirs\n')
    await page.focus('.cm-content')
    await page.press('Control+End', 'Enter', 'Control+s')
    await press(page, 'button', 'Load the version on disk')
    await page.until("document.querySelector('.cm-content').innerText.includes('# theirs')")
    expect(readFileSync(join(page.folder, file), 'utf8')).toBe('# theirs\n')
  },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
)

studioTest('keys are completed, and what is unknown is told', { [file]: 'oatf: "0.1"\nattack:\n' }, async (page) => {
  await page.go(`#/write/${file}`)
  await page.until("document.querySelector('.cm-content') !== null")
  await page.focus('.cm-content')
  await page.press('Control+End')
  await page.raw.keyboard.insertText('  sev')
  await page.press('Control+Space')
  await page.until("document.querySelector('.cm-tooltip-autocomplete')?.innerText.includes('severity')")
  // The explanation is text with a little emphasis.
  await page.until("document.querySelector('.hover-box') !== null")
  expect(await page.text('.hover-box')).not.toContain('**')
  // Typing over a selection works as everywhere, without a complaint from the content security policy.
  await page.press('Escape', 'Control+a')
  await page.raw.keyboard.insertText('one')
  await page.press('Shift+Home', 'x')
  await page.until("document.querySelector('.cm-content').innerText === 'x'")
})

const agent = readFileSync(join(repositoryRoot(), 'examples/agents/react/agent.agf.yaml'), 'utf8')

studioTest(
  'an agent file is shown as its graph, and joust.yaml is known',
  { 'a.agf.yaml': agent, 'joust.yaml': 'targts: {}\n' },
  async (page) => {
    await page.go('#/write/a.agf.yaml')
    await page.until("document.querySelectorAll('.graph .node').length >= 2")
    expect(await page.axe()).toEqual([])
    await page.click('.graph .node:not(:disabled)')
    await page.until("/metadata:/.test(document.querySelector('.cm-activeLine').innerText)")
    await page.go('#/write/joust.yaml')
    await page.until("document.querySelector('.problems')?.innerText.includes('targets')")
  },
)

const line = "document.querySelector('.cm-activeLine').innerText"

studioTest(
  'a name is found wherever it stands, and gets another one',
  {
    [file]: `oatf: "0.1"
attack:
  name: Two
  execution:
    actors:
      - name: shop
        mode: mcp_server
        phases:
          - name: only
            state: { tools: [] }
            extractors: [{ name: code, source: request, type: json_path, selector: $.x }]
      - name: user
        mode: ag_ui_client
        phases: [{ name: only, state: { run_agent_input: { messages: [{ id: a, role: user, content: "{{shop.code}}" }] } } }]
`,
  },
  async (page) => {
    await page.go(`#/write/${file}`)
    await page.until("document.querySelector('.outline') !== null")
    // The outline moves to the actor, and the keyboard continues from there.
    await press(page, '.outline summary', 'Outline')
    await press(page, '.outline button', 'shop')
    await page.until(`${line}.includes('name: shop')`)
    await page.press('Shift+F12')
    await page.until("document.querySelectorAll('section.problems li').length === 2")
    expect(await page.axe()).toEqual([])
    await page.press('Tab', 'Enter')
    await page.until(`${line}.includes('{{shop.code}}')`)
    await page.press('F12')
    await page.until(`${line}.includes('name: shop')`)
    await page.press('F2')
    await page.until("document.querySelector('.cm-dialog input') !== null")
    expect(await page.axe()).toEqual([])
    await page.type('.cm-dialog input', 'No Name')
    await page.press('Enter')
    await page.until("document.querySelector('.cm-dialog')?.innerText.includes('lower-case') === true")
    await page.press('Escape', 'F2')
    await page.until("document.querySelector('.cm-dialog input') !== null")
    await page.type('.cm-dialog input', 'store')
    await page.press('Enter')
    await page.until("document.querySelector('.cm-content').innerText.includes('{{store.code}}')")
    expect(await page.text('.cm-content')).not.toContain('shop')
  },
)

studioTest(
  'references to other files open by keyboard and by mouse',
  { 'joust.yaml': 'targets:\n  clerk:\n    agent: agents/a.agf.yaml\n', 'agents/a.agf.yaml': agent },
  async (page) => {
    await page.go('#/write/joust.yaml')
    await page.until("document.querySelector('.cm-file-link')?.innerText === 'agents/a.agf.yaml'")
    await page.until("/targets[^]*clerk/.test(document.querySelector('.outline')?.innerText ?? '')")
    await page.focus('.cm-content')
    await page.press('Control+End', 'ArrowUp', 'End', 'F12')
    await page.until("document.querySelector('.file h1')?.innerText === 'agents/a.agf.yaml'")
    // Alt+1 returns to it from another view, and from itself to the list.
    await page.press('Alt+2', 'Alt+1')
    await page.until("document.querySelector('.file h1')?.innerText === 'agents/a.agf.yaml'")
    await page.press('Alt+1')
    await page.until("document.querySelector('.write h1')?.innerText === 'Open a file'")
    await page.focus('.file-list')
    await page.press('ArrowDown', 'Enter')
    await page.until("document.querySelector('.file h1')?.innerText === 'joust.yaml'")
    await page.until("document.querySelector('.cm-file-link') !== null")
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      "(() => { const { x, y } = document.querySelector('.cm-file-link').getBoundingClientRect(); return { x, y } })()",
    )
    await page.raw.mouse.click(x + 20, y + 5)
    expect(await page.text('.file h1')).toBe('joust.yaml')
    await page.raw.keyboard.down('Control')
    await page.raw.mouse.click(x + 20, y + 5)
    await page.raw.keyboard.up('Control')
    await page.until("document.querySelector('.file h1')?.innerText === 'agents/a.agf.yaml'")
    // Findings appear below the editor, and the focus moves there.
    await press(page, 'button', 'Lint')
    await page.until("document.activeElement?.innerText === 'Lint: no findings'")
  },
)
