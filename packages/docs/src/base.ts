/** The URL of the service, which can be below a path. It is derived from the URL of this file. */

/** URL of the service, without a trailing slash. */
export const serviceUrl = new URL(/* @vite-ignore */ '../..', import.meta.url).href.replace(/\/$/, '')
/** URL of these pages. */
export const docsUrl = `${serviceUrl}/docs`
