// The addresses in a header such as `To`.

/** The addresses without display names, in lower case. */
export function addressesOf(header: string | undefined): string[] {
  if (header === undefined) return []
  const found: string[] = []
  for (const item of header.match(/(?:"(?:\\.|[^"\\])*"|<[^>]*>|[^,;"<])+/g) ?? []) {
    const bare = item.replace(/"(?:\\.|[^"\\])*"/g, '')
    const address = /<([^>]*)>/.exec(bare)?.[1] ?? bare.replace(/^[^:]*:/, '')
    if (address.includes('@')) found.push(address.trim().toLowerCase())
  }
  return found
}
