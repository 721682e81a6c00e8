package io.asynq.interop;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.interop.peer.MetricsPeer;
import io.asynq.metrics.QueueCollector;
import io.asynq.metrics.QueueMetrics;
import io.asynq.metrics.QueueMetricsOptions;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * A scrape of a Java application beside one of Go's {@code x/metrics} collector.
 */
@RequiresGo
@ExtendWith(RedisExtension.class)
@Tag("full")
@Timeout(300)
class MetricsIT {

	private static final List<String> QUEUES = List.of("default", "empty", "a\"b\\c\n\uD83D\uDE00", "User:42");

	private final RedisState state;

	private final TwinQueues tasks;

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final QueueMetrics metrics;

	MetricsIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
		this.tasks = new TwinQueues(this.state, Clock.systemUTC().instant());
		this.metrics = QueueMetrics
			.create(new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
			}), QueueMetricsOptions.DEFAULT);
	}

	@BeforeEach
	void start() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUES.toArray(String[]::new));
		int number = 0;
		for (String queue : QUEUES) {
			if (!queue.equals("empty")) {
				number++;
				fill(queue, number);
			}
		}
		this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
		this.metrics.bindTo(this.registry);
		QueueCollector.register(this.metrics, this.registry.getPrometheusRegistry());
		this.metrics.start();
	}

	@AfterEach
	void stop() {
		this.metrics.stop();
	}

	@Test
	void javaPublishesEverySeriesOfGoWithItsTypeAndValue() {
		try (MetricsPeer peer = new MetricsPeer(TestRedis.shared().uri())) {
			String go = peer.scrape();
			String java = this.registry.scrape();
			SortedMap<String, Double> expected = values(go);
			assertThat(expected).hasSize(QUEUES.size() * 12);
			SortedMap<String, Double> actual = values(java);
			assertThat(actual.keySet()).containsAll(expected.keySet());
			expected.forEach((series, value) -> {
				if (series.startsWith("asynq_queue_latency_seconds")) {
					assertThat(actual.get(series)).as(series).isCloseTo(value, offset(5.0));
				}
				else if (series.startsWith("asynq_queue_memory_usage_approx_bytes")) {
					assertThat(actual.get(series)).as(series).isCloseTo(value, withPercentage(0.1));
				}
				else {
					assertThat(actual.get(series)).as(series).isEqualTo(value);
				}
			});
			assertThat(types(java)).containsAllEntriesOf(types(go));
			assertThat(types(go)).hasSize(7);
		}
	}

	@Test
	void javaHasNoOtherSeriesUnderANameOfGo() {
		try (MetricsPeer peer = new MetricsPeer(TestRedis.shared().uri())) {
			String go = peer.scrape();
			SortedMap<String, Double> actual = values(this.registry.scrape());
			actual.keySet().removeIf((series) -> !types(go).containsKey(series.substring(0, series.indexOf('{'))));
			assertThat(actual.keySet()).isEqualTo(values(go).keySet());
		}
	}

	private void fill(String queue, int number) {
		for (TaskState its : TaskState.stored()) {
			for (int i = 0; i < 10 * number; i++) {
				this.tasks.seed(queue, its, its.wireName() + i, i);
			}
		}
		String oldest = RedisState.key(queue, "t:" + TaskState.PENDING.wireName() + "0");
		long since = Clock.systemUTC().instant().minus(Duration.ofMinutes(number)).getEpochSecond();
		this.state.redis().opsForHash().put(oldest, "pending_since", since + "000000000");
		this.state.redis().opsForValue().set(RedisState.key(queue, "processed"), "1" + number);
		this.state.redis().opsForValue().set(RedisState.key(queue, "failed"), "" + number);
	}

	/** Returns the values by name and labels; the labels of both have the same order. */
	private static SortedMap<String, Double> values(String scrape) {
		return scrape.lines()
			.filter((line) -> line.startsWith("asynq_") && line.contains("{"))
			.collect(Collectors.toMap((line) -> line.substring(0, line.lastIndexOf(' ')),
					(line) -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)), (one, other) -> {
						throw new IllegalStateException("A series is there twice");
					}, TreeMap::new));
	}

	private static Map<String, String> types(String scrape) {
		return scrape.lines()
			.filter((line) -> line.startsWith("# TYPE asynq_"))
			.map((line) -> line.split(" "))
			.collect(Collectors.toMap((words) -> words[2], (words) -> words[3]));
	}

}
