/** Replaces Scalar's sample generators for forty languages: requests from "try it" are shown as curl only. */
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl'

export const clients = [{ key: 'shell', title: 'Shell', default: 'curl', clients: [shellCurl] }]
