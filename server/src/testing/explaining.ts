import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'

/** `db` that adds the plan of each statement of SQL to `plans`, before it runs. What runs in transactions is not among them. */
export function explaining(db: Db, plans: string[]): Db {
  return new Proxy(db, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name)
      if (name !== 'execute' || typeof value !== 'function') return value
      return async (query: SQL) => {
        const plan = await rows<{ 'QUERY PLAN': string }>(db, sql`explain ${query}`)
        plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'))
        return value.call(of, query)
      }
    },
  })
}
