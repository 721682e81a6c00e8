package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerHealth;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * One master of a cluster is enough to be up; paused and slow queues do not count.
 */
final class AsynqHealthIndicator extends AbstractHealthIndicator {

	private final Runnable ping;

	private final Clock clock;

	private final @Nullable AsynqServer server;

	private final @Nullable ServerOptions options;

	private final @Nullable AsynqScheduler scheduler;

	private final @Nullable PeriodicTaskManager manager;

	private final AtomicReference<Instant> unusableSince = new AtomicReference<>();

	AsynqHealthIndicator(Runnable ping, Clock clock, @Nullable AsynqServer server, @Nullable ServerOptions options,
			@Nullable AsynqScheduler scheduler, @Nullable PeriodicTaskManager manager) {
		super("The health of asynq could not be told");
		this.ping = ping;
		this.clock = clock;
		this.server = server;
		this.options = options;
		this.scheduler = scheduler;
		this.manager = manager;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Hints hints = new Hints();
		String error = unusable();
		if (error != null) {
			builder.withDetail("error", hints.withoutKnown(error))
				.withDetail("since", String.valueOf(this.unusableSince.get()));
		}
		Status status = addTo(builder, hints);
		builder.status((error != null) ? Status.DOWN : status);
	}

	/**
	 * The message only, because with an exception the superclass would log a stack trace
	 * at every check.
	 */
	private @Nullable String unusable() {
		try {
			this.ping.run();
			this.unusableSince.set(null);
			return null;
		}
		catch (AsynqException ex) {
			this.unusableSince.compareAndSet(null, this.clock.instant());
			return String.valueOf(ex.getMessage());
		}
	}

	/** Returns the status that follows from the details. */
	private Status addTo(Health.Builder builder, Hints hints) {
		Status status = Status.UP;
		List<LoopInfo> loops = new ArrayList<>();
		if (this.server != null && this.options != null) {
			ServerHealth health = this.server.health();
			status = addServer(builder, this.server, this.options, health, hints);
			loops.addAll(health.loops());
		}
		if (this.scheduler != null) {
			loops.addAll(this.scheduler.loops());
		}
		// A provider that hangs is the application's, and its last periodic tasks go on
		boolean stands = loops.stream().anyMatch((loop) -> loop.dead() || loop.stalledSince() != null);
		if (this.manager != null) {
			loops.addAll(this.manager.loops());
		}
		add(builder, "deadLoops", loops.stream().filter(LoopInfo::dead).map(LoopInfo::name).toList());
		add(builder, "stalledLoops", stalled(loops.stream()));
		add(builder, "failingLoops", failing(loops.stream(), hints));
		return stands ? Status.DOWN : status;
	}

	private static Status addServer(Health.Builder builder, AsynqServer server, ServerOptions options,
			ServerHealth health, Hints hints) {
		ServerState state = server.state();
		builder.withDetail("server", health.quiet() ? "quiet" : state.wireName())
			.withDetail("queues", new TreeMap<>(options.queues().weights()));
		add(builder, "lastHeartbeat", health.lastHeartbeat());
		Map<String, SortedSet<String>> away = server.nodesAway();
		if (!away.isEmpty()) {
			builder.withDetail("nodesAway", away);
		}
		ServerHealth.LastError last = health.lastError();
		if (last != null) {
			builder.withDetail("lastError", error(last.loop(), hints.withoutKnown(last.error()), "at", last.at()));
		}
		if (!health.unhandled().isEmpty()) {
			builder.withDetail("typesWithoutHandler", health.unhandled());
		}
		if (health.heartbeatMissed()) {
			builder.withDetail("heartbeat", "missed");
			return Status.DOWN;
		}
		return (health.quiet() || state == ServerState.CLOSED) ? Status.OUT_OF_SERVICE : Status.UP;
	}

	private static List<Map<String, String>> failing(Stream<LoopInfo> loops, Hints hints) {
		return loops.filter((loop) -> loop.failingSince() != null)
			.map((loop) -> error(loop.name(), hints.withoutKnown(String.valueOf(loop.error())), "since",
					loop.failingSince()))
			.toList();
	}

	private static List<Map<String, String>> stalled(Stream<LoopInfo> loops) {
		return loops.filter((loop) -> loop.stalledSince() != null)
			.map((loop) -> Map.of("loop", loop.name(), "since", String.valueOf(loop.stalledSince())))
			.toList();
	}

	private static Map<String, String> error(String loop, String error, String when, @Nullable Instant time) {
		Map<String, String> details = new LinkedHashMap<>();
		details.put("loop", loop);
		details.put("error", error);
		details.put(when, String.valueOf(time));
		return details;
	}

	private static void add(Health.Builder builder, String name, List<?> loops) {
		if (!loops.isEmpty()) {
			builder.withDetail(name, loops);
		}
	}

	private static void add(Health.Builder builder, String name, @Nullable Instant time) {
		if (time != null) {
			builder.withDetail(name, time.toString());
		}
	}

	/**
	 * When Redis cannot be used, all loops fail for the same reason, and each error ends
	 * with the same advice in brackets.
	 */
	private static final class Hints {

		private static final Pattern HINT = Pattern.compile(" \\([^()]*\\)$");

		private final Set<String> given = new HashSet<>();

		String withoutKnown(String error) {
			Matcher hint = HINT.matcher(error);
			return (hint.find() && !this.given.add(hint.group())) ? error.substring(0, hint.start()) : error;
		}

	}

}
