package io.asynq.broker.redis;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.broker.EnqueueEvent;
import io.asynq.broker.FleetReader;
import io.asynq.broker.SchedulerEntry;
import io.asynq.broker.ServerInfo;

import org.springframework.data.redis.connection.DataType;

/**
 * Reads the entries of servers and schedulers (protocol 6.20, 6.21). Go removes expired
 * ones whenever it lists them; here they are only passed over, so that a replica will do:
 * {@link DeadMembers} removes them.
 */
final class RedisFleetReader implements FleetReader {

	private final ScriptRunner scripts;

	private final Clock clock;

	RedisFleetReader(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public List<ServerInfo> servers() {
		List<ServerInfo> servers = new ArrayList<>();
		for (String key : live(Keys.SERVERS)) {
			List<Object> answer = this.scripts.runList(LuaScript.READ_SERVER, key,
					List.of(key, Keys.WORKERS + key.substring(Keys.SERVERS.length())));
			if (!answer.isEmpty()) {
				addIfReadable(servers,
						() -> StateDecoder.server((byte[]) answer.get(0), answer.subList(1, answer.size())));
			}
		}
		return servers;
	}

	@Override
	public List<SchedulerEntry> schedulerEntries() {
		List<SchedulerEntry> entries = new ArrayList<>();
		for (String key : live(Keys.SCHEDULERS)) {
			List<byte[]> stored = this.scripts.run("LRANGE", key, (template) -> (template.type(key) == DataType.LIST)
					? template.opsForList().range(key, 0, -1) : List.of());
			stored.forEach((entry) -> addIfReadable(entries, () -> StateDecoder.schedulerEntry(entry)));
		}
		return entries;
	}

	@Override
	public List<EnqueueEvent> enqueueEvents(String entryId, long offset, int limit) {
		String key = Keys.schedulerHistory(entryId);
		Set<byte[]> stored = this.scripts.run("ZRANGE", key, (template) -> (template.type(key) == DataType.ZSET)
				? template.opsForZSet().range(key, -offset - limit, -offset - 1) : Set.of());
		List<EnqueueEvent> events = new ArrayList<>();
		stored.forEach((event) -> addIfReadable(events, () -> StateDecoder.enqueueEvent(event)));
		Collections.reverse(events);
		return events;
	}

	private List<String> live(String list) {
		double now = Text.seconds(this.clock.instant());
		Set<byte[]> members = this.scripts.run("ZRANGEBYSCORE", list,
				(template) -> (template.type(list) == DataType.ZSET)
						? template.opsForZSet().rangeByScore(list, now, Double.POSITIVE_INFINITY) : Set.of());
		// What is no such key may lie anywhere
		return members.stream().map(Text::of).filter((key) -> key.startsWith(list + ":")).toList();
	}

	private static <T> void addIfReadable(List<T> all, Decoding<T> decoding) {
		try {
			all.add(decoding.decode());
		}
		catch (InvalidProtocolBufferException ex) {
			// Left out, as by Go
		}
	}

	/**
	 * Decodes something.
	 *
	 * @param <T> what comes out
	 */
	private interface Decoding<T> {

		T decode() throws InvalidProtocolBufferException;

	}

}
