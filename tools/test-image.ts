import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromRoot, log, root, runScript } from './script.mjs'
import { freePort } from './test/free-port.ts'

/*
 * npm run test:image [-- MIRROR]: builds the image of deploy/Containerfile by Buildah, on a base of Debian's packages and
 * this machine's npm, and runs it as a container would be: alone in its file system, which is read-only, as a user
 * without rights. MIRROR is an address or a file of sources as mmdebstrap takes it; without it, this machine's own.
 */

const MAX_BYTES = 250e6
const SUITE = 'bookworm'
const READY_MS = 180_000
const IMAGE = 'localhost/befaqt'
/** As in the image. */
const USER = '10001:10001'

function whatIsMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux.'
  const programs = ['buildah', 'mmdebstrap', 'unshare'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  return programs.length > 0 ? `please install ${programs.join(' and ')} (apt-get install).` : undefined
}

/** Images of its own, so that nothing stays on this machine. */
const storage = (folder: string): string[] => [
  ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')],
]

async function testImage(folder: string): Promise<void> {
  const buildah = (...args: string[]): string =>
    execFileSync('buildah', [...storage(folder), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 << 20,
    }).trim()
  log('making a base of Debian’s packages')
  makeBases(folder, buildah)
  log('building the image, some minutes')
  const { version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'))
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim()
  const values = { BUILD_BASE: `${IMAGE}-node`, BASE: `${IMAGE}-base`, VERSION: version, COMMIT: commit }
  const given = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  const how = ['--isolation', 'chroot', '--network', 'host', '--layers=false', '--format', 'docker']
  buildah('build', ...how, ...given, '-f', 'deploy/Containerfile', '-t', IMAGE, root)

  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE))
  assert.equal(Docker.config.User, USER)
  assert.deepEqual(Object.keys(Docker.config.Volumes), ['/data'])
  assert.equal(Docker.config.Labels['org.opencontainers.image.version'], version)
  assert.deepEqual(Docker.config.Healthcheck.Test, ['CMD', '/app/deploy/run.sh', 'deploy/healthcheck.mjs'])

  const files = buildah('mount', buildah('from', IMAGE))
  const container: Container = { files, data: join(folder, 'data'), env: Docker.config.Env }
  await runWeb(container)
  await runWorker({ ...container, data: join(folder, 'worker-data') })

  const archive = join(folder, 'image.tar')
  buildah('push', '--quiet', IMAGE, `oci-archive:${archive}`)
  const unpacked = Number(execFileSync('du', ['-sxm', files], { encoding: 'utf8' }).split('\t')[0])
  const { size } = statSync(archive)
  log(`the image runs; it has ${Math.round(size / 1e6)} MB compressed, ${unpacked} MiB unpacked`)
  assert.ok(size <= MAX_BYTES, `the image has at most ${MAX_BYTES / 1e6} MB`)
}

/** A base to run on, and one to build on, with npm and its settings as this machine has them. */
function makeBases(folder: string, buildah: (...args: string[]) => string): void {
  const tar = join(folder, 'base.tar')
  const sources = '/etc/apt/sources.list.d/debian.sources'
  const mirror = process.argv[2] ?? (existsSync(sources) ? sources : undefined)
  const without = ['doc', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=essential',
      '--include=libstdc++6',
      ...without,
      SUITE,
      tar,
      ...(mirror ? [mirror] : []),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const base = buildah('from', 'scratch')
  buildah('add', '--quiet', base, tar, '/')
  buildah('commit', '--quiet', base, `${IMAGE}-base`)
  rmSync(tar)
  const npm = execFileSync('sh', ['-c', 'dirname "$(dirname "$(readlink -f "$(command -v npm)")")"'], {
    encoding: 'utf8',
  }).trim()
  const builder = buildah('from', `${IMAGE}-base`)
  const copies = {
    [process.execPath]: '/usr/local/bin/node',
    [npm]: '/usr/local/lib/node_modules/npm',
    [join(process.env.HOME ?? '', '.npmrc')]: '/etc/npmrc',
    '/etc/ssl/certs/ca-certificates.crt': '/etc/ssl/certs/ca-certificates.crt',
  }
  for (const [from, to] of Object.entries(copies))
    if (existsSync(from)) buildah('copy', '--quiet', builder, from, to)
  const npmProgram = '../lib/node_modules/npm/bin/npm-cli.js'
  buildah('run', '--isolation', 'chroot', builder, '--', 'ln', '-s', npmProgram, '/usr/local/bin/npm')
  const env = {
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    NPM_CONFIG_USERCONFIG: '/etc/npmrc',
  }
  for (const [name, value] of Object.entries(env)) buildah('config', '--env', `${name}=${value}`, builder)
  buildah('commit', '--quiet', builder, `${IMAGE}-node`)
}

type Container = { files: string; data: string; env: string[] }

/** Mounts of a container: read-only files of the image, a volume, an empty /tmp, /proc and some devices. */
const ENTER = `
set -eu
files=$1 data=$2
shift 2
mount --bind "$files" "$files"
mount -o remount,ro,bind "$files"
mount -t tmpfs tmpfs "$files/tmp"
mount --bind "$data" "$files/data"
mount -t proc proc "$files/proc"
mount -t tmpfs -o mode=755 tmpfs "$files/dev"
for device in null zero random urandom; do
  touch "$files/dev/$device"
  mount --bind "/dev/$device" "$files/dev/$device"
done
exec setpriv --no-new-privs chroot --userspec=${USER} "$files" /usr/bin/env -i "$@"
`

/** Starts `/app/deploy/run.sh` with these arguments as the first process of a container. */
function enter({ files, data, env }: Container, settings: string[], args: string[]) {
  if (!existsSync(data)) {
    mkdirSync(data, { mode: 0o700 })
    execFileSync('chown', [USER, data])
  }
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      ENTER,
      'sh',
      files,
      data,
      ...env,
      ...settings,
    ].concat('/app/deploy/run.sh', args),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part
    })
  return { child, said: () => said }
}
type Entered = ReturnType<typeof enter>

