/**
 * What a command is: a record of what it takes and says of itself, and how its code is found. The table of these
 * (`table/`) is what parsing, help, completion and docs/generated/commands.md are made of. The code is loaded when the
 * command is run, so that help and completion cost no more than reading the table.
 */
import type { BuiltServices } from '../../services/services.ts'
import type { Output, Terminal } from './output.ts'

/** A word that a command takes after its name. */
export interface Word {
  name: string
  summary: string
  optional?: boolean
  /** What can be said, where that is a list. */
  choices?: readonly string[]
  /** What a shell offers. */
  completes?: 'files'
}

export interface Option {
  /** What its value is called; a switch has none. */
  value?: string
  summary: string
  choices?: readonly string[]
  /** The value is a whole number of at least this. */
  atLeast?: number
  /** The value where it is not given. */
  usual?: string
  /** What a shell offers. */
  completes?: 'applications' | 'files'
}

export interface Example {
  line: string
  what: string
}

export interface Description {
  summary: string
  /** Further sentences of the help. */
  more?: string
  words?: readonly Word[]
  options?: Readonly<Record<string, Option>>
  examples: readonly Example[]
  /** What `--json` prints. */
  json: string
}

export interface Arguments {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** Works on the store, beside a running server or without one. */
export type StoreRun = (services: BuiltServices, args: Arguments, output: Output) => Promise<void>

/** What a command is given that opens the store itself, or needs none. */
export interface Call {
  terminal: Terminal
  args: Arguments
  output: Output
  program: Program
}

/** Answers the exit code. */
export type PlainRun = (call: Call) => Promise<number>

export interface StoreCommand extends Description {
  onStore(): Promise<StoreRun>
}
export interface PlainCommand extends Description {
  plain(): Promise<PlainRun>
}
export type Command = StoreCommand | PlainCommand

/** The first word of a command: a thing with verbs, a command by itself, or both. */
export interface Noun {
  summary: string
  verbs?: Readonly<Record<string, Command>>
  /** What the first word does alone. */
  own?: Command
  /** The verb that shows what there is; its beginning is shown where the first word stands alone. */
  list?: string
}
export type Program = Readonly<Record<string, Noun>>

/** A mistake in how a command was called, and which help says more. */
export class UsageError extends Error {
  readonly about: string

  constructor(message: string, about = '') {
    super(message)
    this.about = about
  }
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

/** A number that the table has checked already, or its default. */
export const numberOption = (args: Arguments, name: string, usual: number): number =>
  Number(textOption(args, name) ?? usual)
