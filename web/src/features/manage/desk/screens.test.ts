import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchRoutes } from 'react-router'
import { deskRoutes } from '#web/desk-routes.ts'
import { routes } from '#web/routes.ts'
import { deskGroups, screenAt } from './screens.ts'

const screens = deskGroups.flatMap((group) => group.screens)

test('every screen of the rail has a page of its own, and every list of the desk is in the rail', () => {
  const objects = [...routes, ...deskRoutes].map(([path, id]) => ({ path, id }))
  const led = screens.map(({ path }) => matchRoutes(objects, path.split('?')[0] ?? '')?.[0]?.route.id)
  const lists = deskRoutes.map(([, name]) => name as string).filter((name) => /^manage(\.\w+)?$/.test(name))
  assert.deepEqual([...new Set(led)].sort(), ['station', ...lists].sort())
  assert.equal(new Set(screens.map(({ label }) => label)).size, screens.length)
})

const shown: [address: string, label: string | undefined][] = [
  ['/manage', 'Today'],
  ['/manage/', 'Today'],
  ['/manage/order', 'Orders'],
  ['/manage/order?status=open&page=2', 'Orders'],
  ['/manage/order?q=ann&status=complaint', 'Complaints'],
  ['/manage/order/5b1d', 'Orders'],
  ['/manage/excursion/17', 'Excursions'],
  ['/manage/box/0345579444', 'Boxes'],
  ['/manage/boxes', undefined],
  ['/manage/nothing', undefined],
]

for (const [address, label] of shown)
  test(`${address} is on the screen ${label ?? 'of nobody'}`, () => {
    const { pathname, search } = new URL(address, 'http://shop.example')
    assert.equal(screenAt(pathname, search)?.label, label)
  })
