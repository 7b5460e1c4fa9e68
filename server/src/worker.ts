import { runProgram } from './run-program.ts'
import { startWork } from './start-shop.ts'

/** Jobs and anchoring alone, beside web processes on the same PostgreSQL. */
runProgram(startWork, () => 'BeFAQT worker is ready')
