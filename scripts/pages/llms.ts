/**
 * `/llms.txt`: what the service is and which documents it has, for assistants that read it as plain text
 * (https://llmstxt.org). The server puts its base URL in front of the links.
 */
import { guideAddress, type ListedGuide } from './frame.ts'

/** Groups that are about the project itself. The convention lets a reader with little room skip this section. */
const optionalGroups: readonly string[] = ['Look inside']

const entry = (title: string, address: string, summary: string): string =>
  `- [${title}](${address})${summary === '' ? '' : `: ${summary}`}`

const section = (title: string, entries: readonly string[]): string => `## ${title}\n\n${entries.join('\n')}\n`

export function llmsText(guides: readonly ListedGuide[]): string {
  const groups = Object.entries(Object.groupBy(guides, ({ group }) => group))
  const named = (isOptional: boolean) => groups.filter(([group]) => optionalGroups.includes(group) === isOptional)
  const entriesOf = (listed: readonly ListedGuide[] = []): string[] =>
    listed.map(({ name, title, summary }) => entry(title, guideAddress(name), summary))
  return [
    '# Waypost\n',
    '> One API for mail, calendars, contacts and scheduling over Google, Microsoft, Exchange, IMAP, iCloud and Yahoo, hosted by its operator. Assistants use it through the Model Context Protocol.\n',
    'Requests carry an API key: `Authorization: Bearer <key>`. An assistant uses a key with limited rights at `/mcp`, or signs in there with OAuth. The guide "Agents" explains both.\n',
    section('API', [
      entry('OpenAPI description', '/openapi.json', 'every route, field, limit and error, with examples'),
      entry('Reference', '/docs', 'the same for people, with search'),
    ]),
    ...named(false).map(([group, listed]) => section(group, entriesOf(listed))),
    section(
      'Optional',
      named(true).flatMap(([, listed]) => entriesOf(listed)),
    ),
  ].join('\n')
}
