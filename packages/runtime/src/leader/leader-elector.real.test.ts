import { describeLeaderElection } from './testing/describe-leader-election.ts';

describeLeaderElection({ leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 400 }, 3);
