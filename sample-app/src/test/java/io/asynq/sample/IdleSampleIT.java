package io.asynq.sample;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.asynq.test.TestRedis;
import io.asynq.test.redis.CommandWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the sample with ten queues and all defaults sends to Redis once its orders are
 * worked off. The heartbeat of the server, which is sent every five seconds, tells the
 * time.
 */
@Tag("full")
@ExtendWith(OutputCaptureExtension.class)
class IdleSampleIT {

	private static final Duration LONG = Duration.ofMinutes(3);

	/** A minute. */
	private static final int HEARTBEATS = 12;

	private static final int SCRAPES = 4;

	/** At most five per second. */
	private static final int LIMIT = 5 * 5 * HEARTBEATS;

	private final TestRedis redis = TestRedis.startOwn();

	private final Queue<String> sent = new ConcurrentLinkedQueue<>();

	@AfterEach
	void stop() {
		this.redis.stop();
	}

	@Test
	void idleSampleSendsAtMostFiveCommandsPerSecondScrapedOrNot(CapturedOutput output) throws Exception {
		String[] arguments = Stream
			.concat(Stream.of("--spring.data.redis.url=" + this.redis.uri(), "--sample.orders=10"),
					Stream.of(5, 6, 7, 8, 9, 10).map((i) -> "--asynq.server.queues.idle-" + i + "=1"))
			.toArray(String[]::new);
		try (ConfigurableApplicationContext context = SampleApplicationIT.start(arguments)) {
			await().atMost(LONG).until(() -> output.getOut().contains("Summary: "));
			await().atMost(LONG).until(() -> output.getOut().contains("Sales: "));
			try (CommandWatch watch = this.redis.node().watch(this::note)) {
				awaitHeartbeats(HEARTBEATS);
				assertThat(this.sent).as("nobody scrapes").hasSizeLessThanOrEqualTo(LIMIT);
				this.sent.clear();
				RestClient http = RestClient
					.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
				for (int scrape = 0; scrape < SCRAPES; scrape++) {
					assertThat(http.get().uri("/actuator/prometheus").retrieve().body(String.class))
						.contains("asynq_queue_size{");
					awaitHeartbeats((scrape + 1) * HEARTBEATS / SCRAPES);
				}
				assertThat(this.sent).as("one scrape every 15 s").hasSizeLessThanOrEqualTo(LIMIT);
			}
		}
	}

	private void note(String command) {
		if (!command.contains(" lua]")) {
			this.sent.add(command);
		}
	}

	private void awaitHeartbeats(int count) {
		await().atMost(LONG)
			.until(() -> this.sent.stream()
				.filter((command) -> command.contains("\"EVALSHA\"") && command.contains("\"asynq:servers:{"))
				.count() >= count);
	}

}
