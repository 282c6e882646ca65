import { createLedger, createPool } from '../src/index.ts'
import { describeLedger, describeQueue } from './contract.ts'

describeLedger(async () => createLedger())
describeQueue(async () => ({ queue: createPool(), ledger: createLedger() }))
