import { expect, test } from 'vitest'
import * as authoring from '../src/index.ts'
import * as names from '../src/names.ts'

test('the public names', () => {
  expect(Object.keys(authoring).sort()).toEqual([
    'SESSION_FILE',
    'SESSION_MARK',
    'TRACE_FILE',
    'aimAttacks',
    'classifySession',
    'configSecrets',
    'corrected',
    'createSecretHider',
    'effectOf',
    'fillEntry',
    'findFlows',
    'flowMapText',
    'importers',
    'listServers',
    'readRuleTexts',
    'readSession',
    'readTextRules',
    'readToolsFile',
    'recoverConfig',
    'refineInventory',
    'replaceConfig',
    'rewriteConfig',
    'startAgent',
    'startRecorder',
    'toolKey',
    'unknownCorrections',
    'writeSession',
  ])
  expect(Object.keys(names).sort()).toEqual(['flowFormats', 'techniqueNames', 'toolLabels'])
})
