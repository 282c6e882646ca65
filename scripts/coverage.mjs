/**
 * `node scripts/coverage.mjs`: prints the coverage of each package after `npm test -- --coverage`, and fails if a
 * package is below its minimum in `coverage.json`. Code that runs only in other processes or in the browser is not
 * counted.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const report = join(root, 'node_modules/.cache/joust/coverage/coverage-summary.json')

/** Returns the number of lines and covered lines by package from a Vitest report. */
export function linesByPackage(summary, folder = root) {
  const packages = new Map()
  for (const [file, { lines }] of Object.entries(summary)) {
    const [first, name] = relative(folder, file).split(sep)
    if (first !== 'packages' || name === undefined) continue
    const { total, covered } = packages.get(name) ?? { total: 0, covered: 0 }
    packages.set(name, { total: total + lines.total, covered: covered + lines.covered })
  }
  return packages
}

/** Returns a line for each package, and errors for packages below their minimum or without one. */
export function compareCoverage(packages, floors, names) {
  const rows = names.map((name) => {
    const { total, covered } = packages.get(name) ?? { total: 0, covered: 0 }
    return { name, percent: total === 0 ? 100 : (100 * covered) / total, floor: floors[name] }
  })
  return {
    text: rows.map(
      ({ name, percent, floor }) => `${name.padEnd(14)}${percent.toFixed(1).padStart(5)} %   floor ${floor}`,
    ),
    faults: rows.flatMap(({ name, percent, floor }) => {
      if (floor === undefined)
        return [`${name} has no minimum in coverage.json; its coverage is ${Math.floor(percent)} %`]
      return percent < floor ? [`${name}: ${percent.toFixed(2)} % of its lines are covered, less than ${floor} %`] : []
    }),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!existsSync(report)) {
    console.error('no coverage: run npm test -- --coverage')
    process.exit(1)
  }
  const floors = JSON.parse(readFileSync(join(root, 'coverage.json'), 'utf8'))
  const packages = linesByPackage(JSON.parse(readFileSync(report, 'utf8')))
  const { text, faults } = compareCoverage(packages, floors, readdirSync(join(root, 'packages')).sort())
  console.log(text.join('\n'))
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
