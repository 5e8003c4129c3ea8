/**
 * The schemas of Kubernetes, which ignore unknown fields: a field that validation never reads is misspelled or
 * misplaced, and an API server would drop it silently.
 */
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'
import { validate as autoscaler } from 'kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler'
import { validate as namespace } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Namespace'
import { validate as secret } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Secret'
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { validate as serviceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount'
import { validate as ingress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress'
import { validate as networkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy'
import { validate as disruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'
import type { Document } from './files.ts'

type Validate = { (data: unknown): boolean; errors?: { instancePath: string; keyword: string; params: object }[] }

const schemas: Record<string, unknown> = {
  'apps/v1 Deployment': deployment,
  'autoscaling/v2 HorizontalPodAutoscaler': autoscaler,
  'v1 Namespace': namespace,
  'v1 Secret': secret,
  'v1 Service': service,
  'v1 ServiceAccount': serviceAccount,
  'networking.k8s.io/v1 Ingress': ingress,
  'networking.k8s.io/v1 NetworkPolicy': networkPolicy,
  'policy/v1 PodDisruptionBudget': disruptionBudget,
}

/** The problems of a manifest, by field. */
export function problemsOf(manifest: Document): string[] {
  const validate = schemas[`${manifest.apiVersion} ${manifest.kind}`] as Validate | undefined
  if (validate === undefined) return [`there is no schema for ${manifest.apiVersion} ${manifest.kind}`]
  const polled = new Set<string>()
  validate(watched(manifest, '', polled))
  const errors = (validate.errors ?? []).map(
    ({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`,
  )
  const unknown = pathsOf(manifest, '').filter((path) => !polled.has(path))
  return [...errors, ...unknown.map((path) => `${path} is no field`)]
}

/** The same value, which records what is read of it. */
function watched(value: Document, path: string, polled: Set<string>): Document {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name) {
      polled.add(`${path}/${String(name)}`)
      return watched(Reflect.get(target, name), `${path}/${String(name)}`, polled)
    },
  })
}

function pathsOf(value: Document, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [`${path}/${name}`, ...pathsOf(each, `${path}/${name}`)])
}
