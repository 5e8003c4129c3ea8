/** deploy/kubernetes: valid by the schemas of Kubernetes, complete, and consistent with the service. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { endMs } from '../../src/node.ts'
import { openService } from '../harness.ts'
import { type Document, documentsOf, root, textOf, unknownSettings, variablesOf, version } from './files.ts'
import { problemsOf } from './kubernetes-schemas.ts'

const folder = 'deploy/kubernetes'
const [kustomization] = documentsOf(`${folder}/kustomization.yaml`)
const files = readdirSync(`${root}${folder}`).filter((file) => file.endsWith('.yaml'))
const manifests: Document[] = kustomization.resources.flatMap((file: string) => documentsOf(`${folder}/${file}`))
const [secret] = documentsOf(`${folder}/secret.example.yaml`)
const [ingress] = documentsOf(`${folder}/ingress.example.yaml`)
const [monitor] = documentsOf(`${folder}/pod-monitor.example.yaml`)

const ofKind = (kind: string): Document[] => manifests.filter((each) => each.kind === kind)
const deployments = ofKind('Deployment')
const settings = variablesOf(textOf(`${folder}/settings.env`))
const containerOf = (deployment: Document): Document => deployment.spec.template.spec.containers[0]
const roleOf = (deployment: Document): string => containerOf(deployment).env[0].value

/** The environment of a node of the deployment, with secrets of the test. */
const environmentOf = (deployment: Document): Record<string, string> => ({
  ...settings,
  ...Object.fromEntries(containerOf(deployment).env.map(({ name, value }: Document) => [name, value])),
})

const matches = (labels: Document, selector: Document): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

describe('the manifests', () => {
  test.for([...manifests, secret, ingress].map((each) => [`${each.kind} ${each.metadata.name}`, each]))(
    'are valid: %s',
    ([, manifest]) => {
      expect(problemsOf(manifest)).toEqual([])
    },
  )

  test('are refused with a field that is misspelled, misplaced or of another type', () => {
    const broken = structuredClone(deployments[0])
    const container = containerOf(broken)
    container.livenesProbe = container.livenessProbe
    container.readinessProbe.failureThreshold = 'two'
    broken.spec.replica = 2
    expect(problemsOf(broken)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/spec\/template\/spec\/containers\/0\/livenesProbe is no field/),
        expect.stringMatching(/failureThreshold type/),
        '/spec/replica is no field',
      ]),
    )
  })

  test('are all in the kustomization, except for examples and files for other tools', () => {
    const apart = files.filter((file) => !kustomization.resources.includes(file)).sort()
    expect(apart).toEqual([
      'ingress.example.yaml',
      'kustomization.yaml',
      'pod-monitor.example.yaml',
      'prometheus-adapter.yaml',
      'secret.example.yaml',
    ])
    expect(kustomization.configMapGenerator).toEqual([{ name: 'waypost', envs: ['settings.env'] }])
    expect(kustomization.images).toMatchObject([{ name: containerOf(deployments[0]).image, newTag: version }])
  })

  test('select existing pods', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
    for (const { spec } of deployments) {
      expect(matches(spec.template.metadata.labels, spec.selector.matchLabels)).toBe(true)
      const [{ labelSelector }] = spec.template.spec.topologySpreadConstraints
      expect(labelSelector).toEqual(spec.selector)
    }
    const [service] = ofKind('Service')
    expect(labels.filter((each) => matches(each, service.spec.selector))).toHaveLength(1)
    const selectors = [...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector), monitor.spec.selector]
    for (const selector of [...selectors, ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector)]) {
      expect(labels.some((each) => matches(each, selector.matchLabels))).toBe(true)
    }
    expect(ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)).toEqual(
      deployments.map(({ metadata }) => metadata.name),
    )
  })

  test('route from the ingress to the port of the api nodes', () => {
    const [service] = ofKind('Service')
    const { backend } = ingress.spec.rules[0].http.paths[0]
    expect(backend.service).toEqual({ name: service.metadata.name, port: { name: service.spec.ports[0].name } })
    for (const deployment of deployments) {
      const [port] = containerOf(deployment).ports
      expect(port).toEqual({ name: service.spec.ports[0].targetPort, containerPort: readConfig({}).config.port })
      expect(monitor.spec.podMetricsEndpoints[0].port).toBe(port.name)
    }
    expect(new URL(settings.WAYPOST_BASE_URL ?? '').host).toBe(ingress.spec.rules[0].host)
  })
})

