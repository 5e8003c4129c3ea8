/** The notes of a release, from its section of the changelog: what an operator must do comes first. */
import { sectionNames, type VersionChanges } from './changelog.ts'

/** A line says in itself what to do: `… **Upgrade:** stop all nodes.` */
const mark = '**Upgrade:**'

export function releaseNotes({ version, date, sections }: VersionChanges): string {
  const entriesOf = (name: string): string[] => sections.find((each) => each.name === name)?.entries ?? []
  const others = sectionNames.filter((name) => name !== 'Upgrade')
  const marked = others.flatMap(entriesOf).filter((entry) => entry.includes(mark))
  const upgrade = [...entriesOf('Upgrade'), ...marked]
  const nothing = ['Nothing to do but install it: docs/upgrades.md describes how.']
  const parts: [string, string[]][] = [
    ['Before you upgrade', upgrade.length > 0 ? upgrade : nothing],
    ...others.map((name): [string, string[]] => [name, entriesOf(name).filter((entry) => !entry.includes(mark))]),
  ]
  const texts = parts
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => [`## ${name}`, '', ...entries.map((entry) => `- ${withoutLinks(entry)}`)].join('\n'))
  return `${[`# Waypost ${version}`, `Released on ${date}.`, ...texts, files(version)].join('\n\n')}\n`
}

/** Links into the repository do not work from here; the file's name stays. */
const withoutLinks = (entry: string): string =>
  entry.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, (_, text, target) =>
    text === target ? target : `${text} (${target})`,
  )

const files = (version: string): string => `## Files

- \`waypost-${version}.tgz\`: the service and its command, for \`npm install\`
- \`waypost-sdk-${version}.tgz\`: the TypeScript client
- \`waypost-simulators-${version}.tgz\`: simulated providers for tests
- \`waypost-image-${version}.tar.gz\`: what \`docker build\` needs
- \`waypost-${version}.cdx.json\`: the bill of materials (CycloneDX)
- \`SHA256SUMS\`: checks the files with \`sha256sum -c SHA256SUMS\``
