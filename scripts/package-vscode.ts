/**
 * `node scripts/dist/package-vscode.js [FILE]`: packs the VS Code extension as a `.vsix`, a ZIP archive with two lists
 * of its contents. The extension's libraries are in `editors/vscode`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { licences } from './licences.ts'
import { repositoryRoot } from './repository.ts'
import { zip } from './zip.ts'

const root = repositoryRoot()
const home = join(root, 'editors/vscode')
const out = resolve(process.argv[2] ?? join(home, 'dist/joust.vsix'))

const extension = await bundle('extension.mjs')
const server = await bundle('server.mts')
const { dependencies: _, private: __, ...manifest } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
const files = {
  '[Content_Types].xml': contentTypes(),
  'extension.vsixmanifest': vsixManifest(),
  'extension/package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
  'extension/README.md': readFileSync(join(home, 'README.md'), 'utf8'),
  'extension/LICENSE.txt': readFileSync(join(root, 'LICENSE'), 'utf8'),
  'extension/dist/extension.cjs': extension.code,
  'extension/dist/server.cjs': server.code,
  'extension/dist/LICENSES.txt': licences('The Joust extension', [extension, server]),
}
const archive = zip(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text, 'utf8') })))
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, archive)
console.log(`${out}: ${Math.round(archive.length / 1024)} KB`)

/** Bundles everything except the editor's modules into one CommonJS script. */
async function bundle(file: string): Promise<OutputChunk> {
  const build = await rolldown({
    input: join(home, 'src', file),
    platform: 'node',
    external: ['vscode', '@opentelemetry/api'],
    resolve: { conditionNames: ['joust-source', 'node', 'import', 'default'] },
    // rolldown 1.2 fails on constants in a package that is also imported on demand.
    optimization: { inlineConst: false },
  })
  const { output } = await build.generate({ format: 'cjs', minify: true, codeSplitting: false })
  await build.close()
  return output[0]
}

function contentTypes(): string {
  const types = {
    json: 'application/json',
    cjs: 'application/javascript',
    md: 'text/markdown',
    txt: 'text/plain',
    vsixmanifest: 'text/xml',
  }
  const rows = Object.entries(types).map(([ending, type]) => `<Default Extension=".${ending}" ContentType="${type}"/>`)
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>
`
}

function vsixManifest(): string {
  const { name, publisher, version, displayName, description, categories, keywords, engines } = manifest
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
