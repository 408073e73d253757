import { describeLeaderElection } from './testing/describe-leader-election.ts';

describeLeaderElection({ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 }, 5);
