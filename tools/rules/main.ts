import { join } from 'node:path';
import { checkRules } from './check-rules.ts';

const { violations, scanned, missed } = await checkRules(join(import.meta.dirname, '..', '..'));
for (const violation of violations) console.error(violation);
for (const file of missed) console.error(`not scanned: ${file}`);
console.log(`import rules: ${scanned} modules scanned, ${violations.length} violations, ${missed.length} missed`);
if (violations.length > 0 || missed.length > 0 || scanned === 0) process.exitCode = 1;
