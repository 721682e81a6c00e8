package io.asynq.interop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.server.TestServer;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Go's recoverer takes every active task of a dead server for one that had begun. So
 * nothing is fetched ahead of workers while a Go server has the queue.
 */
@InteropTest
class FetchAheadBesideGoIT {

	private static final ServerSpec SLOW = ServerSpec.ofDefaultQueue()
		.withConcurrency(1)
		.with("work", Behaviour.takes(Duration.ofMillis(50)));

	private final RedisConnectionFactory connections;

	private final AtomicInteger tasks = new AtomicInteger();

	private final AtomicInteger ran = new AtomicInteger();

	/** How many ran that were fetched ahead, and since. */
	private final AtomicInteger ahead = new AtomicInteger();

	private final AtomicInteger sinceAhead = new AtomicInteger();

	FetchAheadBesideGoIT(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	@Test
	void nothingIsFetchedAheadBesideGoServerAndAgainOnceItIsGone(Peers peers) {
		PeerServer go = peers.go().serve(SLOW);
		await().until(() -> !peers.go().inspector().servers().isEmpty());
		try (TestServer java = java().start()) {
			runMore(java, 2000);
			assertThat(this.ahead).hasValue(0);
			go.close();
			await().until(() -> {
				runMore(java, 1000);
				return this.ahead.get() > 0;
			});
		}
	}

	@Test
	void goServerThatAppearsEndsFetchingAhead(Peers peers) {
		try (TestServer java = java().start()) {
			await().until(() -> {
				runMore(java, 1000);
				return this.ahead.get() > 0;
			});
			peers.go().serve(SLOW);
			await().until(() -> {
				runMore(java, 1000);
				return this.sinceAhead.get() >= 2000;
			});
			assertThat(java.server().statistics().heldTasks()).isZero();
		}
	}

	/** A server that is some milliseconds away. */
	private TestServer java() {
		return TestServer.builder(this.connections)
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(200)))
			.gate(() -> LockSupport.parkNanos(Duration.ofMillis(2).toNanos()))
			.handling((task, context) -> {
				if (context.attemptId().contains("+")) {
					this.ahead.incrementAndGet();
					this.sinceAhead.set(0);
				}
				this.sinceAhead.incrementAndGet();
				this.ran.incrementAndGet();
				return null;
			});
	}

	private void runMore(TestServer server, int more) {
		int before = this.ran.get();
		server.broker.enqueuer()
			.enqueueAll(IntStream.range(0, more)
				.mapToObj((i) -> TaskMessage.builder("work", "t" + this.tasks.getAndIncrement(), "default")
					.timeoutSeconds(60)
					.build())
				.map((message) -> new EnqueueRequest(message, new Placement.Pending(), null))
				.toList());
		await().until(() -> this.ran.get() >= before + more / 2);
	}

}
