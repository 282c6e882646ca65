/** The rules of OATF, one per row, in code order, with their codes, levels and clauses. */
import { correlationNeedsIndicators } from './attack/correlation-needs-indicators.ts'
import { gracePeriodDuration } from './attack/grace-period-duration.ts'
import { attackIdFormat } from './attack/id-format.ts'
import { impactUnique } from './attack/impact-unique.ts'
import { severityConfidenceRange } from './attack/severity-confidence-range.ts'
import { versionPositive } from './attack/version-positive.ts'
import { actionSingleKey } from './content/action-single-key.ts'
import { actorReferences } from './content/actor-references.ts'
import { conditionsCanMatch } from './content/conditions-can-match.ts'
import { knownExtractors } from './content/known-extractors.ts'
import { oneCatchAll } from './content/one-catch-all.ts'
import { predicatePaths } from './content/predicate-paths.ts'
import { regexSyntaxRule } from './content/regex-syntax.ts'
import { synthesizeReserved } from './content/synthesize-reserved.ts'
import { templateSyntax } from './content/template-syntax.ts'
import { closedEnums } from './document/closed-enums.ts'
import { generatedNamesFree } from './document/generated-names-free.ts'
import { oneAttack } from './document/one-attack.ts'
import { plainYaml } from './document/plain-yaml.ts'
import { requiredFields } from './document/required-fields.ts'
import { supportedVersion } from './document/supported-version.ts'
import { versionIsFirstKey } from './document/version-is-first-key.ts'
import { actorsWellFormed } from './execution/actors-well-formed.ts'
import { knownMode } from './execution/known-mode.ts'
import { modeAndProtocolFormat } from './execution/mode-and-protocol-format.ts'
import { modelessForm } from './execution/modeless-form.ts'
import { oneForm } from './execution/one-form.ts'
import { phasesNotEmpty } from './execution/phases-not-empty.ts'
import { jsonPathSyntax } from './extractor/json-path-syntax.ts'
import { extractorNameFormat } from './extractor/name-format.ts'
import { regexHasCapture } from './extractor/regex-has-capture.ts'
import { indicatorActorExists } from './indicator/actor-exists.ts'
import { celSyntax } from './indicator/cel-syntax.ts'
import { indicatorConfidenceRange } from './indicator/confidence-range.ts'
import { indicatorIdFormat } from './indicator/id-format.ts'
import { knownProtocol } from './indicator/known-protocol.ts'
import { methodMatchesKey } from './indicator/method-matches-key.ts'
import { indicatorsNotEmpty } from './indicator/not-empty.ts'
import { oneDetectionKey } from './indicator/one-detection-key.ts'
import { protocolHasActor } from './indicator/protocol-has-actor.ts'
import { semanticExperimental } from './indicator/semantic-experimental.ts'
import { semanticThresholdRange } from './indicator/semantic-threshold-range.ts'
import { surfaceKnown } from './indicator/surface-known.ts'
import { targetPath } from './indicator/target-path.ts'
import { tierKnown } from './indicator/tier-known.ts'
import { uniqueIndicatorIds } from './indicator/unique-ids.ts'
import { variableNames } from './indicator/variable-names.ts'
import { variablePaths } from './indicator/variable-paths.ts'
import { extractorsNotEmpty } from './phase/extractors-not-empty.ts'
import { firstPhaseHasState } from './phase/first-phase-has-state.ts'
import { modeMatchesActor } from './phase/mode-matches-actor.ts'
import { onEnterNotEmpty } from './phase/on-enter-not-empty.ts'
import { terminalPhaseLast } from './phase/terminal-phase-last.ts'
import { uniquePhaseNames } from './phase/unique-names.ts'
import type { RuleRow } from './rule.ts'
import { afterIsDuration } from './trigger/after-is-duration.ts'
import { countNeedsEvent } from './trigger/count-needs-event.ts'
import { countPositive } from './trigger/count-positive.ts'
import { eventKnownForMode } from './trigger/event-known-for-mode.ts'
import { eventOrAfter } from './trigger/event-or-after.ts'

const PHASES = ['execution.actors', 'execution.phases', 'actors.phases']
const ACTORS = ['execution.actors', 'actors.name']
const EXTRACTORS = [...PHASES, 'actors.name', 'phases.extractors', 'extractors.name']
const MODES = [...PHASES, 'execution.mode', 'actors.mode', 'phases.mode']

