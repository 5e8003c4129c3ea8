/** docs/generated/settings.md and example.env, from the table of settings. */

import { wordsOf } from '@waypost/platform/settings/values'
import { z } from 'zod'
import { settingAreas, settings } from '../packages/server/src/settings.ts'

interface Setting {
  name: string
  /** The accepted values. */
  value: string
  example: string
  default: string | undefined
  meaning: string
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(',') : String(value)
}

const defaults: Record<string, unknown> = settings.parse({})

const areas = settingAreas.map(({ title, variables }) => ({
  title,
  settings: Object.entries(variables).map(([name, form]): Setting => {
    const description = z.globalRegistry.get(form)?.description
    const words = wordsOf(form)
    if (description === undefined || words === undefined) throw new Error(`${name} has no description`)
    const { wants, example } = words
    const shown = example === '…' ? '' : example
    return { name, value: wants, example: shown, default: textOf(defaults[name]), meaning: description }
  }),
}))

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*')

export function settingsPage(): string {
  const tables = areas.map(({ title, settings }) => {
    const rows = settings.map((each) => {
      const usual = each.default === undefined ? '' : `\`${each.default}\``
      return `| \`${each.name}\` | ${usual} | ${cell(each.meaning)} | ${cell(each.value)} |\n`
    })
    return `## ${title}\n\n| Setting | Default | Meaning | Value |\n| --- | --- | --- | --- |\n${rows.join('')}`
  })
  return `# Settings

<!-- Made from the table of settings by \`npm run generate\`; do not edit. -->

Settings are environment variables. [example.env](../../example.env) has the same list as a file to copy. An unknown \`WAYPOST_…\` variable stops the start, because it is probably a typing mistake. The value of any setting can come from a file: \`NAME_FILE\` is the path, such as \`DATABASE_URL_FILE=/run/secrets/database_url\`.

${tables.join('\n')}`
}

/** Comment lines of at most 110 characters. */
function commentOf(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 110) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}

export function exampleEnv(): string {
  const sections = areas.map(({ title, settings }) => {
    const entries = settings.map((each) => {
      const line = each.default === undefined ? `# ${each.name}=${each.example}` : `${each.name}=${each.default}`
      return `${commentOf(each.meaning)}\n${line}\n`
    })
    return `# --- ${title} ---\n\n${entries.join('\n')}`
  })
  return `# Every setting of Waypost with its default. Made by \`npm run generate\`; do not edit in the repository.
# Copy the lines that you change into the environment of the service. docs/generated/settings.md has the same list.
# An unknown WAYPOST_... variable stops the start. NAME_FILE=/path takes the value of any setting from a file.

${sections.join('\n')}`
}
