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

/** A number that the parser already checked, or its default. */
export const numberOption = (args: Arguments, name: string, usual: number): number =>
  Number(textOption(args, name) ?? usual)
