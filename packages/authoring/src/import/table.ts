import { agentThreatRules } from './agent-threat-rules.ts'
import { agentdojo } from './agentdojo.ts'
import { agentthreatbench } from './agentthreatbench.ts'
import { codeipi } from './codeipi.ts'
import type { Importer } from './importer.ts'
import { injecagent } from './injecagent.ts'

/** All importers. */
export const importers: readonly Importer[] = [injecagent, agentdojo, codeipi, agentthreatbench, agentThreatRules]
