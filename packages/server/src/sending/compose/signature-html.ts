/** Sanitizes the HTML of a signature: everything that is not on the lists below is removed. */
import { Parser } from 'htmlparser2'

const words = (text: string): Set<string> => new Set(text.split(/\s+/))

const elements = words(
  `a abbr address article b bdi bdo big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption
   figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q s samp section small span strike strong
   sub sup table tbody td tfoot th thead tr tt u ul wbr`,
)
/** These elements are removed with their content. Of other elements that are not allowed, only the tag is removed. */
const dropped = words(
  `script style iframe frame frameset noframes object embed applet noembed noscript template svg math title head xmp
   plaintext textarea select button video audio canvas`,
)
const empty = words('br hr img wbr col')
const attributes = words(
  `align alt bgcolor border cellpadding cellspacing class color colspan dir face height href id lang nowrap rel role
   rowspan size src start style target title type valign width`,
)

const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'))
const escapeValue = (text: string): string => escapeText(text).replace(/"/g, '&quot;')

/** A URL without the control characters that browsers ignore. */
const addressOf = (value: string): string => value.replace(/\p{Cc}/gu, '').trim()

const allowedAddress: Record<string, RegExp> = { href: /^(?:https?|mailto|tel):/i, src: /^https?:\/\//i }

/** Only declarations that load and run nothing. Escapes and comments are rejected because they could hide others. */
const safeStyle = (value: string): string =>
  value
    .split(';')
    .filter(
      (one) => /^\s*[a-z-]+\s*:/i.test(one) && !/[\\<>{}@]|\/\*|url\s*\(|expression|script:|behavio|binding/i.test(one),
    )
    .map((one) => one.trim())
    .join('; ')

function safeValue(name: string, value: string): string | undefined {
  const allowed = allowedAddress[name]
  if (allowed) {
    const address = addressOf(value)
    return allowed.test(address) ? address : undefined
  }
  return name === 'style' ? safeStyle(value) || undefined : value
}

/** Removes everything that runs code, loads a page or embeds an image. */
export function safeSignature(html: string): string {
  let out = ''
  /** Number of open elements that are removed with their content. */
  let inside = 0
  const parser = new Parser(
    {
      onopentag(name, given) {
        if (dropped.has(name)) inside++
        if (inside > 0 || !elements.has(name)) return
        const retained: [string, string][] = []
        for (const [attribute, value] of Object.entries(given)) {
          const safe = attributes.has(attribute) ? safeValue(attribute, value) : undefined
          if (safe !== undefined) retained.push([attribute, safe])
        }
        if (name === 'img' && !retained.some(([attribute]) => attribute === 'src')) return
        out += `<${name}${retained.map(([attribute, value]) => ` ${attribute}="${escapeValue(value)}"`).join('')}>`
      },
      ontext(text) {
        if (inside === 0) out += escapeText(text)
      },
      onclosetag(name) {
        if (inside === 0 && elements.has(name) && !empty.has(name)) out += `</${name}>`
        if (dropped.has(name)) inside--
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return out.trim()
}
