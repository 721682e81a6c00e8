package io.asynq.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.redis.CommandWatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class QueueMetricsIT {

	private static final int MANY = 1000;

	private final TestRedis redis = TestRedis.startOwn();

	private final JedisConnectionFactory connections = RedisExtension.connectionFactory(this.redis);

	private final RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(),
			RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
			});

	private final Queue<String> commands = new ConcurrentLinkedQueue<>();

	private final QueueSnapshots snapshots = new QueueSnapshots(Duration.ofMinutes(1), System::nanoTime);

	private final QueueReads reads = new QueueReads(this.broker.manyQueues(), new QueueFilter(List.of(), MANY),
			this.snapshots, new MemorySamples(Duration.ofMinutes(1), System::nanoTime));

	@BeforeEach
	void seed() {
		StringRedisTemplate template = new StringRedisTemplate(this.connections);
		template.opsForSet()
			.add("asynq:queues", IntStream.range(0, MANY).mapToObj((i) -> "q" + i).toArray(String[]::new));
		// Connects, so that this is not counted
		this.broker.manyQueues().stats(List.of("q0"));
	}

	@AfterEach
	void stop() {
		this.connections.destroy();
		this.redis.stop();
	}

	@Test
	void thousandQueuesTakeLessThanOneSecond() {
		// The fastest of ten: a machine under load may stand still meanwhile
		assertThat(LongStream.range(0, 10).map((i) -> nanosOfRead()).min().orElseThrow())
			.isLessThan(Duration.ofSeconds(1).toNanos());
		assertThat(this.snapshots.queues()).hasSize(MANY);
		assertThat(this.reads.errors()).isZero();
	}

	@Test
	void thousandQueuesTakeAtMostTwentyRoundTrips() throws Exception {
		watch(this.reads::read);
		assertThat(this.snapshots.queues()).hasSize(MANY);
		List<String> roundTrips = roundTrips();
		assertThat(roundTrips).filteredOn((command) -> command.contains("EVAL")).hasSizeBetween(16, 18);
		assertThat(roundTrips).hasSizeLessThanOrEqualTo(20);
	}

	@Test
	void tenQueuesTakeTwoCommands() throws Exception {
		QueueReads ten = new QueueReads(this.broker.manyQueues(), new QueueFilter(List.of(), 10), this.snapshots,
				new MemorySamples(Duration.ofMinutes(1), System::nanoTime));
		ten.read();
		watch(ten::read);
		assertThat(this.snapshots.queues()).hasSize(10);
		assertThat(roundTrips()).satisfiesExactly((first) -> assertThat(first).contains("\"SMEMBERS\""),
				(second) -> assertThat(second).contains("\"EVALSHA\""));
	}

	@Test
	void nobodyWhoReadsMetersMeansNoCommand() throws Exception {
		QueueMetrics metrics = QueueMetrics.create(this.broker, QueueMetricsOptions.DEFAULT);
		metrics.bindTo(new SimpleMeterRegistry());
		watch(() -> {
			metrics.start();
			metrics.stop();
		});
		assertThat(this.commands).noneMatch((command) -> command.contains("asynq"));
	}

	private long nanosOfRead() {
		long begin = System.nanoTime();
		this.reads.read();
		return System.nanoTime() - begin;
	}

	private List<String> roundTrips() {
		return this.commands.stream()
			.filter((command) -> !command.contains(" lua]"))
			// What connections of this test send
			.filter((command) -> !command.contains("\"CLIENT\"") && !command.contains("\"ECHO\""))
			.toList();
	}

	private void watch(Runnable action) throws Exception {
		try (CommandWatch watch = this.redis.node().watch(this.commands::add)) {
			action.run();
			this.redis.node().call((jedis) -> jedis.echo("end"));
			await().until(() -> this.commands.stream().anyMatch((command) -> command.contains("\"end\"")));
		}
	}

}
