/**
 * Styles of a message without what asks for anything over the network. The browser's own parser reads them, so that no
 * spelling hides anything; what is not known to be harmless is left out. The frame's policy stands behind it.
 */

/** What was left out because it lies on other servers. */
export interface Tally {
  blocked: number
}

/** Functions that name a resource, as browsers write them back. */
const resource = /(?:url|image|image-set|-webkit-image-set|src|element|cross-fade|-webkit-cross-fade|paint|attr)\(/i
/** Properties that may have an image of another server, once it is wanted. */
const pictured = new Set(['background-image', 'list-style-image', 'border-image-source'])
const addresses = /url\("([^"]*)"\)/g
const colours = /^(?:background-color|background-image|color)$/

/** Whether a value names nothing but images over TLS, written as browsers write them. */
function isRemoteImage(value: string): boolean {
  const rest = value.replace(addresses, (whole, address: string) => (/^https:\/\//i.test(address) ? '' : whole))
  return !resource.test(rest)
}

/** Takes out of declarations what asks for something, runs free of the page, or cannot be looked through. */
export function cleanDeclarations(style: CSSStyleDeclaration, remote: boolean, tally: Tally): void {
  for (const name of Array.from(style)) {
    const value = style.getPropertyValue(name)
    if (name.startsWith('--') || (name === 'position' && /fixed|sticky/i.test(value))) {
      style.removeProperty(name)
      continue
    }
    if (!resource.test(value)) continue
    const wanted = pictured.has(name) && isRemoteImage(value)
    if (wanted && !remote) tally.blocked += 1
    if (!(wanted && remote)) style.removeProperty(name)
  }
}

/** Whether declarations choose colours of their own. */
export const hasColours = (style: CSSStyleDeclaration): boolean =>
  Array.from(style).some((name) => colours.test(name) && style.getPropertyValue(name) !== 'inherit')

interface Cleaned {
  text: string
  coloured: boolean
}

/** The rules of a style element, written anew from those that are known. */
export function cleanSheet(text: string, remote: boolean, tally: Tally): Cleaned {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  let coloured = false
  const written = (rules: CSSRuleList): string =>
    Array.from(rules, (rule) => {
      if (rule instanceof CSSMediaRule) return `@media ${rule.conditionText} {${written(rule.cssRules)}}`
      if (rule instanceof CSSSupportsRule) return `@supports ${rule.conditionText} {${written(rule.cssRules)}}`
      if (!(rule instanceof CSSStyleRule)) return ''
      cleanDeclarations(rule.style, remote, tally)
      coloured ||= hasColours(rule.style)
      return `${rule.selectorText} {${rule.style.cssText}}`
    }).join('\n')
  return { text: written(sheet.cssRules), coloured }
}
