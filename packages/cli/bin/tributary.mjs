#!/usr/bin/env node
// Not by name: an older Node has no such export, and would say so instead of what is said below.
import * as nodeModule from 'node:module';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`tributary needs Node 24 or later, this is ${process.version}. "npx tributary" brings its own.`);
  process.exit(1);
}
// The sources are read as they are; what was stripped and compiled once is not done again at the next start.
nodeModule.enableCompileCache();
await import('../src/main.ts');
