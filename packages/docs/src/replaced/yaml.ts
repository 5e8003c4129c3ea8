/** Replaces `yaml`: the description and request bodies are JSON, which is valid YAML. */
export const parse = (text: string): unknown => JSON.parse(text)
export const stringify = (value: unknown): string => JSON.stringify(value, undefined, 2)
export default { parse, stringify }
