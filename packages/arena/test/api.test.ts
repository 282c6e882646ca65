import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import * as inventory from '../src/inventory.ts'
import * as modelJudge from '../src/judge/model/model-judge.ts'
import * as wire from '../src/wire.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/arena', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ArenaError',
    'PREFLIGHT_TOOL',
    'RECORDED_PHASE',
    'actorNameOf',
    'arenaLimits',
    'baitChannels',
    'codeOfStatus',
    'createAssessor',
    'createJudge',
    'decideTools',
    'defaultRunLimits',
    'errorAlong',
    'errorAnswer',
    'finalAnswer',
    'forgetOldest',
    'hasWord',
    'judge',
    'judgeEachMessage',
    'lackingOf',
    'lackingOfServed',
    'leftSentence',
    'mainCallsIn',
    'modelCallsOf',
    'needTable',
    'needsOf',
    'newWord',
    'outcomeOf',
    'recordedActors',
    'runAttack',
    'runEvents',
    'shortfallsOf',
    'skippedIndicators',
    'textOfParts',
    'textsAt',
    'toArenaError',
    'unknownFacts',
    'unwrapWiring',
    'watchHandshakes',
  ])
})

test('the names of @joust/arena/wire', () => {
  expect(Object.keys(wire).sort()).toEqual([
    'CARD_PATH',
    'KEYS_PATH',
    'META',
    'MODERN_VERSION',
    'RESOURCE_NOT_FOUND',
    'SESSION_HEADER',
    'a2aCodes',
    'answerPlainly',
    'cardPaths',
    'changed',
    'changedAll',
    'checkPage',
    'connectPlainly',
    'createA2aClientDriver',
    'createAgUiClientDriver',
    'createEventReader',
    'createEventStream',
    'createHttpSend',
    'createMemoryHttp',
    'createMemoryPipe',
    'failure',
    'fetchOver',
    'interfacesIn',
    'isEventStream',
    'isSignedCard',
    'isSuccess',
    'jsonRpcCodes',
    'listenHttp',
    'messagesOf',
    'minimalCard',
    'modernHeaders',
    'modernRequest',
    'olderConfiguration',
    'olderRequest',
    'olderResponse',
    'publicKey',
    'readEventStream',
    'readMessage',
    'readValue',
    'reasonOf',
    'requestText',
    'restPaths',
    'restRequest',
    'sendEmpty',
    'sendJson',
    'spawnPipe',
    'startChild',
    'translator',
    'writeAnswer',
    'writeEvent',
    'writeNotification',
    'writeRequest',
  ])
})

test('the names of @joust/arena/judge', () => {
  expect(Object.keys(modelJudge).sort()).toEqual(['agreementWith', 'modelJudge'])
})

test('the names of @joust/arena/inventory', () => {
  expect(Object.keys(inventory).sort()).toEqual([
    'argumentsOf',
    'classifyServer',
    'featuresOf',
    'plainValue',
    'resolvedSchema',
    'toolLabels',
    'typeOfSchema',
    'wordsOf',
  ])
})
