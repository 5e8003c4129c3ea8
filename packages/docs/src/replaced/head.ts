/** Replaces `@unhead/vue`: the build writes the head of the page. */
export const useSeoMeta = (): void => {}
export const useHead = (): void => {}
export const createHead = (): { install(): void } => ({ install: () => {} })
