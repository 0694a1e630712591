import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { append, unavailable } from './append.js';
import { batchAppend } from './batch-append.js';
import type { Certificate } from './certificate.js';
import { Chaos } from './chaos.js';
import { Log } from './log.js';
import { until } from '../until.js';
import { Reader } from './read.js';
import {
  type AppendHandler,
  type BatchAppendHandler,
  features,
  type FeaturesHandler,
  featuresService,
  gossip,
  type GossipHandler,
  gossipService,
  grpc,
  type GrpcServer,
  streamsService,
  uuid,
} from './wire.js';

const UNLIMITED = 32 * 1024 * 1024;

/**
 * A wire double of EventStoreDB: the streams service over a log in memory, for the real client. It follows the
 * protocol as far as the driver relies on it, and injects faults.
 */
export class EsdbDouble {
  readonly chaos = new Chaos();
  readonly reader: Reader;
  /** Number of calls by way of appending. */
  readonly calls = { append: 0, batchAppend: 0 };
  underWay = 0;
  dropped = 0;
  /** Nodes of the cluster, as gossip reports them. */
  cluster: readonly EsdbDouble[] = [this];
  #server: GrpcServer | undefined;
  #port = 0;

  /** @param log shared by the nodes of a cluster */
  constructor(
    readonly log = new Log(),
    private readonly certificate?: Certificate,
  ) {
    this.reader = new Reader(log, this.chaos);
  }

  get endpoint() {
    return { host: '127.0.0.1', port: this.#port };
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=${this.certificate !== undefined}`;
  }

  /** Starts the node, or restarts it on the same port with its log. */
  async start(): Promise<this> {
    const server = new grpc.Server({
      'grpc.max_receive_message_length': UNLIMITED,
      'grpc.max_send_message_length': UNLIMITED,
    });
    const [single, batch] = [append(this.log, this.chaos), batchAppend(this.log, this.chaos, this)];
    const countedAppend: AppendHandler = (call, answer) => {
      this.calls.append++;
      single(call, answer);
    };
    const countedBatchAppend: BatchAppendHandler = (call) => {
      this.calls.batchAppend++;
      batch(call);
    };
    const getSupportedMethods: FeaturesHandler = (_, answer) => answer(null, supported());
    server.addService(streamsService, {
      read: this.reader.read,
      append: countedAppend,
      batchAppend: countedBatchAppend,
    });
    server.addService(featuresService, { getSupportedMethods });
    const readGossip: GossipHandler = (_, answer) => answer(null, membersOf(this.cluster));
    server.addService(gossipService, { read: readGossip });
    const bind = () =>
      new Promise<number>((resolve, reject) => {
        const done = (error: Error | null, port: number): void => (error ? reject(error) : resolve(port));
        server.bindAsync(`127.0.0.1:${this.#port}`, this.#credentials(), done);
      });
    // Somebody may have been given the port meanwhile, for a while.
    this.#port = this.#port === 0 ? await bind() : await until(() => bind().catch(() => undefined));
    this.#server = server;
    return this;
  }

  #credentials(): object {
    if (!this.certificate) return grpc.ServerCredentials.createInsecure();
    const { key, cert } = this.certificate;
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
    return grpc.ServerCredentials.createSsl(null, [pair]);
  }

  get isUp(): boolean {
    return this.#server !== undefined;
  }

  /** Stops without closing calls properly; the log stays. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    this.reader.open.clear();
    this.log.emit('appended');
  }

  dropSubscriptions(): void {
    for (const call of [...this.reader.open]) {
      this.reader.open.delete(call);
      call.emit('error', unavailable());
    }
    this.log.emit('appended');
  }
}

/** Reports the members of a cluster. A node without `leader` is the leader. */
function membersOf(nodes: readonly EsdbDouble[]): ClusterInfo {
  const members = nodes.map(({ chaos, isUp, endpoint: { host, port } }, index) => {
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    const member = new gossip.MemberInfo();
    member.setInstanceId(uuid(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`));
    member.setState(chaos.leader === undefined ? LEADER : FOLLOWER).setIsAlive(isUp);
    return member.setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));
  });
  return new gossip.ClusterInfo().setMembersList(members);
}

/** Reports the supported methods. Without `batchappend` the client falls back to single appends. */
function supported(): SupportedMethods {
  const methods = new features.SupportedMethods().setEventStoreServerVersion('23.10.0');
  for (const name of ['read', 'append', 'batchappend']) {
    const method = new features.SupportedMethod();
    methods.addMethods(method.setServiceName('event_store.client.streams.streams').setMethodName(name));
  }
  return methods;
}
