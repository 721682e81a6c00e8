package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.broker.ServerIdentity;
import io.asynq.broker.ServerRegistry;
import io.asynq.broker.ServerSnapshot;
import io.asynq.broker.WorkerSnapshot;

import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.HashOperations;

/**
 * Keeps a server's entry (protocol 6.20). The lists of servers and the entries lie in
 * different slots of a cluster, so they are written one after the other.
 */
final class RedisServerRegistry implements ServerRegistry {

	private final ScriptRunner scripts;

	private final Clock clock;

	private final UsableRedis usable;

	RedisServerRegistry(ScriptRunner scripts, Clock clock, UsableRedis usable) {
		this.scripts = scripts;
		this.clock = clock;
		this.usable = usable;
	}

	@Override
	public void write(ServerSnapshot server, Duration ttl) {
		// While nothing is in a queue, a Redis that cannot be used makes no mistakes
		this.usable.requireOnce();
		ServerIdentity identity = server.identity();
		// Redis counts the life of these keys in whole seconds
		long seconds = Math.max(1, ttl.plusMillis(999).toSeconds());
		double expiry = Text.seconds(this.clock.instant()) + seconds;
		String subject = "server " + identity.serverId();
		this.scripts.run("ZADD", subject, (template) -> {
			template.opsForZSet().add(Keys.SERVERS, Text.utf8(serverKey(identity)), expiry);
			return template.opsForZSet().add(Keys.WORKERS, Text.utf8(workersKey(identity)), expiry);
		});
		List<Object> args = new ArrayList<>(2 + server.workers().size() * 2);
		args.add(seconds);
		args.add(StateCodec.encode(server));
		for (WorkerSnapshot worker : server.workers()) {
			args.add(worker.message().id());
			args.add(StateCodec.encode(identity, worker));
		}
		this.scripts.runLong(LuaScript.WRITE_SERVER, subject, List.of(serverKey(identity), workersKey(identity)),
				args.toArray());
	}

	@Override
	public Set<String> listedTasks() {
		return this.scripts.run("HKEYS", "servers", (template) -> {
			HashOperations<String, String, byte[]> hashes = template.opsForHash();
			Set<String> ids = new HashSet<>();
			// What is no list of a server's tasks lists none: lost tasks do not wait for
			// it
			if (template.type(Keys.WORKERS) != DataType.ZSET) {
				return ids;
			}
			for (byte[] member : template.opsForZSet().range(Keys.WORKERS, 0, -1)) {
				String key = Text.of(member);
				if (key.startsWith(Keys.WORKERS + ":") && template.type(key) == DataType.HASH) {
					ids.addAll(hashes.keys(key));
				}
			}
			return ids;
		});
	}

	@Override
	public void clear(ServerIdentity server) {
		this.scripts.run("ZREM", "server " + server.serverId(), (template) -> {
			template.opsForZSet().remove(Keys.SERVERS, (Object) Text.utf8(serverKey(server)));
			template.opsForZSet().remove(Keys.WORKERS, (Object) Text.utf8(workersKey(server)));
			return template.delete(List.of(serverKey(server), workersKey(server)));
		});
	}

	private static String serverKey(ServerIdentity server) {
		return Keys.server(server.host(), server.pid(), server.serverId());
	}

	private static String workersKey(ServerIdentity server) {
		return Keys.workers(server.host(), server.pid(), server.serverId());
	}

}
