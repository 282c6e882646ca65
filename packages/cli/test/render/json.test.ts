import { expect, test } from 'vitest'
import { renderJson } from '../../src/render/json.ts'
import { GOOD, joust } from '../world.ts'
import { reports } from './reports.ts'

test('the versioned object', () => {
  expect(JSON.parse(renderJson(reports))).toEqual({
    version: 1,
    joust: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    files: [
      { file: 'a b/ä,x:y%.yaml', format: 'oatf', valid: false, diagnostics: reports[0]?.diagnostics },
      { file: 'b.agf.yaml', format: 'agent-format', valid: false, diagnostics: [], note: 'not checked' },
    ],
    summary: { files: 1, errors: 2, warnings: 1, not_checked: 1 },
  })
})

test('a sound document is valid', async () => {
  const { stdout } = await joust(['validate', '-', '--format', 'json'], { stdin: GOOD })
  expect(JSON.parse(stdout).files).toEqual([{ file: '<stdin>', format: 'oatf', valid: true, diagnostics: [] }])
})
