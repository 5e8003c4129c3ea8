/** The path of the base address, without a slash at its end. */
export const prefixOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
