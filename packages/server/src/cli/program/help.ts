/** Help, generated from the table of commands. */
import { version } from '@waypost/platform/versions'
import type { Description, Noun, Option, Program } from './command.ts'
import { callOf, commandsOf, commandsOfNoun, commonOptions, type NamedEntry, usageOf } from './command.ts'

const widest = 100

/** Wraps a text between words and indents the following lines. */
function wrap(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > widest - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

/** Two columns: the syntax and its description. */
function columns(rows: readonly (readonly [string, string])[], max = 34): string {
  const width = Math.min(max, Math.max(0, ...rows.map(([left]) => left.length)))
  return rows
    .map(([left, right]) => {
      const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : ' '.repeat(width - left.length + 2)
      return `  ${left}${gap}${wrap(right, width + 4)}`
    })
    .join('\n')
}

const optionRow = (name: string, { value, summary, choices, usual }: Option): readonly [string, string] => [
  `--${name}${value === undefined ? '' : ` ${value}`}`,
  [
    summary,
    ...(choices ? [`: ${choices.join(', ')}`] : []),
    ...(usual === undefined ? [] : [` (default: ${usual})`]),
  ].join(''),
]

const rowsOf = (commands: readonly NamedEntry[]): (readonly [string, string])[] =>
  commands.map((named) => [callOf(named), named.command.summary])

const section = (title: string, text: string): string[] => (text === '' ? [] : ['', `${title}:`, text])

function bodyOf({ words = [], options = {}, examples, json, more }: Description): string[] {
  const { json: asJson, help } = commonOptions
  const all = Object.entries({ ...options, json: asJson as Option, help: help as Option })
  return [
    ...(more === undefined ? [] : ['', wrap(more, 0)]),
    ...section('Arguments', columns(words.map(({ name, summary }) => [name, summary]))),
    ...section('Options', columns(all.map(([name, option]) => optionRow(name, option)))),
    ...section(
      'Examples',
      Object.entries(examples)
        .map(([line, what]) => `  ${line}\n      ${what}`)
        .join('\n'),
    ),
    '',
    `With --json: ${wrap(json, 0)}`,
  ]
}

export const helpOfCommand = (named: NamedEntry): string =>
  [
    wrap(`waypost ${named.name}: ${named.command.summary}`, 0),
    '',
    `Usage: waypost ${usageOf(named)}`,
    ...bodyOf(named.command),
  ].join('\n')

/** Help of a noun with its commands. */
export function helpOfNoun(name: string, noun: Noun): string {
  const commands = commandsOfNoun(name, noun)
  return [
    `waypost ${name}: ${noun.summary}`,
    ...section('Commands', columns(rowsOf(commands))),
    '',
    `Run "waypost ${commands.at(-1)?.name ?? name} --help" for the options and examples of a command.`,
  ].join('\n')
}

export const helpOfAll = (program: Program): string =>
  [
    `waypost ${version}: one API over mail and calendars`,
    '',
    'Usage: waypost COMMAND [OPTIONS]',
    ...section('Commands', columns(rowsOf(commandsOf(program)))),
    ...section(
      'Options of every command',
      columns(Object.entries(commonOptions).map(([name, option]) => optionRow(name, option))),
    ),
    '',
    'Run "waypost COMMAND --help" for the options, defaults and examples of a command, and "waypost completion bash" for',
    'completion. Without --app, commands act on the sandbox application. Settings are environment variables: see example.env.',
  ].join('\n')

/** Help for a command line: of one command, of a noun, or of everything. */
export function helpFor(
  program: Program,
  { noun, name }: { noun?: string | undefined; name?: string | undefined },
): string {
  const found = noun === undefined ? undefined : program[noun]
  if (noun === undefined || !found) return helpOfAll(program)
  const named = commandsOfNoun(noun, found).find((each) => each.name === name)
  if (named && !(name === noun && found.verbs)) return helpOfCommand(named)
  // A noun that is also a command shows both.
  return named ? `${helpOfCommand(named)}\n\n${helpOfNoun(noun, found)}` : helpOfNoun(noun, found)
}
