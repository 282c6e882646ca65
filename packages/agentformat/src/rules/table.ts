/** Rules for a loaded agent, one per row in Agent Format order, with codes and severities. */
import {
  aliasClash,
  emptyAllowList,
  emptyServerRef,
  reservedAlias,
  uniqueAliases,
  uniqueEntries,
} from './action-space.ts'
import { argumentKeys, delegationKeys, emptyGroups, emptyMatchers, patternsCompile } from './conditions.ts'
import { depthPossible, depthReachable } from './delegation-depth.ts'
import { noEarlierIteration, sourcesFinished, whenReadsInput } from './dependency-order.ts'
import { mappingFits, passedInputDeclares, passedInputFits, targetDeclaresField, targetIsObject } from './inputs.ts'
import { mergeObjects, mergeOverlap, outputAgent, outputFits } from './outputs.ts'
import { declaredFields, knownSources, noParentOutput } from './path-sources.ts'
import { iteratedLists, iterationOnlyInBatch, pathGrammar, singleIteration } from './path-syntax.ts'
import { promptFields, templateVariables } from './placeholders.ts'
import { batchIterates, batchOutputShape, batchPrefix, knownAgents, knownPolicy, localAgentsOnly } from './policies.ts'
import type { AgentRuleRow } from './rule.ts'
import { invariantKept, memoryContradiction, tightenedLimits } from './sub-agents.ts'

