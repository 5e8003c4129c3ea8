/**
 * Syntax highlighting for the few languages of our samples and guides: one pattern per token kind, the first match is
 * used. It runs in the browser for the reference, and in the build for guides.
 */

type Kind = 'attr' | 'comment' | 'keyword' | 'literal' | 'meta' | 'number' | 'string' | 'title' | 'variable'
type Rules = readonly (readonly [Kind, RegExp])[]

const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/
const singleQuoted = /'(?:[^'\\]|\\.)*'/
const number = /(?<![\w$])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/

const json: Rules = [
  ['attr', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ['string', doubleQuoted],
  ['number', number],
  ['literal', /\b(?:true|false|null)\b/],
]

const script: Rules = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ['string', /`(?:[^`\\]|\\[\s\S])*`/],
  ['string', doubleQuoted],
  ['string', /'(?:[^'\\\n]|\\.)*'/],
  [
    'keyword',
    /\b(?:as|async|await|break|case|catch|class|const|continue|default|do|else|export|extends|finally|for|from|function|if|import|in|instanceof|interface|let|new|of|return|switch|throw|try|type|typeof|using|while|yield)\b/,
  ],
  ['literal', /\b(?:true|false|null|undefined)\b/],
  ['number', number],
  ['title', /(?<![\w$])[A-Za-z_$][\w$]*(?=\()/],
  ['attr', /(?<![\w$])[A-Za-z_$][\w$]*(?=:\s)/],
]

const shell: Rules = [
  ['comment', /(?<=^|\s)#[^\n]*/],
  ['string', singleQuoted],
  ['string', /"(?:[^"\\]|\\[\s\S])*"/],
  ['variable', /\$(?:\w+|\{[^}]*\}|[@*#?])/],
  [
    'keyword',
    /(?<=^|[\n;|&(]\s*)(?:curl|docker|export|kubectl|npm|npx|node|psql|systemctl|waypost|sudo|helm|openssl)\b/,
  ],
  ['attr', /(?<=\s)--?[A-Za-z][\w-]*/],
]

const settings: Rules = [
  ['comment', /(?<=^|\n|\s)#[^\n]*/],
  ['string', doubleQuoted],
  ['string', /'[^'\n]*'/],
  ['attr', /(?<=^|\n)[ \t-]*[\w./-]+(?=\s*[:=])/],
  ['literal', /\b(?:true|false|null)\b/],
  ['number', number],
]

const languages: Record<string, Rules> = {
  json,
  javascript: script,
  js: script,
  node: script,
  ts: script,
  typescript: script,
  bash: shell,
  curl: shell,
  sh: shell,
  shell,
  env: settings,
  ini: settings,
  yaml: settings,
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** A kind closes on every line, so that a line may stand alone. */
const marked = (kind: Kind, text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `<span class="hljs-${kind}">${escapeHtml(line)}</span>`))
    .join('\n')

const patterns = new Map<Rules, RegExp>()
function patternOf(rules: Rules): RegExp {
  const made = patterns.get(rules) ?? new RegExp(rules.map(([, { source }]) => `(${source})`).join('|'), 'g')
  patterns.set(rules, made)
  return made
}

/** The code as HTML. What is in no known language is escaped alone. */
export function highlight(code: string, language: string): string {
  const rules = languages[language.toLowerCase()]
  if (!rules) return escapeHtml(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(patternOf(rules))) {
    const kind = rules[match.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? 'meta'
    html += escapeHtml(code.slice(end, match.index)) + marked(kind, match[0])
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}
