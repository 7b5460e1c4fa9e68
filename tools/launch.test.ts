import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { pinnedNode } from './node.mjs'
import { type SmallProject, smallProject } from './small-project.ts'

test('run.mjs installs once, and leaves stdout and the exit status to the program', async () => {
  await using project = await smallProject()
  await project.write(
    'tell.ts',
    'console.log(process.version, process.argv.slice(2).join()); process.exitCode = 7',
  )
  const first = await project.run('run.mjs', ['tell.ts', 'a', '--b=c'])
  assert.match(first.stdout, /^v24\.\d+\.\d+ a,--b=c\n$/)
  assert.match(first.stderr, /installing packages/)
  assert.equal(first.status, 7)
  assert.deepEqual(await project.run('run.mjs', ['tell.ts', 'a', '--b=c']), { ...first, stderr: '' })
})

test('packages are installed again when the lock file changed or one is missing', async () => {
  await using project = await smallProject()
  await project.write('tell.ts', '')
  await project.run('run.mjs', ['tell.ts'])
  await project.setVersion('1.0.1')
  const run = async (): Promise<string> => (await project.run('run.mjs', ['tell.ts'])).stderr
  assert.match(await run(), /installing packages/)
  assert.equal(await run(), '')
  await rm(join(project.folder, 'node_modules'), { recursive: true })
  assert.match(await run(), /installing packages/)
})

test('an install that fails stops with what npm said, and nothing runs', async () => {
  await using project = await smallProject()
  await project.write('tell.ts', 'console.log("ran")')
  await project.write('package-lock.json', '{}')
  const { status, stdout, stderr } = await project.run('run.mjs', ['tell.ts'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /npm could not install the packages/)
})

test('a file is found from the folder where npm was called', async () => {
  await using project = await smallProject()
  await project.write('tell.ts', 'console.log(process.cwd(), process.argv[2])')
  await project.write('boxes/one.json', '{}')
  const { stdout } = await project.run('run.mjs', ['tell.ts', 'one.json'], {
    INIT_CWD: join(project.folder, 'boxes'),
  })
  assert.equal(stdout, `${project.folder} ${join(project.folder, 'boxes/one.json')}\n`)
})

test('SIGTERM reaches the server, whose own exit status is the answer', async () => {
  await using project = await smallProject()
  await project.write('web/build.ts', buildOf('page'))
  const main = `process.on('SIGTERM', () => { console.log('ended cleanly'); process.exit(0) })
     setInterval(() => undefined, 1000)
     console.log('ready')`
  await project.write('server/build.ts', buildOfServer({ main }))
  const child = project.start('start.mjs')
  const said: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.push(text)
    if (text.includes('ready')) child.kill('SIGTERM')
  })
  const [status] = await once(child, 'close')
  assert.deepEqual([status, said.join('')], [0, 'ready\nended cleanly\n'])
})

/** A build that writes the server's programs. */
const buildOfServer = (programs: Record<string, string>): string => `
  import { mkdirSync, writeFileSync } from 'node:fs'
  const folder = process.env.SERVER_DIST ?? ''
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(${JSON.stringify(programs)}))
    writeFileSync(folder + '/' + name + '.js', text)`

test('start.mjs runs the build of the current sources, and the worker without pages', async () => {
  await using project = await smallProject()
  await project.write('web/build.ts', buildOf('page'))
  await project.write('server/build.ts', buildOfServer({ main: `console.log('one')`, worker: '' }))
  const first = await project.run('start.mjs')
  assert.deepEqual([first.status, first.stdout], [0, 'one\n'])
  assert.match(first.stderr, /building the server\n.*building the pages/)
  assert.equal((await project.run('start.mjs')).stderr, '', 'nothing is built again')
  const next = { main: `console.log('two')`, worker: `console.log('work', process.env.NODE_ENV)` }
  await project.write('server/build.ts', buildOfServer(next))
  await project.write('web/build.ts', 'throw new Error("torn net")')
  const worker = await project.run('start.mjs', ['worker'], { NODE_ENV: '' })
  assert.deepEqual([worker.status, worker.stdout], [0, 'work \n'], 'what the environment says goes before')
  await project.write('web/build.ts', buildOf('page'))
  assert.equal((await project.run('start.mjs')).stdout, 'two\n')
})

test('a server that cannot be built is not started', async () => {
  await using project = await smallProject()
  await project.write('web/build.ts', buildOf('page'))
  await project.write('server/build.ts', 'throw new Error("torn net")')
  const { status, stdout, stderr } = await project.run('start.mjs')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /The server could not be built[\s\S]*torn net/)
})

/** A build that writes one page, and counts how often it was called. */
const buildOf = (page: string): string => `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
  const folder = process.env.WEB_DIST ?? ''
  appendFileSync('builds.txt', '${page}\\n')
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/page.html', '${page}')`

