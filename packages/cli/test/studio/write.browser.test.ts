import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { firstAttack } from '../../src/init/first-attack.ts'
import { press, studioTests } from './pages.ts'

const studioTest = await studioTests()
const file = 'attacks/first.oatf.yaml'

studioTest(
  'a mistake is shown and mended, the picture leads to its line, and saving can be undone',
  { [file]: firstAttack.replace('severity: medium', 'severity: medum') },
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
    await press(page, 'button', 'Undo save')
    await page.until("document.querySelector('.cm-content').innerText.includes('medum')")
    expect(disk()).toContain('medum')
  },
)

studioTest(
  'what somebody else has written is not written over',
  { [file]: firstAttack },
  async (page) => {
    await page.go(`#/write/${file}`)
    await page.until("document.querySelector('.cm-content') !== null")
    writeFileSync(join(page.folder, file), '# theirs\n')
    await page.focus('.cm-content')
    await page.press('Control+End', 'Enter', 'Control+s')
    await press(page, 'button', 'Take theirs')
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
  // Over a selection, as everywhere, without a word from the content security policy.
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
