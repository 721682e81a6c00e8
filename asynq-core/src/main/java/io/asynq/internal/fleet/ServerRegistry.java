package io.asynq.internal.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.internal.redis.DeadMembers;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.UsableRedis;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.internal.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.DataType;

/** Lists and entries lie in different slots, so they are written one after the other. */
public class ServerRegistry {

	/** As many tasks as one script writes, in about 2 ms. */
	private static final int PART = 1000;

	/** Longer than any two heartbeats are apart. */
	private static final Duration WISH = Duration.ofMinutes(1);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final UsableRedis usable;

	private final ClusterNodes nodes;

	private final ServerEntries entries;

	private final DeadMembers dead;

	private final AtomicBoolean trimmed = new AtomicBoolean();

	public ServerRegistry(ScriptRunner scripts, Clock clock, UsableRedis usable, ClusterNodes nodes) {
		this.scripts = scripts;
		this.clock = clock;
		this.usable = usable;
		this.nodes = nodes;
		this.entries = new ServerEntries(scripts, ScriptTime.REDIS);
		this.dead = new DeadMembers(scripts, clock);
	}

	/** On a cluster the lists, unlike the entry, may lie on a master that is away. */
	public void enlist(ServerIdentity server, Duration ttl) {
		long expiry = Text.seconds(this.clock.instant()) + seconds(ttl);
		this.scripts.runLong(LuaScript.LIST, subject(server), List.of(FleetKeys.SERVERS), expiry,
				FleetKeys.server(server));
		this.scripts.runLong(LuaScript.LIST, subject(server), List.of(FleetKeys.WORKERS), expiry,
				FleetKeys.workers(server));
		// Frequent restarts leave no more than one member behind
		if (this.trimmed.compareAndSet(false, true)) {
			trim();
		}
	}

	/** Returns what was asked of the server in the last minute, done or not. */
	public @Nullable ServerWish write(ServerSnapshot server, Duration ttl) {
		// With empty queues, an unusable Redis causes no errors
		this.usable.requireOnce();
		ServerIdentity identity = server.identity();
		long seconds = seconds(ttl);
		String subject = subject(identity);
		List<WorkerSnapshot> workers = server.workers();
		List<Object> args = new ArrayList<>(List.of(seconds, StateCodec.encode(server), HeldText.of(server.held())));
		addTo(args, identity, workers.subList(0, Math.min(PART, workers.size())));
		List<Object> asked = this.scripts.runList(LuaScript.WRITE_SERVER, subject, List.of(FleetKeys.server(identity),
				FleetKeys.workers(identity), FleetKeys.wish(identity), FleetKeys.held(identity)), args.toArray());
		for (int from = PART; from < workers.size(); from += PART) {
			List<Object> more = new ArrayList<>(List.of(seconds));
			addTo(more, identity, workers.subList(from, Math.min(from + PART, workers.size())));
			this.scripts.runLong(LuaScript.WRITE_WORKERS, subject, List.of(FleetKeys.workers(identity)),
					more.toArray());
		}
		return asked.isEmpty() ? null : ServerWish.parse(Text.of(asked.get(0)));
	}

	/** Replaces what was asked before; the server hears of it with its next heartbeat. */
	public void ask(ServerIdentity server, ServerWish wish) {
		this.scripts.runLong(LuaScript.NOTE, subject(server), List.of(FleetKeys.wish(server)), WISH.toSeconds(),
				wish.text());
	}

	public void writeTypes(ServerIdentity server, String types, Duration ttl) {
		this.usable.requireOnce();
		this.scripts.runLong(LuaScript.NOTE, subject(server), List.of(FleetKeys.types(server)), seconds(ttl), types);
	}

	public void writeStuck(ServerIdentity server, String stuck, Duration ttl) {
		this.scripts.runLong(LuaScript.NOTE, subject(server), List.of(FleetKeys.stuck(server)), seconds(ttl), stuck);
	}

	/**
	 * Counts all live servers, or 0 if a server of one of these queues, such as Go's,
	 * publishes no types: it does not know that a lost task may not have begun.
	 */
	public int countIfAllPublishTypes(Collection<String> queues) {
		int count = 0;
		for (ServerEntries.Entry entry : this.entries.read(listed(FleetKeys.SERVERS), false)) {
			byte[] info = entry.info();
			if (info != null && entry.types() == null && StateDecoder.mayServe(info, queues)) {
				return 0;
			}
			count += (info != null) ? 1 : 0;
		}
		return count;
	}

	public List<ServedTypes> served() {
		List<ServedTypes> served = new ArrayList<>();
		for (ServerEntries.Entry entry : this.entries.read(listed(FleetKeys.SERVERS), false)) {
			byte[] info = entry.info();
			if (info != null) {
				StateDecoder.queuesServed(info)
					.ifPresent((queues) -> served.add(ServedTypes.of(queues, entry.types())));
			}
		}
		return served;
	}

	/** A key of another type lists nothing: lost tasks do not wait for it. */
	private List<String> listed(String list) {
		Set<byte[]> members = this.scripts.run("ZRANGE", list, (template) -> (template.type(list) == DataType.ZSET)
				? template.opsForZSet().range(list, 0, -1) : Set.of());
		return members.stream().map(Text::of).filter((key) -> key.startsWith(list + ":")).toList();
	}

	private static String subject(ServerIdentity server) {
		return "server " + server.serverId();
	}

	/** These keys expire in whole seconds. */
	private static long seconds(Duration ttl) {
		return Math.max(1, ttl.plusMillis(999).toSeconds());
	}

	private static void addTo(List<Object> args, ServerIdentity identity, List<WorkerSnapshot> workers) {
		for (WorkerSnapshot worker : workers) {
			args.add(worker.message().id());
			args.add(StateCodec.encode(identity, worker));
		}
	}

	private void trim() {
		this.dead.trim(FleetKeys.SERVERS, (key) -> List.of(key, FleetKeys.workersOf(key)));
		this.dead.trim(FleetKeys.WORKERS,
				(key) -> List.of(key, FleetKeys.SERVERS + key.substring(FleetKeys.WORKERS.length())));
	}

	/** A server is alive as long as Redis keeps its entry, whatever its clock says. */
	public Set<String> listedTasks() {
		trim();
		return this.entries.tasks(listed(FleetKeys.WORKERS));
	}

	public void clear(ServerIdentity server) {
		// In this order: the lists may lie on a master that does not answer
		this.scripts.run("ZREM", subject(server), (template) -> {
			template.delete(List.of(FleetKeys.server(server), FleetKeys.workers(server), FleetKeys.types(server),
					FleetKeys.wish(server), FleetKeys.held(server), FleetKeys.stuck(server)));
			// It may have been away for a while
			template.opsForZSet().remove(FleetKeys.LOST, (Object) Text.utf8(FleetKeys.server(server)));
			template.opsForZSet().remove(FleetKeys.SERVERS, (Object) Text.utf8(FleetKeys.server(server)));
			return template.opsForZSet().remove(FleetKeys.WORKERS, (Object) Text.utf8(FleetKeys.workers(server)));
		});
	}

	/** Whether one queue may be unreachable while others are not. */
	public boolean isPartitioned() {
		return this.scripts.isCluster();
	}

	public Map<String, String> masters(Collection<String> queues) {
		return this.nodes.masters(queues);
	}

}
