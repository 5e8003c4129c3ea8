/** Keys for navigation on every page. */

/** After `g`: the page of the application for each letter. */
export const pageKeys: Readonly<Record<string, string>> = {
  o: '',
  g: '/grants',
  w: '/webhooks',
  c: '/connectors',
  i: '/agents',
  p: '/approvals',
  e: '/explorer',
  u: '/usage',
  k: '/api-keys',
  s: '/settings',
}
/** After `g`: the page of the service for each letter. */
export const serviceKeys: Readonly<Record<string, string>> = { a: '/applications', h: '/health', l: '/audit' }

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const commandKey = isApple ? '⌘' : 'Ctrl'
