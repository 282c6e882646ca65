import type { BenchmarkFolder } from './importer.ts'

/** Finds a data file in the folder of the benchmark, of the package `inspect_evals`, or of `site-packages`. */
export async function packageFile(folder: BenchmarkFolder, benchmark: string, file: string): Promise<string> {
  for (const root of ['', `${benchmark}/`, `inspect_evals/${benchmark}/`])
    if ((await folder.read(`${root}${file}`)) !== undefined) return `${root}${file}`
  return `${benchmark}/${file}`
}
