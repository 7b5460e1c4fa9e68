import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServerWith } from '../support/seeded.ts'
import { admin } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const rights = [
  ...['shop:write', 'order:write', 'user:write', 'box:write', 'record:write', 'device:write', 'site:write'],
  ...['order:read', 'customer:read', 'report:read'],
]

/** The jobs that there are, and every right by itself. Source: desk.md 'Staff'. */
const jobs = Object.entries({
  Manager: rights.filter((right) => right !== 'user:write'),
  Packer: ['order:write'],
  Catalogue: ['shop:write'],
  Accounts: ['order:read', 'customer:read', 'report:read'],
  ...Object.fromEntries(rights.map((right) => [right, [right]])),
}).map(([name, held], i) => ({ name, held, email: `staff${i}@shop.example` }))

const server = await startForFile(
  startServerWith(
    jobs
      .map(
        ({ held, email }, i) =>
          `insert into users (id, fname, lname, email, email_key, phone, role, rights, status, password_hash)
             select 'staff${i}', 'Sam', 'Staff', '${email}', '${email}', '', 'USER', '${JSON.stringify(held)}', 'ACTIVE',
               password_hash from users where email = '${admin.email}';`,
      )
      .join('\n'),
  ),
)

/** Asks for pages as somebody who is signed in. */
async function pagesOf(email: string) {
  const signedIn = await fetch(`${server.url}/api/user/signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: admin.password }),
  })
  assert.equal(signedIn.status, 200, await signedIn.clone().text())
  const { token } = await signedIn.json()
  return async (path: string): Promise<{ status: number; html: string }> => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/html' },
    })
    return { status: answer.status, html: await answer.text() }
  }
}

/** Where the rail leads, or all of a page. */
function linksIn(html: string, { all = false } = {}): string[] {
  const [, rail = ''] = /<nav id="rail"(.*?)<\/nav>/s.exec(html) ?? []
  const paths = [...(all ? html : rail).matchAll(/href="(\/(?:manage|station)[^"#]*)"/g)]
  return [...new Set(paths.map(([, path = '']) => path.replaceAll('&amp;', '&')))]
}

/** Stations open theirs with a key; times are read by whoever reads orders, and changed on a screen of those who may. */
const openBesides = new Set(['/station', '/manage/slot'])
const screens = linksIn((await (await pagesOf(admin.email))('/manage')).html)

for (const { name, email } of jobs)
  test(`${name}: whatever the rail and its screens lead to opens, and no other screen does`, async () => {
    assert.ok(screens.length > 20, screens.join(' '))
    const page = await pagesOf(email)
    const rail = linksIn((await page('/manage')).html)
    assert.ok(rail.includes('/manage'))
    const wrong: string[] = []
    const below = new Map<string, string>()
    for (const path of screens) {
      const { status, html } = await page(path)
      const isOpen = status === 200 && !html.includes('Error: ')
      if (isOpen !== rail.includes(path) && !(isOpen && openBesides.has(path)))
        wrong.push(`${path}: ${status}, ${rail.includes(path) ? 'in' : 'not in'} the rail`)
      if (isOpen) for (const link of linksIn(html, { all: true })) below.set(link, path)
    }
    for (const [link, from] of below) {
      const { status } = await page(link)
      if (status !== 200) wrong.push(`${link}, which ${from} leads to: ${status}`)
    }
    assert.deepEqual(wrong, [])
  })
