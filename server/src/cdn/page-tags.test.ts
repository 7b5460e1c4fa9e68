import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { anonymous } from '#server/identity/principal.ts'
import { owner } from '#server/testing/caller.ts'
import { keepPersonalPrivate } from './cdn.ts'
import { pageTags } from './page-tags.ts'

test('tags of a page are what it is of and what it links to; odd addresses end none', () => {
  const html = '<a href="/product/a">…<a class="x" href="/product/b?x=1">…<a href="/SFMBox/byId/B%2D1#map">'
  assert.deepEqual(pageTags('/', html), ['pages', 'lists', 'product:a', 'product:b'])
  assert.deepEqual(pageTags('/product/c?x', ''), ['pages', 'product:c'])
  assert.deepEqual(pageTags('/SFMBox/byId/Q', '<a href="/SFMBox/byId/R">'), ['pages', 'boxes', 'box:Q'])
  assert.deepEqual(pageTags('/SFMBox/byId?q=a', ''), ['pages', 'lists', 'boxes'])
  assert.deepEqual(pageTags('/product/%20a%0A', '<a href="/product/%zz">'), [
    'pages',
    'product:%20a%0A',
    'product:%zz',
  ])
})

test('a route that calls public what it made for somebody, or with a cookie, does not send it as such', async () => {
  const app = Fastify()
  app.decorateRequest('principal')
  app.addHook('onRequest', async (request) => {
    request.principal = request.headers.authorization === undefined ? anonymous : owner
  })
  keepPersonalPrivate(app)
  app.get('/fish', (_request, reply) => reply.header('cache-control', 'public, s-maxage=60').send('fish'))
  app.get('/cookie', (_request, reply) =>
    reply.header('cache-control', 'public').header('set-cookie', 'session=1').send('fish'),
  )
  const control = async (url: string, headers = {}) =>
    (await app.inject({ url, headers })).headers['cache-control']
  assert.equal(await control('/fish'), 'public, s-maxage=60')
  assert.equal(await control('/fish', { authorization: 'x' }), 'private, no-cache')
  assert.equal(await control('/cookie'), 'no-store')
})
