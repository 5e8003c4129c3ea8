/** In place of Scalar's makers of samples in forty languages: a request that is tried is shown as curl alone. */
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl'

export const clients = [{ key: 'shell', title: 'Shell', default: 'curl', clients: [shellCurl] }]
