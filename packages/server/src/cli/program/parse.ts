/** Parses a command line with the table of commands. Errors suggest the probable intention. */
import { parseArgs } from 'node:util'
import { closest } from '@waypost/platform/closest'
import {
  type Arguments,
  type Command,
  commandsOf,
  commonOptions,
  type Noun,
  type Option,
  type Program,
  UsageError,
} from './command.ts'

export interface ParsedCall {
  /** The first word, if it is in the table. */
  noun?: string
  /** Full name of the command, such as "grants list". */
  name?: string
  command?: Command
  args: Arguments
  json: boolean
  help: boolean
  version: boolean
}

interface GivenOptions {
  name: string
  raw: string
  value?: string | undefined
  /** The value is part of the same word: --limit=5. */
  inline: boolean
}

const either = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ')

/** An option takes a value in all commands or in none, so that arguments and values can be told apart. */
function tokensOf(argv: string[], program: Program): { words: string[]; given: GivenOptions[] } {
  const all: Record<string, Option> = { ...commonOptions }
  for (const { command } of commandsOf(program)) Object.assign(all, command.options)
  const options = Object.fromEntries(
    Object.entries(all).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  const { tokens } = parseArgs({
    args: argv,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const given = tokens.flatMap((token): GivenOptions[] =>
    token.kind === 'option'
      ? [{ name: token.name, raw: token.rawName, value: token.value, inline: token.inlineValue === true }]
      : [],
  )
  return { words, given }
}

/** Parses a command line. Throws a UsageError if it is invalid. */
export function parse(argv: string[], program: Program): ParsedCall {
  const { words, given } = tokensOf(argv, program)
  const has = (name: string): boolean => given.some((each) => each.name === name)
  const flags = { json: has('json'), help: has('help'), version: has('version') }
  const named = words[0] === 'help' ? words.slice(1) : words
  const help = flags.help || words[0] === 'help'
  const [noun, ...rest] = named
  const nothing = { args: { words: [], options: {} }, ...flags, help }
  if (noun === undefined) {
    checkOptions({}, given, '')
    return nothing
  }
  const found = program[noun]
  if (!found || !Object.hasOwn(program, noun)) throw unknownCommand([noun], Object.keys(program))
  const called = calledIn(found, noun, rest)
  if (called) {
    const { name, command, words: own } = called
    return { ...nothing, noun, name, command, args: argumentsOf(command, own, given, { name, help }) }
  }
  const [verb] = rest
  if (verb !== undefined) throw unknownCommand([noun, verb], Object.keys(found.verbs ?? {}), found)
  // A noun alone shows its list.
  return { ...nothing, noun, args: { words: [], options: checkOptions(listOptions(found), given, noun) } }
}

/** The command of a noun that its following words call, with the words that are arguments. */
function calledIn({ own, verbs = {} }: Noun, noun: string, words: string[]) {
  const [verb, ...more] = words
  const command = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (command) return { name: `${noun} ${verb}`, command, words: more }
  return own && (verb === undefined || own.words) ? { name: noun, command: own, words } : undefined
}

const listOptions = ({ list, verbs }: Noun): Readonly<Record<string, Option>> =>
  (list === undefined ? undefined : verbs?.[list]?.options) ?? {}

function unknownCommand(words: readonly string[], known: readonly string[], noun?: Noun): UsageError {
  const before = words.slice(0, -1)
  if (noun && known.length === 0) {
    return new UsageError(`${before.join(' ')} takes no further argument: ${words.at(-1)}`, before.join(' '))
  }
  const meant = closest(words.at(-1) ?? '', known)
  const hint = meant === undefined ? '' : `. Did you mean "waypost ${[...before, meant].join(' ')}"?`
  return new UsageError(`no such command: ${words.join(' ')}${hint}`, before.join(' '))
}

function argumentsOf(
  command: Command,
  words: readonly string[],
  given: readonly GivenOptions[],
  { name, help }: { name: string; help: boolean },
): Arguments {
  const options = checkOptions(command.options ?? {}, given, name)
  // With --help, arguments are not checked.
  if (!help) checkWords(command, words, name)
  return { words, options }
}

function checkWords({ words: wanted = [] }: Command, words: readonly string[], name: string): void {
  const missing = wanted.slice(words.length).find(({ optional }) => !optional)
  if (missing) throw new UsageError(`${missing.name} is missing: ${missing.summary}`, name)
  const [extra] = words.slice(wanted.length)
  if (extra !== undefined) {
    const hint = wanted.length > 0 ? '; quote arguments that contain spaces' : ''
    throw new UsageError(`unexpected argument "${extra}" for waypost ${name}${hint}`, name)
  }
  for (const [index, { name: word, choices }] of wanted.entries()) {
    const value = words[index]
    if (value !== undefined && choices && !choices.includes(value)) {
      throw new UsageError(`${word} must be ${either(choices)}${didYouMean(closest(value, choices))}`, name)
    }
  }
}

const didYouMean = (meant: string | undefined): string => (meant === undefined ? '' : `. Did you mean ${meant}?`)

/** The given options, checked against the command's table, and the defaults of the others. */
function checkOptions(
  known: Readonly<Record<string, Option>>,
  given: readonly GivenOptions[],
  name: string,
): Record<string, string | boolean | undefined> {
  const values: Record<string, string | boolean | undefined> = {}
  for (const [option, { usual }] of Object.entries(known)) if (usual !== undefined) values[option] = usual
  for (const each of given) {
    if (Object.hasOwn(commonOptions, each.name)) {
      if (each.inline) throw new UsageError(`--${each.name} takes no value`, name)
      continue
    }
    const option = Object.hasOwn(known, each.name) ? known[each.name] : undefined
    if (!option) throw unknownOption(each, Object.keys({ ...known, ...commonOptions }), name)
    values[each.name] = readValue(each, option, name)
  }
  return values
}

function unknownOption({ name: option, raw }: GivenOptions, known: readonly string[], name: string): UsageError {
  const meant = closest(option, known)
  return new UsageError(
    `${name === '' ? 'there is' : `${name} has`} no option ${raw}${didYouMean(meant === undefined ? undefined : `--${meant}`)}`,
    name,
  )
}

function readValue({ name: option, value, inline }: GivenOptions, form: Option, name: string): string | boolean {
  if (form.value === undefined) {
    if (inline) throw new UsageError(`--${option} takes no value`, name)
    return true
  }
  if (value === undefined || value === '')
    throw new UsageError(`--${option} takes a value: ${form.value}, ${form.summary}`, name)
  if (!inline && value.startsWith('-')) {
    throw new UsageError(
      `--${option} takes a value: ${form.value}; write a value that begins with a dash as --${option}=${value}`,
      name,
    )
  }
  if (form.choices && !form.choices.includes(value)) {
    throw new UsageError(`--${option} must be ${either(form.choices)}${didYouMean(closest(value, form.choices))}`, name)
  }
  if (form.atLeast !== undefined && !(/^\d{1,12}$/.test(value) && Number(value) >= form.atLeast)) {
    throw new UsageError(`--${option} must be an integer of at least ${form.atLeast}`, name)
  }
  return value
}
