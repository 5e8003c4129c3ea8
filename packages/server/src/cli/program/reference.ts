/** docs/generated/commands.md, generated from the table of commands. */
import { commandsOfNoun, commonOptions, type NamedEntry, type Option, type Program, usageOf } from './command.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

function optionRows(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).map(([name, { value, summary, choices, usual }]) =>
    row([
      `\`--${name}${value === undefined ? '' : ` ${value}`}\``,
      `${summary}${choices ? `: ${choices.map((choice) => `\`${choice}\``).join(', ')}` : ''}`,
      usual === undefined ? '' : `\`${usual}\``,
    ]),
  )
}

function sectionOf(named: NamedEntry, hasHeading: boolean): string[] {
  const { summary, more, words = [], options = {}, examples, json } = named.command
  const rows = [...words.map(({ name, summary: what }) => row([`\`${name}\``, what, ''])), ...optionRows(options)]
  return [
    ...(hasHeading ? [`### waypost ${named.name}`, ''] : []),
    `${summary}.${more === undefined ? '' : ` ${more}`}`,
    '',
    '```',
    `waypost ${usageOf(named)}`,
    '```',
    '',
    ...(rows.length > 0 ? [row(['Argument', 'Description', 'Default']), row(['---', '---', '---']), ...rows, ''] : []),
    ...Object.entries(examples).map(([line, what]) => `- \`${line}\`: ${what}`),
    `- With \`--json\`: ${json.replaceAll(/[[{].*[\]}]$/g, '`$&`')}`,
    '',
  ]
}

export function commandsPage(program: Program, note: string): string {
  return [
    '# Commands',
    '',
    note.trim(),
    '',
    '`waypost COMMAND --help` prints the same. Settings are environment variables: see `example.env`. The exit code is 0 on',
    'success, 1 on failure, and 2 for wrong usage. Errors are printed to standard error,',
    'with `--json` as `{"error": "…"}`. Lists show at most `--limit` rows.',
    '',
    row(['Option of every command', 'Description']),
    row(['---', '---']),
    ...Object.entries(commonOptions).map(([name, { summary }]) => row([`\`--${name}\``, summary])),
    '',
    ...Object.entries(program).flatMap(([name, noun]) => [
      `## ${name}`,
      '',
      ...(noun.verbs ? [`${noun.summary}.`, ''] : []),
      ...commandsOfNoun(name, noun).flatMap((named) => sectionOf(named, noun.verbs !== undefined)),
    ]),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}
