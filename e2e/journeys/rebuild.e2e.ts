import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { untilHydrated, visit } from '../support/browser.ts'
import { copyProject } from '../support/checkout.ts'

const scriptsOf = async (url: string): Promise<Set<string>> =>
  new Set((await (await fetch(url)).text()).match(/\/assets\/[\w.-]+?\.js\b/g))

/** The build that a shop says it runs. */
const buildOf = async (url: string): Promise<string> =>
  /^befaqt_build_info\{.*\bbuild="(.*?)"/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? ''

test('a running shop keeps serving its pages and scripts while its sources change and are rebuilt', async () => {
  await using checkout = await copyProject()
  const first = await checkout.start()
  const scripts = await scriptsOf(first)
  await appendFile(join(checkout.folder, 'web/src/entry-client.tsx'), `\nconsole.info('built again')\n`)
  await appendFile(join(checkout.folder, 'web/src/root.tsx'), `\nexport const builtAgain = true\n`)
  await appendFile(
    join(checkout.folder, 'server/src/mqtt/external-broker.ts'),
    `\nexport const builtAgain = true\n`,
  )
  await checkout.build()
  const second = await checkout.start()
  assert.notDeepEqual(await scriptsOf(second), scripts, 'the second one runs from the new build')
  assert.deepEqual(await scriptsOf(first), scripts)
  const builds = [await buildOf(first), await buildOf(second)]
  for (const build of builds) assert.match(build, /^[0-9a-f]{16}$/)
  assert.equal(new Set(builds).size, 2, 'each names its own')
  for (const url of [first, second]) {
    await using at = await visit(url)
    await untilHydrated(at.page)
    await at.page.goto(`${url}/user/signin`) // its script was never fetched from this process
    await untilHydrated(at.page)
  }
})
