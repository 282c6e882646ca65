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

test('a file with very many findings shows the first, and how many more there are', () => {
  const diagnostics = Array.from({ length: 1000 }, () => ({ severity: 'error', code: 'V-001', message: 'no' }) as const)
  const [report] = reports
  const text = renderText([{ ...report, diagnostics } as (typeof reports)[number]], picocolors.createColors(false))
  expect(text.split('V-001')).toHaveLength(201)
  expect(text).toContain('and 800 more')
})
