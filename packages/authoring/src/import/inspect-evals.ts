import type { BenchmarkFolder } from './importer.ts'

/** Returns the path to a data file, relative to the folder of the benchmark, `inspect_evals` or `site-packages`. */
export async function packageFile(folder: BenchmarkFolder, benchmark: string, file: string): Promise<string> {
  for (const root of ['', `${benchmark}/`, `inspect_evals/${benchmark}/`])
    if ((await folder.read(`${root}${file}`)) !== undefined) return `${root}${file}`
  return `${benchmark}/${file}`
}
