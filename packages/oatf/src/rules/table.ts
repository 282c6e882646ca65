/** The rule set: one row per rule, in code order. Codes, levels and clauses live here and nowhere else. */
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

// biome-ignore format: a row is a line
export const ruleTable: readonly RuleRow[] = [
  { code: 'V-001', level: 'error', section: '§11.1.1', check: supportedVersion, summary: '`oatf` is present and names a supported version.' },
  { code: 'V-003', level: 'error', section: '§11.1.3', check: oneAttack, summary: 'The document holds exactly one `attack` object.' },
  { code: 'V-004', level: 'error', section: '§11.1.4', check: requiredFields, summary: '`attack.execution` is present.' },
  { code: 'V-005', level: 'error', section: '§11.1.5', check: closedEnums, summary: 'Every value of a closed enumeration is one of its members.' },
  { code: 'V-006', level: 'error', section: '§11.1.9', check: indicatorsNotEmpty, summary: '`indicators`, when present, has at least one entry.' },
  { code: 'V-007', level: 'error', section: '§11.1.7', check: phasesNotEmpty, summary: 'Every list of phases has at least one entry.' },
  { code: 'V-008', level: 'error', section: '§11.1.7', check: terminalPhaseLast, summary: 'An actor has at most one phase without a trigger, and it is the last one.' },
  { code: 'V-009', level: 'error', section: '§11.1.7', check: firstPhaseHasState, summary: 'The first phase of an actor has a `state`, and every state is a mapping.' },
  { code: 'V-010', level: 'error', section: '§11.1.10', check: uniqueIndicatorIds, summary: 'Explicit indicator ids are unique.' },
  { code: 'V-011', level: 'error', section: '§11.1.7', check: uniquePhaseNames, summary: 'Explicit phase names are unique within their actor.' },
  { code: 'V-012', level: 'error', section: '§11.1.11', check: oneDetectionKey, summary: 'An indicator has exactly one of `pattern`, `expression`, `semantic`; a pattern has one condition, and `semantic.examples` are not empty.' },
  { code: 'V-013', level: 'error', section: '§6.2', check: regexSyntaxRule, summary: 'Every regular expression is valid RE2.' },
  { code: 'V-014', level: 'error', section: '§6.3', check: celSyntax, summary: 'Every CEL expression parses.' },
  { code: 'V-015', level: 'error', section: '§5.5', check: jsonPathSyntax, summary: 'Every JSONPath expression parses.' },
  { code: 'V-016', level: 'error', section: '§5.7', check: templateSyntax, summary: 'Every template reference is closed.' },
  { code: 'V-017', level: 'error', section: '§4.3', check: severityConfidenceRange, summary: '`severity.confidence` lies between 0 and 100.' },
  { code: 'V-018', level: 'warning', section: '§7', check: surfaceKnown, summary: '`indicator.surface` is an operation of its protocol.' },
  { code: 'V-019', level: 'error', section: '§5.3', check: countNeedsEvent, summary: '`trigger.count` and `trigger.match` stand only beside `trigger.event`.' },
  { code: 'V-020', level: 'error', section: '§11.1.1', check: plainYaml, summary: 'No YAML anchors, aliases, merge keys or custom tags.' },
  { code: 'V-021', level: 'error', section: '§6.1', check: targetPath, summary: 'Every `target` is a wildcard dot-path.' },
  { code: 'V-022', level: 'error', section: '§6.4', check: semanticThresholdRange, summary: '`semantic.threshold` lies between 0 and 1.' },
  { code: 'V-023', level: 'error', section: '§4.2', check: attackIdFormat, summary: '`attack.id` is an upper-case prefix, a hyphen and at least three digits.' },
  { code: 'V-024', level: 'error', section: '§6.1', check: indicatorIdFormat, summary: 'Beside an `attack.id`, an indicator id is that id, a hyphen and at least two digits.' },
  { code: 'V-025', level: 'error', section: '§6.1', check: indicatorConfidenceRange, summary: '`indicator.confidence` lies between 0 and 100.' },
  { code: 'V-026', level: 'error', section: '§6.3', check: variablePaths, summary: 'Every value of `expression.variables` is a simple dot-path.' },
  { code: 'V-027', level: 'error', section: '§5.4', check: predicatePaths, summary: 'Every key of a match predicate is a simple dot-path.' },
  { code: 'V-028', level: 'error', section: '§5.1', check: modelessForm, summary: 'Without `execution.mode` every phase has the same mode and every indicator its protocol.' },
  { code: 'V-029', level: 'warning', section: '§7', check: eventKnownForMode, summary: '`trigger.event` is an event of the mode.' },
  { code: 'V-030', level: 'error', section: '§5.1', check: oneForm, summary: 'Exactly one of `state`, `phases`, `actors` is present; `state` comes with a mode, `actors` without one.' },
  { code: 'V-031', level: 'error', section: '§5.1', check: actorsWellFormed, summary: 'Actors have unique names in snake_case, a mode and at least one phase.' },
  { code: 'V-032', level: 'error', section: '§5.5', check: actorReferences, summary: 'A cross-actor reference names an actor of the document.' },
  { code: 'V-033', level: 'error', section: '§11.1.14', check: oneCatchAll, summary: 'A list of responses has at most one entry without `when`.' },
  { code: 'V-034', level: 'error', section: '§5.1', check: modeAndProtocolFormat, summary: 'Modes are `{protocol}_server` or `{protocol}_client`, protocols snake_case.' },
  { code: 'V-035', level: 'error', section: '§4.2', check: versionPositive, summary: '`attack.version` is a positive integer.' },
  { code: 'V-036', level: 'error', section: '§5.2', check: afterIsDuration, summary: '`trigger.after` is a duration.' },
  { code: 'V-037', level: 'error', section: '§5.5', check: extractorNameFormat, summary: 'Extractor names are snake_case.' },
  { code: 'V-038', level: 'error', section: '§11.1.7', check: extractorsNotEmpty, summary: '`extractors`, when present, has at least one entry.' },
  { code: 'V-039', level: 'error', section: '§11.1.15', check: variableNames, summary: 'Every name in `expression.variables` is a CEL identifier.' },
  { code: 'V-040', level: 'error', section: '§5.3', check: eventOrAfter, summary: 'A trigger has `event`, `after` or both.' },
  { code: 'V-041', level: 'error', section: '§11.1.16', check: actionSingleKey, summary: 'An entry action has exactly one key that is not an extension.' },
  { code: 'V-042', level: 'error', section: '§5.5', check: regexHasCapture, summary: 'The selector of a regex extractor has a capture group.' },
  { code: 'V-043', level: 'error', section: '§5.2', check: onEnterNotEmpty, summary: '`on_enter`, when present, has at least one entry.' },
  { code: 'V-044', level: 'error', section: '§5.2', check: modeMatchesActor, summary: '`phase.mode` equals the mode of its actor.' },
  { code: 'V-045', level: 'error', section: '§4.2', check: impactUnique, summary: '`attack.impact` names each category once.' },
  { code: 'V-046', level: 'error', section: '§4.2', check: gracePeriodDuration, summary: '`attack.grace_period` is a duration.' },
  { code: 'V-047', level: 'error', section: '§2.3a', check: correlationNeedsIndicators, summary: '`correlation` stands only beside `indicators`.' },
  { code: 'V-048', level: 'error', section: '§6.1', check: indicatorActorExists, summary: '`indicator.actor` names an actor of the document.' },
  { code: 'V-049', level: 'error', section: '§6.1', check: methodMatchesKey, summary: '`indicator.method` is the detection key that is present.' },
  { code: 'V-050', level: 'error', section: '§6.5', check: tierKnown, summary: '`indicator.tier` is one of ingested, local_action, boundary_breach.' },
  { code: 'W-001', level: 'warning', section: '§4.1', check: versionIsFirstKey, summary: '`oatf` is the first key (V-002).' },
  { code: 'W-002', level: 'warning', section: '§3.2', check: knownMode, summary: 'A mode belongs to an included binding.' },
  { code: 'W-003', level: 'warning', section: '§3.2', check: knownProtocol, summary: 'A protocol belongs to an included binding.' },
  { code: 'W-004', level: 'warning', section: '§5.6', check: knownExtractors, summary: 'A template reference names a declared extractor.' },
  { code: 'W-005', level: 'warning', section: '§7.0', check: protocolHasActor, summary: 'The protocol of an indicator is that of some actor.' },
  { code: 'W-006', level: 'warning', section: '§7.4', check: synthesizeReserved, summary: '`synthesize` is reserved for a later version.' },
  { code: 'W-007', level: 'warning', section: '§6.4', check: semanticExperimental, summary: 'Semantic indicators are experimental.' },
  // Ours, beyond the specification, which allows further warnings (§7.0): what breaks only the published JSON Schema.
  { code: 'W-101', level: 'warning', section: '§2.11', check: conditionsCanMatch, summary: 'A condition can match: its keys are operators, its list of choices is not empty.' },
  { code: 'W-102', level: 'warning', section: '§2.8', check: countPositive, summary: '`trigger.count` is at least 1.' },
]

/** The clause behind a code. */
export function specRefOf(code: string): string {
  return ruleTable.find((row) => row.code === code)?.section ?? ''
}
