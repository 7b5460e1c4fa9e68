import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { filesOf, root, textOf } from './project.ts'

type Tree = { [key: string]: Tree } & { [key: number]: Tree } & string

/** Every setting; `config.test.ts` holds this file against what the server reads. */
const settings = [...textOf('deploy/.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(
  ([, name]) => name,
)
/** What the image sets for Node itself. */
const NODE_OWN = 'NODE_COMPILE_CACHE'
const isSetting = (name: string): boolean =>
  [...settings, NODE_OWN].includes(name) || settings.includes(name.replace(/_FILE$/, ''))

const compose: Record<string, Tree> = Object.fromEntries(
  ['deploy/compose.yaml', 'deploy/compose.replicas.yaml'].map((file) => [
    file,
    parse(textOf(file), { merge: true }),
  ]),
)
const kubernetes: Tree[] = filesOf('deploy/kubernetes/*.yaml')
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => parseAllDocuments(textOf(file)).map((one) => one.toJS() as Tree))
const ofKind = (kind: string): Tree[] => kubernetes.filter((one) => String(one.kind) === kind)

/** Entries of a tree that may not be there. */
const entries = (tree: Tree | undefined): [string, Tree][] => Object.entries(tree ?? {})
const list = (tree: Tree | undefined): Tree[] => Object.values(tree ?? {})

