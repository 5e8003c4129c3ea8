/** Where the service stands: below its host, or below a path of it. Known from where this file came from. */

/** The address of the service, without a slash at its end. */
export const serviceUrl = new URL(/* @vite-ignore */ '../..', import.meta.url).href.replace(/\/$/, '')
/** The address of these pages. */
export const docsUrl = `${serviceUrl}/docs`
