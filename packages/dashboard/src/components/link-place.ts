/** The part of a link that people recognize: the host of a URL, or the address of a mailto link. */
export function placeOf(href: string): string | undefined {
  const url = URL.parse(href)
  if (!url) return undefined
  return url.protocol === 'mailto:' || url.protocol === 'tel:' ? decodeSafely(url.pathname) : url.host
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the text of a link names a different host than its target. */
export function isMisleading(href: string, text: string): boolean {
  const said = /(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/iu.exec(text)?.[1]?.toLowerCase()
  const host = URL.parse(href)?.hostname.toLowerCase()
  if (said === undefined || !host || text.includes('@')) return false
  const bare = (name: string): string => name.replace(/^www\./, '')
  return bare(host) !== bare(said) && !host.endsWith(`.${bare(said)}`)
}
