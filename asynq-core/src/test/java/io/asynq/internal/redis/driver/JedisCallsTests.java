package io.asynq.internal.redis.driver;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class JedisCallsTests {

	private final JedisCalls calls = new JedisCalls(Duration.ofDays(1));

	@Test
	void busyConnectionIsNotCheckedAfterGarbageCollection() {
		PingedConnection connection = new PingedConnection();
		assertThat(this.calls.isThere(connection)).isTrue();
		assertThat(connection.pings).isOne();
		this.calls.noteUse(connection);
		awaitCollected(List.of(new WeakReference<>(new Object())));
		assertThat(this.calls.isThere(connection)).isTrue();
		assertThat(connection.pings).isOne();
	}

	@Test
	void connectionsReplacedByPoolAreNotKept() {
		List<WeakReference<Connection>> replaced = IntStream.range(0, 1000).mapToObj((i) -> {
			Connection connection = new PingedConnection();
			this.calls.noteUse(connection);
			return new WeakReference<>(connection);
		}).toList();
		awaitCollected(replaced);
	}

	private static void awaitCollected(List<? extends WeakReference<?>> references) {
		await().until(() -> {
			System.gc();
			return references.stream().allMatch((reference) -> reference.get() == null);
		});
	}

	private static final class PingedConnection extends Connection {

		private int pings;

		PingedConnection() {
			super("localhost", 1);
		}

		@Override
		public boolean ping() {
			this.pings++;
			return true;
		}

	}

}
