import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// usage: count-tests FAILED_STEPS FOLDER: adds up the JSON reports of vitest, and says so in the form that CI reads.
const [failedSteps = '0', folder = '.'] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
  };
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
// A step that failed without a failed test (a type error, a crash of the runner) must not pass for green.
if (failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
