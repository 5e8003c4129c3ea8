/**
 * Removes everything from a message's styles that would send network requests. The browser's own parser reads the
 * styles, so that no spelling can hide anything. Only known harmless parts are kept. The frame's
 * Content-Security-Policy is a second barrier.
 */

/** Count of removed remote resources. */
export interface Tally {
  blocked: number
}

/** CSS functions that name a resource, as browsers serialize them. */
const resource = /(?:url|image|image-set|-webkit-image-set|src|element|cross-fade|-webkit-cross-fade|paint|attr)\(/i
/** Properties that may have a remote image once the reader allows remote images. */
const pictured = new Set(['background-image', 'list-style-image', 'border-image-source'])
const addresses = /url\("([^"]*)"\)/g
const colors = /^(?:background-color|background-image|color)$/

/** Whether a value contains only https images, as browsers serialize them. */
function isRemoteImage(value: string): boolean {
  const rest = value.replace(addresses, (whole, address: string) => (/^https:\/\//i.test(address) ? '' : whole))
  return !resource.test(rest)
}

/** Removes declarations that load something, escape the frame's layout, or cannot be inspected. */
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

/** Whether declarations set their own colors. */
export const hasColors = (style: CSSStyleDeclaration): boolean =>
  Array.from(style).some((name) => colors.test(name) && style.getPropertyValue(name) !== 'inherit')

interface Cleaned {
  text: string
  colored: boolean
}

/** The rules of a style element, rebuilt from known rule types. */
export function cleanSheet(text: string, remote: boolean, tally: Tally): Cleaned {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  let colored = false
  const written = (rules: CSSRuleList): string =>
    Array.from(rules, (rule) => {
      if (rule instanceof CSSMediaRule) return `@media ${rule.conditionText} {${written(rule.cssRules)}}`
      if (rule instanceof CSSSupportsRule) return `@supports ${rule.conditionText} {${written(rule.cssRules)}}`
      if (!(rule instanceof CSSStyleRule)) return ''
      cleanDeclarations(rule.style, remote, tally)
      colored ||= hasColors(rule.style)
      return `${rule.selectorText} {${rule.style.cssText}}`
    }).join('\n')
  return { text: written(sheet.cssRules), colored }
}