test('every variable that these files hand to the shop is a setting', () => {
  const given = [
    ...Object.values(compose).flatMap(({ services }) =>
      list(services)
        .filter(({ image }) => String(image) === 'befaqt')
        .flatMap(({ environment }) => Object.keys(environment ?? {})),
    ),
    ...[...ofKind('ConfigMap'), ...ofKind('Secret')].flatMap(({ data, stringData }) =>
      Object.keys(data ?? stringData ?? {}),
    ),
    ...filesOf('deploy/systemd/*.service').flatMap((file) =>
      [...textOf(file).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
      ),
    ),
    ...[...textOf('deploy/Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    ),
  ]
  assert.ok(given.length > 20, given.join(' '))
  assert.deepEqual(
    given.filter((name) => !isSetting(name)),
    [],
  )
})

test('the image says no version of a base that it can’t be built without, and runs as nobody’s user', () => {
  const text = textOf('deploy/Containerfile')
  assert.match(text, /^FROM \$\{BUILD_BASE\} AS build$/m)
  assert.match(text, /^FROM \$\{BASE\}$/m)
  assert.match(text, /^USER 10001:10001$/m)
  for (const file of ['deploy/run.sh', 'deploy/collect.sh', 'deploy/make-secrets.sh'])
    assert.ok(statSync(join(root, file)).mode & 0o100, `${file} can be run`)
  const hidden = textOf('.dockerignore').split('\n')
  for (const name of ['.git', '**/node_modules', 'data', 'deploy/.env', 'deploy/secrets'])
    assert.ok(hidden.includes(name), `${name} stays out of the image`)
})

for (const [file, { services, networks, volumes, secrets }] of Object.entries(compose))
  test(`${file} names only what it declares, and closes its containers`, () => {
    const declared = (names: Tree | undefined, name: string, of: string): void =>
      assert.ok(Object.hasOwn(names ?? {}, name), `${of}: ${name} is declared`)
    for (const [name, service] of entries(services)) {
      for (const secret of list(service.secrets)) declared(secrets, String(secret), name)
      for (const network of Object.keys(service.networks ?? {})) declared(networks, network, name)
      const waited = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {})
      for (const other of waited) declared(services, String(other), name)
      for (const mount of list(service.volumes)) {
        const [from = ''] = String(mount).split(':')
        if (from.startsWith('./'))
          assert.ok(existsSync(join(root, 'deploy', from)), `${name}: ${from} is there`)
        else declared(volumes, from, name)
      }
      if (String(service.image) !== 'befaqt') continue
      assert.equal(Boolean(service.read_only), true, `${name} can’t write to its image`)
      assert.deepEqual([service.cap_drop, service.tmpfs], [['ALL'], ['/tmp']], name)
      assert.equal(service.ports, undefined, `${name} is reached through the proxy alone`)
    }
    const proxy = services?.caddy
    const trusted = list(services).map(({ environment }) => environment?.TRUSTED_PROXIES)
    assert.deepEqual(
      [...new Set(trusted.filter(Boolean))].map(String),
      [String(proxy?.networks?.inside?.ipv4_address)],
      'forwarded headers of the proxy are believed',
    )
    for (const upstream of String(proxy?.environment?.SHOP_UPSTREAMS).split(' '))
      declared(services, upstream.split(':')[0] ?? '', 'SHOP_UPSTREAMS')
  })

test('manifests of Kubernetes fit each other', () => {
  const named = (kind: string, name: Tree | undefined): void =>
    assert.ok(
      ofKind(kind).some(({ metadata }) => metadata?.name === name),
      `there is a ${kind} ${name}`,
    )
  const pods = ofKind('Deployment').map(({ spec }) => {
    const labels = spec?.template?.metadata?.labels
    assert.deepEqual(spec?.selector?.matchLabels, labels, 'a deployment finds its pods')
    return { labels, pod: spec?.template?.spec }
  })
  assert.deepEqual(
    pods.map(({ labels }) => String(labels?.part)),
    ['web', 'worker'],
  )
  const finds = (selector: Tree | undefined): boolean =>
    pods.some(({ labels }) => entries(selector).every(([name, value]) => labels?.[name] === value))
  for (const { spec } of ofKind('Service')) assert.ok(finds(spec?.selector))
  for (const { spec } of ofKind('PodDisruptionBudget')) assert.ok(finds(spec?.selector?.matchLabels))
  for (const { spec } of ofKind('NetworkPolicy')) assert.ok(finds(spec?.podSelector?.matchLabels))
  for (const path of list(ofKind('Ingress')[0]?.spec?.rules?.[0]?.http?.paths))
    named('Service', path.backend?.service?.name)
  for (const { pod } of pods) {
    const container = pod?.containers?.[0]
    for (const from of list(container?.envFrom)) {
      if (from.configMapRef !== undefined) named('ConfigMap', from.configMapRef.name)
      if (from.secretRef !== undefined) named('Secret', from.secretRef.name)
    }
    for (const volume of list(pod?.volumes))
      if (volume.persistentVolumeClaim) named('PersistentVolumeClaim', volume.persistentVolumeClaim.claimName)
    assert.deepEqual(
      list(container?.volumeMounts).map(({ mountPath }) => String(mountPath)),
      ['/data', '/tmp'],
    )
    assert.equal(Boolean(container?.securityContext?.readOnlyRootFilesystem), true)
    assert.equal(Boolean(pod?.enableServiceLinks), false, 'a Service named mqtt would set MQTT_PORT')
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((name) =>
      String(container?.[name]?.httpGet?.path),
    )
    assert.deepEqual(probes, ['/healthz', '/readyz', '/healthz'])
  }
  const resources: string[] = parse(textOf('deploy/kubernetes/kustomization.yaml')).resources
  assert.deepEqual(
    resources.map((name) => `deploy/kubernetes/${name}`).sort(),
    filesOf('deploy/kubernetes/*.yaml').filter((file) => !file.endsWith('kustomization.yaml')),
  )
})

test('secrets of the compose file are made once, are the same where two need them, and nobody else reads the folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-secrets-'))
  try {
    const make = (): Record<string, string> => {
      execFileSync('sh', [join(root, 'deploy/make-secrets.sh'), folder])
      const names = Object.keys(compose['deploy/compose.replicas.yaml']?.secrets ?? {})
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8').trim()]))
    }
    const made = make()
    assert.equal(new URL(made.database_url ?? '').password, made.postgres_password)
    assert.equal(`befaqt:${new URL(made.mqtt_url ?? '').password}`, made.mqtt_passwords)
    assert.match(made.postgres_password ?? '', /^[0-9a-f]{48}$/)
    assert.deepEqual(make(), made)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Where systemd-analyze is, which comes with systemd. */
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze'

test('systemd reads the units, and finds little that they may do', {
  skip: !existsSync(SYSTEMD_ANALYZE) && 'This system has no systemd-analyze.',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-units-'))
  try {
    for (const name of [
      'befaqt-web@.service',
      'befaqt-worker.service',
      'befaqt-backup.service',
      'befaqt-drill.service',
    ]) {
      const unit = join(folder, name)
      writeFileSync(unit, textOf(`deploy/systemd/${name}`).replaceAll('/opt/befaqt', root))
      const verified = spawnSync(SYSTEMD_ANALYZE, ['verify', unit], { encoding: 'utf8' })
      // It looks at what they wait for too, and may complain of that.
      assert.doesNotMatch(verified.stderr, /befaqt/, name)
      const exposure = spawnSync(SYSTEMD_ANALYZE, ['security', '--offline=true', '--threshold=20', unit])
      assert.equal(exposure.status, 0, String(exposure.stdout))
    }
    for (const name of ['befaqt-backup.timer', 'befaqt-drill.timer']) {
      const timer = join(folder, name)
      writeFileSync(timer, textOf(`deploy/systemd/${name}`))
      const { stderr } = spawnSync(SYSTEMD_ANALYZE, ['verify', timer], { encoding: 'utf8' })
      assert.doesNotMatch(stderr, /befaqt/, name)
    }
    const hardening = (name: string): string =>
      textOf(`deploy/systemd/${name}`).split('\nUMask=')[1]?.split('\n[')[0]?.trim() ?? 'none'
    for (const name of ['befaqt-worker.service', 'befaqt-backup.service', 'befaqt-drill.service'])
      assert.equal(hardening(name), hardening('befaqt-web@.service'), name)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** A program of tools/test/find-program.ts. */
const programOf = (name: string): string | undefined =>
  [process.env[name.toUpperCase()] ?? '', `/usr/bin/${name}`, join(root, '.runtime/programs', name)].find(
    (path) => existsSync(path),
  )

const caddy = programOf('caddy')
test('Caddy reads its file', { skip: caddy === undefined && 'This system has no Caddy.' }, () => {
  const args = ['adapt', '--validate', '--config', join(root, 'deploy/caddy/Caddyfile')]
  const env = { ...process.env, PUBLIC_URL: 'https://shop.example', SHOP_UPSTREAMS: 'web-1:3000 web-2:3000' }
  const { status, stdout, stderr } = spawnSync(caddy ?? '', args, { encoding: 'utf8', env })
  assert.equal(status, 0, stderr)
  for (const part of ['"shop.example"', '"web-1:3000"', '"web-2:3000"', '"/readyz"'])
    assert.ok(stdout.includes(part), `${part} is in what Caddy read`)
})

test('files of the cluster fit each other, and lead to each other’s ports', () => {
  const text = (name: string): string => textOf(`deploy/cluster/${name}`)
  const settingOf = (file: string, name: string): string =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(text(file))?.[1] ?? ''
  const used = [...text('haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name = '']) => name)
  const given = [...text('haproxy.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  assert.deepEqual([...new Set(used)].sort(), given.sort())
  const primary = settingOf('haproxy.env', 'PRIMARY').split(':')
  assert.match(text('pgbouncer.ini'), new RegExp(`host=${primary[0]} port=${primary[1]}$`, 'm'))
  for (const [ours, theirs] of [
    ['POSTGRES_1', 'PATRONI_POSTGRESQL_CONNECT_ADDRESS'],
    ['PATRONI_PORT_1', 'PATRONI_RESTAPI_CONNECT_ADDRESS'],
  ] as const)
    assert.ok(settingOf('patroni.env', theirs).endsWith(settingOf('haproxy.env', ours)), ours)
  const clients = settingOf('etcd.env', 'ETCD_ADVERTISE_CLIENT_URLS')
  assert.ok(settingOf('patroni.env', 'PATRONI_ETCD3_HOSTS').split(',').includes(new URL(clients).host))
  const { ttl, loop_wait, retry_timeout } = parse(text('patroni.yml')).bootstrap.dcs
  assert.ok(loop_wait + 2 * retry_timeout <= ttl, 'Patroni asks for that')
})

const promtool = programOf('promtool')
test('Prometheus reads its settings and rules, and the rules do as their own tests say', {
  skip: promtool === undefined && 'This system has no promtool.',
}, () => {
  const run = (...args: string[]): void => {
    const cwd = join(root, 'deploy/prometheus')
    const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
  run('check', 'config', 'prometheus.yaml')
  run('test', 'rules', 'rules.test.yaml')
})

test('alerts are in operations.md by name, each with what it says and how loud', () => {
  const groups: Tree[] = parse(textOf('deploy/prometheus/rules.yaml')).groups
  const alerts = groups.flatMap(({ rules }) => list(rules))
  const described = textOf('docs/operations.md')
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(described.includes(`\`${alert}\``), `${alert} is described`)
    assert.match(String(labels?.severity), /^(critical|warning)$/)
    assert.ok(String(annotations?.summary).length > 10)
  }
})

test('panels of the dashboard lie beside each other and ask the Prometheus that is chosen', () => {
  const { panels, templating }: Tree = JSON.parse(textOf('deploy/grafana/befaqt.json'))
  const names = list(templating?.list).map(({ name }) => `$${name}`)
  assert.deepEqual(names, ['$datasource', '$job'])
  const taken = new Set<string>()
  for (const { title, gridPos, targets } of list(panels)) {
    const [x = 0, y = 0, w = 0, h = 0] = ['x', 'y', 'w', 'h'].map((side) => Number(gridPos?.[side]))
    assert.ok(x + w <= 24, `${title} is not wider than the page`)
    for (let column = x; column < x + w; column += 1)
      for (let line = y; line < y + h; line += 1) {
        assert.ok(!taken.has(`${column} ${line}`), `${title} covers another panel`)
        taken.add(`${column} ${line}`)
      }
    for (const { expr } of list(targets)) assert.match(String(expr), /job="\$job"/, String(title))
  }
  assert.ok(list(panels).length > 20)
})
