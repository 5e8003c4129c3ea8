/**
 * The subject or routing key of a message: the text of the channel, with `{type}` replaced by the type. A notification
 * that was truncated goes where the whole one would go, so that no receiver needs a place for large ones.
 */
export const named = (template: string, type: string): string =>
  template.replaceAll('{type}', type.replace(/\.truncated$/, ''))

/** Whether messages of different types have different names, so that one name may be missing alone. */
export const isByType = (template: string): boolean => template.includes('{type}')

/** The status of a message whose own name nobody takes, while the channel may take others. */
export const noPlaceForType = 410
