#!/usr/bin/env node
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// A checkout runs what the compiler wrote; a package has no sources and carries a bundle in place of them.
const { main } = existsSync(join(__dirname, '../src')) ? { main: fromCheckout } : require('./load-bundle.js')
main(process.argv.slice(2))

async function fromCheckout(argv) {
  const program = await import('../dist/main.js')
  await program.main(argv)
}
