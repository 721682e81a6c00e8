package io.asynq.outbox.jdbc;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One of three masters hangs: its connections stay open but nothing arrives.
 */
@ExtendWith(RedisClusterExtension.class)
@Tag("full")
@Timeout(180)
class HungMasterOutboxIT {

	private static final List<String> QUEUES = IntStream.range(0, 90).mapToObj((i) -> "q" + i).toList();

	@Test
	void rowsOfQueuesOnOtherMastersAreSentAtOnceAndItsOwnWhenItIsBack(RedisConnectionFactory factory) throws Exception {
		try (OutboxFixture outbox = new OutboxFixture(factory, H2OutboxIT.source())) {
			Map<String, String> masters = outbox.broker.servers().masters(QUEUES);
			String hung = masters.get("q0");
			List<String> its = QUEUES.stream().filter((queue) -> masters.get(queue).equals(hung)).toList();
			String healthy = QUEUES.stream()
				.filter((queue) -> !its.contains(queue))
				.reduce((one, last) -> last)
				.orElseThrow();
			assertThat(its).hasSizeGreaterThan(15);
			its.forEach((queue) -> commit(outbox, queue, "t"));
			commit(outbox, healthy, "t1");
			DatabaseRelay relay;
			try (AutoCloseable pause = TestRedisCluster.shared().pause(hung)) {
				relay = outbox.startRelay();
				await().untilAsserted(() -> assertThat(outbox.state.pending(healthy)).containsExactly("t1"));
				for (int i = 2; i < 12; i++) {
					String id = "t" + i;
					commit(outbox, healthy, id);
					relay.wake();
					await().untilAsserted(() -> assertThat(outbox.state.pending(healthy)).contains(id));
				}
				assertThat(outbox.waiting()).hasSize(its.size());
			}
			await().untilAsserted(() -> assertThat(outbox.waiting()).isEmpty());
			relay.stop();
			its.forEach((queue) -> outbox.state.assertPending(queue, "t"));
		}
	}

	private static void commit(OutboxFixture outbox, String queue, String id) {
		outbox.transaction()
			.executeWithoutResult((status) -> outbox.client.enqueue(Task.of("mail", "{}"),
					TaskOptions.of((o) -> o.queue(queue).taskId(id))));
	}

}
