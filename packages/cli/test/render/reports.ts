import type { FileReport } from '../../src/input/file-report.ts'

/** Reports with everything that a format has to cope with. */
export const reports: readonly FileReport[] = [
  {
    name: 'a b/ä,x:y%.yaml',
    path: '/a',
    format: 'oatf',
    text: 'oatf: "0.1"',
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
  { name: 'b.agf.yaml', path: '/b', format: 'agent-format', diagnostics: [], note: 'not checked' },
]
