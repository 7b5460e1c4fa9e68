import assert from 'node:assert/strict'
import test from 'node:test'
import { parseAllDocuments } from 'yaml'
import { filesOf, textOf } from './project.ts'

/*
 * What can be said of deploy/kubernetes without a cluster, beyond that its parts name each other (deploy.test.ts): that they
 * fit the image and the server.
 */
type Tree = { [key: string]: Tree } & { [key: number]: Tree } & string

const documents: Tree[] = filesOf('deploy/kubernetes/*.yaml').flatMap((file) =>
  parseAllDocuments(textOf(file)).map((one) => one.toJS() as Tree),
)
const ofKind = (kind: string): Tree[] => documents.filter((one) => String(one.kind) === kind)
const NONE = {} as Tree
const list = (tree: Tree | undefined): Tree[] => Object.values(tree ?? {})
const settings = ofKind('ConfigMap')[0]?.data

const deployments = ofKind('Deployment').map(({ metadata, spec }) => ({
  name: String(metadata?.name),
  spec,
  pod: spec?.template?.spec,
  container: spec?.template?.spec?.containers?.[0],
}))

/** What the image sets. */
const image = new Map(
  [...textOf('deploy/Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
)

/** A constant of the server, in milliseconds. */
function msOf(file: string, name: string): number {
  const [, digits] = new RegExp(`^const ${name} = ([\\d_]+)$`, 'm').exec(textOf(file)) ?? []
  assert.ok(digits, `${file} says ${name}`)
  return Number(digits.replaceAll('_', ''))
}

test('Services, policy and probes lead to the port on which the image listens', () => {
  for (const { name, container } of deployments) {
    const ports = list(container?.ports).map((port) => `${port.name} ${port.containerPort}`)
    const own = String(container?.args?.[0]) === 'worker' ? 'WORKER_PORT' : 'PORT'
    assert.deepEqual(ports, [`http ${image.get(own)}`], name)
    assert.equal(settings?.[own], undefined, `${own} is the image’s`)
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.equal(String(container?.[probe]?.httpGet?.port), 'http', `${name}: ${probe}`)
  }
  const [shop] = ofKind('Service').filter(({ metadata }) => String(metadata?.name) === 'befaqt')
  assert.deepEqual(
    list(shop?.spec?.ports).map(({ targetPort }) => String(targetPort)),
    ['http'],
  )
  for (const { spec } of ofKind('NetworkPolicy'))
    for (const { ports } of list(spec?.ingress))
      assert.deepEqual(
        list(ports).map(({ port }) => String(port)),
        ['http'],
      )
})

test('visitors reach the shop, and not what is for operators, which the proxy of the other ways keeps back, too', () => {
  const listening = new Set(
    deployments.flatMap(({ container }) =>
      list(container?.ports).flatMap(({ name, containerPort }) => [String(name), String(containerPort)]),
    ),
  )
  const leadsToShop = (name: Tree | undefined, port: Tree | undefined): boolean => {
    const service = ofKind('Service').find(({ metadata }) => metadata?.name === name)
    assert.ok(service?.spec?.selector, `${name} has pods: controllers pass over a Service without`)
    const found = list(service?.spec?.ports).find((one) => one.name === port)
    assert.ok(found, `${name} has a port ${port}`)
    return listening.has(String(found.targetPort))
  }
  const [, operators = ''] = /^\s*@operators path (.*)$/m.exec(textOf('deploy/caddy/Caddyfile')) ?? []
  const open = Object.fromEntries(
    ofKind('Ingress').flatMap(({ spec }) =>
      list(spec?.rules).flatMap(({ http }) =>
        list(http?.paths).map(({ path, pathType, backend }) => {
          assert.equal(String(pathType), 'Prefix')
          return [String(path), leadsToShop(backend?.service?.name, backend?.service?.port?.name)]
        }),
      ),
    ),
  )
  assert.deepEqual(open, {
    ...Object.fromEntries(operators.split(' ').map((path) => [path, false])),
    '/': true,
  })
})

test('a pod that stops leaves its Service before it closes, and is given the time that the server may take', () => {
  const drainS = Number(settings?.DRAIN_S)
  const closeS = msOf('server/src/ops/ops-routes.ts', 'CLOSE_TIMEOUT_MS') / 1000
  const hookS = msOf('server/src/shutdown-hooks.ts', 'HOOK_TIMEOUT_MS') / 1000
  for (const { name, pod, container } of deployments) {
    const { periodSeconds, failureThreshold, timeoutSeconds } = container?.readinessProbe ?? NONE
    const noticedS = Number(periodSeconds) * Number(failureThreshold) + Number(timeoutSeconds)
    assert.ok(noticedS < drainS, `${name}: ${noticedS} s until it is noticed, ${drainS} s of DRAIN_S`)
    const mostS = drainS + closeS + hookS
    const graceS = Number(pod?.terminationGracePeriodSeconds)
    assert.ok(graceS > mostS, `${name}: ${graceS} s of grace, ${mostS} s with one part that hangs`)
  }
})

test('a start that migrates a large shop is not killed in the middle, which would begin it anew', () => {
  for (const { name, container } of deployments) {
    const { periodSeconds, failureThreshold } = container?.startupProbe ?? NONE
    const mostS = Number(periodSeconds) * Number(failureThreshold)
    assert.ok(mostS >= 3_600, `${name}: ${mostS} s to start`)
  }
})

test('a new pod takes over before an old one goes, also where a node is emptied', () => {
  const replicas = new Map(
    deployments.map(({ spec }) => [String(spec?.selector?.matchLabels?.part), Number(spec?.replicas)]),
  )
  for (const { name, spec } of deployments) {
    const { maxUnavailable, maxSurge } = spec?.strategy?.rollingUpdate ?? NONE
    assert.deepEqual([Number(maxUnavailable), Number(maxSurge)], [0, 1], name)
  }
  for (const { spec } of ofKind('PodDisruptionBudget')) {
    const count = replicas.get(String(spec?.selector?.matchLabels?.part)) ?? 0
    assert.ok(Number(spec?.minAvailable) > 0)
    assert.ok(Number(spec?.minAvailable) < count, 'a node could never be emptied')
  }
  const volumes = ofKind('PersistentVolumeClaim').map(({ spec }) => String(spec?.accessModes?.[0]))
  assert.deepEqual(volumes, ['ReadWriteMany'], 'pods on two nodes have the same folder')
})

test('pods run as the image’s user, and what it writes is on a volume', () => {
  const [, user, group] = /^USER (\d+):(\d+)$/m.exec(textOf('deploy/Containerfile')) ?? []
  for (const { name, pod, container } of deployments) {
    const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod?.securityContext ?? NONE
    assert.deepEqual([String(runAsUser), String(runAsGroup), String(fsGroup)], [user, group, group], name)
    assert.equal(Boolean(runAsNonRoot), true, name)
    const mounts = list(container?.volumeMounts)
    for (const folder of [image.get('DATA_DIR'), image.get('NODE_COMPILE_CACHE'), '/tmp'])
      assert.ok(
        mounts.some(({ mountPath }) => `${folder}/`.startsWith(`${mountPath}/`)),
        `${name}: ${folder}`,
      )
    for (const mount of mounts) {
      assert.ok(!mount.readOnly, `${name}: ${mount.mountPath} is written to`)
      assert.ok(
        list(pod?.volumes).some((volume) => volume.name === mount.name),
        `${name}: ${mount.name} is declared`,
      )
    }
  }
})

test('the policy keeps nobody from what the shop asks: database, broker, mail, nodes of the chain, names', () => {
  for (const { spec } of ofKind('NetworkPolicy')) {
    assert.deepEqual(list(spec?.policyTypes).map(String), ['Ingress'], 'what leaves is not restricted')
    assert.equal(spec?.egress, undefined)
  }
})
