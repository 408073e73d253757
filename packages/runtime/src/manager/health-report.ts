/** Says why it does not pass, or nothing when it does. */
export type HealthCheck = () => string | undefined;
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export type HealthReport = { readonly passed: boolean; readonly text: string };

/** In the form that people know from the API server: one line per check, then the verdict. */
export function toHealthReport(endpoint: string, checks: HealthChecks): HealthReport {
  const lines: string[] = [];
  let passed = true;
  for (const [name, check] of Object.entries(checks)) {
    const problem = runCheck(check);
    lines.push(problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`);
    if (problem !== undefined) passed = false;
  }
  return { passed, text: [...lines, `${endpoint} check ${passed ? 'passed' : 'failed'}`, ''].join('\n') };
}

/** A check that breaks does not pass; it must not take the server with it. */
function runCheck(check: HealthCheck): string | undefined {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
