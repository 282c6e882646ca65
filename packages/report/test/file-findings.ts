import type { FileFindings } from '../src/findings.ts'

/** Findings with everything that a format has to escape. */
export const files: readonly FileFindings[] = [
  {
    name: 'a b/ä,x:y%.yaml',
    diagnostics: [
      {
        severity: 'error',
        code: 'V-005',
        message: '100% "wrong",\nreally',
        path: 'attack.status',
        line: 1,
        column: 7,
        end_column: 12,
      },
      { severity: 'warning', code: 'W-001', message: 'hm', path: 'oatf', line: 1, column: 1 },
      { severity: 'error', code: 'syntax', message: 'no place' },
    ],
  },
  { name: 'b.agf.yaml', diagnostics: [], note: 'not checked' },
]