// biome-ignore format: a row is a line
export const ruleTable: readonly RuleRow[] = [
  { code: 'V-001', level: 'error', section: '§11.1.1', ...supportedVersion },
  { code: 'V-003', level: 'error', section: '§11.1.3', ...oneAttack },
  { code: 'V-004', level: 'error', section: '§11.1.4', ...requiredFields },
  { code: 'V-005', level: 'error', section: '§11.1.5', ...closedEnums },
  { code: 'V-006', level: 'error', section: '§11.1.9', ...indicatorsNotEmpty },
  { code: 'V-007', level: 'error', section: '§11.1.7, §11.1.8', ...phasesNotEmpty },
  { code: 'V-008', level: 'error', section: '§11.1.7', needsShape: ['.trigger'], ...terminalPhaseLast },
  { code: 'V-009', level: 'error', section: '§11.1.7', needsShape: 'here', ...firstPhaseHasState },
  { code: 'V-010', level: 'error', section: '§11.1.10', ...uniqueIndicatorIds },
  { code: 'V-011', level: 'error', section: '§11.1.7', ...uniquePhaseNames },
  { code: 'V-012', level: 'error', section: '§11.1.11', needsShape: 'here', ...oneDetectionKey },
  { code: 'V-013', level: 'error', section: '§6.2', ...regexSyntaxRule },
  { code: 'V-014', level: 'error', section: '§6.3', ...celSyntax },
  { code: 'V-015', level: 'error', section: '§5.5', ...jsonPathSyntax },
  { code: 'V-016', level: 'error', section: '§5.7', ...templateSyntax },
  { code: 'V-017', level: 'error', section: '§4.3', ...severityConfidenceRange },
  { code: 'V-018', level: 'warning', section: '§7', ...surfaceKnown },
  { code: 'V-019', level: 'error', section: '§5.3', needsShape: 'here', ...countNeedsEvent },
  { code: 'V-020', level: 'error', section: '§11.1.1', ...plainYaml },
  { code: 'V-021', level: 'error', section: '§6.1, §6.2, §6.4', ...targetPath },
  { code: 'V-022', level: 'error', section: '§6.4', ...semanticThresholdRange },
  { code: 'V-023', level: 'error', section: '§4.2', ...attackIdFormat },
  { code: 'V-024', level: 'error', section: '§6.1', ...indicatorIdFormat },
  { code: 'V-025', level: 'error', section: '§6.1', ...indicatorConfidenceRange },
  { code: 'V-026', level: 'error', section: '§6.3', ...variablePaths },
  { code: 'V-027', level: 'error', section: '§5.4', ...predicatePaths },
  { code: 'V-028', level: 'error', section: '§5.1', needsShape: 'form', ...modelessForm },
  { code: 'V-029', level: 'warning', section: '§7', ...eventKnownForMode },
  { code: 'V-030', level: 'error', section: '§5.1', needsShape: 'here', ...oneForm },
  { code: 'V-031', level: 'error', section: '§5.1', ...actorsWellFormed },
  { code: 'V-032', level: 'error', section: '§5.5', needsShape: ACTORS, ...actorReferences },
  { code: 'V-033', level: 'error', section: '§11.1.14', ...oneCatchAll },
  { code: 'V-034', level: 'error', section: '§5.1', ...modeAndProtocolFormat },
  { code: 'V-035', level: 'error', section: '§4.2', ...versionPositive },
  { code: 'V-036', level: 'error', section: '§5.2', ...afterIsDuration },
  { code: 'V-037', level: 'error', section: '§5.5', ...extractorNameFormat },
  { code: 'V-038', level: 'error', section: '§11.1.7', ...extractorsNotEmpty },
  { code: 'V-039', level: 'error', section: '§11.1.15', ...variableNames },
  { code: 'V-040', level: 'error', section: '§5.3', needsShape: 'here', ...eventOrAfter },
  { code: 'V-041', level: 'error', section: '§11.1.16', needsShape: 'here', ...actionSingleKey },
  { code: 'V-042', level: 'error', section: '§5.5', ...regexHasCapture },
  { code: 'V-043', level: 'error', section: '§5.2', ...onEnterNotEmpty },
  { code: 'V-044', level: 'error', section: '§5.2', ...modeMatchesActor },
  { code: 'V-045', level: 'error', section: '§4.2', ...impactUnique },
  { code: 'V-046', level: 'error', section: '§4.2', ...gracePeriodDuration },
  { code: 'V-047', level: 'error', section: '§4.7', needsShape: 'here', ...correlationNeedsIndicators },
  { code: 'V-048', level: 'error', section: '§6.1', needsShape: ACTORS, ...indicatorActorExists },
  { code: 'V-049', level: 'error', section: '§6.1', needsShape: 'here', ...methodMatchesKey },
  { code: 'V-050', level: 'error', section: '§6.5', ...tierKnown },
  { code: 'W-001', level: 'warning', section: '§4.1', ...versionIsFirstKey },
  { code: 'W-002', level: 'warning', section: '§3.2', ...knownMode },
  { code: 'W-003', level: 'warning', section: '§3.2', ...knownProtocol },
  { code: 'W-004', level: 'warning', section: '§5.6', needsShape: EXTRACTORS, ...knownExtractors },
  { code: 'W-005', level: 'warning', section: '§7.0', needsShape: MODES, ...protocolHasActor },
  { code: 'W-006', level: 'warning', section: '§7.4', ...synthesizeReserved },
  { code: 'W-007', level: 'warning', section: '§6.4', ...semanticExperimental },
  // Joust's own warnings, which OATF SDK §7.0 allows, for documents that violate only the JSON Schema.
  { code: 'W-101', level: 'warning', section: '§2.11', ...conditionsCanMatch },
  { code: 'W-102', level: 'warning', section: '§2.8', ...countPositive },
  { code: 'W-103', level: 'warning', section: '§11.1.7, §11.1.10', ...generatedNamesFree },
]

export function specRefOf(code: string): string {
  return ruleTable.find((row) => row.code === code)?.section ?? ''
}
