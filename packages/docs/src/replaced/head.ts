/** In place of `@unhead/vue`: the head of the page is written when it is built. */
export const useSeoMeta = (): void => {}
export const useHead = (): void => {}
export const createHead = (): { install(): void } => ({ install: () => {} })
