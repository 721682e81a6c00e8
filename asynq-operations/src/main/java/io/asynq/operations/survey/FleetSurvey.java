package io.asynq.operations.survey;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.Broker;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerEntries;
import io.asynq.internal.fleet.StateDecoder;
import io.asynq.internal.fleet.StuckHandler;
import io.asynq.internal.redis.DeadMembers;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.ServedTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

public final class FleetSurvey {

	private static final int MOST = 500;

	/** How long entries live, in Go and here; they expire in whole seconds. */
	private static final Duration LIFE = Duration.ofSeconds(10);

	private static final Duration ROUNDING = Duration.ofSeconds(2);

	/** Redis lists servers by their last heartbeat, which changes every few seconds. */
	private static final Comparator<Live> BY_NAME = Comparator.comparing((Live server) -> server.info().host())
		.thenComparingInt((server) -> server.info().pid())
		.thenComparing((server) -> server.info().id());

	private final ScriptRunner scripts;

	private final ServerEntries servers;

	private final Clock clock;

	public FleetSurvey(Broker handle, Clock clock) {
		RedisBroker broker = RedisBroker.of(handle);
		this.clock = clock;
		this.scripts = broker.scripts();
		this.servers = new ServerEntries(this.scripts, broker.time());
	}

	/** Lists at most the five hundred servers that announced themselves last. */
	public Fleet look() {
		Fleet fleet = new Fleet(new ArrayList<>(), new ArrayList<>());
		Set<TypedTuple<byte[]>> listed = this.scripts.run("ZRANGE", "servers",
				(template) -> (template.type(FleetKeys.SERVERS) == DataType.ZSET)
						? template.opsForZSet().rangeWithScores(FleetKeys.SERVERS, -MOST, -1) : Set.of());
		Map<String, Instant> expiries = new LinkedHashMap<>();
		for (TypedTuple<byte[]> member : listed) {
			String key = Text.of(member.getValue());
			// Any other key may lie in any slot
			if (key.startsWith(FleetKeys.SERVERS + ":")) {
				Double score = member.getScore();
				expiries.put(key, Text.instant((score != null) ? score.longValue() : 0));
			}
		}
		this.servers.read(List.copyOf(expiries.keySet()), true)
			.forEach((entry) -> add(fleet, entry, expiries.get(entry.key())));
		fleet.live().sort(BY_NAME);
		addRemembered(fleet, expiries.keySet());
		return fleet;
	}

	private static void add(Fleet fleet, ServerEntries.Entry entry, Instant expiry) {
		byte[] told = entry.info();
		if (told == null) {
			fleet.lost().add(lost(entry.key(), expiry));
			return;
		}
		try {
			ServerInfo info = StateDecoder.server(told, entry.workers(), entry.held());
			fleet.live()
				.add(new Live(info, ServedTypes.of(info.queues().keySet(), entry.types()), ahead(expiry, entry.now()),
						entry.stuck()));
		}
		catch (InvalidProtocolBufferException ex) {
			// Left out, as in Go
		}
	}

	/** Those that others have taken from the list since they went. */
	private void addRemembered(Fleet fleet, Set<String> listed) {
		Set<TypedTuple<byte[]>> remembered = this.scripts.run("ZRANGE", "lost servers",
				(template) -> template.opsForZSet().rangeWithScores(FleetKeys.LOST, 0, -1));
		Instant oldest = this.clock.instant().minus(DeadMembers.REMEMBERED);
		for (TypedTuple<byte[]> member : remembered) {
			String key = Text.of(member.getValue());
			Double score = member.getScore();
			Instant expiry = Text.instant((score != null) ? score.longValue() : 0);
			if (!listed.contains(key) && expiry.isAfter(oldest)) {
				fleet.lost().add(lost(key, expiry));
			}
		}
	}

	private static Lost lost(String key, Instant expiry) {
		return new Lost(key.substring(FleetKeys.SERVERS.length()).replaceAll("^:\\{|}$", ""), expiry);
	}

	/** A live entry was written at most its life ago, by its server's clock. */
	private static Duration ahead(Instant expiry, Instant now) {
		Duration left = Duration.between(now, expiry);
		if (left.compareTo(LIFE.plus(ROUNDING)) > 0) {
			return left.minus(LIFE);
		}
		return (left.plus(ROUNDING).isNegative()) ? left : Duration.ZERO;
	}

	/** Lost servers went within a day without signing off, or are still listed. */
	public record Fleet(List<Live> live, List<Lost> lost) {
	}

	/** The server's clock is at least so much {@code ahead}, negative if behind. */
	public record Live(ServerInfo info, ServedTypes served, Duration ahead, List<StuckHandler> stuck) {

		public boolean isJava() {
			return this.served.types() != null;
		}

	}

	public record Lost(String name, @Nullable Instant since) {
	}

}