const statusOf = async ({ child, said }: Entered): Promise<void> => {
  const [status] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  assert.equal(status, 0, said())
}

/** As an orchestrator stops it: SIGTERM to the first process of the container. */
async function stop(entered: Entered): Promise<void> {
  const { pid } = entered.child
  process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()), 'SIGTERM')
  await statusOf(entered)
}

async function untilReady(
  url: string,
  { child, said }: { child: ChildProcess; said(): string },
): Promise<void> {
  for (const until = Date.now() + READY_MS; ; await sleep(500)) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    assert.ok(child.exitCode === null && Date.now() < until, `it is not ready:\n${said()}`)
  }
}

async function runWeb(container: Container): Promise<void> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = [`PORT=${port}`, `PUBLIC_URL=${url}`, 'HOST=127.0.0.1']
  const web = enter(container, settings, ['web'])
  await untilReady(url, web)
  for (const path of ['/', '/product', '/cart', '/api/docs', '/metrics'])
    assert.equal((await fetch(url + path)).status, 200, path)
  await seePicture(url)
  await statusOf(enter(container, settings, ['deploy/healthcheck.mjs']))
  await statusOf(enter(container, settings, ['-e', WRITES_NOWHERE]))
  await stop(web)
  await statusOf(enter(container, settings, ['server/src/cli/log-audit.ts']))
  log('web process: pages, a picture, its health check, a clean stop, and a command on its data')
}

/** A picture in a size that is made for it, in a process of its own that runs a source. */
async function seePicture(url: string): Promise<void> {
  const page = await (await fetch(`${url}/product`)).text()
  const path = /\/api\/file\/[^"\s?]+\.webp\?[^"\s]+/.exec(page)?.[0]?.replaceAll('&amp;', '&')
  assert.ok(path !== undefined, 'the list of products has pictures')
  for (const until = Date.now() + READY_MS; ; await sleep(500)) {
    const type = (await fetch(url + path)).headers.get('content-type')
    if (type === 'image/avif') return
    assert.ok(Date.now() < until, `${path} is still answered as ${type}`)
  }
}

const WRITES_NOWHERE = `
  const { writeFileSync } = require('node:fs')
  if (process.getuid() !== ${USER.split(':')[0]}) throw new Error('as ' + process.getuid())
  for (const folder of ['/app', '/app/server', '/etc', '/usr/bin']) {
    let wrote = true
    try { writeFileSync(folder + '/x', '') } catch { wrote = false }
    if (wrote) throw new Error('wrote to ' + folder)
  }`

async function runWorker(container: Container): Promise<void> {
  const port = await freePort()
  const settings = [`WORKER_PORT=${port}`, 'HOST=127.0.0.1', 'SAMPLE_DATA=off']
  const worker = enter(container, settings, ['worker'])
  await untilReady(`http://localhost:${port}`, worker)
  await stop(worker)
  log('worker: ready, and a clean stop')
}

await runScript(async () => {
  const missing = whatIsMissing()
  if (missing !== undefined) {
    log(`the image is not tested: ${missing}`)
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-image-'))
  try {
    await testImage(folder)
    return 0
  } finally {
    spawnSync('buildah', [...storage(folder), 'rm', '--all'])
    rmSync(folder, { recursive: true, force: true })
  }
})
