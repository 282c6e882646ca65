/** All importers, by name. */
import type { Importer } from './importer.ts'
import { injecagent } from './injecagent.ts'

export const importers: readonly Importer[] = [injecagent]
