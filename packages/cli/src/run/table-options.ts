import type { Io } from '../terminal/io.ts'
import type { PreparedRun } from './prepare.ts'
import type { TableOptions } from './table.ts'

/** How the results of a run are shown on standard output. */
export function tableOptions({ options, targets }: Pick<PreparedRun, 'options' | 'targets'>, io: Io): TableOptions {
  return {
    columns: io.stdout.columns,
    verbose: options.verbose,
    prices: targets.map(({ given }) => given.options.price),
  }
}
