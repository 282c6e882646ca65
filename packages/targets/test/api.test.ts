import { expect, test } from 'vitest'
import * as agent from '../src/agent.ts'
import * as api from '../src/index.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/targets', () => {
  expect(Object.keys(api).sort()).toEqual([
    'chatAbilities',
    'checkFunction',
    'checkPlaceholders',
    'commandTarget',
    'createGateway',
    'createModelAccess',
    'createServedAgent',
    'createServedModel',
    'endpointTarget',
    'findPreset',
    'findSimulatedHost',
    'functionTarget',
    'httpTarget',
    'installedVersion',
    'isTried',
    'modelRoutes',
    'modelVariables',
    'openChat',
    'placeWords',
    'placeholdersIn',
    'presetShape',
    'presets',
    'quoteIn',
    'readPreset',
    'runPreflight',
    'servePlaceholders',
    'slotsFor',
    'splitCommand',
    'withPreflight',
  ])
})

test('the names of @joust/targets/agent', () => {
  expect(Object.keys(agent).sort()).toEqual(['agentTarget', 'aivssProfile', 'modelTarget'])
})
