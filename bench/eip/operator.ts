import { runAlibabaEip } from '@tributary/alibaba-eip';

// The operator as it ships, which says at its end how much memory it took at most.
process.on('exit', () => {
  console.log(JSON.stringify({ peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
});
await runAlibabaEip(process.argv.slice(2), process.env);