test('the pages are built when they are stale, and once when two ask at the same time', async () => {
  await using project = await smallProject()
  await project.write('server/build.ts', buildOfServer({}))
  await project.write('web/build.ts', buildOf('one'))
  await Promise.all([project.run('build.mjs'), project.run('build.mjs')])
  const builds = (): Promise<string> => readFile(join(project.folder, 'builds.txt'), 'utf8')
  assert.equal(await builds(), 'one\n')
  await project.write('web/build.ts', buildOf('two'))
  await project.run('build.mjs')
  await project.run('build.mjs')
  assert.deepEqual([await builds(), await newestPage(project)], ['one\ntwo\n', 'two'])
  await project.write('web/build.ts', buildOf('one'))
  await project.run('build.mjs')
  assert.deepEqual([await builds(), await newestPage(project)], ['one\ntwo\n', 'one'], 'it was there still')
})

test('pages that cannot be built leave the old ones in place', async () => {
  await using project = await smallProject()
  await project.write('server/build.ts', buildOfServer({}))
  await project.write('web/build.ts', buildOf('one'))
  await project.run('build.mjs')
  await project.write('web/build.ts', 'throw new Error("torn net")')
  const { status, stderr } = await project.run('build.mjs')
  assert.equal(status, 1)
  assert.match(stderr, /The pages could not be built[\s\S]*torn net/)
  assert.equal(await newestPage(project), 'one')
  assert.equal((await readdir(join(project.folder, 'web/dist'))).length, 2, 'no half build is left')
})

test('a running program keeps its build however many are made meanwhile; unused builds are removed', async () => {
  await using project = await smallProject()
  const shop = `import { readFileSync } from 'node:fs'
    console.log('ready')
    process.stdin.on('data', () => console.log(readFileSync(process.env.WEB_DIST + '/page.html', 'utf8')))
    process.on('SIGTERM', () => process.exit(0))`
  await project.write('server/build.ts', buildOfServer({ main: shop }))
  await project.write('web/build.ts', buildOf('page 0'))
  const [first, second] = [project.start('start.mjs'), project.start('start.mjs')]
  await Promise.all([first, second].map((one) => saysNext(one, 'ready')))
  for (let i = 1; i <= 6; i++) {
    await project.write('web/build.ts', buildOf(`page ${i}`))
    await project.write('server/build.ts', buildOfServer({ main: `${shop} // ${i}` }))
    await project.run('build.mjs')
  }
  for (const one of [first, second]) {
    const answered = saysNext(one, 'page 0')
    one.stdin?.write('?')
    await answered
  }
  const builds = async (folder: string): Promise<number> =>
    (await readdir(join(project.folder, folder), { withFileTypes: true })).filter((one) => one.isDirectory())
      .length
  assert.deepEqual(
    [await builds('web/dist'), await builds('server/dist')],
    [4, 4],
    'the newest three, and theirs',
  )
  for (const one of [first, second]) {
    const ended = once(one, 'close', { signal: AbortSignal.timeout(60_000) })
    one.kill('SIGTERM')
    await ended
  }
  await project.write('web/build.ts', buildOf('page 7'))
  await project.run('build.mjs')
  assert.equal(await builds('web/dist'), 3)
  assert.equal(await newestPage(project), 'page 7')
})

/** Resolves when this program has printed these words; rejects with what it said when it ends, or a minute passes, before. */
function saysNext(child: ChildProcess, words: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const said: string[] = []
  const fail = (why: string) => () => reject(new Error(`${why} without “${words}”: ${said.join('')}`))
  const patience = setTimeout(fail('a minute passed'), 60_000)
  child.once('close', fail('it ended'))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.push(text)
    if (text.includes(words)) resolve()
  })
  return promise.finally(() => clearTimeout(patience))
}

/** The page of the newest build. */
async function newestPage(project: SmallProject): Promise<string> {
  const dist = join(project.folder, 'web/dist')
  return readFile(join(dist, await readFile(join(dist, 'newest'), 'utf8'), 'page.html'), 'utf8')
}

test('waiting for a lock is logged, and the lock is acquired when its holder is killed', async () => {
  await using project = await smallProject()
  await project.write('tell.ts', 'console.log("ran")')
  await project.write(
    'hold.ts',
    `import { setTimeout } from 'node:timers/promises'
     import { withLock } from './tools/lock.ts'
     await withLock('packages', async () => { console.log('held'); await setTimeout(600_000) })`,
  )
  const holder = spawn(await pinnedNode(), ['hold.ts'], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await saysNext(holder, 'held')
  const waiting = project.start('run.mjs', ['tell.ts'])
  const ran = saysNext(waiting, 'ran')
  waiting.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('waiting for another process, which holds the lock of the packages'))
      holder.kill('SIGKILL')
  })
  await Promise.all([ran, once(waiting, 'close')])
})
