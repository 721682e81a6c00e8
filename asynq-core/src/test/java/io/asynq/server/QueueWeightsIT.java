package io.asynq.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Shares of queues in what is worked off.
 */
@ExtendWith(RedisExtension.class)
@Timeout(60)
class QueueWeightsIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	QueueWeightsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void weightsHoldOverTenThousandTasks() throws Exception {
		int rounds = 2000;
		AtomicInteger handled = new AtomicInteger();
		String[] sequence = new String[10_000];
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue("critical", 6).queue("default", 3).queue("low", 1))
			.handling((task, context) -> {
				int place = handled.getAndIncrement();
				if (place < sequence.length) {
					sequence[place] = context.queue();
				}
				return null;
			})) {
			for (String queue : List.of("critical", "default", "low")) {
				TaskMessage[] messages = new TaskMessage[rounds * 4];
				for (int i = 0; i < messages.length; i++) {
					messages[i] = RedisState.message(queue, "t" + i).build();
				}
				server.broker.enqueuer()
					.enqueueAll(Arrays.stream(messages)
						.map((message) -> new EnqueueRequest(message, new Placement.Pending(), null))
						.toList());
			}
			server.start();
			await().atMost(Duration.ofSeconds(40)).until(() -> handled.get() >= sequence.length);
		}
		for (String queue : List.of("critical", "default", "low")) {
			long share = Arrays.stream(sequence).filter(queue::equals).count();
			double expected = switch (queue) {
				case "critical" -> 60;
				case "default" -> 30;
				default -> 10;
			};
			assertThat(share / 100.0).as(queue).isBetween(expected - 2, expected + 2);
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
