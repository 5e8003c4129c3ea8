/** Keys that lead somewhere on every page. */

/** Behind `g`: which page of the application each letter leads to. */
export const pageKeys: Readonly<Record<string, string>> = {
  o: '',
  g: '/grants',
  w: '/webhooks',
  c: '/connectors',
  e: '/explorer',
  u: '/usage',
  k: '/api-keys',
  s: '/settings',
}
/** And which page of the service. */
export const serviceKeys: Readonly<Record<string, string>> = { a: '/applications', h: '/health', l: '/audit' }

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const commandKey = isApple ? '⌘' : 'Ctrl'
