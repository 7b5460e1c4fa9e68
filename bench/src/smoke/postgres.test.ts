import { programs, testProgram } from './programs.ts'

const withoutPostgres =
  process.env.TEST_DATABASE_URL === undefined && 'no PostgreSQL programs: TEST_DATABASE_URL is not set'

for (const name of programs.postgres) testProgram(name, withoutPostgres)
