/** Releases have three numbers, as in Semantic Versioning, and no labels. */
export const isVersion = (text: string): boolean => /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text)
