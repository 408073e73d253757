import { createProgram } from './create-program.ts';

createProgram({ host: process, say: (line) => process.stdout.write(`${line}\n`) })
  .parseAsync()
  .catch((error: unknown) => {
    console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
