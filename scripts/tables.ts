/** Loads the compiled tables of the packages. They are internal, so they are imported by file. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as AgentFormat from '@joust/agentformat'
import type * as Oatf from '@joust/oatf'
import type * as Source from '@joust/source'
import type * as AdaptiveLimits from '../packages/adaptive/src/limits.ts'
import type * as AgentLimits from '../packages/agentformat/src/model/limits.ts'
import type * as AgentRules from '../packages/agentformat/src/rules/table.ts'
import type * as Drivers from '../packages/arena/src/drivers/table.ts'
import type * as RunLimits from '../packages/arena/src/model/limits.ts'
import type * as Declare from '../packages/cli/src/options/declare.ts'
import type * as Command from '../packages/cli/src/program/command.ts'
import type * as Program from '../packages/cli/src/program.ts'
import type * as Project from '../packages/cli/src/project/shape.ts'
import type * as Glossary from '../packages/cli/src/render/glossary.ts'
import type * as CommandLimits from '../packages/cli/src/terminal/limits.ts'
import type * as FleetLimits from '../packages/fleet/src/limits.ts'
import type * as IoLimits from '../packages/io/src/limits.ts'
import type * as LanguageLimits from '../packages/language/src/text/limits.ts'
import type * as ModelLimits from '../packages/models/src/model/limits.ts'
import type * as Bindings from '../packages/oatf/src/bindings/table.ts'
import type * as Dialects from '../packages/oatf/src/dialects/table.ts'
import type * as Lint from '../packages/oatf/src/lint/table.ts'
import type * as Enumerations from '../packages/oatf/src/model/enumerations.ts'
import type * as OatfLimits from '../packages/oatf/src/model/limits.ts'
import type * as Rules from '../packages/oatf/src/rules/table.ts'
import type * as Steps from '../packages/oatf/src/steps/table.ts'
import type * as ReportLimits from '../packages/report/src/content/limits.ts'
import type * as Results from '../packages/results/src/index.ts'
import type * as Diagnostics from '../packages/results/src/model/diagnostics.ts'
import type * as ResultsLimits from '../packages/results/src/model/limits.ts'
import type * as RuntimeLimits from '../packages/runtime/src/model/limits.ts'
import type * as Policies from '../packages/runtime/src/policies/table.ts'
import type * as SourceLimits from '../packages/source/src/model/limits.ts'
import type * as StudioLimits from '../packages/studio/src/model/limits.ts'
import type * as TargetLimits from '../packages/targets/src/limits.ts'
import type * as ModelClients from '../packages/targets/src/models/clients.ts'
import type * as TrialLimits from '../packages/trials/src/limits.ts'
import type { CommandTables } from './render-commands.ts'

interface LimitTable {
  readonly package: string
  /** The file that defines the limits, with a doc comment for each. */
  readonly file: string
  readonly limits: Readonly<Record<string, number>>
}

export interface Tables {
  readonly rules: typeof Rules.ruleTable
  readonly lints: typeof Lint.lintTable
  readonly agentRules: typeof AgentRules.agentRules
  readonly steps: typeof Steps.stepTable
  readonly dialects: typeof Dialects.dialectTable
  readonly bindings: typeof Bindings.bindings
  readonly limits: readonly LimitTable[]
  /** The JSON Schema of each kind of file, by its name in docs/schemas. */
  readonly schemas: Readonly<Record<string, Source.Value>>
  readonly glossary: typeof Glossary.glossary
  readonly program: CommandTables
  readonly drivers: readonly Pick<(typeof Drivers.drivers)[number], 'mode' | 'role'>[]
  readonly diagnostics: typeof Diagnostics.diagnosticTable
  readonly modelClients: typeof ModelClients.modelClients
  readonly methods: typeof Enumerations.indicatorMethods
  /** The policies in the format, and those that the runtime supports. */
  readonly policies: typeof AgentFormat.standardPolicyIds
  readonly runnablePolicies: readonly string[]
}

