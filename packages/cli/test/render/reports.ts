import { files } from '../../../report/test/file-findings.ts'
import type { FileReport } from '../../src/input/file-report.ts'

/** Reports with everything that a format has to cope with. */
export const reports: readonly FileReport[] = files.map((file) => ({
  ...file,
  path: `/${file.name}`,
  ...(file.note === undefined ? { format: 'oatf', text: 'oatf: "0.1"' } : { format: 'agent-format' }),
}))
