import { get } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

/** Asks `/readyz` until it says yes; false when the server ended or 90 seconds have passed. */
export async function untilReady(url: string, token: string, running: () => boolean): Promise<boolean> {
  const deadline = Date.now() + 90_000;
  while (running() && Date.now() < deadline) {
    if (await answersReady(url, token)) return true;
    await wait(50);
  }
  return false;
}

async function answersReady(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    // The server makes its own certificate while it starts, so this question cannot know its authority yet.
    const question = get(`${url}/readyz`, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    question.once('error', () => resolve(false));
  });
}
