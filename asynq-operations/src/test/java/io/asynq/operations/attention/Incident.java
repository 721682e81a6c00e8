package io.asynq.operations.attention;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.server.QueueWeights;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * An incident, as it stands in Redis: a mail server is down, a periodic task fails, a
 * type is poisoned, and one server was killed; beside it, queues that are well.
 */
public final class Incident {

	/** The queues that are well. */
	public static final List<String> WELL = IntStream.range(0, 10).mapToObj((i) -> "well-" + i).toList();

	/** When the mail server went down. */
	private final Instant begin;

	private final RedisState state;

	private final RedisBroker broker;

	private Incident(RedisState state, RedisBroker broker, Instant begin) {
		this.state = state;
		this.broker = broker;
		this.begin = begin;
	}

	/**
	 * Writes it.
	 * @param begin when the mail server went down
	 */
	public static void seed(RedisState state, RedisBroker broker, Instant begin) {
		Incident incident = new Incident(state, broker, begin);
		WELL.forEach((queue) -> incident.counters(queue, 1000, 3));
		incident.servers();
		incident.outage();
		incident.periodic();
		incident.poison();
	}

	/** The outage: 970 of a thousand executions fail. */
	private void outage() {
		counters("mail", 1000, 970);
		for (int i = 0; i < 60; i++) {
			this.state.seedRetry(this.begin.plusSeconds(3600 + i),
					failed("mail", "mail-" + i, this.begin.plusSeconds(i), "dial tcp mx" + i + ": connection refused"));
		}
	}

	private void periodic() {
		ServerIdentity scheduler = new ServerIdentity("far", 8, "scheduler");
		this.broker.schedulers()
			.write(scheduler,
					List.of(new SchedulerEntrySnapshot("nightly", "@every 1m", "report", null,
							TaskOptions.of((options) -> options.queue("reports")), null, null)),
					Duration.ofMinutes(10));
		for (int i = 0; i < 3; i++) {
			this.broker.schedulers().recordEnqueued("nightly", "report-" + i, this.begin.plusSeconds(60L * i));
			this.state.seedArchived(this.begin.plusSeconds(60L * i + 1),
					failed("reports", "report-" + i, this.begin.plusSeconds(60L * i + 1), "no such table"));
		}
	}

	/** Tasks that take their workers with them. */
	private void poison() {
		this.state.seedActive(this.begin, RedisState.message("images", "poison").build());
	}

	private void servers() {
		ServerIdentity live = new ServerIdentity("near", 7, "live");
		Map<String, Integer> queues = new HashMap<>(Map.of("mail", 3, "reports", 1, "images", 1));
		WELL.forEach((queue) -> queues.put(queue, 1));
		this.broker.servers().enlist(live, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(live, 10, new QueueWeights(queues, false), "active", this.begin, List.of(),
					Map.of()), Duration.ofMinutes(10));
		this.state.redis()
			.opsForZSet()
			.add("asynq:servers", "asynq:servers:{far:9:killed}", this.begin.getEpochSecond());
		this.state.seedPending(RedisState.message("orphan", "nobody").build());
		this.state.redis().opsForSet().add("asynq:queues", "orphan", "mail", "reports", "images");
	}

	private void counters(String queue, long processed, long failed) {
		StringRedisTemplate redis = this.state.redis();
		redis.opsForSet().add("asynq:queues", queue);
		String today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).toString();
		for (String suffix : List.of("", ":" + today)) {
			redis.opsForValue().set("asynq:{" + queue + "}:processed" + suffix, String.valueOf(processed));
			redis.opsForValue().set("asynq:{" + queue + "}:failed" + suffix, String.valueOf(failed));
		}
	}

	private static TaskMessage failed(String queue, String id, Instant at, String error) {
		return RedisState.message(queue, id).errorMessage(error).lastFailedAtSeconds(at.getEpochSecond()).build();
	}

}
