import { testRule } from '../harness.ts'

testRule('V-020', {
  valid: ['attack: { name: "A & B * C", description: "<<: !important" }', 'attack: { name: !!str plain }'],
  invalid: [
    ['attack:\n  name: &name Poisoned calculator', 'attack.name'],
    ['attack:\n  name: &name Poisoned calculator\n  author: *name', 'attack.name', 'attack.author'],
    ['attack:\n  name: !include name.txt', 'attack.name'],
  ],
  message: '&name',
})