// biome-ignore format: a row is a line
export const agentRules: readonly AgentRuleRow[] = [
  { rule: 'R-10', code: 'duplicate_alias', severity: 'error', check: uniqueAliases, summary: 'An alias appears only once in its list.' },
  { rule: 'R-12', code: 'unknown_agent', severity: 'error', needs: ['action_space.local_agents.alias', 'action_space.remote_agents.alias'], check: knownAgents, summary: 'An agent in a policy is a local agent of the document.' },
  { rule: 'R-21', code: 'batch_without_iteration', severity: 'error', needs: ['execution_policy.config.input_mapping'], check: batchIterates, summary: 'At least one field of a batch iterates over a list.' },
  { rule: 'R-37', code: 'type_mismatch', severity: 'error', needs: ['interface.output', 'execution_policy.config.output_from'], check: outputFits, summary: 'The result of a policy is compatible with the agent\'s output schema.' },
  { rule: 'P-01', code: 'invalid_path_expression', severity: 'error', check: pathGrammar, summary: 'The values of mappings and the keys of policy conditions are path expressions.' },
  { rule: 'P-02', code: 'unknown_agent', severity: 'error', needs: ['action_space.local_agents.alias', 'action_space.remote_agents.alias'], check: knownSources, summary: 'The source of an expression is `parent` or a local agent.' },
  { rule: 'P-03', code: 'dependency_order', severity: 'error', check: sourcesFinished, summary: 'An expression reads only from steps that have already run.' },
  { rule: 'P-04', code: 'unresolved_field', severity: 'warning', needs: ['interface.input'], check: declaredFields, summary: 'The schema of the source declares the field that an expression reads.' },
  { rule: 'P-06', code: 'type_mismatch', severity: 'error', needs: ['interface.input'], check: iteratedLists, summary: '`[]` iterates over a value that can be a list.' },
  { rule: 'P-07', code: 'invalid_path_expression', severity: 'error', check: singleIteration, summary: 'An expression has at most one `[]`.' },
  { rule: 'P-08', code: 'batch_prefix_mismatch', severity: 'error', check: batchPrefix, summary: 'All iterating fields of a batch iterate over the same list.' },
  { rule: 'P-11', code: 'invalid_path_expression', severity: 'error', check: iterationOnlyInBatch, summary: '`[]` appears only in the mapping of a batch.' },
  { rule: 'P-14', code: 'type_mismatch', severity: 'error', needs: ['interface.input'], check: mappingFits, summary: 'The type of a mapped value is compatible with the type of its target.' },
  { rule: 'P-20', code: 'invalid_path_expression', severity: 'error', check: delegationKeys, summary: 'A condition on a delegation reads the parent\'s input.' },
  { rule: 'P-21', code: 'dependency_order', severity: 'error', check: whenReadsInput, summary: '`when` reads the parent\'s input.' },
  { rule: 'OPEN-3', code: 'unsupported_policy', severity: 'warning', check: knownPolicy, summary: 'A policy is standard, or a vendor policy with `x-`.' },
  { rule: 'OPEN-7', code: 'dependency_order', severity: 'error', check: noParentOutput, summary: 'No expression reads the parent\'s output.' },
  { rule: 'OPEN-14', code: 'type_mismatch', severity: 'error', check: targetIsObject, summary: 'The target of a mapping accepts an object.' },
  { rule: 'OPEN-15', code: 'undeclared_field', severity: 'error', check: targetDeclaresField, summary: 'The target of a mapping declares every mapped field.' },
  { rule: 'OPEN-16', code: 'empty_condition', severity: 'warning', needs: ['action_space', 'execution_policy'], check: emptyMatchers, summary: 'A matcher in a condition has at least one operator.' },
  { rule: 'OPEN-17', code: 'empty_condition', severity: 'warning', level: 'high', needs: ['action_space', 'execution_policy'], check: emptyGroups, summary: 'Every group of a condition has `args_match`.' },
  { rule: 'OPEN-21', code: 'invalid_pattern', severity: 'error', check: patternsCompile, summary: 'Every `pattern` is RE2.' },
  { rule: 'OPEN-23', code: 'type_mismatch', severity: 'error', needs: ['interface.input', 'execution_policy'], check: passedInputFits, summary: 'If there is no `input_mapping`, the parent\'s input is compatible with the sub-agent\'s input schema.' },
  { rule: 'OPEN-23', code: 'unresolved_field', severity: 'warning', needs: ['interface.input', 'execution_policy'], check: passedInputDeclares, summary: 'If there is no `input_mapping`, the parent\'s input declares the required fields of the sub-agent.' },
  { rule: 'OPEN-25', code: 'unknown_agent', severity: 'error', needs: ['action_space.local_agents.alias'], check: localAgentsOnly, summary: 'Policies run local agents, not remote ones.' },
  { rule: 'OPEN-26', code: 'merge_conflict', severity: 'warning', needs: ['execution_policy.config.output_from'], check: mergeOverlap, summary: 'Merged outputs do not declare the same property.' },
  { rule: 'OPEN-27', code: 'type_mismatch', severity: 'error', needs: ['execution_policy.config.output_from'], check: mergeObjects, summary: 'Merged outputs are objects.' },
  { rule: 'OPEN-29', code: 'invalid_output_from', severity: 'error', check: outputAgent, summary: '`output_from` refers to an agent that the policy runs, but not several times in parallel.' },
  { rule: 'OPEN-30', code: 'dependency_order', severity: 'error', check: noEarlierIteration, summary: 'A loop step does not read the output of a later step.' },
  { rule: 'OPEN-32', code: 'batch_output_shape', severity: 'error', needs: ['interface.output'], check: batchOutputShape, summary: 'The output schema of a batch has a list for the results.' },
  { rule: 'OPEN-35', code: 'looser_limit', severity: 'warning', strict: true, check: tightenedLimits, summary: 'A sub-agent declares no higher limits than its parent.' },
  { rule: 'OPEN-36', code: 'invariant_lifted', severity: 'warning', check: invariantKept, summary: '`tighten_only_invariant` is not disabled.' },
  { rule: 'OPEN-37', code: 'depth_impossible', severity: 'error', check: depthPossible, summary: 'A policy that always delegates can run within the agent\'s delegation limit.' },
  { rule: 'OPEN-37', code: 'depth_impossible', severity: 'warning', check: depthReachable, summary: 'A model can reach its sub-agents within the agent\'s delegation limit.' },
  { rule: 'OPEN-39', code: 'invalid_path_expression', severity: 'warning', check: argumentKeys, summary: 'A condition on a tool or skill uses arguments, not paths.' },
  { rule: 'OPEN-41', code: 'unknown_variable', severity: 'warning', check: templateVariables, summary: 'Placeholders in approval messages are known.' },
  { rule: 'OPEN-43', code: 'memory_contradiction', severity: 'error', check: memoryContradiction, summary: 'A sub-agent that requires memory does not have the memory scope `none`.' },
  { rule: 'OPEN-44', code: 'duplicate_entry', severity: 'error', check: uniqueEntries, summary: 'An allow list contains each tool or skill only once.' },
  { rule: 'OPEN-44', code: 'empty_allow_list', severity: 'warning', check: emptyAllowList, summary: 'An allow list is not empty.' },
  { rule: 'OPEN-44', code: 'empty_server_ref', severity: 'warning', check: emptyServerRef, summary: '`server_ref` is not empty.' },
  { rule: 'OPEN-46', code: 'alias_clash', severity: 'warning', check: aliasClash, summary: 'Lists of the action space do not share an alias.' },
  { rule: 'OPEN-46', code: 'reserved_alias', severity: 'warning', strict: true, check: reservedAlias, summary: 'No local agent has the alias `parent`.' },
  { rule: 'OPEN-48', code: 'unknown_variable', severity: 'warning', needs: ['interface.input'], check: promptFields, summary: 'Placeholders in prompts are input fields.' },
]
