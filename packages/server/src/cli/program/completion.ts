/** Shell completion, generated from the table of commands. */
import { commandsOf, commonOptions, type NamedEntry, type Option, type PlainRun, type Program } from './command.ts'

/** A word that the shell offers, with its description. */
interface Offer {
  word: string
  summary: string
}

/** What is allowed at a position of the command line. */
type Value = { of: 'words'; words: readonly string[] } | { of: 'files' } | { of: 'applications' } | { of: 'nothing' }

interface Place {
  /** The previous words without options: "", "grants", "grants list". */
  at: string
  verbs: Offer[]
  options: Offer[]
  /** Options that take a value, with the values offered. */
  values: { option: string; value: Value }[]
  /** What the next positional argument is. */
  word: Value | undefined
}

const valueForm = ({ choices, completes }: Pick<Option, 'choices' | 'completes'>): Value => {
  if (choices) return { of: 'words', words: choices }
  return completes === undefined ? { of: 'nothing' } : { of: completes }
}

const optionOffers = (options: Readonly<Record<string, Option>>): Offer[] =>
  Object.entries(options).map(([name, { summary }]) => ({ word: `--${name}`, summary }))

function placeOf({ name, command: { options = {}, words = [] } }: NamedEntry): Place {
  const { version: _, ...common } = commonOptions
  return {
    at: name,
    verbs: [],
    options: optionOffers({ ...options, ...common }),
    values: Object.entries(options).flatMap(([option, form]) =>
      form.value === undefined ? [] : [{ option: `--${option}`, value: valueForm(form) }],
    ),
    word: words[0] && valueForm(words[0]),
  }
}

function placesOf(program: Program): Place[] {
  const places = new Map(commandsOf(program).map((named) => [named.name, placeOf(named)]))
  for (const [name, { verbs = {} }] of Object.entries(program)) {
    const offers = Object.entries(verbs).map(([word, { summary }]) => ({ word, summary }))
    const own = places.get(name) ?? { at: name, options: optionOffers(commonOptions), values: [], word: undefined }
    places.set(name, { ...own, verbs: offers })
  }
  const nouns = Object.entries(program).map(([word, { summary }]) => ({ word, summary }))
  const first = { at: '', verbs: nouns, options: optionOffers(commonOptions), values: [], word: undefined }
  return [first, ...places.values()]
}

/** Options of any command that take a value: the next word is not an argument of the command. */
const valued = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ values }) => values.map(({ option }) => option))),
]

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const bashValue: { [K in Value['of']]: (value: Extract<Value, { of: K }>) => string } = {
  words: ({ words }) => `_waypost_words ${quoted(words.join(' '))}`,
  files: () => 'compopt -o default',
  applications: () => '_waypost_applications',
  nothing: () => ':',
}
const inBash = (value: Value): string => bashValue[value.of](value as never)

/** What is offered at a place: the values after an option, otherwise what the last lines say. */
function caseOf(
  { at, values }: Place,
  { previous, inShell }: { previous: string; inShell(value: Value): string },
  others: readonly string[],
): string {
  const cases = values.map(({ option, value }) => `        ${option}) ${inShell(value)}; return ;;`)
  const ofValues = cases.length > 0 ? [`      case ${previous} in`, ...cases, '      esac'] : []
  return [`    ${quoted(at)})`, ...ofValues, ...others].join('\n')
}

function bashCase(place: Place): string {
  const { verbs, options, word } = place
  const words = verbs.map((offer) => offer.word).join(' ')
  return caseOf(place, { previous: '$prev', inShell: inBash }, [
    `      if [[ $cur == -* ]]; then _waypost_words ${quoted(options.map((offer) => offer.word).join(' '))}`,
    `      else ${words === '' ? (word ? inBash(word) : ':') : `_waypost_words ${quoted(words)}`}; fi ;;`,
  ])
}

export function bashScript(program: Program): string {
  const places = placesOf(program)
  return `# Completion of waypost for bash, made by "waypost completion bash".
_waypost_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_waypost_applications() {
  local name plain=\${cur//[\\\\\\"\\']/}
  while IFS= read -r name; do
    [[ \${name,,} == "\${plain,,}"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <("\${COMP_WORDS[0]}" completion names 2>/dev/null)
}
_waypost() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at='' count=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valued(places).join('|')}) ((i++)) ;;
      -*) ;;
      *) ((count++ < 2)) && at+="\${at:+ }\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
${singleWords(program)}
  case $at in
${places.map(bashCase).join('\n')}
  esac
}
complete -F _waypost waypost
`
}

/** A word after a command that has no verbs is its own. */
function singleWords(program: Program): string {
  const names = Object.entries(program).flatMap(([name, { verbs }]) => (verbs ? [] : [`${quoted(name)}\\ *`]))
  return `  # A word after a command that has no verbs is its own.
  case $at in ${names.join('|')}) at=\${at%% *} ;; esac`
}

const described = (offers: readonly Offer[]): string =>
  offers.map(({ word, summary }) => quoted(`${word}:${summary.replaceAll(':', '\\:')}`)).join(' ')

const zshValue: { [K in Value['of']]: (value: Extract<Value, { of: K }>) => string } = {
  words: ({ words }) => `compadd -- ${words.map(quoted).join(' ')}`,
  files: () => '_files',
  applications: () =>
    `names=(\${(f)"$($words[1] completion names 2>/dev/null)"}); compadd -M "m:{a-zA-Z}={A-Za-z}" -a names`,
  nothing: () => ':',
}
const inZsh = (value: Value): string => zshValue[value.of](value as never)

function zshCase(place: Place): string {
  const { verbs, options, word } = place
  return caseOf(place, { previous: '$words[CURRENT-1]', inShell: inZsh }, [
    `      offers=(${described(options)})`,
    '      if [[ $words[CURRENT] == -* ]]; then _describe -o option offers',
    ...(verbs.length > 0
      ? [`      else offers=(${described(verbs)}); _describe command offers; fi ;;`]
      : [`      else ${word ? inZsh(word) : ':'}; fi ;;`]),
  ])
}

export function zshScript(program: Program): string {
  const places = placesOf(program)
  return `#compdef waypost
# Completion of waypost for zsh, made by "waypost completion zsh".
_waypost() {
  local at='' count=0 i
  local -a offers names
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${valued(places).join('|')}) ((i++)) ;;
      -*) ;;
      *) ((count++ < 2)) && at+="\${at:+ }$words[i]" ;;
    esac
  done
${singleWords(program)}
  case $at in
${places.map(zshCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _waypost ]]; then _waypost "$@"; else compdef _waypost waypost; fi
`
}

const printing =
  (script: (program: Program) => string): PlainRun =>
  async ({ output, program }) => {
    const text = script(program)
    output.write(output.json ? JSON.stringify({ script: text }) : text.trimEnd())
    return 0
  }

export const completionBash = printing(bashScript)
export const completionZsh = printing(zshScript)
