const { loadAgent } = require('@joust/agentformat')
const { libraryText } = require('@joust/library')
const { load, unwrap } = require('@joust/oatf')

console.log(unwrap(load(libraryText('time-bomb'))).document.attack.id, typeof loadAgent)
