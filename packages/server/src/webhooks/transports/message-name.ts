/** The subject or routing key of a message: the text of the channel, with `{type}` replaced by the trigger. */
export const named = (template: string, type: string): string => template.replaceAll('{type}', type)
