/**
 * The definition of a command: its arguments, its help, and where its code is. Parsing, help, completion and
 * docs/generated/commands.md are derived from the table of commands (`table/`). The code is loaded when the command
 * runs, so help and completion only read the table.
 */
import type { z } from 'zod'
import type { BuiltServices } from '../../services/services.ts'
import type { Output, Terminal } from './output.ts'

/** A positional argument of a command. */
export interface Word {
  name: string
  summary: string
  optional?: boolean
  /** Allowed values, if they are a fixed list. */
  choices?: readonly string[]
  /** What shell completion offers. */
  completes?: 'files'
}

export interface Option {
  /** Placeholder of its value; a switch has none. */
  value?: string
  summary: string
  choices?: readonly string[]
  /** The value is an integer of at least this. */
  atLeast?: number
  /** Default value. */
  usual?: string
  /** What shell completion offers. */
  completes?: 'applications' | 'files'
}

export interface Description {
  summary: string
  /** Additional help text. */
  more?: string
  words?: readonly Word[]
  options?: Readonly<Record<string, Option>>
  /** Command lines, and what each does. */
  examples: Readonly<Record<string, string>>
  /** Describes the output of `--json`. */
  json: string
}

export interface Arguments {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** Works on the store, with or without a running server. */
export type StoreRun = (services: BuiltServices, args: Arguments, output: Output) => Promise<void>

/** Input of a command that opens the store itself, or needs none. */
export interface Call {
  terminal: Terminal
  args: Arguments
  output: Output
  program: Program
}

/** Returns the exit code. */
export type PlainRun = (call: Call) => Promise<number>

export interface StoreCommand extends Description {
  onStore(): Promise<StoreRun>
}
export interface PlainCommand extends Description {
  plain(): Promise<PlainRun>
}
export type Command = StoreCommand | PlainCommand

/** The first word of a command: a noun with verbs, a command of its own, or both. */
export interface Noun {
  summary: string
  verbs?: Readonly<Record<string, Command>>
  /** The command of the noun without a verb. */
  own?: Command
  /** The verb that lists objects. The start of this list is shown when the noun is used alone. */
  list?: string
}
export type Program = Readonly<Record<string, Noun>>

/** Wrong usage of a command, and the help to show. */
export class UsageError extends Error {
  readonly about: string

  constructor(message: string, about = '') {
    super(message)
    this.about = about
  }
}

/** Parses what was given. The error names the first field that does not fit. */
export function parseGiven<T>(schema: z.ZodType<T>, given: unknown, about: string): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`, about)
}

export function needWord(args: Arguments, index: number, name: string): string {
  const word = args.words[index]
  if (word === undefined) throw new UsageError(`${name} is missing`)
  return word
}

export const textOption = ({ options }: Arguments, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** A number that the parser has checked, or to which it has set the default. */
export const numberOption = (args: Arguments, name: string): number => Number(textOption(args, name))

/** A time in Unix seconds, or a date with its time zone. */
export function timeOption(args: Arguments, name: string): number | undefined {
  const text = textOption(args, name)
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new UsageError(`--${name} takes seconds since 1970, or a date such as 2026-11-15T06:00:00Z`)
  return Math.floor(at / 1000)
}

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
