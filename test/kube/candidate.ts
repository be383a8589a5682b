/** A replica of its own process that does nothing but lead: `candidate.ts KUBECONFIG NAMESPACE LEASE IDENTITY`. Says on standard output when it begins and ends. */
import { startElection } from '../../src/effects/kube/election.ts';
import type { Term } from '../../src/effects/kube/fence.ts';
import { createKubeClient } from '../../src/facts/cluster/client.ts';
import { loadConfig } from '../../src/facts/cluster/credentials.ts';

const [kubeconfig = '', namespace = '', name = '', identity = ''] = process.argv.slice(2);
const client = createKubeClient({ load: () => loadConfig({ kubeconfig }) });
let term: Term | undefined;

const election = startElection({
  client,
  namespace,
  name,
  identity,
  onStarted(started) {
    term = started;
    console.log(`started`);
  },
  onStopped: (why) => console.log(`stopped, valid: ${String(term?.isValid())}: ${why}`),
});

process.once('SIGTERM', () => {
  void election.stop().then(() => client.close());
});
