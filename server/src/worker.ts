import { runMain } from './run-main.ts'
import { startWorkerProcess } from './start-process.ts'

/** Jobs and anchoring alone, beside web processes on the same PostgreSQL. */
runMain(startWorkerProcess, () => 'BeFAQT worker is ready')
