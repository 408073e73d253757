#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`tributary needs Node 24 or later, this is ${process.version}. "npx tributary" brings its own.`);
  process.exit(1);
}
await import('../src/main.ts');