export async function loadTables(root: string): Promise<Tables> {
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(join(root, 'packages', file)).href)
  // The compiler emitted each file from the module in its type.
  const { ruleTable } = (await load('oatf/dist/rules/table.js')) as typeof Rules
  const { lintTable } = (await load('oatf/dist/lint/table.js')) as typeof Lint
  const { agentRules } = (await load('agentformat/dist/rules/table.js')) as typeof AgentRules
  const { stepTable } = (await load('oatf/dist/steps/table.js')) as typeof Steps
  const { dialectTable } = (await load('oatf/dist/dialects/table.js')) as typeof Dialects
  const { bindings } = (await load('oatf/dist/bindings/table.js')) as typeof Bindings
  const { defaultLimits, sourceBounds } = (await load('source/dist/model/limits.js')) as typeof SourceLimits
  const { ioLimits } = (await load('io/dist/limits.js')) as typeof IoLimits
  const { oatfLimits } = (await load('oatf/dist/model/limits.js')) as typeof OatfLimits
  const { agentLimits } = (await load('agentformat/dist/model/limits.js')) as typeof AgentLimits
  const { languageLimits } = (await load('language/dist/text/limits.js')) as typeof LanguageLimits
  const { defaultReportLimits, reportBounds } = (await load('report/dist/content/limits.js')) as typeof ReportLimits
  const { limits: studioLimits } = (await load('studio/dist/model/limits.js')) as typeof StudioLimits
  const { commandLimits } = (await load('cli/dist/terminal/limits.js')) as typeof CommandLimits
  const { fleetLimits } = (await load('fleet/dist/limits.js')) as typeof FleetLimits
  const { modelLimits } = (await load('models/dist/model/limits.js')) as typeof ModelLimits
  const { runtimeLimits } = (await load('runtime/dist/model/limits.js')) as typeof RuntimeLimits
  const { commands } = (await load('cli/dist/program.js')) as typeof Program
  const { flagsOf, helpOf } = (await load('cli/dist/options/declare.js')) as typeof Declare
  const { inBrackets } = (await load('cli/dist/program/command.js')) as typeof Command
  const { glossary } = (await load('cli/dist/render/glossary.js')) as typeof Glossary
  const { drivers } = (await load('arena/dist/drivers/table.js')) as typeof Drivers
  const { diagnosticTable } = (await load('results/dist/model/diagnostics.js')) as typeof Diagnostics
  const { defaultRunLimits, arenaLimits } = (await load('arena/dist/model/limits.js')) as typeof RunLimits
  const { resultsLimits } = (await load('results/dist/model/limits.js')) as typeof ResultsLimits
  const { targetLimits } = (await load('targets/dist/limits.js')) as typeof TargetLimits
  const { modelClients } = (await load('targets/dist/models/clients.js')) as typeof ModelClients
  const { trialLimits } = (await load('trials/dist/limits.js')) as typeof TrialLimits
  const { adaptiveLimits } = (await load('adaptive/dist/limits.js')) as typeof AdaptiveLimits
  const { documentSchema } = (await load('oatf/dist/index.js')) as typeof Oatf
  const { resultsSchema } = (await load('results/dist/index.js')) as typeof Results
  const { projectSchema } = (await load('cli/dist/project/shape.js')) as typeof Project
  const { indicatorMethods } = (await load('oatf/dist/model/enumerations.js')) as typeof Enumerations
  const { documentSchema: agentSchema, standardPolicyIds } = (await load(
    'agentformat/dist/index.js',
  )) as typeof AgentFormat
  const { policies } = (await load('runtime/dist/policies/table.js')) as typeof Policies
  const limitsOf = (name: string, file: string, ...tables: readonly LimitTable['limits'][]): LimitTable => ({
    package: name,
    file: `packages/${file}`,
    limits: Object.assign({}, ...tables),
  })
  const limits: LimitTable[] = [
    limitsOf('@joust/source', 'source/src/model/limits.ts', defaultLimits, sourceBounds),
    limitsOf('@joust/oatf', 'oatf/src/model/limits.ts', oatfLimits),
    limitsOf('@joust/agentformat', 'agentformat/src/model/limits.ts', agentLimits),
    limitsOf('@joust/language', 'language/src/text/limits.ts', languageLimits),
    limitsOf('@joust/io', 'io/src/limits.ts', ioLimits),
    limitsOf('@joust/models', 'models/src/model/limits.ts', modelLimits),
    limitsOf('@joust/runtime', 'runtime/src/model/limits.ts', runtimeLimits),
    limitsOf('@joust/results', 'results/src/model/limits.ts', resultsLimits),
    limitsOf('@joust/arena', 'arena/src/model/limits.ts', defaultRunLimits, arenaLimits),
    limitsOf('@joust/targets', 'targets/src/limits.ts', targetLimits),
    limitsOf('@joust/trials', 'trials/src/limits.ts', trialLimits),
    limitsOf('@joust/adaptive', 'adaptive/src/limits.ts', adaptiveLimits),
    limitsOf('@joust/fleet', 'fleet/src/limits.ts', fleetLimits),
    limitsOf('@joust/report', 'report/src/content/limits.ts', defaultReportLimits, reportBounds),
    limitsOf('@joust/studio', 'studio/src/model/limits.ts', studioLimits),
    limitsOf('joust', 'cli/src/terminal/limits.ts', commandLimits),
  ]
  return {
    ...{ rules: ruleTable, lints: lintTable, agentRules, steps: stepTable, dialects: dialectTable, bindings, limits },
    schemas: { oatf: documentSchema(), agent: agentSchema, results: resultsSchema(), joust: projectSchema() },
    ...{ glossary, drivers, diagnostics: diagnosticTable, methods: indicatorMethods, modelClients },
    program: { commands, flagsOf, helpOf, inBrackets },
    ...{ policies: standardPolicyIds, runnablePolicies: Object.keys(policies) },
  }
}
