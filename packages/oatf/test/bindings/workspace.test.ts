/** `x-joust-files`: the entries that are written, and the messages that lint and rules know. */
import { describe, expect, test } from 'vitest'
import { fileFaults, filesIn, load, needsFolder } from '../../src/index.ts'

const files = (...entries: unknown[]) => ({ 'x-joust-files': entries })
const text = 'x'

describe('an entry', () => {
  test.each(['AGENTS.md', '.cursor/rules/a.mdc', 'skills/pdf/SKILL.md'])('with the path %s is written', (path) => {
    expect(filesIn(files({ path, text }))).toEqual([{ path, text, at: ['attack', 'x-joust-files', 0, 'text'] }])
    expect(fileFaults(files({ path, text }))).toEqual([])
  })

  test.each(['', '/etc/passwd', '../a', 'a/../b', './a', 'a//b', 'c:/a', 'a\\b', 'a\0b', 'x'.repeat(201)])(
    'with the path %j is not',
    (path) => {
      expect(filesIn(files({ path, text }))).toEqual([])
      expect(fileFaults(files({ path: 'a', text }, { path, text }))).toMatchObject([
        { path: ['attack', 'x-joust-files', 1] },
      ])
    },
  )

  test('with the path of another file, or of its folder, is not', () => {
    const taken = files({ path: 'a/b', text }, { path: 'a/b', text }, { path: 'a', text }, { path: 'a/b/c', text })
    expect(filesIn(taken).map(({ path }) => path)).toEqual(['a/b'])
    expect(fileFaults(taken)).toHaveLength(3)
  })

  test('without a text is not', () => {
    expect(fileFaults(files({ path: 'a' }, 7))).toMatchObject([
      { path: ['attack', 'x-joust-files', 0] },
      { path: ['attack', 'x-joust-files', 1] },
    ])
    expect(fileFaults({ 'x-joust-files': 'AGENTS.md' })).toMatchObject([{ path: ['attack', 'x-joust-files'] }])
    expect([needsFolder({}), needsFolder({ 'x-joust-files': [] })]).toEqual([false, true])
  })
})

const document = (extension: string) => `
oatf: "0.1"
attack:
  execution:
    mode: ag_ui_client
    state: { run_agent_input: { messages: [{ id: m, role: user, content: Build it. }] } }
${extension}
  indicators:
    - { protocol: workspace, surface: file/changed, target: path, pattern: { contains: build } }
    - { protocol: workspace, surface: file/changed, target: nowhere, pattern: { contains: build } }
`

function findings(extension: string) {
  const loaded = load(document(extension))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const { warnings, deadIndicators } = loaded.value
  return [
    warnings
      .map(({ code }) => code)
      .filter((code) => code.startsWith('W'))
      .sort(),
    deadIndicators,
  ]
}

test('indicators of the working folder have an actor only in an attack with files', () => {
  expect(findings('  x-joust-files: [{ path: AGENTS.md, text: Do it. }]')).toEqual([[], [1]])
  expect(findings('')).toEqual([
    ['W-003', 'W-003', 'W-005', 'W-005'],
    [0, 1],
  ])
})
