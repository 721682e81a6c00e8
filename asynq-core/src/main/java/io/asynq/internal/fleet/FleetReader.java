package io.asynq.internal.fleet;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.data.redis.connection.DataType;

/** Skips expired entries, which Go removes, so that a replica suffices. */
public class FleetReader {

	private static final Logger logger = OneLineLogger.of(FleetReader.class);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ClusterNodes nodes;

	private final ServerEntries servers;

	public FleetReader(ScriptRunner scripts, Clock clock, ScriptTime time, ClusterNodes nodes) {
		this.scripts = scripts;
		this.clock = clock;
		this.nodes = nodes;
		this.servers = new ServerEntries(scripts, time);
	}

	/** On a cluster, some of this may lie on a master that does not answer. */
	public boolean areSpread() {
		return this.scripts.seesCluster();
	}

	public List<ServerInfo> servers() {
		return servers(true, (entry) -> true);
	}

	public boolean hasJavaServer(String queue) {
		return servers(false, (entry) -> entry.types() != null).stream()
			.anyMatch((server) -> server.queues().containsKey(queue));
	}

	public Map<String, Long> consumers() {
		Map<String, Long> consumers = new TreeMap<>();
		servers(false, (entry) -> true).stream()
			.filter(ServerInfo::takesTasks)
			.forEach((server) -> server.queues().keySet().forEach((queue) -> consumers.merge(queue, 1L, Long::sum)));
		return consumers;
	}

	private List<ServerInfo> servers(boolean tasks, Predicate<ServerEntries.Entry> which) {
		List<ServerInfo> servers = new ArrayList<>();
		for (ServerEntries.Entry entry : this.servers.read(live(FleetKeys.SERVERS), tasks)) {
			byte[] info = entry.info();
			if (info != null && which.test(entry)) {
				addIfReadable(servers, () -> StateDecoder.server(info, entry.workers(), entry.held()));
			}
		}
		return servers;
	}

	/** Counts the tasks in the prefetch buffers as of the last heartbeats. */
	public Map<String, Long> held() {
		Map<String, Long> held = new TreeMap<>();
		try {
			for (ServerEntries.Entry entry : this.servers.readReachable(live(FleetKeys.SERVERS))) {
				if (entry.info() != null) {
					entry.held().forEach((queue, tasks) -> held.merge(queue, (long) tasks, Long::sum));
				}
			}
		}
		catch (BrokerException ex) {
			logger.debug("It cannot be read which servers there are", ex);
		}
		return held;
	}

	public List<SchedulerEntry> schedulerEntries() {
		List<SchedulerEntry> entries = new ArrayList<>();
		for (String key : live(FleetKeys.SCHEDULERS)) {
			List<byte[]> stored = this.scripts.run("LRANGE", key, (template) -> (template.type(key) == DataType.LIST)
					? template.opsForList().range(key, 0, -1) : List.of());
			stored.forEach((entry) -> addIfReadable(entries, () -> StateDecoder.schedulerEntry(entry)));
		}
		return entries;
	}

	public List<EnqueueEvent> enqueueEvents(String entryId, long offset, int limit) {
		String key = FleetKeys.schedulerHistory(entryId);
		Set<byte[]> stored = this.scripts.run("ZRANGE", key, (template) -> (template.type(key) == DataType.ZSET)
				? template.opsForZSet().range(key, -offset - limit, -offset - 1) : Set.of());
		List<EnqueueEvent> events = new ArrayList<>();
		stored.forEach((event) -> addIfReadable(events, () -> StateDecoder.enqueueEvent(event)));
		// Redis knows only the second, and orders those of one second by their bytes
		events.sort(Comparator.comparing(EnqueueEvent::enqueuedAt).reversed());
		return events;
	}

	public int keySlot(String queue) {
		return this.nodes.keySlot(queue);
	}

	public List<ClusterNode> nodes(String queue) {
		return this.nodes.nodes(queue);
	}

	private List<String> live(String list) {
		double now = Text.seconds(this.clock.instant());
		Set<byte[]> members = this.scripts.run("ZRANGEBYSCORE", list,
				(template) -> (template.type(list) == DataType.ZSET)
						? template.opsForZSet().rangeByScore(list, now, Double.POSITIVE_INFINITY) : Set.of());
		// Any other key may lie in any slot
		return members.stream().map(Text::of).filter((key) -> key.startsWith(list + ":")).toList();
	}

	private static <T> void addIfReadable(List<T> all, Decoding<T> decoding) {
		try {
			all.add(decoding.decode());
		}
		catch (InvalidProtocolBufferException ex) {
			// Left out, as in Go
		}
	}

	private interface Decoding<T> {

		T decode() throws InvalidProtocolBufferException;

	}

}