describe('the pods', () => {
  test('have existing settings that the service accepts', () => {
    const names = [settings, secret.stringData, ...deployments.map(environmentOf)].flatMap(Object.keys)
    expect(names).toContain('WAYPOST_SECRET_KEY')
    expect(unknownSettings(names)).toEqual([])
    expect(deployments.map((each) => readConfig(environmentOf(each)).config.roles)).toEqual([['api'], ['worker']])
    for (const deployment of deployments) {
      expect(containerOf(deployment).envFrom).toEqual([
        { configMapRef: { name: 'waypost' } },
        { secretRef: { name: secret.metadata.name } },
      ])
      // Otherwise Kubernetes would set WAYPOST_PORT for the Service.
      expect(deployment.spec.template.spec.enableServiceLinks).toBe(false)
    }
  })

  test.for(deployments.map((each): [string, Document] => [roleOf(each), each]))(
    'of the role %s answer their probes, and Prometheus',
    async ([role, deployment]) => {
      const { WAYPOST_BASE_URL: _, ...env } = environmentOf(deployment)
      await using service = await openService({
        env: { ...env, WAYPOST_SHUTDOWN_ANNOUNCE_MS: '0', WAYPOST_METRICS_TOKEN: 'token-of-the-secret' },
      })
      const base = await service.listen()
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(deployment)
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
      expect(paths).toEqual(['/health', '/health', '/ready'])
      for (const path of paths) expect((await fetch(`${base}${path}`)).status, path).toBe(200)
      const [{ path }] = monitor.spec.podMetricsEndpoints
      const figures = await fetch(`${base}${path}`, { headers: { authorization: 'Bearer token-of-the-secret' } })
      expect(await figures.text()).toMatch(new RegExp(`^${backlogMetric()} \\d+$`, 'm'))
      expect((await fetch(`${base}/v3/grants`)).status).toBe(role === 'api' ? 401 : 404)
    },
  )

  test('continue to answer until no load balancer uses them, and end within their grace period', () => {
    for (const deployment of deployments) {
      const { announceMs } = readConfig(environmentOf(deployment)).config
      const { periodSeconds, failureThreshold, timeoutSeconds } = containerOf(deployment).readinessProbe
      expect(announceMs).toBeGreaterThan((periodSeconds * failureThreshold + timeoutSeconds) * 1000)
      const graceMs = deployment.spec.template.spec.terminationGracePeriodSeconds * 1000
      expect(graceMs).toBeGreaterThan(announceMs + endMs + 5_000)
    }
  })

  test('follow the restricted standard, with a read-only root', () => {
    const [namespace] = ofKind('Namespace')
    expect(namespace.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    const user = Number(/^USER (\d+):\d+$/m.exec(textOf('Dockerfile'))?.[1])
    expect(user).toBeGreaterThan(0)
    for (const deployment of deployments) {
      const { spec } = deployment.spec.template
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: user,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(spec.automountServiceAccountToken).toBe(false)
      const { securityContext, volumeMounts } = containerOf(deployment)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(volumeMounts.map(({ mountPath }: Document) => mountPath)).toEqual(['/data', '/tmp'])
      expect(spec.volumes.map(({ name }: Document) => name)).toEqual(volumeMounts.map(({ name }: Document) => name))
    }
  })
})

/** The metric that the autoscaler of the workers uses. */
function backlogMetric(): string {
  const [, worker] = ofKind('HorizontalPodAutoscaler')
  return worker.spec.metrics[0].external.metric.name
}

test('the rule of prometheus-adapter provides the metric that the autoscaler requests', () => {
  const [{ rules }] = documentsOf(`${folder}/prometheus-adapter.yaml`)
  const [rule] = rules.external
  expect(rule.name.as).toBe(backlogMetric())
  expect(rule.seriesQuery).toMatch(new RegExp(`^${backlogMetric()}{`))
  expect(rule.metricsQuery).toMatch(/^max\(/)
})
