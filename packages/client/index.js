import createClient from 'openapi-fetch'

/** Calls of one shop; types and their explanation are in index.d.ts. */
export function shopClient(baseUrl, { token, fetch } = {}) {
  const client = createClient({ baseUrl, ...(fetch && { fetch }) })
  client.use({
    onRequest({ request }) {
      const given = typeof token === 'function' ? token() : token
      if (given !== undefined) request.headers.set('authorization', `Bearer ${given}`)
      return request
    },
  })
  return client
}
