/** Names of topics and the addresses of their methods. https://cloud.google.com/pubsub/docs/pubsub-basics#resource_names */

const form = /^projects\/([a-z][a-z0-9.:-]{2,98}[a-z0-9])\/topics\/((?!goog)[A-Za-z][\w.~+%-]{2,254})$/
const google = 'https://pubsub.googleapis.com'

export const isTopic = (name: string): boolean => form.test(name)

/** The address of a method of a topic; without a method, of the topic itself. */
export function topicUrl(name: string, endpoint = google, method = ''): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/v1/${path}${method}`
}
