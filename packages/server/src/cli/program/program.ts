/** Helpers for the table of commands as a whole. */
import type { Command, Noun, Option, Program } from './command.ts'

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  json: { summary: 'print only JSON, for programs' },
  help: { summary: 'show help for the command' },
  version: { summary: 'print the version' },
}

export interface NamedEntry {
  name: string
  command: Command
}

/** The commands of a noun: its own command and its verbs. */
export const commandsOfNoun = (name: string, { own, verbs = {} }: Noun): NamedEntry[] => [
  ...(own ? [{ name, command: own }] : []),
  ...Object.entries(verbs).map(([verb, command]) => ({ name: `${name} ${verb}`, command })),
]

/** All commands by full name. */
export const commandsOf = (program: Program): NamedEntry[] =>
  Object.entries(program).flatMap(([name, noun]) => commandsOfNoun(name, noun))

/** The name with its arguments: `grants show GRANT`. */
export const callOf = ({ name, command: { words = [] } }: NamedEntry): string =>
  [name, ...words.map(({ name: word, optional }) => (optional ? `[${word}]` : word))].join(' ')

/** The full usage line with options. */
export const usageOf = (named: NamedEntry): string =>
  [
    callOf(named),
    ...Object.entries(named.command.options ?? {}).map(([name, { value, choices }]) =>
      value === undefined ? `[--${name}]` : `[--${name} ${choices?.join('|') ?? value}]`,
    ),
  ].join(' ')
