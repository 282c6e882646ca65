import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { renderText } from '../../src/render/text.ts'
import { reports } from './reports.ts'

test('place, severity, code, message, path; the lines around; notes last', () => {
  expect(renderText(reports, picocolors.createColors(false))).toBe(
    [
      'a b/ä,x:y%.yaml:1:7  error V-005  100% "wrong",␊really (attack.status)',
      '  > 1 | oatf: "0.1"',
      '      |       ^^^^^',
      '',
      'a b/ä,x:y%.yaml:1:1  warning W-001  hm (oatf)',
      '  > 1 | oatf: "0.1"',
      '      | ^',
      '',
      'a b/ä,x:y%.yaml  error syntax  no place',
      'b.agf.yaml  note  not checked',
      '',
    ].join('\n'),
  )
})
