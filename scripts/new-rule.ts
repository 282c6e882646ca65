/** `node scripts/dist/new-rule.js W-199 indicator/some-name`: writes the skeleton of a rule. */
import { repositoryRoot } from './repository.ts'
import { writeRuleSkeleton } from './rule-skeleton.ts'

const [code = '', place = ''] = process.argv.slice(2)
const skeleton = writeRuleSkeleton(repositoryRoot(), code, place)
if ('fault' in skeleton) {
  console.error(`${skeleton.fault}\nusage: node scripts/dist/new-rule.js W-199 indicator/some-name`)
  process.exitCode = 64
} else {
  for (const file of skeleton.written) console.log(`wrote ${file}`)
  console.log('next: write the rule with its valid and invalid document, its test, and the clause in its row')
}
