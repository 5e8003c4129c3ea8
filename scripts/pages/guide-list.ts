/** Which pages of the project are guides, and in which order they are read. */
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { project } from './part.ts'

export interface Guide {
  /** Its name in addresses. */
  name: string
  /** Its file, from the project's folder. */
  file: string
  group: string
}

const groups: Record<string, readonly string[]> = {
  Begin: ['start', 'authentication', 'sdk', 'examples'],
  Mail: ['mail', 'sending'],
  'Calendars and contacts': ['calendars', 'contacts', 'dav', 'caldav-invitations'],
  'Webhooks and changes': ['webhooks', 'idempotency'],
  Providers: [
    'providers',
    'google',
    'google-mail',
    'google-calendar',
    'microsoft',
    'microsoft-mail',
    'exchange',
    'icloud',
    'yahoo',
    'compatibility',
  ],
  Tables: ['routes', 'errors', 'commands', 'metrics'],
  // Whatever is added to docs/ and named nowhere here stands at the end of this one.
  Operations: ['running', 'operations', 'telemetry', 'dashboard', 'security', 'faults', 'import-v2', 'changelog'],
}

/** Files that are guides under another name than their own. */
const renamed: Record<string, string> = {
  start: 'README.md',
  sdk: 'packages/sdk/README.md',
  examples: 'examples/README.md',
  changelog: 'CHANGELOG.md',
}

export function listGuides(): Guide[] {
  const files = new Map(Object.entries(renamed).filter(([, file]) => existsSync(path.join(project, file))))
  for (const file of globSync('docs/{*,generated/*}.md', { cwd: project }).sort())
    files.set(path.basename(file, '.md'), file)
  const named = Object.entries(groups).flatMap(([group, names]) =>
    names.flatMap((name) => {
      const file = files.get(name)
      files.delete(name)
      return file === undefined ? [] : [{ name, file, group }]
    }),
  )
  return [...named, ...Array.from(files, ([name, file]) => ({ name, file, group: 'Operations' }))]
}
