/** The page around the data: one file that may load nothing and run nothing but its own script. */
import { reportStyle } from '../components/style/style.ts'
import { clientScript } from './client-script.ts'

/** A page that holds these blocks of data. */
export async function reportPage(blocks: readonly string[]): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src ${await hashSource(clientScript)}`,
    `style-src ${await hashSource(reportStyle)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Joust report</title>
<style>${reportStyle}</style>
</head>
<body>
<noscript>This report draws itself with a script, which is part of the file. Allow it to run, or read results.json.</noscript>
${blocks.join('')}<script>${clientScript}</script>
</body>
</html>
`
}

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}
